"""Default keys of the states of games in Python."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from secateur import Engine, Game, Outcome, Position


class Heap:
    """A number, without a ``repr``."""

    def __init__(self, size: int) -> None:  # noqa: D107
        self.size = size


class Count(Game):
    """Take 1 to 3 of a number; whoever takes the last wins."""

    turn = 1

    def size(self) -> int:
        return int(vars(self)["left"])

    def make(self, left: int, turn: int) -> "Count":
        next = type(self)()
        vars(next).update(left=left, turn=turn)
        return next

    def moves(self) -> Iterable[int]:
        return range(1, min(self.size(), 3) + 1)

    def play(self, move: int) -> "Count":
        return self.make(self.size() - move, 3 - self.turn)

    def outcome(self) -> Outcome:
        return Outcome(winner=3 - self.turn)


class Slots(Count):
    """Has no attributes but its slots."""

    __slots__ = ("__left", "turn")

    def __init__(self, left: int = 10, turn: int = 1) -> None:  # noqa: D107
        self.__left, self.turn = left, turn

    def size(self) -> int:
        return self.__left

    def make(self, left: int, turn: int) -> "Slots":
        return Slots(left, turn)


@dataclass(frozen=True, slots=True)
class Slotted(Count):
    """Slots by a decorator."""

    left: int = 10
    turn: int = 1

    def size(self) -> int:
        return self.left

    def make(self, left: int, turn: int) -> "Slotted":
        return Slotted(left, turn)


class InTuple(Count, tuple[int, int]):
    """Has its content in itself."""

    def size(self) -> int:
        return self[0]

    def make(self, left: int, turn: int) -> "InTuple":
        next = InTuple((left, turn))
        next.turn = turn
        return next


class InList(Count, list[int]):
    """The same, with a lock on its methods."""

    def size(self) -> int:
        return list.__len__(self)

    def make(self, left: int, turn: int) -> "InList":
        next = InList([0] * left)
        next.turn = turn
        return next


@dataclass(eq=False)
class Held(Count):
    """Holds something; the size is that of what it holds."""

    held: Any = None
    turn: int = 1

    def size(self) -> int:
        return SIZES[type(self.held)](self.held)

    def make(self, left: int, turn: int) -> "Held":
        return Held(MAKES[type(self.held)](left), turn)


@dataclass
class Board:
    """A board whose text has dots."""

    cells: str
    ones: Any = field(default_factory=lambda: np.zeros(2))


SIZES: dict[type, Callable[[Any], int]] = {
    np.ndarray: lambda held: round(1e12 * held[700]),
    Board: lambda held: len(held.cells),
    defaultdict: len,
}
MAKES: dict[type, Callable[[int], Any]] = {
    np.ndarray: lambda left: np.array([0.0] * 700 + [left / 1e12] + [0.0] * 700),
    Board: lambda left: Board("." * left),
    defaultdict: lambda left: defaultdict(lambda: 0, dict.fromkeys(range(left), 0)),
}


@pytest.mark.parametrize(
    "state",
    [
        Slots(),
        Slotted(),
        InTuple((10, 1)),
        InList([0] * 10),
        *(Held(make(10)) for make in MAKES.values()),
    ],
    ids=lambda state: f"{type(state).__name__}-{type(getattr(state, 'held', None)).__name__}",
)
def test_every_part_of_a_state_counts(state: Count) -> None:
    """Ten are a win, by taking two; eight are a loss."""
    solution = Engine(hash=1).solve(Position(state), moves="all")
    assert solution.value is not None
    assert solution.value > 0
    assert solution.best_moves == ["2"]
    # One that knows what came before, as well.
    engine = Engine(hash=1)
    for left in range(1, 13):
        found = engine.solve(Position(state.make(left, 1)))
        assert found.value is not None
        assert (found.value > 0) == (left % 4 != 0), left


@pytest.mark.parametrize(
    "held", [Heap(3), [{"a": (Heap(3),)}], Board(".", [Heap(1)]), lambda: 3, np.array([Heap(3)], dtype=object)]
)
def test_an_address_tells_no_states_apart(held: object) -> None:
    @dataclass
    class Holder(Held):
        held: Any = None
        turn: int = 1

    with pytest.raises(ValueError, match=r"repr of Holder\.held holds the address of a \w+.*override Holder\.key\(\)"):
        Position(Holder(held))


def test_a_key_that_says_too_little_is_named() -> None:
    class Masked(Held):
        def key(self) -> object:
            return np.ma.masked_array([1, 2], mask=[False, True])

    class Nothing(Count):
        def size(self) -> int:
            return 3

    with pytest.raises(ValueError, match=r"the repr of Masked\.key\(\) does not show all of a MaskedArray"):
        Position(Masked(3))
    with pytest.raises(ValueError, match=r"Nothing has no attributes .* override Nothing\.key\(\)"):
        Position(Nothing())


def test_moves_that_change_their_state_are_named() -> None:
    @dataclass
    class Pops(Held):
        held: Any = None
        turn: int = 1

        def moves(self) -> Iterable[int]:
            self.held.pop()
            return [1] if self.held else []

    for length, method in ((3, "moves()"), (1, "moves() or outcome()")):
        with pytest.raises(ValueError, match="Pops." + method.replace("(", r"\(").replace(")", r"\)") + " changes the"):
            Position(Pops([0] * length))


def test_classes_are_told_apart_whatever_their_base_does() -> None:
    """The last one wins, or loses: in one table, with the same attributes."""

    class Base(Count):
        def __init_subclass__(cls) -> None:
            pass

        def __init__(self, left: int = 5) -> None:
            self.left = left

    class Normal(Base):
        pass

    class Misere(Base):
        def outcome(self) -> Outcome:
            return Outcome(winner=self.turn)

    engine = Engine(hash=1)
    assert engine.solve(Position(Normal())).best_moves == ["1"]
    assert engine.solve(Position(Normal(4))).value == -engine.solve(Position(Misere(4))).value  # type: ignore[operator]


def test_attributes_under_other_names_are_a_change() -> None:
    @dataclass
    class Swaps(Held):
        held: Any = 3
        turn: int = 1

        def size(self) -> int:
            return 3

        def play(self, move: int) -> "Count":
            vars(self)["other"] = vars(self).pop("held")
            vars(self)["turn"] = vars(self).pop("turn")
            return Slots()

    with pytest.raises(ValueError, match=r"Swaps\.play\(1\) changes the state"):
        Engine(hash=1).analyse(Position(Swaps()), depth=1)
