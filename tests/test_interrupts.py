"""Signals: Ctrl-C while a method of a game in Python runs, and what handlers raise while log records are emitted."""

import os
import signal
import subprocess
import sys

import pytest


def run(program: str, timeout: float = 60) -> subprocess.CompletedProcess[str]:
    """Runs a program in another process of Python."""
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=timeout)


GAME = """
import asyncio, os, signal, sys, tempfile, threading, time
import secateurs
from secateurs import Engine, Game, Outcome, Position, aio

entered, threads = threading.Event(), set()
calls = 0

class Slow(Game):
    def __init__(self, left=9, turn=1): self.left, self.turn = left, turn
    def play(self, mv): return Slow(self.left - 1, 3 - self.turn)
    def outcome(self): return Outcome()
    def __str__(self): return f"{self.left} left"
    def moves(self):
        global calls
        if self.left < 9:
            entered.set()
            calls += 1
            threads.add(threading.get_ident())
            WORK
        return ["a", "b"] if self.left else []

class Outer(Slow):
    def __init__(self, left=9): self.left, self.turn = left, 1
    def play(self, mv): return Outer(self.left - 1)
    def moves(self): return ["a", "b"] if self.left else []
    def evaluate(self):
        Engine(hash=1).analyse(Position(Slow()), depth=5)
        return 0

position, engine = Position(Slow()), Engine(hash=1)
"""

PROGRAM = (
    GAME
    + """
def interrupt():
    entered.wait()
    time.sleep(0.1)
    global since, before
    since, before = time.perf_counter(), calls
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=interrupt, daemon=True).start()
try:
    CALL
except KeyboardInterrupt:
    took = time.perf_counter() - since
    time.sleep(0.5)
    print(took, calls - before)
    now = calls
    time.sleep(0.5)
    print("left" if now == calls else "goes on", flush=True)
assert Engine(hash=1).analyse(Position("nim"), depth=3).depth == 3
"""
)

CALLS = [
    "engine.analyse(position, depth=5)",
    "engine.solve(position)",
    "secateurs.Book.build(tempfile.mkdtemp() + '/book', position)",
    "engine.best_moves(position, depth=5)",
    "position.perft(5)",
    "secateurs.analyse_many([position], depth=5)",
    "secateurs.compare(position, 5)",
    "engine.analysis(position).wait()",
    "with engine.analysis(position) as analysis: list(analysis)",
]


@pytest.mark.parametrize(
    ("work", "call"),
    [
        *(("while True: pass", call) for call in CALLS),
        ("time.sleep(5)", CALLS[0]),
        ("time.sleep(0.1)", CALLS[0]),
        ("while True: pass", "engine.analyse(Position(Outer()), depth=5)"),
        ("while True: pass", "engine.analysis(Position(Outer())).wait()"),
    ],
)
def test_a_method_that_runs_is_interrupted(work: str, call: str) -> None:
    program = PROGRAM.replace("WORK", work).replace("CALL", call)
    done = run(program)
    # Python does not wait for what still sleeps when it leaves.
    warnings = done.stderr.splitlines() if "sleep(5)" in work else []
    assert (done.returncode, done.stderr.splitlines()) == (0, warnings)
    assert all("does not return: Python leaves without it" in warning for warning in warnings)
    took, more = done.stdout.split()[:2]
    assert float(took) < 2
    assert int(more) <= 3
    assert "left" in done.stdout


ABANDONED = (
    GAME
    + """
async def cancelled(search):
    try:
        await asyncio.wait_for(search, 0.3)
    except asyncio.TimeoutError:
        print("cancelled")

def dropped(analysis):
    entered.wait()

# An import in the thread that interrupts can itself be interrupted.
sys.modules["ctypes"] = None
begun = time.perf_counter()
CALL
while threads & set(sys._current_frames()) and time.perf_counter() < begun + 20:
    time.sleep(0.01)
print("left", entered.is_set(), threads & set(sys._current_frames()), time.perf_counter() - begun, flush=True)
"""
)


@pytest.mark.parametrize(
    "call",
    [
        "asyncio.run(cancelled(aio.Engine(hash=1).play(position, depth=5)))",
        "asyncio.run(cancelled(aio.Engine(hash=1).analyse(position, depth=5)))",
        "asyncio.run(cancelled(aio.Engine(hash=1).solve(position)))",
        "asyncio.run(cancelled(aio.Engine(hash=1).analyse(Position(Outer()), depth=5)))",
        "dropped(engine.analysis(position))",
        "dropped(engine.analysis(Position(Outer())))",
    ],
)
def test_a_method_that_runs_is_abandoned(call: str) -> None:
    program = ABANDONED.replace("WORK", "while True: pass").replace("CALL", call)
    done = run(program)
    assert (done.returncode, done.stderr) == (0, "")
    last = done.stdout.splitlines()[-1].split()
    assert last[:3] == ["left", "True", "set()"]
    assert float(last[3]) < 15
    assert done.stdout.count("cancelled") == call.count("cancelled")


