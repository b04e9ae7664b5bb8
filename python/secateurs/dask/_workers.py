"""Jobs on the workers of dask.distributed, each of which counts once."""

import logging
import time as clock
import warnings
from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from math import inf
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple
from uuid import uuid4

import distributed
from distributed.protocol.pickle import dumps, loads
from distributed.scheduler import KilledWorker

import secateurs
from secateurs._arguments import plain_bool, wrong_type
from secateurs._batch import Progress

# The number of jobs per worker thread that are submitted at a time, so that no thread is idle.
AHEAD = 2

# In order: the number of jobs per worker thread that may be submitted beyond the oldest unfinished one.
WINDOW = 4

# The interval at which workers that have joined are found, and jobs that are late, seconds.
LOOK = 1.0

# A job is late after this many times the longest job so far, and this many seconds more. If threads are idle, another
# worker then repeats it, and the first result counts.
LATE, MORE = 4.0, 5.0

# The time-out for fetching a result from a worker, seconds. The job is repeated afterwards.
FETCH = 20.0

GONE = "the scheduler of Dask was lost, and with it the jobs that ran"

# The number of times that a job is repeated because it was lost; each time that Dask gives it up, after the deaths of
# several workers, counts DEATHS times.
REPEATS, DEATHS = 20, 4

# What a client raises that has lost the scheduler for good; earlier versions of Dask have no class for it.
CLOSED: type[Exception] = getattr(distributed.client, "ClosedClientError", ConnectionAbortedError)

# What the scheduler or a worker that cannot be reached raises.
LOST = (OSError, TimeoutError, distributed.CancelledError, CLOSED)


class Done(NamedTuple):
    """A finished job: its arguments, its result, and the time that it took on the worker, seconds."""

    arguments: tuple[Any, ...]
    result: Any
    seconds: float


@dataclass
class Job:
    """A job, and its futures: more than one if it is late."""

    number: int
    arguments: tuple[Any, ...]
    futures: list[Any] = field(default_factory=list)
    submitted: float = 0.0
    losses: int = 0


def current(client: distributed.Client | None) -> distributed.Client:
    """Returns the client, or else the current one.

    :raises TypeError: it is something else.
    :raises ValueError: there is none, or it is closed or asynchronous.
    """
    if client is None:
        try:
            return distributed.get_client()
        except ValueError:
            raise ValueError("there is no client of Dask: give client=distributed.Client(…)") from None
    if not isinstance(client, distributed.Client):
        raise wrong_type("client", "a distributed.Client", client)
    if client.asynchronous:
        raise ValueError("client is asynchronous, and the calls of secateurs.dask wait: give another one")
    if client.status in ("closing", "closed"):
        raise ValueError("client is closed")
    return client


def completed(
    client: distributed.Client,
    work: Callable[..., Any],
    supply: Callable[[], tuple[Any, ...] | None],
    *,
    shared: tuple[Any, ...] = (),
    where: Callable[[], str | None] = lambda: None,
    ahead: int = AHEAD,
    in_order: bool = False,
    deadline: float = inf,
) -> Generator[Done, None, None]:
    """Runs jobs on the workers and yields each of them once. Close the iterator: that cancels the other jobs.

    :param work: what a worker does with the arguments of a job.
    :param supply: returns the arguments of the next job, or ``None`` if there is none before another one is yielded.
    :param shared: what follows the arguments of every job, as Dask passes it on: data that are on the workers.
    :param where: returns the address of the worker for the job last supplied, as long as it is alive; ``None``: any.
    :param ahead: the number of jobs per worker thread that are submitted at a time.
    :param in_order: whether the jobs are yielded in the order of their submission.
    :param deadline: the time of :func:`time.monotonic` at which the iterator ends.
    :raises RuntimeError: a worker has another version.
    :raises ConnectionError: the scheduler was lost.
    :raises OSError: that of a job, such as a file that a worker does not have.
    """
    jobs: dict[int, Job] = {}
    by_key: dict[Any, Job] = {}
    finished: SimpleQueue[Any] = SimpleQueue()
    held: dict[int, Done] = {}
    numbers, due, longest = count(), 0, 0.0
    threads, looked, warned = 1, float("-inf"), False

    def submit(job: Job, **where: Any) -> None:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Sending large graph")
            # The dashboard shows jobs by the first part of the key.
            key = f"{work.__name__}-{uuid4()}"
            # As bytes: what cannot be read there, such as a file that the worker lacks, would end the worker.
            sent = (secateurs.__version__, work, dumps(job.arguments), *shared)
            future = client.submit(worked, *sent, key=key, pure=False, **where)
        job.submitted = clock.monotonic()
        job.futures.append(future)
        by_key[future.key] = job
        future.add_done_callback(finished.put)

    try:
        while True:
            if clock.monotonic() - looked >= LOOK:
                with suppress(*LOST):
                    threads = sum(client.nthreads().values())
                    if not (threads or warned):
                        warned = True
                        logging.getLogger("secateurs").warning(
                            "Dask has no workers: the call waits for them; if jobs have ended them, their logs say why"
                        )
                    threads = max(1, threads)
                looked = clock.monotonic()
            while len(jobs) < ahead * threads and len(jobs) + len(held) < WINDOW * threads:
                if (arguments := supply()) is None:
                    break
                job = Job(next(numbers), arguments)
                jobs[job.number] = job
                place = where()
                submit(job, **({} if place is None else {"workers": [place], "allow_other_workers": True}))
            remaining = deadline - clock.monotonic()
            if not jobs or remaining <= 0:
                return
            try:
                future = finished.get(timeout=min(LOOK, remaining))
            except Empty:
                if client.status == "closed":
                    raise ConnectionError(GONE) from None
                for job in jobs.values():
                    if all(future.status in ("lost", "cancelled") for future in job.futures):
                        job.futures.clear()
                        submit(job)
                    elif longest and clock.monotonic() - job.submitted > LATE * longest + MORE:
                        submit(job, **away_from(client, job))
                continue
            job = by_key.pop(future.key)
            if job.number not in jobs:
                continue
            try:
                done = fetched(client, future, job)
            except LOST as error:
                job.futures.remove(future)
                job.losses += 1
                if job.losses > REPEATS:
                    raise ConnectionError(f"a job was lost again and again: {error}") from None
                submit(job)
                continue
            if len(job.futures) > 1:
                client.cancel([other for other in job.futures if other is not future])
            if isinstance(done.result, OSError):
                raise done.result
            del jobs[job.number]
            longest = max(longest, done.seconds)
            if not in_order:
                yield done
                continue
            held[job.number] = done
            while due in held:
                yield held.pop(due)
                due += 1
    except CLOSED:
        raise ConnectionError(GONE) from None
    finally:
        if jobs:
            with suppress(*LOST):
                client.cancel([future for job in jobs.values() for future in job.futures])


