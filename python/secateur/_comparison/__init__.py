"""The laboratory: search procedures side by side."""

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from types import SimpleNamespace

from secateur import _native
from secateur._comparison.result import Comparison
from secateur._native import Position

__all__ = ["Comparison", "compare"]


def compare(
    positions: Position | str | Iterable[Position | str] | None = None,
    depth: int | Sequence[int] = 6,
    *,
    tree: Mapping[str, float] | None = None,
    trees: int = 1,
    procedures: str | Sequence[str] | None = None,
    order: str = "moves",
    nodes: int = 100_000_000,
    time: float | None = None,
    table: int = 1 << 22,
    soft: bool = True,
    guess: int | None = None,
    window: int = 50,
    stack: int = 256,
    at_least: int | None = None,
    threshold: float | None = None,
    plausibilities: str | os.PathLike[str] | None = None,
    hash: int = 16,
    game: str = "kalah",
    **options: bool | int | str | os.PathLike[str],
) -> Comparison:
    """Compares search procedures of the literature on the same positions, or on the same synthetic trees.

    All search to the horizon and evaluate there, and so agree in value; greedy, floyd and secateur, the search that
    plays, look less or more far. The GIL is released, and Ctrl-C works.

    >>> position = secateur.Position("kalah", houses=3, seeds=2)
    >>> found = secateur.compare(position, 5, procedures=["minimax", "alpha-beta", "sss", "secateur"])
    >>> found["value"][:3] == [found["value"][0]] * 3
    True
    >>> minimax, alpha_beta, sss, secateur_itself = found["nodes"]
    >>> minimax > alpha_beta > sss
    True

    Synthetic trees are uniform. ``order`` there is how often the best move is the first one, ``same`` how often the
    turn stays with who moved, both from 0 to 1.

    >>> perfect = dict(width=4, depth=6, order=1)
    >>> secateur.compare(tree=perfect, trees=10, procedures="alpha-beta")["terminal"] == [10 * (4**3 + 4**3 - 1)]
    True

    :param positions: a :class:`Position`, a ``str`` as :meth:`Position.parse` reads it, or several; ``None``: the
        starting position. Positions of games in Python are as good.
    :param depth: plies to the horizon, 0 to 255; or several, which are compared one after the other.
    :param tree: synthetic trees instead of positions: width, depth (plies), seed, order, same.
    :param trees: so many of them, of this seed and the next ones; rows are sums over all.
    :param procedures: by name, as :meth:`Comparison.procedures` has them, and "secateur"; ``None``: all that can be
        compared.
    :param order: the order of the moves: "moves", as the game makes them, or "rank", by its static scores of moves.
    :param nodes: each run is given up after so many.
    :param time: and after so much time, seconds.
    :param table: tables hold at most so many positions.
    :param soft: whether alpha-beta with table or killers is fail-soft.
    :param guess: where aspiration, mtdf and dfpn begin, centi-units; ``None``: at the evaluation of the position.
    :param window: half the first window of aspiration, centi-units.
    :param stack: so many positions fit on the stack of "stack".
    :param at_least: ask dfpn one question, whether the value is at least that, centi-units; ``None``: until it is
        known.
    :param threshold: lines that are less plausible are not followed by floyd, above 0 to 1; ``None``: one over the
        number of moves, to the power of the depth, so that a line of average moves ends about at the horizon.
    :param plausibilities: a file of how plausible moves are, as ``secateur plausibility`` writes it.
    :param hash: the table of secateur, MiB.
    :param game: the game of positions that are given as text, or not at all.
    :param options: its options, as :class:`Position` takes them.
    :raises ValueError: an argument is out of range.
    :raises TypeError: one of the positions is neither, or both positions and a tree are given.
    :raises BadOption: no such procedure, game or option, a part of a tree that there is not or that is out of range, or
        a procedure that cannot be run on synthetic trees.
    :raises BadPosition: a text cannot be read.
    :raises BadFile: the file of plausibilities is none.
    """
    if tree is not None and positions is not None:
        raise TypeError("give positions or a tree, not both")
    if positions is None:
        positions = "startpos"
    rows = _native._compare(
        SimpleNamespace(
            positions=positions,
            tree=tree,
            trees=trees,
            depth=depth,
            procedures=procedures,
            order=order,
            nodes=nodes,
            time=time,
            table=table,
            soft=soft,
            guess=guess,
            window=window,
            stack=stack,
            at_least=at_least,
            threshold=threshold,
            plausibilities=plausibilities,
            hash=hash,
            game=game,
            options=options,
        )
    )
    return Comparison([json.loads(row) for row in rows])
