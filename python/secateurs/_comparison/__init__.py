"""Comparisons of search procedures."""

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from types import SimpleNamespace
from typing import TYPE_CHECKING

from secateurs import _native
from secateurs._comparison.result import Comparison

if TYPE_CHECKING:
    from secateurs._native import _AnyPosition, _Option

__all__ = ["Comparison", "compare"]


def compare(
    positions: "_AnyPosition | Iterable[_AnyPosition] | None" = None,
    depth: int | Sequence[int] = 6,
    *,
    tree: Mapping[str, float] | None = None,
    trees: int = 1,
    procedures: str | Sequence[str] | None = None,
    order: str = "moves",
    nodes: int = 100_000_000,
    time: float | timedelta | None = None,
    table: int = 1 << 22,
    soft: bool = True,
    guess: int | None = None,
    window: int = 50,
    stack: int = 256,
    at_least: int | None = None,
    threshold: float | None = None,
    plausibilities: str | os.PathLike[str] | None = None,
    hash: int = 16,
    progress: bool | Callable[[int, int], object] | None = None,
    game: str | None = None,
    **options: "_Option",
) -> Comparison:
    """Compares search procedures of the literature on the same positions, or on the same synthetic trees.

    All search to the horizon and evaluate there, so their values agree; greedy, floyd and secateurs (the engine's own
    search) look less or more far. The GIL is released, and Ctrl-C works.

    >>> position = secateurs.Position("kalah", houses=3, seeds=2)
    >>> found = secateurs.compare(position, 5, procedures=["minimax", "alpha-beta", "sss", "secateurs"])
    >>> found["value"][:3] == [found["value"][0]] * 3
    True
    >>> minimax, alpha_beta, sss, secateurs_itself = found["nodes"]
    >>> minimax > alpha_beta > sss
    True

    Synthetic trees are uniform. Their ``order`` is the probability that the best move is the first one, ``same`` the
    probability that the same side moves again, both from 0 to 1.

    >>> perfect = dict(width=4, depth=6, order=1)
    >>> secateurs.compare(tree=perfect, trees=10, procedures="alpha-beta")["terminal"] == [10 * (4**3 + 4**3 - 1)]
    True

    :param positions: a :class:`Position` or what else :meth:`Engine.analyse` takes, a ``str`` as read by
        :meth:`Position.parse`, or several; ``None``: the starting position.
    :param depth: plies to the horizon, 0 to 255; or several depths.
    :param tree: the parameters of synthetic trees: width, depth (plies), seed, order, same.
    :param trees: the number of trees, with consecutive seeds; rows are sums over all trees.
    :param procedures: names from :meth:`Comparison.procedures`, or "secateurs"; ``None``: all that apply.
    :param order: the move order: "moves", as generated, or "rank", by static scores of the moves.
    :param nodes: the maximum number of nodes of a run.
    :param time: the maximum time of a run, seconds.
    :param table: the maximum number of positions in a table.
    :param soft: whether alpha-beta with table or killers is fail-soft.
    :param guess: the first guess of aspiration, mtdf and dfpn, centi-units; ``None``: the evaluation of the position.
    :param window: half the width of the first window of aspiration, centi-units.
    :param stack: the maximum number of positions on the stack of "stack".
    :param at_least: dfpn only decides whether the value is at least this, centi-units; ``None``: it finds the value.
    :param threshold: floyd prunes lines that are less plausible than this, above 0 to 1; ``None``: one over the number
        of moves, to the power of the depth, so that a line of average moves ends near the horizon.
    :param plausibilities: a file of plausibilities of moves, written by ``secateurs plausibility``.
    :param hash: the table of secateurs, MiB.
    :param progress: ``True`` or a function, as for :func:`analyse_many`; it counts rows, those of each tree apart.
    :param game: the game of positions given as text and of the starting position; ``None``: chess or xiangqi if the
        one of them is a FEN, otherwise Kalah.
    :param options: options of the game, as for :class:`Position`.
    :raises ValueError: an argument is out of range.
    :raises TypeError: a position is neither, both positions and a tree are given, or ``trees`` without a tree.
    :raises BadOption: a procedure, game, option or parameter of trees does not exist or is out of range, or a procedure
        does not apply to synthetic trees.
    :raises BadPosition: a text cannot be read.
    :raises BadFile: the file contains no plausibilities.
    """
    arguments = SimpleNamespace(**locals())
    if positions is None:
        arguments.positions = "startpos"
    elif tree is not None:
        raise TypeError("give positions or a tree, not both")
    if tree is None and trees != 1:
        raise TypeError("trees is the number of synthetic trees: it needs tree")
    return Comparison([json.loads(row) for row in _native._compare(arguments)])
