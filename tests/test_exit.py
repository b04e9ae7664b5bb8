"""What is under way when Python leaves: no abort, no hang."""

import subprocess
import sys
import textwrap
import time

import pytest
from secateurs import Engine, Game, Outcome, Position

GAME = """
import threading, time
import secateurs
from secateurs import Engine, Game, Outcome, Position

class Slow(Game):
    turn = 1
    def __init__(self, left=9): self.left = left
    def moves(self): return ["a", "b"] if self.left else []
    def play(self, mv): return Slow(self.left - 1)
    def outcome(self): return Outcome()
    def key(self): return self.left
    def evaluate(self):
        end = time.perf_counter() + WORK
        while time.perf_counter() < end: pass
        return 0
"""

PLAYER = """
def busy(position):
    while True: pass
secateurs.match({"busy": busy, "quick": lambda position: position.legal_moves[0]},
               Position("kalah"), clock="0.1", hang=0.3, rounds=1, openings=["startpos"])
"""

SEARCH = """
threading.Thread(target=lambda: Engine(hash=1).analyse(Position(Slow()), time=50), daemon=True).start()
time.sleep(0.3)
"""

MATCH = """
threading.Thread(target=lambda: secateurs.match({"a": lambda position: time.sleep(0.05) or position.legal_moves[0],
    "b": lambda position: position.legal_moves[0]}, Position("kalah"), clock="60", rounds=50), daemon=True).start()
time.sleep(0.5)
"""


ASLEEP = """
Slow.evaluate = lambda state: time.sleep(SLEEP) or 0
analysis = Engine(hash=1).analysis(Position(Slow()))
time.sleep(0.3)
"""

PLAYER_ASLEEP = """
threading.Thread(target=lambda: secateurs.match({"a": lambda position: time.sleep(SLEEP), "b": lambda position: None},
    Position("kalah"), clock="60", rounds=1, openings=["startpos"]), daemon=True).start()
time.sleep(0.5)
"""

# Its end comes while objects are deleted.
LATE_END = """
class Late:
    def __del__(self, sleep=time.sleep): sleep(2)
sys.late = Late()
"""


@pytest.mark.parametrize(("sleep", "script"), [(60, ASLEEP), (2.5, ASLEEP + LATE_END), (2.5, PLAYER_ASLEEP + LATE_END)])
def test_python_leaves_without_a_method_that_sleeps(sleep: float, script: str) -> None:
    text = "import sys" + textwrap.dedent(GAME) + script.replace("SLEEP", str(sleep))
    begun = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0
    assert done.stderr.count("\n") == 1
    assert "RuntimeWarning: a method of a game or a player in Python does not return" in done.stderr
    assert time.perf_counter() - begun < 8


# What else of a game may be asleep: a property, a generator, and what is made of values that it gives.
ASLEEP_ELSEWHERE = {
    "turn": "Slow.turn = property(lambda state: nap() or 1)",
    "number": """
class Number:
    def __index__(self): return nap() or 1
Slow.evaluate = lambda state: Number()""",
    "moves": """
def moves(state):
    nap()
    yield from ["a", "b"]
Slow.moves = moves""",
    "str": """
class Move:
    def __str__(self): return nap() or str(id(self))
Slow.moves = lambda state: [Move(), Move()]""",
    "repr": """
class Key:
    def __repr__(self): return nap() or "a key"
Slow.key = lambda state: Key()""",
    "repr of a value": """
class Value:
    def __repr__(self): return nap() or "no number"
Slow.evaluate = lambda state: Value()""",
}


def test_python_leaves_without_what_sleeps_in_any_other_call() -> None:
    nap = "\ndef nap(main=threading.get_ident()): time.sleep(2.5 * (threading.get_ident() != main))\n"
    begin = "import sys" + textwrap.dedent(GAME).replace("WORK", "0") + nap + "position = Position(Slow())\n"
    analysis = "\nanalysis = Engine(hash=1).analysis(position)\ntime.sleep(0.3)\n" + LATE_END
    scripts = {name: begin + script + analysis for name, script in ASLEEP_ELSEWHERE.items()}
    # They sleep at the same time.
    running = {
        name: subprocess.Popen([sys.executable, "-c", script], stderr=subprocess.PIPE, text=True)
        for name, script in scripts.items()
    }
    left = {name: (process.communicate(timeout=60)[1], process.returncode) for name, process in running.items()}
    for name, (stderr, code) in left.items():
        assert (code, stderr.count("\n")) == (0, 1), (name, code, stderr)
        assert "RuntimeWarning: a method of a game or a player in Python does not return" in stderr, name


