"""Batches on the workers of dask.distributed: processes of their own."""

import os
import shutil
import signal
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import secateurs
from players import ours
from secateurs import Engine, Limit, Position
from test_batch import timeless, walk
from test_docs import run

with warnings.catch_warnings():
    # What it says of its own dependencies.
    warnings.simplefilter("ignore")
    import distributed
    from secateurs import dask

pytestmark = pytest.mark.filterwarnings("default")


def test_lines_and_fens_are_those_found_here(client: distributed.Client) -> None:
    given: list[Position | str] = [Position("chess").text, *["startpos moves e2e4"] * 20]
    reports: list[tuple[int, int]] = []
    there = dask.analyse_many(
        given, depth=2, multipv=2, client=client, progress=lambda done, total: reports.append((done, total))
    )
    assert timeless(there) == timeless(secateurs.analyse_many(given, depth=2, multipv=2))
    assert (len(there), reports[-1]) == (42, (21, 21))
    with pytest.raises(secateurs.BadOption, match="chess takes uci_chess960"):
        dask.analyse_many(given, depth=1, client=client, foo=3)


def test_a_single_position_is_a_batch(client: distributed.Client) -> None:
    (found,), (expected,) = (
        timeless(function(Position("nim"), depth=3)) for function in (dask.analyse_many, secateurs.analyse_many)
    )
    assert found == expected
    with pytest.raises(TypeError, match="positions is an iterable of Position and str, not str"):
        dask.analyse_many("startpos", depth=3, client=client)


def test_rows_are_those_found_here(client: distributed.Client) -> None:
    given: list[Position | str] = [*walk("kalah"), "nonsense", *walk("nim"), Position("kalah").text] * 4
    reports: list[tuple[int, int]] = []
    limit = Limit(depth=5)
    there = dask.analyse_many(
        given, limit, client=client, hash=1, progress=lambda done, total: reports.append((done, total))
    )
    here = secateurs.analyse_many(given, limit, hash=1)
    assert timeless(there) == timeless(here)
    assert there.errors == here.errors >= 4
    assert reports == sorted(reports)
    assert reports[-1] == (len(given), len(given))
    # More tasks than one, of more than one row each.
    assert 2 <= len(reports) < len(given)


def test_the_current_client_serves(client: distributed.Client) -> None:
    batch = dask.analyse_many(["3,4,5 1", "1,1 1"], depth=9, pv=False, game="nim", theory=False)
    assert timeless(batch) == timeless(
        secateurs.analyse_many(["3,4,5 1", "1,1 1"], depth=9, pv=False, game="nim", theory=False)
    )
    assert dask.analyse_many([], depth=9, client=client) == secateurs.analyse_many([], depth=9)


def test_what_is_wrong_is_told_here(client: distributed.Client) -> None:
    with pytest.raises(ValueError, match="a search needs a limit"):
        dask.analyse_many(["startpos"], client=client)
    with pytest.raises(secateurs.BadOption, match="unknown game"):
        dask.analyse_many(["startpos"], depth=3, client=client, game="tennis")
    with pytest.raises(TypeError, match=r"positions\[1\] is a Position or a str, not int"):
        dask.analyse_many(["startpos", 3], depth=3, client=client)  # type: ignore[list-item]
    with pytest.raises(TypeError, match="progress is a bool or a function of two numbers, not int"):
        dask.analyse_many([], depth=3, client=client, progress=5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="checkpoint is for a batch on one machine"):
        dask.analyse_many([], depth=3, client=client, checkpoint="rows")
    with pytest.raises(ValueError, match="threads is for a batch on one machine"):
        dask.analyse_many([], depth=3, client=client, threads=1)
    with pytest.raises(TypeError, match=r"client is a distributed\.Client, not str"):
        dask.solve(Position("kalah"), client="tcp://127.0.0.1:1")  # type: ignore[arg-type]
    with distributed.Client(processes=False, dashboard_address=":0", set_as_default=False) as closed:
        pass
    with pytest.raises(ValueError, match="client is closed"):
        dask.match([Engine(hash=1)] * 2, depth=1, client=closed)
    asynchronous: Any = object.__new__(
        type("Asynchronous", (distributed.Client,), {"asynchronous": True, "__del__": lambda client: None})
    )
    with pytest.raises(ValueError, match="client is asynchronous, and the calls of"):
        dask.solve(Position("kalah"), client=asynchronous)


def test_a_client_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> None:
        raise ValueError("no global client")

    monkeypatch.setattr(distributed, "get_client", none)
    with pytest.raises(ValueError, match=r"there is no client of Dask: give client=distributed\.Client"):
        dask.analyse_many([], depth=3)


def test_what_progress_raises_ends_the_batch(client: distributed.Client) -> None:
    def refuse(done: int, total: int) -> None:
        raise RuntimeError("enough")

    positions = [Position("kalah", houses=12, seeds=12)] * 1_000
    with pytest.raises(RuntimeError, match="enough"):
        dask.analyse_many(positions, time=0.01, client=client, progress=refuse)
    assert dask.analyse_many(["startpos"], depth=2, client=client).errors == 0


def test_a_worker_that_is_killed_loses_nothing(client: distributed.Client) -> None:
    positions = walk("kalah", 200) * 20
    victims = list(client.run(os.getpid).values())[:1]

    def kill(done: int, total: int) -> None:
        while victims:
            os.kill(victims.pop(), signal.SIGKILL)

    there = dask.analyse_many(positions, depth=6, client=client, progress=kill)
    assert not victims
    assert timeless(there) == timeless(secateurs.analyse_many(positions, depth=6))


def test_examples() -> None:
    for text in (dask.__doc__, dask.analyse_many.__doc__, dask.selfplay.__doc__, dask.speed.__doc__):
        assert text
        run(text, "secateurs.dask", {"secateurs": secateurs, "dask": dask})


def test_a_missing_library_is_named() -> None:
    program = "import sys; sys.modules['distributed'] = None; import secateurs.dask"
    failed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (
        "ModuleNotFoundError: secateurs.dask needs the package distributed: pip install 'secateurs[dask]'"
        in failed.stderr
    )


def test_moves_are_chosen_on_the_workers(client: distributed.Client) -> None:
    positions = 3 * [secateurs.Position("chess")]
    chosen: list[Any] = [["e4"], [["e4"], None, ["d4", "c4"]], "e4"]
    for moves in chosen:
        found = dask.analyse_many(positions, depth=2, root_moves=moves, san=True, client=client)
        assert found["best_move"] == secateurs.analyse_many(positions, depth=2, root_moves=moves)["best_move"]
    with pytest.raises(ValueError, match="root_moves has 1 items for 3 positions"):
        dask.analyse_many(positions, depth=2, root_moves=[["e4"]], client=client)


def test_files_that_workers_lack_are_named(client: distributed.Client, tmp_path: Path) -> None:
    folder = tmp_path / "endgames"
    ours("endgame", "build", "--seeds", "4", str(folder))
    position = Position("kalah", kalah_endgames=folder)
    shutil.rmtree(folder)
    calls: list[Callable[[], object]] = [
        lambda: dask.analyse_many([position], depth=2, client=client),
        lambda: dask.solve(position, job=500, hash=1, client=client),
        lambda: dask.selfplay(tmp_path / "games.ssp", position, positions=10, nodes=10, client=client),
    ]
    for call in calls:
        with pytest.raises(FileNotFoundError, match=r'endgames"?: No such file or directory'):
            call()
    # The workers live on.
    assert len(dask.analyse_many([Position("nim")], depth=2, client=client)) == 1
