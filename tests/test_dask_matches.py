"""Matches on the workers of dask.distributed: the games, the record and the verdict of one machine."""

import json
import subprocess
import sys
import threading
import warnings
from pathlib import Path
from typing import Any

import pytest
import secateurs
from secateurs import Engine, Match, Player, Position

with warnings.catch_warnings():
    # What it says of its own dependencies.
    warnings.simplefilter("ignore")
    import distributed
    from secateurs import dask

pytestmark = pytest.mark.filterwarnings("default")

BOARD = Position("kalah", houses=3, seeds=3)
PLAYERS = {"more": Player(Engine(hash=1), nodes=400), "less": Player(Engine(hash=1), nodes=60)}


def timeless(match: Match) -> list[Any]:
    """Returns the games without times."""
    return [game._replace(details=tuple((0, *row[1:]) for row in game.details)) for game in match.games]


def lines(path: Path) -> list[Any]:
    """Returns a record without times."""
    header, *games = map(json.loads, path.read_text().splitlines())
    for game in games:
        del game["started"]
        game["moves"] = [[move[0], *move[2:]] for move in game["moves"]]
    return [header, *games]


def test_games_and_record_are_those_played_here(client: distributed.Client, tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    expected = secateurs.match(PLAYERS, BOARD, rounds=12, seed=5, random_nodes=100, record=here)
    found = dask.match(PLAYERS, BOARD, rounds=12, seed=5, random_nodes=100, record=there, client=client)
    assert timeless(found) == timeless(expected)
    assert lines(there) == lines(here)
    # Either continues what the other began.
    again = dask.match(PLAYERS, BOARD, rounds=15, seed=5, random_nodes=100, record=here, client=client)
    assert timeless(again)[:24] == timeless(expected)
    more = secateurs.match(PLAYERS, BOARD, rounds=15, seed=5, random_nodes=100, record=there)
    assert (timeless(more), lines(there)) == (timeless(again), lines(here))


def test_a_test_ends_after_the_same_game(client: distributed.Client) -> None:
    options: dict[str, Any] = {"seed": 2, "sprt": (0, 60), "random_nodes": 100, "rounds": 500}
    expected = secateurs.match(PLAYERS, BOARD, **options)
    reports: list[int] = []
    found = dask.match(PLAYERS, BOARD, **options, client=client, progress=lambda match: reports.append(match.played))
    assert expected.sprt is not None
    assert found.sprt is not None
    assert (found.sprt.accepted, expected.sprt.accepted) == ("H1", "H1")
    # One machine also records the games that it has played until it sees the decision.
    assert timeless(found) == timeless(expected)[: found.played]
    assert found.finished
    assert reports == [*range(1, found.played + 1)]


def test_gauntlets_commands_and_openings(client: distributed.Client) -> None:
    command = Player([sys.executable, "-m", "secateurs"], name="program", protocol="ugi", options={"Hash": 1}, depth=3)
    players: list[Any] = [Engine(hash=1), command, first_move]
    options: dict[str, Any] = {"format": "gauntlet", "openings": ["startpos", "startpos moves 2", "startpos moves 3 1"]}
    options |= {"order": "random", "start": 2, "depth": 4}
    expected = secateurs.match(players, BOARD, rounds=3, **options)
    found = dask.match(players, BOARD, rounds=3, **options, client=client)
    assert timeless(found) == timeless(expected)
    assert found.names == ("secateurs", "program", "first_move")


@pytest.mark.parametrize(
    ("openings", "expected"),
    [
        ({"openings": ["startpos"]}, "1 opening for 6 rounds: they are repeated"),
        ({"random_plies": 0}, "after 1 round there are no more random openings of this length: they are repeated"),
    ],
)
def test_a_match_warns_once_of_repeated_openings(
    openings: dict[str, Any], expected: str, caplog: pytest.LogCaptureFixture
) -> None:
    cluster: dict[str, Any] = {"processes": False, "n_workers": 1, "threads_per_worker": 1, "dashboard_address": ":0"}
    with warnings.catch_warnings(), distributed.Client(**cluster) as client:
        warnings.simplefilter("ignore")
        dask.match(PLAYERS, BOARD, rounds=6, **openings, client=client)
    found = [record.getMessage() for record in caplog.records if record.name.startswith("secateurs")]
    assert len(found) == 1
    assert found[0].startswith(expected)


def first_move(position: Position) -> str:
    return position.legal_moves[0]


def git(repo: Path, *words: str) -> None:
    subprocess.run(["git", "-C", repo, "-c", "user.name=a", "-c", "user.email=b@c", *words], check=True)


def test_revisions_are_built_on_the_workers(client: distributed.Client, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / "link").symlink_to("/nowhere")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "file").touch()
    git(tmp_path, "add", ".")
    for hash_size in (1, 2):
        (tmp_path / "source").write_text(f'exec "{sys.executable}" -m secateurs\n# {hash_size}\n')
        git(tmp_path, "add", "source")
        git(tmp_path, "commit", "-q", "-m", "a change")
    build = "test ! -e engine && test -L link && (echo '#!/bin/sh'; cat source) > engine && chmod +x engine"
    options: dict[str, Any] = {
        "repo": tmp_path / "folder",
        "client": client,
        "sprt": (-600, -500),
        "rounds": 4,
        "random_nodes": 50,
    }
    player = Player("./engine", protocol="ugi", options={"Hash": 1}, nodes=50)
    found = dask.regress("HEAD~1..", player, BOARD, build=build, **options)
    head, base = found.names
    assert head.startswith("HEAD-")
    assert base.startswith("HEAD~1-")
    assert {game.ending for game in found.games} == {"rules"}
    with pytest.raises(secateurs.EngineError, match=r"(?s)the build on .* ended with code 3\nno way"):
        dask.regress("HEAD~1", player, BOARD, build="echo no way; exit 3", **options)
    git(tmp_path, "rm", "-q", "-r", ".")
    git(tmp_path, "commit", "-q", "-m", "nothing")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "nothing again")
    with pytest.raises(secateurs.EngineError, match=r"(?s)ended with code 3\nempty"):
        dask.regress(
            "HEAD~1", player, BOARD, build="test -z $(ls) && echo empty; exit 3", **options | {"repo": tmp_path}
        )
    for wrong, message in [("HEAD..HEAD", "same commit"), ("..x", "BASE..HEAD"), ("nothing", "is not a revision")]:
        with pytest.raises(ValueError, match=message):
            dask.regress(wrong, player, BOARD, **options | {"repo": tmp_path})


