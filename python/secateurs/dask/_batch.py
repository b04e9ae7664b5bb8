"""Batches of positions on the workers of Dask."""

from collections.abc import Callable, Iterable
from contextlib import closing
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import distributed

import secateurs
from secateurs import Batch, Position, _native
from secateurs.dask._workers import completed, current, listener_of

if TYPE_CHECKING:
    from secateurs._native import _AnyLimit, _AnyPosition, _Move, _Option

# The target time of a task, seconds: hundreds of times the overhead of Dask, and cheap to repeat on another worker.
TASK = 1.0

# The number of rows of the first tasks, when the time of a row is unknown.
FIRST = 4


def analyse_many(
    positions: "Iterable[_AnyPosition] | _AnyPosition",
    limit: "_AnyLimit | None" = None,
    *,
    client: distributed.Client | None = None,
    hash: int = 4,
    pv: bool = True,
    multipv: int | None = None,
    root_moves: "Iterable[_Move | Iterable[_Move] | None] | _Move | None" = None,
    san: bool = False,
    progress: bool | Callable[[int, int], object] | None = None,
    game: str | None = None,
    **limits_and_options: "float | timedelta | _Option | None",
) -> Batch:
    """Searches many positions on the workers of Dask, with the rows of :func:`secateurs.analyse_many`.

    Each task is about a second of work for one thread of a worker, with an engine of its own. If a worker is lost,
    other workers repeat its tasks. Ending the call, by Ctrl-C or otherwise, cancels the tasks that have not started.

    :param root_moves: the moves to search, as for :func:`secateurs.analyse_many`: for all positions or for each.
    :param client: the client of the scheduler; ``None``: the current one.
    :raises ValueError: there is no client, or as for :func:`secateurs.analyse_many`, which has the other parameters.
    """
    client = current(client)
    if found := {"checkpoint", "threads"}.intersection(limits_and_options):
        raise ValueError(f"{min(found)} is for a batch on one machine")
    # A position of a wrong type raises an error before a task is submitted, as do invalid settings.
    parts: dict[int, Batch] = {}
    rows = _native._read(positions)
    # Each task has the game of the whole batch.
    game = _native._game_of(rows) if game is None else game
    settings: dict[str, Any] = {"limit": limit, "hash": hash, "pv": pv, "multipv": multipv, "san": san, "game": game}
    settings.update(limits_and_options)
    empty = secateurs.analyse_many([], **settings)
    moves = None if root_moves is None else _native._moves_of(rows, root_moves)
    threads = max(1, sum(client.nthreads().values()))
    listener, close = listener_of(progress, len(rows), "positions")
    done, spent, start = 0, 0.0, 0

    def supply() -> tuple[Any, ...] | None:
        nonlocal start
        if start == len(rows):
            return None
        # At most as many rows as are finished, which may have been easy; at the end, equal shares for the threads.
        size = min(int(TASK * done / spent) if spent else FIRST, max(FIRST, done), (len(rows) - start) // threads)
        first, start = start, min(start + max(size, 1), len(rows))
        own = {} if moves is None else {"root_moves": moves[first:start]}
        return first, rows[first:start], {**settings, **own}

    try:
        with closing(completed(client, piece, supply)) as jobs:
            for (first, part, _), batch, seconds in jobs:
                parts[first] = batch
                done, spent = done + len(part), spent + seconds
                listener(done, len(rows))
    finally:
        close()
    return Batch._concat([empty, *(parts[index] for index in sorted(parts))])


def piece(first: int, positions: list[Position | str], settings: dict[str, Any]) -> Batch:
    """Searches the positions of a task, the first of which has this number, on a worker."""
    return secateurs.analyse_many(positions, threads=1, **settings)
