"""Default keys of the states of games in Python."""

import array
import copy
import enum
import re
from collections import ChainMap, OrderedDict, UserDict, UserList, defaultdict, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from types import MappingProxyType, SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest
from secateurs import Engine, Game, Outcome, Position


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

    class Forgotten(Slots):
        def symmetric_key(self) -> object:
            return None

    with pytest.raises(TypeError, match=r"Forgotten\.symmetric_key\(\) returns what identifies the state, not None"):
        Position(Forgotten())
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


class Part(Held):
    """A state that holds any object."""

    def size(self) -> int:
        return 1


class Listed(list[Any]):
    """A list of another class."""


class Noted(dict[str, Any]):
    """A dict with an attribute beside its items."""

    note: Any = None


class Shown:
    """Shows what it holds."""

    def __init__(self, held: object) -> None:  # noqa: D107
        self.held = held

    def __repr__(self) -> str:
        return f"Shown({self.held!r})"


@dataclass(frozen=True)
class Hidden:
    """Its text does not show its fields."""

    name: str = "hand"
    cards: Any = field(default=(), repr=False)
    #: Neither shown nor compared: a cache.
    seen: list[int] = field(default_factory=list, repr=False, compare=False)


class HiddenToo(Hidden):
    """Has an attribute that is no field."""

    def __init__(self, note: object) -> None:  # noqa: D107
        super().__init__()
        vars(self)["note"] = note

    @cached_property
    def computed(self) -> int:
        return 3


class Pair(NamedTuple):
    """A generated ``__repr__``."""

    one: Any
    two: int = 2


def noted(note: object) -> Noted:
    result = Noted(a=1)
    result.note = note
    return result


MANY, FEW = np.arange(2_000), np.full(3, 1 / 3)
MANY_TOO, FEW_TOO = MANY.copy(), FEW + 1e-12
MANY_TOO[1_000] = 7


@dataclass(frozen=True)
class Brief:
    held: object

    def __repr__(self) -> str:
        return "brief"


class BriefList(list[object]):
    __repr__ = Brief.__repr__


class BriefDict(dict[str, object]):
    __repr__ = Brief.__repr__


class BriefText(str):
    __repr__ = Brief.__repr__


class Colour(enum.Enum):
    RED = 1
    BLUE = 2

    def __repr__(self) -> str:
        return "colour"


class Flag(enum.Flag):
    ONE = 1
    TWO = 2


@pytest.mark.parametrize(
    "holds",
    [
        lambda held: [held],
        lambda held: Listed([held]),
        lambda held: noted(held),
        lambda held: UserList([held]),
        lambda held: UserDict(a=held),
        lambda held: ChainMap({}, {"a": held}),
        lambda held: OrderedDict(a=held),
        lambda held: deque([held]),
        lambda held: SimpleNamespace(a=held),
        lambda held: MappingProxyType({"a": [held]}),
        lambda held: Pair(held),
        Shown,
        lambda held: Hidden(cards=held),
        HiddenToo,
        lambda held: [Shown(Listed([held]))],
        Brief,
        lambda held: BriefList([held]),
        lambda held: BriefDict(a=held),
    ],
)
def test_every_part_of_an_attribute_counts(holds: Callable[[object], object]) -> None:
    for one, other in [(MANY, MANY_TOO), (FEW, FEW_TOO), ((1,), (2,))]:
        assert Position(Part(holds(one))) == Position(Part(holds(one)))
        assert Position(Part(holds(one))) != Position(Part(holds(other)))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (deque("z"), deque("z", maxlen=2)),
        (re.compile("a" * 300 + "b"), re.compile("a" * 300 + "c")),
        (re.compile("a"), re.compile("a", re.IGNORECASE)),
        (BriefText("a"), BriefText("b")),
        (Colour.RED, Colour.BLUE),
        (Flag.ONE, Flag.ONE | Flag.TWO),
    ],
)
def test_what_a_text_leaves_out_counts(one: object, other: object) -> None:
    assert Position(Part(one)) == Position(Part(copy.copy(one)))
    assert Position(Part(one)) != Position(Part(other))


def test_a_cache_of_a_part_does_not_count() -> None:
    plain, used = HiddenToo(1), HiddenToo(1)
    assert used.computed == 3
    used.seen.append(1)
    assert Position(Part(plain)) == Position(Part(used))


def test_tables_that_shorten_their_text_are_refused() -> None:
    class Table:
        """Stands for a table of pandas."""

        def __array__(self) -> object:
            return MANY

        def __repr__(self) -> str:
            return "1.0\n2.0"

    class Sparse:
        """Stands for a sparse array of scipy."""

        def toarray(self) -> object:
            return MANY

        def __repr__(self) -> str:
            return "<Sparse array with 1 stored elements>"

    for held in (Table(), Sparse()):
        with pytest.raises(ValueError, match=rf"the repr of Part\.held does not show all of a {type(held).__name__}"):
            Position(Part([held]))


def test_integers_of_any_size_are_compared() -> None:
    large = 1 << 20_000
    assert hash(Position(Part(large))) == hash(Position(Part(1 << 20_000)))
    assert len({hash(Position(Part(number))) for number in (large, large + 1, -large, 1 << 70)}) == 4


@pytest.mark.parametrize("order", [[8, 0, 16], [16, 8, 0], [0, 16, 8]])
def test_equal_sets_and_dicts_are_equal_keys(order: list[int]) -> None:
    """The integers collide in a hash table of eight places, so that the sets differ in their order."""
    equal = [0, 8, 16]
    for kind in (set, frozenset, dict.fromkeys):
        assert hash(Position(Part(kind(order)))) == hash(Position(Part(kind(equal))))
        assert hash(Position(Part(kind(order)))) != hash(Position(Part(kind([0, 8]))))


def test_parts_of_other_types_differ() -> None:
    different: list[Any] = [
        None,
        False,
        0,
        0.0,
        -0.0,
        "0",
        b"0",
        (),
        (0,),
        [],
        {},
        set(),
        2**64,
        -(2**64),
        "\ud800",
        "\ud801",
    ]
    different += [{0: ()}, {0}, ((),), ((), ()), {"a": 1, "b": 2}, {"a": 2, "b": 1}, bytearray(b"0"), Decimal(0)]
    positions = [Position(Part((part,))) for part in different]
    for index, one in enumerate(positions):
        assert [other for other, position in enumerate(positions) if position == one] == [index]


def test_parts_that_contain_themselves() -> None:
    around: list[object] = [1]
    around.append(around)
    longer: list[object] = [1]
    longer.append([1, longer])
    assert Position(Part(around)) == Position(Part(around))
    assert Position(Part(around)) != Position(Part([1, [1]]))
    deep: object = ()
    for _ in range(600):
        deep = (deep,)
    with pytest.raises(ValueError, match=r"the key of Part is nested more than 500 deep: override Part\.key\(\)"):
        Position(Part(deep))


def test_the_content_of_a_class_in_c_is_not_overlooked() -> None:
    class Cells(Count, array.array):  # type: ignore[type-arg]
        def __new__(cls) -> "Cells":
            return array.array.__new__(cls, "i", [3])  # type: ignore[return-value]

    state = Cells()
    vars(state).update(left=3, turn=1)
    with pytest.raises(ValueError, match=r"what Cells has of array cannot be seen: override Cells\.key\(\)"):
        _ = Position(state).key
