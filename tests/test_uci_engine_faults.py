"""Engines at the end of a pipe that misbehave or are interrupted: what is reported, and nothing left of them."""

import gc
import os
import subprocess
import sys
import time

import pytest
from secateurs import EngineError, Position, UciEngine
from test_uci_engine import TALK, lives, shell

pytestmark = pytest.mark.skipif(os.name != "posix", reason="shells and signals of POSIX")


def group_lives(group: int) -> bool:
    """Whether a process of a group lives; one that nobody has reaped yet does not."""
    listed = subprocess.run(["ps", "-eo", "pgid=,stat="], capture_output=True, text=True, check=True)
    rows = [line.split() for line in listed.stdout.splitlines()]
    return any(int(pgid) == group and state[0] not in "ZX" for pgid, state in rows)


def gone(group: int) -> bool:
    """Whether nothing of the group lives within seconds."""
    deadline = time.monotonic() + 5
    while group_lives(group) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not group_lives(group)


@pytest.mark.parametrize(
    ("go", "message"),
    [
        ("exit 3", r"exit code 3"),
        ("kill -SEGV $$", r"signal 11"),
        ("echo bestmove 9", r'illegal move "9"'),
        ("echo bestmove", r'bad answer "bestmove": it names no move'),
        ("echo 'bestmove (none)'", r"no legal move, but 1 is legal"),
        ("echo rubbish; true", r'did not answer in time; its last line was "rubbish"'),
        ("sleep 1000", r"did not answer in time"),
        ("printf 'bestmove 3'; sleep 1000", r'the last line of its output has no end: "bestmove 3"'),
        ("exec 1>&-; sleep 1000", r"closed its output"),
        ("exec tr '\\0' x </dev/zero", r"a line of more than"),
    ],
)
def test_misbehaviour_is_reported_and_leaves_nothing(go: str, message: str) -> None:
    engine = shell(go, timeout=0.5)
    start = time.monotonic()
    with pytest.raises(EngineError, match=message) as failed:
        engine.analyse(Position("kalah"), depth=3)
    assert time.monotonic() - start < 10
    assert str(failed.value).startswith('engine "sh -c while read')
    assert gone(engine.pid)
    assert engine.closed
    with pytest.raises(EngineError, match="does not run any more"):
        engine.analyse(Position("kalah"), depth=3)
    with pytest.raises(EngineError, match="does not run any more"):
        engine.analysis(Position("kalah"))


def test_an_analysis_says_what_failed() -> None:
    engine = shell("echo info depth 1 score cp 5 pv 3; exit 3")
    analysis = engine.analysis(Position("kalah"))
    assert next(analysis).best_move == "3"
    with pytest.raises(EngineError, match="exit code 3"):
        list(analysis)
    with pytest.raises(EngineError, match="exit code 3"):
        analysis.wait()
    assert analysis.latest is not None
    assert analysis.latest.depth == 1


@pytest.mark.parametrize("script", ["exit 3", "sleep 1000", "yes rubbish", "echo uciok; sleep 1000"])
def test_a_start_that_fails_is_reported(script: str) -> None:
    start = time.monotonic()
    with pytest.raises(EngineError, match=r'^engine "sh -c '):
        UciEngine(["sh", "-c", script], startup=0.5, timeout=0.5)
    assert time.monotonic() - start < 10


@pytest.mark.parametrize("ending", ["close", "with", "collected", "closed while it searches"])
def test_nothing_is_left(ending: str) -> None:
    engine = UciEngine(["sh", "-c", f"sleep 1000 & {TALK}"])
    pid = engine.pid
    assert lives(pid)
    if ending == "close":
        engine.close()
        engine.close()
    elif ending == "with":
        with engine:
            pass
    elif ending == "collected":
        del engine
        gc.collect()
    else:
        analysis = engine.analysis(Position("kalah"))
        time.sleep(0.1)
        engine.close()
        with pytest.raises(EngineError, match="it was closed"):
            analysis.wait()
    # Reaped, and with it the sleeper has ended.
    assert not lives(pid)
    assert gone(pid)


@pytest.mark.parametrize(
    "ending", ["pass", "sys.exit(0)", "os.kill(os.getpid(), 9)", "analysis = engine.analysis(board)"]
)
def test_nothing_outlives_python(ending: str) -> None:
    program = f"""
import os, sys, secateurs
talk = ("while :; do read -r line; case $line in uci) echo option name UCI_Variant type string; echo uciok;; "
    "isready) echo readyok;; esac; done")
engine = secateurs.UciEngine(["sh", "-c", "trap '' INT TERM HUP; " + talk])
board = secateurs.Position("kalah")
print(engine.pid, flush=True)
{ending}
"""
    left = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert gone(int(left.stdout))
    assert left.stderr == ""


INTERRUPTED = """
import os, signal, sys, threading, time
import secateurs
talk = ("while :; do read -r line; case $line in uci) echo option name UCI_Variant type string; echo uciok;; "
    "isready) echo readyok;; stop) echo bestmove 1;; quit) exit;; esac; done")
hung = talk.replace("stop)", "never)")
work = sys.argv[1]
position = secateurs.Position("kalah")
engine = None if work == "start" else secateurs.UciEngine(["sh", "-c", hung if work == "hung" else talk], timeout=1.0)
for trial in range(6):
    sent = []
    def interrupt():
        time.sleep(0.1)
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)
    thread = threading.Thread(target=interrupt)
    thread.start()
    try:
        if work == "start":
            secateurs.UciEngine(["sh", "-c", "sleep 1000"], startup=100.0)
        elif work == "wait":
            engine.analysis(position).wait()
        else:
            engine.analyse(position, depth=200)
        print("nothing raised")
    except KeyboardInterrupt:
        print((time.monotonic() - sent[0]) * 1000)
    thread.join()
    if work == "hung":
        break
if work == "search":
    threading.Timer(0.1, engine.stop).start()
    assert engine.analyse(position, depth=200).best_move == "1"
print("usable")
"""


@pytest.mark.parametrize("work", ["search", "wait", "hung", "start"])
def test_ctrl_c_is_obeyed_at_once(work: str) -> None:
    run = [sys.executable, "-c", INTERRUPTED, work]
    done = subprocess.run(run, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    *times, usable = done.stdout.splitlines()
    assert usable == "usable"
    # 50 ms on a machine that is idle; here a busy one gets ten times as much.
    assert sorted(map(float, times))[len(times) // 2] < 500