def worked(version: str, work: Callable[..., Any], arguments: bytes, *shared: Any) -> tuple[str, str, Any, float]:
    """Runs a job on a worker of this version. Returns address and version, the result, and the time in seconds.

    An ``OSError`` of the job is its result: one that is raised means that the job was lost.
    """
    address, own = distributed.get_worker().address, secateurs.__version__
    began = clock.perf_counter()
    try:
        result = work(*loads(arguments), *shared) if own == version else None
    except OSError as error:
        result = noted(error, address)
    except Exception as error:
        noted(error, address)
        raise
    return address, own, result, clock.perf_counter() - began


def noted(error: Exception, address: str) -> Exception:
    """Returns an error with the address of the worker."""
    # From Python 3.11 on.
    if hasattr(error, "add_note"):
        error.add_note(f"on worker {address}")
    return error


def go_on() -> None:
    """Ends the job of this thread of a worker if its result has been cancelled.

    :raises CancelledError: it has.
    """
    worker = distributed.get_worker()
    task = worker.state.tasks.get(worker.get_current_task())
    if task is None or task.state != "executing":
        raise distributed.CancelledError("the call has ended")


def fetched(client: distributed.Client, future: Any, job: Job) -> Done:
    """Returns the result of a finished job.

    :raises OSError: it is lost, and so are ``TimeoutError`` and ``CancelledError``.
    """
    try:
        address, version, result, seconds = future.result(timeout=FETCH)
    except KilledWorker as error:
        job.losses += DEATHS - 1
        raise ConnectionError(str(error)) from None
    except (ImportError, AttributeError):
        check_versions(client)
        raise
    if version != secateurs.__version__:
        raise RuntimeError(refusal(address, version))
    return Done(job.arguments, result, seconds)


def check_versions(client: distributed.Client) -> None:
    """Refuses a worker that has another version, or none.

    :raises RuntimeError: it names the worker and its version.
    """
    for address, version in client.run(version_here, on_error="return").items():
        if version != secateurs.__version__:
            raise RuntimeError(refusal(address, str(version)))


def version_here() -> str:
    """Returns the version of a worker."""
    return secateurs.__version__


def refusal(address: str, version: str) -> str:
    """Returns the error for a worker of another version."""
    return (
        f"worker {address} has Secateurs {version}, and this process {secateurs.__version__}: install the same version"
    )


def away_from(client: distributed.Client, job: Job) -> dict[str, Any]:
    """Returns where to repeat a job: on the workers that do not have it."""
    keys = {future.key for future in job.futures}
    with suppress(*LOST):
        others = [address for address, tasks in client.processing().items() if keys.isdisjoint(tasks)]
        return {"workers": others, "allow_other_workers": True} if others else {}
    return {}


def listener_of(
    progress: bool | Callable[[int, int], object] | None, total: int, things: str
) -> tuple[Callable[[int, int], object], Callable[[], object]]:
    """Returns the function for progress reports and the function that closes it.

    :raises TypeError: ``progress`` is neither a bool nor a function.
    """
    progress = plain_bool(progress)
    if progress is True:
        bar = Progress(total, things)
        return bar, bar.close
    if not (progress is None or progress is False or callable(progress)):
        raise wrong_type("progress", "a bool or a function of two numbers", progress)
    return progress or (lambda done, total: None), lambda: None
