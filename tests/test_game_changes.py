"""Games in Python whose states or moves change, and those that only remember."""

import copy
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import pytest
import secateurs
from secateurs import Engine, Game, Outcome, Position
from test_game_faults import Board


class Itself(Board):
    """Changes itself and returns itself."""

    def play(self, move: str) -> "Board":
        self.taken(move)
        return self


class Shallow(Board):
    """Copies itself, but not its list."""

    def play(self, move: str) -> "Board":
        next = copy.copy(self)
        next.taken(move)
        return next


class Moody(Board):
    """Has other moves at each call."""

    def moves(self) -> list[str]:
        moves = list(super().moves())
        return moves[: random.randint(1, len(moves))] if moves else []


def test_a_solution_has_a_best_move_or_is_refused() -> None:
    for seed in range(40):
        random.seed(seed)
        try:
            solution = Engine(hash=1).solve(Position(Moody()))
        except ValueError as error:
            assert "Moody" in str(error)  # noqa: PT017
        else:
            assert solution.best_moves


class Late(Board):
    """Copies itself, but its list at the first move alone."""

    def key(self) -> object:
        return self.heaps

    def play(self, move: str) -> "Board":
        next = (copy.copy if hasattr(self, "played") else copy.deepcopy)(self)
        next.__dict__.pop("played", None)
        self.played = True
        next.taken(move)
        return next


@dataclass
class Picks(Game):
    """Six times each player takes "a" or "b" in turn; a list that all states share has what was taken, and decides."""

    left: int = 6
    turn: int = 1
    taken: list[str] = field(default_factory=list)

    def moves(self) -> Iterable[str]:
        return "ab" if self.left else ""

    def play(self, move: str) -> "Picks":
        self.taken.append(move)
        return Picks(self.left - 1, 3 - self.turn, self.taken)

    def outcome(self) -> Outcome:
        return Outcome(winner=1 if self.taken[-6:].count("a") > 3 else 2)


class Unsteady(Board):
    """Gives some of its moves, others each time."""

    numbers = random.Random(1)

    def moves(self) -> Iterable[str]:
        moves = list(super().moves())
        return self.numbers.sample(moves, self.numbers.randint(min(1, len(moves)), len(moves)))


class Lazy(Board):
    """Remembers in an attribute what it has worked out."""

    def evaluate(self) -> int:
        self.worth = 100 * (sum(self.heaps) % 3)
        return self.worth

    def play(self, move: str) -> "Board":
        self.last = move
        next = Lazy(self.heaps[:], self.turn)
        next.taken(move)
        return next


class Copied(Lazy):
    """Copies what it remembers as well, and leaves it out of its key."""

    def key(self) -> object:
        return self.heaps

    def play(self, move: str) -> "Board":
        self.last = move
        return Board.play(self, move)


CALLS: list[Callable[[Engine, Position], object]] = [
    lambda engine, position: engine.analyse(position, depth=6),
    lambda engine, position: engine.analyse(position, depth=4, multipv=3),
    lambda engine, position: str(engine.analyse(position, depth=4, tree=True).tree()),
    lambda engine, position: engine.best_moves(position, depth=5),
    lambda engine, position: engine.analysis(position, depth=5).wait(),
    lambda engine, position: engine.solve(position, moves="all"),
    lambda engine, position: position.perft(4),
    lambda engine, position: position.play_line(["0-1", "1-1", "0-1"]).state,
    lambda engine, position: secateurs.analyse_many([position, position], depth=4),
    lambda engine, position: secateurs.compare(position, 3, nodes=1_000),
]

# The one that plays no second move in any state.
PLAYED = 7


def outcomes(kind: type[Board]) -> list[Exception | None]:
    """What comes of every call."""
    found: list[Exception | None] = []
    for call in CALLS:
        try:
            call(Engine(hash=1), Position(kind()))
            found.append(None)
        except Exception as error:
            found.append(error)
    return found


@pytest.mark.parametrize(
    ("kind", "words"),
    [(Itself, "returns the state that it is called on"), (Shallow, "changes the state that it is called on")],
)
def test_a_state_that_changes_is_named(kind: type[Board], words: str) -> None:
    for error in outcomes(kind):
        # The state of a position is made by the game alone.
        assert isinstance(error, ValueError), error
        assert f"{kind.__name__}." in str(error)
        assert words in str(error) or "moves() gave" in str(error)


@pytest.mark.parametrize("kind", [Late, Picks])
@pytest.mark.parametrize("call", [call for number, call in enumerate(CALLS) if number != PLAYED])
def test_a_state_that_changes_later_is_named(kind: type[Game], call: Callable[[Engine, Position], object]) -> None:
    with pytest.raises(ValueError, match=rf"{kind.__name__}\.play\(.*\) changes the state that it is called on"):
        call(Engine(hash=1), Position(kind()))


def test_moves_that_differ_from_call_to_call_are_named() -> None:
    errors = [error for _ in range(30) for error in outcomes(Unsteady) if error is not None]
    named = [error for error in errors if "Unsteady.moves() gave" in str(error)]
    assert len(named) > 20
    for error in errors:
        assert isinstance(error, ValueError), error
        # A move that was never there when it was played is an illegal one.
        assert error in named or isinstance(error, secateurs.IllegalMove), error


def test_what_a_state_has_worked_out_is_no_change() -> None:
    assert outcomes(Lazy) == outcomes(Copied) == outcomes(Board) == [None] * len(CALLS)
