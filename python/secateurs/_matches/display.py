"""Displays of matches in notebooks and terminals."""

import sys
import time
from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING

from secateurs._batch import PAUSE as LINES_PAUSE
from secateurs._display import PAUSE
from secateurs._tables import CELL

if TYPE_CHECKING:
    from secateurs._matches.result import Match


def match_html(match: "Match") -> str:
    """Formats the crosstable and the remarks."""
    remarks = "".join(f'<div style="{CELL}left">{escape(remark)}</div>' for remark in match.remarks())
    return f'<div><div style="overflow-x:auto">{match.svg()}</div>{remarks}</div>'


class Display:
    """Displays a match repeatedly, but not too often."""

    def __init__(
        self, update: Callable[["Match"], object], clear: Callable[[], object] | None = None, pause: float = PAUSE
    ) -> None:
        """Sets the functions that display the match and remove the display, and the time between two updates."""
        self.update = update
        self.clear = clear
        self.pause = pause
        self.shown = 0.0

    def __call__(self, so_far: Callable[[], "Match"], last: bool = False) -> None:
        """Updates the display if it is time."""
        now = time.monotonic()
        if last or now - self.shown >= self.pause:
            found = so_far()
            self.update(found)
            # The first game is shown at once. The more games, the longer an update takes: limit it to a tenth of the
            # time.
            if found.played:
                self.shown = max(now, 11 * time.monotonic() - 10 * now - self.pause)


def live() -> Display | None:
    """Returns a table in the notebook that follows the match; ``None`` outside a notebook.

    If the cell displays the match at its end, this table is removed.
    """
    from IPython import get_ipython
    from IPython.display import HTML, display

    shell = get_ipython()
    if shell is None or not hasattr(shell, "kernel"):
        return None
    handle = display(HTML("a match begins"), display_id=True)  # type: ignore[no-untyped-call]
    if handle is None:
        return None
    cell = getattr(shell, "execution_count", None)

    def update(match: "Match") -> None:
        handle.update(HTML(match_html(match)))  # type: ignore[no-untyped-call]

    def clear() -> None:
        if getattr(shell, "execution_count", None) == cell:
            handle.update(HTML(""))  # type: ignore[no-untyped-call]

    return Display(update, clear)


def line() -> Display:
    """Returns a line on stderr that follows the match; where stderr is no terminal, a line now and then."""
    is_terminal = sys.stderr.isatty()

    def update(match: "Match") -> None:
        # The allocation of tables, the start of processes and the openings precede the first game.
        results = match._found["results"] if match.played else ", the players get ready"
        text = f"{match.played}/{match.planned} games{results}"
        if is_terminal:
            sys.stderr.write(f"\r\033[K{text}" + ("\n" if match.finished else ""))
        else:
            sys.stderr.write(f"secateurs: {text}\n")
        sys.stderr.flush()

    return Display(update, pause=PAUSE if is_terminal else LINES_PAUSE)
