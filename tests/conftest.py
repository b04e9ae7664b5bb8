"""What all tests need."""

import gc
import os
import signal
import threading
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from players import ours

# A shell starts background jobs with Ctrl-C ignored, and Python takes that over; the tests send it themselves.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some games of Kalah from self-play."""
    path = tmp_path_factory.mktemp("games") / "games.ssp"
    ours("selfplay", "--game", "kalah", "--nodes", "50", "--positions", "6000", str(path))
    return path


@pytest.fixture
def interrupted() -> Iterator[Callable[..., Any]]:
    """Calls a function, and sends this process the signal of Ctrl-C so many seconds after its start."""
    timers: list[threading.Timer] = []

    def call(seconds: float, work: Callable[..., Any], *args: Any, **options: Any) -> Any:
        timers.append(threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT)))
        timers[-1].start()
        return work(*args, **options)

    # Python drops the exception of a signal that comes in a finalizer, such as those of objects of earlier tests.
    gc.collect()
    gc.disable()
    yield call
    gc.enable()
    for timer in timers:
        timer.join()


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """Two workers of dask.distributed, each a process."""
    with warnings.catch_warnings():
        # What it says of its own dependencies.
        warnings.simplefilter("ignore")
        import distributed
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client
