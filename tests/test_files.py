"""Pipes in the place of files, and large records: no call waits for another program, or keeps other threads waiting."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from secateurs import BadFile, Engine, EngineError, Match, Position, UciEngine, compare, match

BOARD = Position("kalah", houses=4, seeds=3)
GAMES = 20_000


def first(position: Position) -> str:
    return position.legal_moves[0]


PIPES = """
import os, sys
from secateurs import BadFile, Match, UciEngine, compare, match

def first(position): return position.legal_moves[0]

os.chdir(sys.argv[1])
os.mkfifo("pipe")
for call in (
    lambda: Match.load("pipe"),
    lambda: match([first, first], openings="pipe"),
    lambda: match([first, first], rounds=1, record="pipe"),
    lambda: match([first, first], rounds=1, transcript="pipe"),
    lambda: compare(depth=1, procedures="floyd", plausibilities="pipe"),
    lambda: UciEngine([sys.executable, "-m", "secateurs"], stderr="pipe"),
):
    try:
        call()
    except BadFile as error:
        print(error)
"""


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a system without named pipes")
def test_a_pipe_is_refused_at_once(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", PIPES, tmp_path], capture_output=True, text=True, timeout=60)
    assert (done.stdout.splitlines(), done.stderr) == (['"pipe" is not a regular file'] * 6, "")


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="a system without /dev/null")
def test_what_is_written_may_go_to_a_device() -> None:
    assert match([first, first], BOARD, rounds=1, transcript="/dev/null").played == 2
    with UciEngine([sys.executable, "-m", "secateurs"], stderr="/dev/null") as engine:
        assert engine.analyse(BOARD, depth=1).best_move in BOARD.legal_moves
    with pytest.raises(BadFile, match='"/dev/null" is not a regular file'):
        compare(depth=1, procedures="floyd", plausibilities="/dev/null")


@pytest.mark.skipif(sys.platform == "win32", reason="needs fcntl")
def test_a_file_has_one_writer(tmp_path: Path) -> None:
    import fcntl

    talk, proof = tmp_path / "talk", tmp_path / "proof"
    talk.write_text("    0.000213 south > uci\n")
    players: Any = [first, [sys.executable, "-m", "secateurs"]]
    with talk.open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(BadFile, match='talk" is already being written'):
            match(players, BOARD, nodes=1, rounds=1, transcript=talk)
    assert "south" in talk.read_text()
    # A match that cannot begin has no dialogue.
    with pytest.raises(EngineError, match="cannot start"):
        match([first, "./no-such-engine"], BOARD, nodes=1, rounds=1, transcript=talk)
    assert "south" in talk.read_text()
    assert match(players, BOARD, nodes=1, rounds=1, transcript=talk).played == 2
    assert "0.000213 south" not in talk.read_text()

    def again(_: int) -> None:
        Engine(hash=1).certify(proof, BOARD)

    with pytest.raises(BadFile, match='proof" is already being written'):
        Engine(hash=1).certify(proof, BOARD, progress=again)
    assert not [name for name in os.listdir(tmp_path) if name.startswith(".")]


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A record of many games."""
    path = tmp_path_factory.mktemp("record") / "record.jsonl"
    match([first, first], BOARD, rounds=1, record=path)
    header, *pair = path.read_text().splitlines()
    games: list[dict[str, Any]] = [json.loads(line) for line in pair]
    with path.open("w") as file:
        file.write(header + "\n")
        for number in range(GAMES):
            file.write(json.dumps({**games[number % 2], "number": number, "round": number // 2}) + "\n")
    return path


def counted(loaded: Match) -> object:
    """The figures, which a match keeps."""
    loaded.__dict__.pop("_found", None)
    return loaded.standings


@pytest.mark.parametrize("what", ["load", "standings"])
def test_a_large_record_keeps_nobody_waiting(record: Path, what: str) -> None:
    loaded = Match.load(record)
    assert loaded.played == GAMES

    def call() -> object:
        return Match.load(record) if what == "load" else counted(loaded)

    ticks, ended = 0, threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not ended.wait(0.001):
            ticks += 1

    ticking = threading.Thread(target=tick)
    ticking.start()
    begun, before = time.perf_counter(), ticks
    call()
    took, ticked = time.perf_counter() - begun, ticks - before
    ended.set()
    ticking.join()
    assert ticked >= 5

    class Interrupted(Exception):
        pass

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise Interrupted

    def interrupted() -> None:
        signal.setitimer(signal.ITIMER_REAL, took / 10)
        call()
        time.sleep(took)

    # A machine under load may be slow at any moment, not at all of them.
    least, old = took, signal.signal(signal.SIGALRM, interrupt)
    try:
        for _ in range(5):
            begun = time.perf_counter()
            with pytest.raises(Interrupted):
                interrupted()
            least = min(least, time.perf_counter() - begun)
    finally:
        signal.signal(signal.SIGALRM, old)
    assert least < took / 2
