"""What games in Python do wrong: they repeat, or return and raise what they must not; each ends in an exception."""

import copy
import gc
import pickle
import subprocess
import sys
import weakref
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import pytest
import secateurs
from secateurs import Engine, Game, Outcome, Position, _native


@dataclass(frozen=True)
class Walk(Game):
    """To and fro between the ends of a path of seven places; nobody ever wins."""

    place: int = 0
    turn: int = 1

    def moves(self) -> Iterable[str]:
        return [name for name, step in (("back", -1), ("on", 1)) if 0 <= self.place + step < 7]

    def play(self, move: str) -> "Walk":
        return Walk(self.place + (1 if move == "on" else -1), 3 - self.turn)

    def outcome(self) -> Outcome:
        return Outcome()


@dataclass(frozen=True)
class Chain(Game):
    """One move a ply, so many plies long; the last move wins."""

    left: int
    turn: int = 1

    def moves(self) -> Iterable[int]:
        return [1] if self.left else []

    def play(self, move: int) -> "Chain":
        return Chain(self.left - move, 3 - self.turn)

    def outcome(self) -> Outcome:
        return Outcome(winner=1 if self.turn == 2 else 2)


@dataclass
class Board(Game):
    """Two heaps in a list; a move takes one or two from a heap, and whoever takes the last wins."""

    heaps: list[int] = field(default_factory=lambda: [2, 3])
    turn: int = 1

    def moves(self) -> Iterable[str]:
        return [f"{i}-{taken}" for i, heap in enumerate(self.heaps) for taken in (1, 2) if taken <= heap]

    def taken(self, move: str) -> None:
        i, taken = map(int, move.split("-"))
        self.heaps[i] -= taken
        self.turn = 3 - self.turn

    def play(self, move: str) -> "Board":
        next = copy.deepcopy(self)
        next.taken(move)
        return next

    def outcome(self) -> Outcome:
        return Outcome(winner=1 if self.turn == 2 else 2)


def test_a_game_that_repeats_is_no_game_to_solve() -> None:
    engine = Engine(hash=1)
    for moves in ("none", "best", "all"):
        with pytest.raises(ValueError, match="Walk cannot be solved: a position repeats on a line of play"):
            engine.solve(Position(Walk()), moves=moves)
    assert engine.solve(Position(Chain(9))).value == 9
    assert engine.analyse(Position(Walk(3)), depth=255, nodes=2_000).score.proven is None


def test_a_line_too_long_to_solve_is_refused_and_a_long_one_is_solved() -> None:
    engine = Engine(hash=1)
    for length in (3_200, 5_000):
        with pytest.raises(ValueError, match="Chain cannot be solved: a line of play is longer than 3199 plies"):
            engine.solve(Position(Chain(length)))
    assert engine.solve(Position(Chain(1_000)), moves="none").value == -1_000
    assert engine.solve(Position(Chain(300))).pv == ["1"] * 300


def test_every_other_walk_has_an_end_as_well() -> None:
    engine, chain, walk = Engine(hash=1), Position(Chain(5_000)), Position(Walk(3))
    assert chain.perft(255) == 1
    assert len(chain.play_line(["1"] * 5_000).history) == 5_000
    assert engine.analyse(chain, depth=255).depth == 255
    assert engine.analyse(chain, depth=255, tree=True).tree().plies == 255
    assert len(secateurs.compare(chain, 255, nodes=600).rows) > 10
    assert len(secateurs.compare(walk, 255, nodes=300).rows) > 10
    assert engine.best_moves(walk, depth=9).keys() == {"back", "on"}


@pytest.mark.parametrize(
    ("wrong", "error", "words"),
    [
        ({"moves": lambda self: None}, TypeError, r"Wrong.moves\(\) returns an iterable, not None"),
        ({"moves": lambda self: [self]}, RuntimeError, "no text"),
        ({"play": lambda self, move: None}, TypeError, r"Wrong.play\(0-1\) returns a Game, not None"),
        ({"play": lambda self, move: [0] * 9_999}, TypeError, r"Wrong.play\(0-1\) returns a Game, not \[0, .*0\.\.\.$"),
        ({"play": lambda self, move: NoText()}, TypeError, r"Wrong.play\(0-1\) returns a Game, not a NoText"),
        ({"turn": None}, ValueError, r"Wrong.turn is 1 or 2, not None"),
        ({"turn": True}, ValueError, r"Wrong.turn is 1 or 2, not True"),
        ({"turn": 1 << 70}, ValueError, r"Wrong.turn is 1 or 2, not 1180591620717411303424"),
        ({"evaluate": lambda self: 10**30}, ValueError, r"Wrong.evaluate\(\) is within ±28800, not 1000"),
        ({"evaluate": lambda self: -(1 << 31)}, ValueError, r"Wrong.evaluate\(\) is within ±28800, not -2147483648"),
        ({"evaluate": lambda self: None}, TypeError, r"Wrong.evaluate\(\) returns an int, not None"),
        ({"evaluate": lambda self: True}, TypeError, r"Wrong.evaluate\(\) returns an int, not True"),
        ({"key": lambda self: NoText()}, RuntimeError, "no text"),
        ({"outcome": lambda self: None, "moves": lambda self: []}, TypeError, r"Wrong.outcome\(\) returns an Outcome"),
        ({"moves": lambda self: Endless()}, ValueError, r"Wrong.moves\(\) has more than 32768 moves"),
    ],
)
def test_what_it_returns_is_checked(wrong: dict[str, Any], error: type[Exception], words: str) -> None:
    kind = type("Wrong", (Board,), {"__str__": NoText.__str__, **wrong})
    state = kind()
    for name in wrong.keys() & {"turn"}:
        setattr(state, name, wrong[name])
    with pytest.raises(error, match=words):
        Engine(hash=1).analyse(Position(state), depth=1)