def test_bad_arguments_are_named_here(client: distributed.Client) -> None:
    cases: list[tuple[dict[str, Any], type[Exception], str]] = [
        ({"concurrency": 2}, ValueError, "concurrency is for a match on one machine"),
        ({"speed": 0}, ValueError, "speed is a number of nodes per second above 0, not 0"),
        ({"round": 2}, TypeError, "rounds"),
        ({"rounds": 0}, ValueError, "rounds is a whole number from 1"),
    ]
    for options, kind, message in cases:
        with pytest.raises(kind, match=message):
            dask.match(PLAYERS, BOARD, client=client, **options)
    with pytest.raises(ValueError, match="at least two players"):
        dask.match(iter([Engine()]), BOARD, depth=1, client=client)  # type: ignore[arg-type]
    lock = threading.Lock()
    with pytest.raises(TypeError, match=r"locked cannot be pickled for the workers: cannot pickle '_thread\.lock'"):
        dask.match({"locked": lambda _: str(lock), "other": Engine()}, BOARD, depth=1, client=client)
    with pytest.raises(secateurs.EngineError, match=r"no such program|No such file"):
        dask.match(["/nowhere/engine", Engine()], BOARD, depth=1, client=client)


def test_clocks_are_scaled(client: distributed.Client) -> None:
    given: list[float] = [1.0, 100.0]
    for factor in given:
        speed = dask.speed() * factor
        found = dask.match(
            {"one": Looker(), "other": Looker()}, BOARD, clock="10+1", rounds=1, client=client, speed=speed
        )
        remaining = float(found.games[0].detail.split()[1])
        assert 10 * factor / 8 < remaining < 10 * factor * 8


class Looker:
    """A player that reports its time by an error."""

    def play(self, position: Position, clock: Any) -> str:
        raise RuntimeError(clock.remaining)
