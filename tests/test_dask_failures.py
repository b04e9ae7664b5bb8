"""Failures of a cluster: each job counts once, files keep what they had. `benches/dask_failures.py` tries more."""

import os
import pickle
import resource
import signal
import warnings
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import secateurs
from secateurs import Engine, Player, Position

with warnings.catch_warnings():
    # What it says of its own dependencies.
    warnings.simplefilter("ignore")
    import distributed
    from distributed.scheduler import KilledWorker
    from secateurs import dask
    from secateurs.dask import _workers

pytestmark = pytest.mark.filterwarnings("default")

BOARD = Position("kalah", houses=3, seeds=3)


class FakeFuture:
    """A future that a test finishes."""

    def __init__(self, number: int, key: str) -> None:
        """The future of a job."""
        self.number, self.key, self.status = number, key, "pending"
        self.outcome: Any = None
        self.callbacks: list[Callable[[Any], None]] = []

    def add_done_callback(self, callback: Callable[[Any], None]) -> None:
        """Calls once it is finished."""
        self.callbacks.append(callback)
        if self.status == "finished":
            callback(self)

    def finish(self, outcome: Any) -> None:
        """Finishes it, with an exception or a result."""
        self.status, self.outcome = "finished", outcome
        for callback in self.callbacks:
            callback(self)

    def result(self, timeout: float) -> Any:
        """What it gave."""
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return "tcp://worker", secateurs.__version__, self.outcome, 0.0


class FakeClient:
    """A client with one thread; its kinds finish their futures as they are submitted."""

    def __init__(self) -> None:
        """Begins without futures."""
        self.futures, self.numbers = list[FakeFuture](), count()
        self.status = "running"
        self.cancelled: list[str] = []

    def nthreads(self) -> dict[str, int]:
        """One worker."""
        return {"tcp://worker": 1}

    def submit(self, _work: Any, _version: str, _job: Any, arguments: bytes, **_options: Any) -> FakeFuture:
        """Adds a future."""
        future = FakeFuture(pickle.loads(arguments)[0], str(next(self.numbers)))
        self.futures.append(future)
        return future

    def cancel(self, futures: list[FakeFuture]) -> None:
        """Notes what is cancelled."""
        self.cancelled += [future.key for future in futures]

    def processing(self) -> dict[str, tuple[str, ...]]:
        """Where the jobs run."""
        return {}


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looks more often."""
    monkeypatch.setattr(_workers, "LOOK", 0.01)
    monkeypatch.setattr(_workers, "MORE", 0.0)


def run(client: FakeClient, jobs: int, in_order: bool = True) -> Iterator[int]:
    """The results of so many jobs; each is the number of the job."""
    left = iter(range(jobs))
    supplied = _workers.completed(
        client,  # type: ignore[arg-type]
        abs,
        lambda: None if (number := next(left, None)) is None else (number,),
        in_order=in_order,
    )
    for done in supplied:
        assert done.arguments == (done.result,)
        yield done.result


def test_results_that_are_lost_are_found_again() -> None:
    class Losing(FakeClient):
        def submit(self, *arguments: Any, **options: Any) -> FakeFuture:
            future = super().submit(*arguments, **options)
            tries = sum(other.number == future.number for other in self.futures)
            if tries == 1:
                future.finish(KilledWorker("job", SimpleNamespace(address="tcp://worker"), 3))  # type: ignore[arg-type]
            elif tries == 2:
                future.finish(TimeoutError())
            elif tries == 3:
                # The client has lost the scheduler, and found it again.
                future.status = "lost"
            else:
                future.finish(future.number)
            return future

    assert list(run(Losing(), 7)) == list(range(7))
    assert sorted(run(Losing(), 7, in_order=False)) == list(range(7))


def test_a_job_that_kills_every_worker_is_given_up() -> None:
    class Deadly(FakeClient):
        def submit(self, *arguments: Any, **options: Any) -> FakeFuture:
            future = super().submit(*arguments, **options)
            future.finish(KilledWorker("job", SimpleNamespace(address="tcp://worker"), 3))  # type: ignore[arg-type]
            return future

    client = Deadly()
    with pytest.raises(ConnectionError, match="a job was lost again and again"):
        list(run(client, 1))
    assert len(client.futures) == 6


def test_a_late_job_counts_once() -> None:
    """The first job is stuck: another worker repeats it, and both results come."""

    class Stuck(FakeClient):
        def submit(self, *arguments: Any, **options: Any) -> FakeFuture:
            future = super().submit(*arguments, **options)
            if future.number == 0 and len(self.futures) > 1:
                future.finish(0)
                self.futures[0].finish(0)
            elif future.number:
                future.finish(future.number)
            return future

    client = Stuck()
    original = _workers.fetched

    def slow(*arguments: Any) -> Any:
        return original(*arguments)._replace(seconds=0.001)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_workers, "fetched", slow)
        assert list(run(client, 9)) == list(range(9))
    # The original came first in the end, and the repetition was cancelled.
    assert client.cancelled == ["4"]


def test_the_scheduler_that_does_not_come_back_is_named() -> None:
    class Closed(FakeClient):
        def submit(self, *arguments: Any, **options: Any) -> FakeFuture:
            self.status = "closed"
            return super().submit(*arguments, **options)

    with pytest.raises(ConnectionError, match="the scheduler of Dask was lost"):
        list(run(Closed(), 1))


def test_another_version_is_refused(client: distributed.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secateurs, "__version__", "9.9.9")
    with pytest.raises(RuntimeError, match=r"worker tcp://.* has Secateurs 0\..*, and this process 9\.9\.9"):
        dask.match([Engine(), Engine()], BOARD, depth=1, client=client)


def test_a_match_survives_the_death_of_a_worker(client: distributed.Client, tmp_path: Path) -> None:
    players = {"more": Player(Engine(hash=1), nodes=4_000), "less": Player(Engine(hash=1), nodes=2_000)}
    here, there = tmp_path / "here", tmp_path / "there"
    secateurs.match(players, BOARD, rounds=20, random_nodes=50, record=here)
    victims = list(client.run(os.getpid).values())[:1]

    def kill(match: secateurs.Match) -> None:
        while victims:
            os.kill(victims.pop(), signal.SIGKILL)

    dask.match(players, BOARD, rounds=20, random_nodes=50, record=there, client=client, progress=kill)
    assert not victims
    games = [secateurs.Match.load(path).games for path in (here, there)]
    assert [game.moves for game in games[0]] == [game.moves for game in games[1]]
    numbers = [line.split(b",")[0] for line in there.read_bytes().splitlines()[1:]]
    assert numbers == [b'{"number":%d' % number for number in range(40)]


def test_a_full_disk_leaves_what_was_written(client: distributed.Client, tmp_path: Path) -> None:
    path, before = tmp_path / "kalah.jsonl", resource.getrlimit(resource.RLIMIT_FSIZE)
    position = Position("kalah", houses=4, seeds=3).play("2")
    resource.setrlimit(resource.RLIMIT_FSIZE, (3_001, before[1]))
    try:
        with pytest.raises(OSError, match=r"File too large|no space left"):
            dask.solve(position, job=100, hash=1, checkpoint=path, client=client)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    kept = path.read_bytes()
    assert kept.endswith(b"\n")
    assert len(kept) <= 3_001
    found = dask.solve(position, job=500, hash=1, checkpoint=path, client=client)
    assert found.value == Engine(hash=1).solve(position, moves="none").value
    assert path.read_bytes().startswith(kept)