CELL = """
import asyncio, os, signal, threading, time
from secateurs import Position, aio
ENDLESS = Position("kalah", houses=12, seeds=12)

async def main():
    task = asyncio.current_task()
    # As ipykernel does: the handler of a signal does not wake the loop.
    signal.signal(signal.SIGINT, lambda *_: task.cancel())
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    begun = time.perf_counter()
    try:
        await WAIT
    except asyncio.CancelledError:
        print(time.perf_counter() - begun)

asyncio.run(main())
"""


@pytest.mark.parametrize(
    "wait", ["aio.Engine(hash=1).analyse(ENDLESS, time=20)", "aio.Engine(hash=1).analysis(ENDLESS, time=20).wait()"]
)
def test_a_cell_that_awaits_is_interrupted(wait: str) -> None:
    done = run(CELL.replace("WAIT", wait))
    assert (done.returncode, done.stderr) == (0, "")
    assert float(done.stdout) < 5


LEFT = """
import asyncio, os, signal, threading, time
from secateurs import Position, aio
ENDLESS = Position("kalah", houses=12, seeds=12)

def interrupt():
    os.kill(os.getpid(), signal.SIGINT)

async def again():
    # The second Ctrl-C comes while the cancelled task cleans up.
    loop, cancelled = asyncio.get_running_loop(), []
    class Timer:
        def __init__(self, timer): self.timer = timer
        def cancel(self):
            self.timer.cancel()
            if not cancelled:
                cancelled.append(True)
                signal.raise_signal(signal.SIGINT)
    call_later = loop.call_later
    loop.call_later = lambda *arguments: Timer(call_later(*arguments))
    await aio.Engine(hash=1).analyse(ENDLESS, depth=100)

threading.Timer(0.5, interrupt).start()
try:
    CALL
except KeyboardInterrupt:
    print("left")
"""


@pytest.mark.parametrize(
    "call",
    [
        "asyncio.run(again())",
        "asyncio.new_event_loop().run_until_complete(aio.Engine(hash=1).analyse(ENDLESS, depth=100))",
        "asyncio.new_event_loop().run_until_complete(aio.Engine(hash=1).solve(ENDLESS))",
    ],
)
def test_a_loop_left_by_an_interrupt_lets_python_exit(call: str) -> None:
    done = run(LEFT.replace("CALL", call))
    assert (done.returncode, done.stdout) == (0, "left\n")


STARTED = """
import asyncio, signal, time
from concurrent.futures import ThreadPoolExecutor
from secateurs import Position, aio
class Alarm(Exception):
    pass
def alarm(*_):
    raise Alarm
class Executor(ThreadPoolExecutor):
    # The signal comes once the search is taken, before its future is returned.
    def submit(self, *arguments):
        super().submit(*arguments)
        signal.raise_signal(signal.SIGALRM)
signal.signal(signal.SIGALRM, alarm)
async def main():
    asyncio.get_running_loop().set_default_executor(Executor())
    await aio.Engine(hash=1).analyse(Position("kalah", houses=12, seeds=12), depth=100)
begun = time.perf_counter()
try:
    asyncio.run(main())
except Alarm:
    print(time.perf_counter() - begun)
"""


def test_a_search_that_is_being_started_ends_with_its_caller() -> None:
    done = run(STARTED)
    assert (done.returncode, done.stderr) == (0, "")
    assert float(done.stdout) < 5


RAISED = """
import logging, signal, time, secateurs
from secateurs import Game, Outcome, Position
class Alarm(Exception):
    pass
def alarm(*_):
    raise Alarm
class Slow(logging.Handler):
    # The signal comes while the record is emitted; once.
    def emit(self, record):
        logging.getLogger("secateurs").removeHandler(self)
        signal.raise_signal(signal.SIGALRM)
def player(position):
    return engine.analyse(position, depth=2).best_move
class Inside(Game):
    # Its search has no other end, and log records of searches inside it.
    turn = 1
    def __init__(self, key=0): self.number = key
    def moves(self): return ["a", "b"]
    def play(self, mv): return Inside(2 * self.number + (mv == "a") + 1)
    def outcome(self): return Outcome()
    def key(self): return self.number
    def evaluate(self): return 0 * secateurs.Engine(hash=1).analyse(Position("nim"), depth=1).depth
signal.signal(signal.SIGALRM, alarm)
endless = Position(Inside())
engine, position = secateurs.Engine(hash=1), secateurs.Position("kalah")
logging.getLogger("secateurs").addHandler(Slow())
logging.getLogger("secateurs").setLevel(logging.DEBUG)
analysis = None
try:
    CALL
    # The thread of an analysis may emit its last record after the analysis ends.
    for _ in range(200): time.sleep(0.05)
except Alarm:
    print("raised")
# Of a search that is over the result is still there.
if analysis is not None:
    print(analysis.wait().best_move is not None)
else:
    print(engine.analyse(position, depth=2).depth == 2)
"""