class NoText:
    """Has no text."""

    def __str__(self) -> str:
        raise RuntimeError("no text")

    __repr__ = __str__


class Endless:
    """Numbers without end."""

    def __iter__(self) -> Iterable[int]:
        number = 0
        while True:
            yield number
            number += 1


def test_a_panic_is_an_exception_like_any_other() -> None:
    with pytest.raises(secateurs.InternalError, match="words") as caught:
        _native._panic("words")  # type: ignore[attr-defined]
    assert isinstance(caught.value, RuntimeError)
    assert repr(type(caught.value)) == "<class 'secateurs.InternalError'>"


def test_the_process_survives() -> None:
    """In a process of its own: what overflows a stack takes the tests with it."""
    program = f"""
import sys
sys.path.insert(0, {str(__file__).rsplit("/", 1)[0]!r})
import secateurs, test_game_faults as faults
for state in (faults.Walk(), faults.Chain(100_000)):
    try:
        secateurs.Engine(hash=1).solve(secateurs.Position(state))
    except ValueError as error:
        print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stdout.count("cannot be solved")) == (0, 2), done


def test_positions_take_part_in_garbage_collection() -> None:
    class Keeper(Board):
        kept: object = None

        def key(self) -> object:
            return self.heaps

    for line in ([], ["0-1"], ["0-1", "1-1"]):
        state = Keeper()
        position = Position(state).play_line(line)
        state.kept = (position, Engine(hash=1).solve(position), Engine(hash=1).analyse(position, depth=2))
        gone = weakref.ref(state)
        del state, position
        gc.collect()
        assert gone() is None, line
    # What is in use stays, however often it is shared.
    state = Keeper()
    position = Position(state)
    later = position.play("0-1")
    state.kept = (position, later)
    gc.collect()
    assert (later.legal_moves, later.state) == (["0-1", "1-1", "1-2"], Keeper([1, 3], 2))
    del state, position
    gc.collect()
    assert later.play("0-1").state == Keeper([0, 3], 1)


@dataclass(frozen=True)
class Round(Game):
    """Four places in a cycle; from two of them there is a way out."""

    place: int = 0
    turn: int = 1
    cyclic = True

    def moves(self) -> Iterable[str]:
        return [f"m{i}" for i in range(len(WAYS[self.place]))] if self.place < OUT else []

    def play(self, move: str) -> "Round":
        place = WAYS[self.place][int(move[1:])]
        return Round(place, (1, 2, 1, 2, 1)[place])

    def outcome(self) -> Outcome:
        return Outcome(margin=-4)


OUT = 4
WAYS = ((2,), (0,), (3, OUT), (1, 2, OUT, 0))


@pytest.mark.parametrize("ways", [WAYS, ((2,), (0,), (3, OUT), (0, 1, 2, OUT))])
def test_the_line_of_a_game_with_cycles_reaches_an_end(
    ways: tuple[tuple[int, ...], ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules[__name__], "WAYS", ways)
    position = Position(Round())
    solution = Engine(hash=1).solve(position)
    assert solution.value == -4
    assert not position.play_line(solution.pv).legal_moves


@dataclass(frozen=True)
class Wordless(Chain):
    """Raises where its text is wanted."""

    error: BaseException = field(default_factory=lambda: RuntimeError("no text"))

    def play(self, move: int) -> "Wordless":
        return Wordless(self.left - move, 3 - self.turn, self.error)

    def key(self) -> object:
        return self.left

    def __str__(self) -> str:
        raise self.error


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, MemoryError, ZeroDivisionError, StopIteration])
@pytest.mark.parametrize(
    "call",
    [
        lambda engine, position: position.text,
        lambda engine, position: str(position),
        lambda engine, position: position == Position(Wordless(3)),
        lambda engine, position: position.svg(),
        lambda engine, position: pickle.dumps(position),
        lambda engine, position: position.play("none"),
        lambda engine, position: position.play_line(["1", "none"]),
        lambda engine, position: engine.analyse(position, depth=2, root_moves=["none"]),
        lambda engine, position: engine.analysis(position, depth=2, root_moves=["none"]),
        lambda engine, position: str(engine.analyse(position, depth=2, tree=True).tree()),
        lambda engine, position: secateurs.analyse_many([position], depth=2),
        lambda engine, position: secateurs.compare(position, 2),
    ],
)
def test_what_the_text_of_a_state_raises_is_raised(
    call: Callable[[Engine, Position], object], error: type[BaseException]
) -> None:
    engine, position = Engine(hash=1), Position(Wordless(3, error=error("why")))
    with pytest.raises(RuntimeError if error is StopIteration else error) as caught:
        call(engine, position)
    if error is StopIteration:
        assert str(caught.value) == "a method of the game raised StopIteration"
    # Nothing else needs the text.
    assert engine.analyse(position, depth=2).best_move == "1"
    assert position.play("1").history == ["1"]


@pytest.mark.parametrize(
    ("move", "message"),
    [("\ud800", r"'\\ud800': its text has half a character"), ("a\nb", r"'a\\nb': its text has a control character")],
)
def test_a_move_whose_text_is_no_text_is_named(move: str, message: str) -> None:
    class Odd(Walk):
        def moves(self) -> Iterable[str]:
            return ["on", move]

    with pytest.raises(ValueError, match=rf"^Odd\.moves\(\) has {message}"):
        Position(Odd())