# The thread of the search may come to the game before Python leaves, or after.
JUST_BEGUN = """
position = Position(Slow())
Slow.moves = lambda state: time.sleep(20) or ["a", "b"]
analysis = Engine(hash=1).analysis(position)
"""


def test_python_leaves_an_analysis_that_has_just_begun() -> None:
    begun = time.perf_counter()
    text = textwrap.dedent(GAME) + JUST_BEGUN
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0
    assert done.stderr == "" or "RuntimeWarning: a method of a game" in done.stderr
    assert time.perf_counter() - begun < 8


@pytest.mark.parametrize(("work", "script"), [(0, PLAYER), (0.5, SEARCH), (1e9, SEARCH), (0, MATCH)])
def test_python_leaves_in_peace(work: float, script: str) -> None:
    text = textwrap.dedent(GAME).replace("WORK", str(work)) + script
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr[-2000:]


LATE = """
import os, secateurs
class Late:
    def __init__(self):
        self.write, self.engine, self.position = os.write, secateurs.Engine(hash=1), secateurs.Position("kalah")
        self.compare = secateurs.compare
    def __del__(self):
        for call in (lambda: self.engine.analyse(self.position, depth=3), lambda: self.position.perft(3),
                     lambda: self.engine.analysis(self.position).wait(), lambda: self.compare(self.position, 2)):
            try:
                self.write(1, f"{call()}\\n".encode())
            except BaseException as error:
                self.write(1, f"{type(error).__name__} {error}\\n".encode())
late = Late()
analysis = late.engine.analysis(late.position)
"""


def test_what_begins_while_python_leaves_is_refused() -> None:
    done = subprocess.run([sys.executable, "-c", LATE], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines == ["RuntimeError Python is shutting down"] * 4


SUBINTERPRETER = """
try:
    import _interpreters as some
except ImportError:
    import _xxsubinterpreters as some
number = some.create()
program = "try:\\n  import secateurs\\nexcept ImportError as error:\\n  print(error, flush=True)"
some.run_string(number, program)
import secateurs
print(secateurs.Engine(hash=1).analyse(secateurs.Position("nim"), depth=3).best_move is not None)
"""


def test_a_subinterpreter_is_refused_and_leaves_nothing() -> None:
    done = subprocess.run([sys.executable, "-c", SUBINTERPRETER], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert "main interpreter of a process only" in done.stdout
    assert done.stdout.endswith("True\n")


HANDLER = """
import logging, secateurs
engine, position = secateurs.Engine(hash=1), secateurs.Position("kalah")
def searches(position):
    return engine.analyse(position, depth=2).best_move
def plays():
    return secateurs.match({"a": engine, "b": searches}, position, secateurs.Limit(depth=2), rounds=1, length=4)
class Searches(logging.Handler):
    def emit(self, record):
        print(engine.analyse(position, depth=2).depth, engine.analysis(position, depth=3).wait().depth)
        if not record.name.startswith("secateurs"):
            print(plays().played, "games")
logging.getLogger("secateurs").setLevel(1)
logging.getLogger(LOGGER).addHandler(Searches(1))
logging.getLogger("own").addHandler(logging.NullHandler())
logging.getLogger("own").warning("of the user's own")
begun = engine.analysis(position, depth=3)
for result in begun: pass
plays()
print(engine.analyse(position, depth=4).depth)
"""


@pytest.mark.parametrize("logger", ["secateurs", ""])
def test_a_handler_of_log_records_may_search(logger: str) -> None:
    text = HANDLER.replace("LOGGER", repr(logger))
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "4"
    assert "2 3" in done.stdout
    assert ("2 games" in done.stdout) == (logger == "")


class Spent(Game):
    """A game whose method takes the next of nothing."""

    turn = 1

    def __init__(self, left: int) -> None:  # noqa: D107
        self.left = left

    def moves(self) -> list[str]:
        return ["a", "b"] if self.left else []

    def play(self, mv: object) -> "Spent":
        return Spent(self.left - 1)

    def outcome(self) -> Outcome:
        return Outcome()

    def key(self) -> int:
        return self.left

    def evaluate(self) -> int:
        return next(iter(()))


def test_a_stop_iteration_ends_no_loop() -> None:
    with pytest.raises(RuntimeError, match="raised StopIteration") as raised:
        Engine(hash=1).analyse(Position(Spent(9)), depth=2)
    assert isinstance(raised.value.__cause__, StopIteration)
