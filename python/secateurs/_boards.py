"""Boards of other programs as texts of positions."""

import re
from collections.abc import Iterable


def connect_four(rows: Iterable[str], player: str) -> str:
    """Returns a board of Connect Four as text, from its rows from the top: ``x``, ``o`` and ``.`` for a vacant square.

    >>> connect_four([".......", "..x..o."], "x")
    '7/2x2o1 x'
    """
    text = "/".join(re.sub(r"\.+", lambda gap: str(len(gap[0])), row) for row in rows)
    return f"{text} {player}"
