"""Batches on many machines: :func:`analyse_many` with the workers of dask.distributed.

It needs ``pip install secateur[dask]``, here and where the workers are, in the same version. The rows are those of
:func:`secateur.analyse_many`, whoever finds them.

>>> import distributed
>>> from secateur import dask
>>> with distributed.Client(processes=False, dashboard_address=":0") as client:
...     batch = dask.analyse_many(["3,4,5 1", "1,1 1"], depth=9, game="nim", client=client)
>>> batch["best_move"]
['1-2', '1-1']
"""

import time as clock
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import secateur
from secateur import Batch, Limit, Position
from secateur._arguments import items, wrong_type

if TYPE_CHECKING:
    from secateur._native import _Option

try:
    import distributed
except ImportError:
    raise ImportError("secateur.dask needs dask.distributed: pip install secateur[dask]") from None

__all__ = ["analyse_many"]

# A task is to take so many seconds: hundreds of times what Dask takes for it, and soon done again elsewhere.
TASK = 1.0

# The first tasks have so many rows: how long a row takes is not known yet.
FIRST = 4

# So many tasks for each thread of the workers are under way, so that none waits for the next.
AHEAD = 2


def analyse_many(
    positions: Iterable[Position | str],
    limit: Limit | None = None,
    *,
    client: distributed.Client | None = None,
    hash: int = 4,
    pv: bool = True,
    progress: bool | Callable[[int, int], object] | None = None,
    game: str = "kalah",
    **limits_and_options: "float | _Option | None",
) -> Batch:
    """Searches many positions alike on the workers of Dask, with the rows of :func:`secateur.analyse_many`.

    Each task is about a second of work for one thread of a worker, with engines of its own there. A worker that is lost
    loses its tasks alone, which others repeat. Ending the call, by Ctrl-C or otherwise, cancels what has not begun.

    :param client: the client of the scheduler; ``None``: the one that is current.
    :raises ValueError: there is no client; and as for :func:`secateur.analyse_many`, which has the other parameters.
    """
    if not (progress is None or isinstance(progress, bool) or callable(progress)):
        raise wrong_type("progress", "a bool or a function of two numbers", progress)
    if client is None:
        client = distributed.get_client()
    settings: dict[str, Any] = {"limit": limit, "hash": hash, "pv": pv, "game": game, **limits_and_options}
    # Errors in these are raised before anything is sent; a row that is neither, with its number here.
    empty = secateur.analyse_many([], **settings)
    parts: dict[int, Batch] = {}
    rows = list(items("positions", "an iterable of Position and str", positions))
    for index, row in enumerate(rows):
        if not isinstance(row, Position | str):
            raise wrong_type(f"positions[{index}]", "a Position or a str", row)
    threads = max(1, sum(client.nthreads().values()))
    listener, close = told(progress, len(rows))
    done, spent, start = 0, 0.0, 0
    # Those under way, by their keys, each with the number of its first row.
    running: dict[Any, tuple[Any, int]] = {}
    futures = distributed.as_completed(with_results=True)

    def submit() -> None:
        nonlocal start
        # Not many more than have been done by now, which may have been easy; and at the end as many for each thread.
        size = min(int(TASK * done / spent) if spent else FIRST, max(FIRST, done), (len(rows) - start) // threads)
        size = max(size, 1)
        part = rows[start : start + size]
        future = client.submit(piece, part, settings, pure=False)
        running[future.key] = future, start
        futures.add(future)
        start += len(part)

    try:
        for _ in range(AHEAD * threads):
            if start < len(rows):
                submit()
        for future, (seconds, batch) in futures:
            parts[running.pop(future.key)[1]] = batch
            done, spent = done + len(batch), spent + seconds
            listener(done, len(rows))
            if start < len(rows):
                submit()
    finally:
        client.cancel([future for future, _ in running.values()])
        close()
    return Batch._concat([empty, *(parts[index] for index in sorted(parts))])


def piece(positions: list[Position | str], settings: dict[str, Any]) -> tuple[float, Batch]:
    """What a worker does, and the seconds that it takes."""
    began = clock.perf_counter()
    batch = secateur.analyse_many(positions, threads=1, **settings)
    return clock.perf_counter() - began, batch


def told(progress: bool | Callable[[int, int], object] | None, total: int) -> tuple[Callable[[int, int], object], Any]:
    """The callback for progress, and what closes it."""
    if progress is True:
        from secateur._batch import Progress

        bar = Progress(total)
        return bar, bar.close
    return progress or (lambda done, total: None), lambda: None
