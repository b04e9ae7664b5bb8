"""Batches on many machines: :func:`analyse_many` with the workers of dask.distributed.

It requires the extra ``dask``, and Secateurs in the same version here and on the workers. The rows are those of
:func:`secateurs.analyse_many`, whichever worker finds them.

>>> import distributed
>>> from secateurs import dask
>>> with distributed.Client(processes=False, dashboard_address=":0") as client:
...     batch = dask.analyse_many(["3,4,5 1", "1,1 1"], depth=9, game="nim", client=client)
>>> batch["best_move"]
['1-2', '1-1']
"""

import time as clock
from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import secateurs
from secateurs import Batch, Position, _native
from secateurs._arguments import items, wrong_type
from secateurs._extras import needed

if TYPE_CHECKING:
    from secateurs._native import _AnyLimit, _AnyPosition, _Move, _Option

with needed("secateurs.dask", "dask"):
    import distributed

__all__ = ["analyse_many"]

# The target time of a task, seconds: hundreds of times the overhead of Dask, and cheap to repeat on another worker.
TASK = 1.0

# The number of rows of the first tasks, when the time of a row is unknown.
FIRST = 4

# The number of tasks per worker thread that are submitted ahead, so that no thread is idle.
AHEAD = 2


def analyse_many(
    positions: "Iterable[_AnyPosition]",
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
    if not (progress is None or isinstance(progress, bool) or callable(progress)):
        raise wrong_type("progress", "a bool or a function of two numbers", progress)
    if client is None:
        client = distributed.get_client()
    # A position of a wrong type raises an error before a task is submitted, as do invalid settings.
    parts: dict[int, Batch] = {}
    rows = _native._read(items("positions", "an iterable of Position and str", positions))
    # Each task has the game of the whole batch.
    game = _native._game_of(rows) if game is None else game
    settings: dict[str, Any] = {"limit": limit, "hash": hash, "pv": pv, "multipv": multipv, "san": san, "game": game}
    settings.update(limits_and_options)
    empty = secateurs.analyse_many([], **settings)
    moves = None if root_moves is None else _native._moves_of(rows, root_moves)
    threads = max(1, sum(client.nthreads().values()))
    listener, close = reporter(progress, len(rows))
    done, spent, start = 0, 0.0, 0
    # The submitted tasks by key, each with the index of its first row and their number.
    running: dict[Any, tuple[Any, int, int]] = {}
    futures = distributed.as_completed(with_results=True)

    def submit() -> None:
        nonlocal start
        # At most as many rows as are finished, which may have been easy; at the end, equal shares for the threads.
        size = min(int(TASK * done / spent) if spent else FIRST, max(FIRST, done), (len(rows) - start) // threads)
        size = max(size, 1)
        part = rows[start : start + size]
        own = {} if moves is None else {"root_moves": moves[start : start + size]}
        future = client.submit(piece, part, {**settings, **own}, pure=False)
        running[future.key] = future, start, len(part)
        futures.add(future)
        start += len(part)

    try:
        for _ in range(AHEAD * threads):
            if start < len(rows):
                submit()
        for future, (seconds, batch) in futures:
            _, first, size = running.pop(future.key)
            parts[first] = batch
            done, spent = done + size, spent + seconds
            listener(done, len(rows))
            if start < len(rows):
                submit()
    finally:
        client.cancel([future for future, *_ in running.values()])
        close()
    return Batch._concat([empty, *(parts[index] for index in sorted(parts))])


def piece(positions: list[Position | str], settings: dict[str, Any]) -> tuple[float, Batch]:
    """Runs a task on a worker; returns its time in seconds and the rows."""
    began = clock.perf_counter()
    batch = secateurs.analyse_many(positions, threads=1, **settings)
    return clock.perf_counter() - began, batch


def reporter(
    progress: bool | Callable[[int, int], object] | None, total: int
) -> tuple[Callable[[int, int], object], Any]:
    """Returns the function for progress reports and the function that closes it."""
    if progress is True:
        from secateurs._batch import Progress

        bar = Progress(total, "positions")
        return bar, bar.close
    return progress or (lambda done, total: None), lambda: None
