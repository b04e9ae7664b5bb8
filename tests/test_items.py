"""Arguments of several values: a stated length is not trusted; the first wrong item and Ctrl-C end the reading."""

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy
import pytest
import secateurs
from secateurs import Engine, IllegalMove, Limit, Position, compare, match

# Longer than any memory; one that states a wrong length; one without an end.
PROGRAM = """
import itertools, os, signal, sys, threading, time
from collections.abc import Sequence
import secateurs
from secateurs import *
from secateurs import _native

class Long(Sequence):
    def __init__(self, *items): self.items = items
    def __len__(self): return sys.maxsize
    def __getitem__(self, index): return self.items[index]

class Endless(Sequence):
    def __init__(self, item): self.item = item
    def __len__(self): return 1
    def __getitem__(self, index): return self.item
    def __iter__(self): return itertools.repeat(self.item)

class Circle(Game):
    turn = 1
    def moves(self): return ["a"]
    def play(self, move): return Circle()
    def outcome(self): return Outcome()
    def evaluate(self): return 0
    def key(self): return 0

def player(position): return position.legal_moves[0]
"""


def run(program: str) -> str:
    done = subprocess.run([sys.executable, "-c", PROGRAM + program], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize(
    "call",
    [
        "analyse_many(LONG, depth=1)",
        "solve_many(LONG)",
        "compare(LONG, 1)",
        "compare('startpos', LONG)",
        "compare('startpos', procedures=LONG)",
        "Position().play_line(LONG)",
        "Position('nim', heaps=LONG)",
        "Engine(hash=1).analyse(Position(), depth=1, root_moves=LONG)",
        "UciEngine(LONG)",
        "match([player, player], openings=LONG)",
        "match([player, player], openings=['startpos'], resign=LONG)",
        "match([player, player], sprt=LONG)",
        "Batch._concat(LONG)",
        "_native._standings(LONG, [], None)",
        "_native._standings(['a', 'b'], LONG, None)",
        "_native._export(Position(), LONG, 'csv', 'x')",
        "_native._main(LONG)",
    ],
)
def test_a_stated_length_is_not_trusted(call: str) -> None:
    program = """
for long in (range(10**12), range(10**18), Long(1.5), Long(b"")):
    try:
        CALL
    except (TypeError, ValueError):
        print("refused")
"""
    assert run(program.replace("CALL", call.replace("LONG", "long"))).split() == 4 * ["refused"]


@pytest.mark.parametrize(
    "call",
    [
        "analyse_many(itertools.repeat('startpos'), depth=1)",
        "solve_many(itertools.repeat('startpos'))",
        "compare(itertools.repeat('startpos'), 1)",
        "compare('startpos', Endless(1))",
        "compare('startpos', 1, procedures=Endless('minimax'))",
        "Position(Circle()).play_line(Endless('a'))",
        "Engine(hash=1).analyse(Position(), depth=1, root_moves=Endless('1'))",
        "UciEngine(Endless('x'))",
        "match(itertools.repeat(player))",
        "match([player, player], openings=itertools.repeat('startpos'))",
        "Batch._concat(Endless(analyse_many(['startpos'], depth=1)))",
        # A thread that reads lets the others run.
        "threading.Thread(target=solve_many, args=[itertools.repeat('startpos')], daemon=True).start(); time.sleep(50)",
    ],
)
def test_ctrl_c_ends_the_reading(call: str) -> None:
    program = """
def interrupt():
    time.sleep(0.2)
    os.kill(os.getpid(), signal.SIGINT)
try:
    threading.Thread(target=interrupt, daemon=True).start()
    CALL
except KeyboardInterrupt:
    print("interrupted")
"""
    assert run(program.replace("CALL", call)) == "interrupted\n"


LONG = range(1, 10**10)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: Position().play_line(LONG), IllegalMove, '"7" in '),
        (lambda: Position("nim", heaps=range(10**9)), secateurs.BadOption, "for option Heaps"),
        (lambda: Engine(hash=1).play(Position(), depth=1, root_moves=LONG), IllegalMove, '"7" in '),
        (lambda: compare("startpos", LONG), ValueError, "depth is .* not 256"),
        (lambda: compare("startpos", 1, procedures=["minimax", *"ab"]), ValueError, '"a"'),
        (lambda: played(resign=LONG), ValueError, "resign is a tuple .* not more than 3 values"),
        (lambda: played(draw=(1,)), ValueError, r"draw is a tuple \(moves, score\) or .*, not 1 value$"),
        (lambda: played(sprt=LONG), ValueError, "sprt is a tuple of 2 numbers, not more than 2$"),
        (lambda: played(sprt=(1,)), ValueError, "sprt is a tuple of 2 numbers, not 1$"),
        (lambda: compare([Position(), 1], 1), TypeError, r"positions\[1\] is a Position or a str, not int"),  # type: ignore[list-item]
    ],
)
def test_the_first_wrong_item_ends_the_reading(call: Callable[[], Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        call()


def played(**keywords: Any) -> None:
    players = [Engine(hash=1), Engine(hash=1)]
    match(players, Position("nim"), Limit(depth=1), openings=["startpos"], rounds=1, **keywords)


@pytest.mark.parametrize(
    "moves", [{2, 3}, ("2", 3), {2: 0, 3: 1}, numpy.array([2, 3]), numpy.array(["2", "3"]), (move for move in "23")]
)
def test_root_moves_are_any_iterable(moves: Any) -> None:
    lines = Engine(hash=1).analyse(Position(), depth=2, multipv=5, root_moves=moves)
    assert sorted(line.best_move or "" for line in lines) == ["2", "3"]


def test_moves_to_play_have_an_order() -> None:
    position = Position()
    expected = position.play(3).play(1)
    ways: list[Any] = [[3, 1], (3, "1"), numpy.array([3, 1]), (move for move in (3, 1))]
    assert all(position.play_line(moves) == expected for moves in ways)
    others: list[Any] = [{3, 1}, {3: 1}, b"31", 3]
    for moves in others:
        with pytest.raises(TypeError, match=r"^moves is a list of str or int, not"):
            position.play_line(moves)


def test_a_root_move_given_twice_is_searched_once() -> None:
    result = Engine(hash=1).analyse(Position(), depth=2, multipv=5, root_moves=[3, "3", 4, 3])
    assert sorted(line.best_move or "" for line in result) == ["3", "4"]
