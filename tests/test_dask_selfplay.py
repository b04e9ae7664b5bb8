"""Games of self-play on the workers of dask.distributed: the file of one machine."""

import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest
import secateurs

with warnings.catch_warnings():
    # What it says of its own dependencies.
    warnings.simplefilter("ignore")
    import distributed
    from secateurs import dask

pytestmark = pytest.mark.filterwarnings("default")

PLAN: dict[str, Any] = {"nodes": 100, "seed": 3, "random_plies": 4}


def local(path: Path, positions: int) -> None:
    """Plays on one machine."""
    words = ["selfplay", path, "--game", "connect4", "--positions", positions, "--nodes", 100, "--seed", 3]
    command = [sys.executable, "-m", "secateurs", *map(str, words), "--random-plies", "4"]
    subprocess.run(command, check=True, capture_output=True)


def test_the_file_is_that_of_one_machine(client: distributed.Client, tmp_path: Path) -> None:
    here, there, reports = tmp_path / "here.ssp", tmp_path / "there.ssp", list[int]()
    local(here, 3_000)
    found = dask.selfplay(
        there, "connect4", positions=3_000, client=client, progress=lambda done, total: reports.append(done), **PLAN
    )
    assert there.read_bytes() == here.read_bytes()
    assert reports == sorted(reports)
    assert reports[-1] == found >= 3_000
    # Either continues what the other began, also after a record that was cut off.
    with here.open("r+b") as file:
        file.truncate(here.stat().st_size - 3)
    again = dask.selfplay(here, "connect4", positions=4_000, client=client, **PLAN)
    local(there, 4_000)
    assert there.read_bytes() == here.read_bytes()
    assert again >= 4_000
    assert dask.selfplay(here, "connect4", positions=10, client=client, **PLAN) == again


def test_bad_arguments_are_named(client: distributed.Client, tmp_path: Path) -> None:
    path = tmp_path / "games.ssp"
    with pytest.raises(ValueError, match="nodes is a whole number, at least 1, not"):
        dask.selfplay(path, "connect4", nodes=0, client=client)
    with pytest.raises(ValueError, match="position is the start of a registered game"):
        dask.selfplay(path, secateurs.Position("connect4").play("4"), client=client)
    with pytest.raises(TypeError, match="progress is a bool or a function of two numbers, not int"):
        dask.selfplay(path, "connect4", client=client, progress=5)  # type: ignore[arg-type]
    dask.selfplay(path, "connect4", positions=50, client=client, **PLAN)
    with pytest.raises(secateurs.BadFile, match="has other games: its --"):
        dask.selfplay(path, "connect4", positions=50, client=client, **{**PLAN, "seed": 4})
    held = secateurs._native._GamesFile(path, secateurs.Position("connect4"), (100, 4, 400, 1200, 70, 400, 3))
    with pytest.raises(secateurs.BadFile, match="is already being written"):
        dask.selfplay(path, "connect4", positions=900, client=client, **PLAN)
    assert held.positions >= 50