RAISING = {
    "a search": "engine.analyse(endless, time=1000)",
    "a search at its end": "engine.analyse(position, depth=1)",
    "an analysis": "engine.analysis(endless).wait()",
    "an analysis at its end": "analysis = engine.analysis(position, depth=2); analysis.wait()",
    "a loop": "analysis = engine.analysis(position, depth=4)\n    for result in analysis: pass",
    "a look": "analysis = engine.analysis(position, depth=4)\n    while not analysis.done: pass",
    "a match": (
        "secateurs.match({'a': secateurs.Engine(hash=1), 'b': player}, position, secateurs.Limit(depth=2),"
        " openings=['startpos'], rounds=500000)"
    ),
}

# Nobody waits there.
if (os.cpu_count() or 1) < 256:
    RAISING["a warning"] = "secateurs.Engine(hash=1, threads=256)\n    for _ in range(100): pass"


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="there is no such signal")
@pytest.mark.parametrize("call", RAISING.values(), ids=RAISING)
def test_what_a_signal_raises_while_a_record_is_emitted_is_raised(call: str) -> None:
    text = RAISED.replace("CALL", call)
    done = run(text)
    assert (done.stdout.split(), done.stderr) == (["raised", "True"], "")


FAILING = """
import logging, random, secateurs
class Alarm(BaseException):
    pass
emitted = raised = failed = 0
class Raising(logging.Handler):
    def emit(self, record):
        global emitted
        emitted += 1
        raise Alarm
class Unsteady(secateurs.Game):
    # Some searches fail only after their log record, when their line is played again.
    def __init__(self, number=0, turn=1): self.number, self.turn = number, turn
    def moves(self): return random.sample(range(1, 9), 5) if self.number < 20 else []
    def play(self, mv): return Unsteady(self.number + mv, 3 - self.turn)
    def outcome(self): return secateurs.Outcome(winner=self.turn)
    def key(self): return self.number, self.turn
random.seed(1)
engine, position = secateurs.Engine(hash=1), secateurs.Position(Unsteady())
logging.getLogger("secateurs").addHandler(Raising())
logging.getLogger("secateurs").setLevel(logging.DEBUG)
for _ in range(200):
    try:
        engine.analyse(position, depth=6)
    except Alarm:
        raised += 1
    except ValueError:
        failed += 1
print(emitted, raised, failed)
"""


def test_an_interrupt_comes_before_the_failure_of_a_search() -> None:
    done = run(FAILING)
    emitted, raised, failed = map(int, done.stdout.split())
    assert (emitted == raised > 0, failed > 0, done.stderr) == (True, True, "")


DROPPED = """
import time, secateurs
class Slow(secateurs.Game):
    def __init__(self, ply=0, turn=1): self.ply, self.turn = ply, turn
    def moves(self): return list(range(20)) if self.ply < 300 else []
    def play(self, move): return Slow(self.ply + 1 + move % 3, 3 - self.turn)
    def outcome(self): return secateurs.Outcome(winner=1)
engine, position, until = secateurs.Engine(hash=16), secateurs.Position(Slow()), time.monotonic() + 5
while time.monotonic() < until:
    analysis = engine.analysis(position)
    del analysis
"""


def test_the_interrupt_of_a_dropped_analysis_ends_nothing_else() -> None:
    done = run(DROPPED, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


ARGUMENTS = """
import signal, time, secateurs
position = secateurs.Position("kalah")
signal.signal(signal.SIGALRM, signal.default_int_handler)
for number in range(60):
    try:
        signal.setitimer(signal.ITIMER_REAL, 1e-5 + number * 4e-6)
        until = time.perf_counter() + 0.5
        while time.perf_counter() < until:
            CALL
        print("lost")
    except KeyboardInterrupt:
        pass
"""


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="there is no such signal")
@pytest.mark.parametrize(
    "call",
    [
        "position.play(3)",
        "position.play_line([3, 1])",
        "secateurs.Position('nim', heaps=[3, 2])",
        "secateurs.compare(position, depth=40, time=0.6, procedures='alpha-beta')",
    ],
)
def test_an_interrupt_while_arguments_are_read_is_raised(call: str) -> None:
    done = run(ARGUMENTS.replace("CALL", call), timeout=90)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
