"""Games in Python that repeat: wins that are forced, draws by repetition."""

import random
from collections.abc import Iterable
from dataclasses import dataclass

import pytest
from secateurs import Engine, Game, Outcome, Position


@dataclass(frozen=True)
class Walk(Game):
    """A token on a graph with cycles; who cannot move has lost."""

    cyclic = True
    edges: tuple[tuple[int, ...], ...]
    at: int = 0
    turn: int = 1

    def moves(self) -> Iterable[int]:
        return self.edges[self.at]

    def play(self, move: int) -> "Walk":
        return Walk(self.edges, move, 3 - self.turn)

    def outcome(self) -> Outcome:
        return Outcome(winner=3 - self.turn)

    def key(self) -> object:
        return self.at


def walk(seed: int) -> Walk:
    rng = random.Random(seed)
    count = rng.randint(3, 9)
    return Walk(tuple(tuple(rng.sample(range(count), rng.randint(0 if at else 1, 2))) for at in range(count)))


def forced(state: Walk) -> dict[int, int]:
    """In how many plies who moves at each place wins (positive) or loses (negative), found backwards from the ends."""
    found: dict[int, int] = {}
    for plies in range(2 * len(state.edges)):
        known = dict(found)
        for at, edges in enumerate(state.edges):
            if at in known:
                continue
            values = [known.get(to) for to in edges]
            if any(value is not None and value <= 0 for value in values):
                found[at] = plies
            elif all(value is not None and value > 0 for value in values):
                found[at] = -plies
    return found


def test_cyclic_games_are_proven_where_a_side_can_force_a_win() -> None:
    proven = draws = 0
    for seed in range(60):
        state = walk(seed)
        truth = forced(state).get(0)
        result = Engine(hash=1).analyse(Position(state), depth=20)
        assert result.score.distance == truth, (seed, state)
        assert truth is not None or result.score.cp == 0, (seed, state)
        proven += bool(result.proven)
        draws += truth is None
        # Not every draw is proven: what rests on a repetition is not.
        assert result.proven or truth is None, (seed, state)
    assert proven > 20
    assert draws > 10


def test_a_game_is_a_draw_at_the_third_occurrence() -> None:
    position = Position(Walk(((1,), (0,))))
    for count in range(4):
        assert position.outcome is None
        assert position.legal_moves == [str((count + 1) % 2)]
        position = position.play(position.legal_moves[0])
    # Play may continue.
    assert (position.outcome, position.legal_moves) == (Outcome(), ["1"])
    assert position.play("1").legal_moves == ["0"]
    assert Engine(hash=1).analyse(position, depth=6).best_move == "1"


def test_a_game_that_says_nothing_of_repetition_goes_on() -> None:
    class Silent(Walk):
        cyclic = False

        def play(self, move: int) -> "Silent":
            return Silent(self.edges, move, 3 - self.turn)

    position = Position(Silent(((1,), (0,)))).play_line(["1", "0"] * 4)
    assert position.outcome is None
    with pytest.raises(ValueError, match="a position repeats on a line of play"):
        Engine(hash=1).solve(position)


def test_cyclic_is_a_bool() -> None:
    class Wrong(Walk):
        cyclic = "yes"  # type: ignore[assignment]

    with pytest.raises(TypeError, match=r"Wrong\.cyclic is True or False, not 'yes'"):
        Position(Wrong(((1,), (0,))))


class Ring(Game):
    """A walk around a ring, back to its start; there, and only there, the first player may end it and lose."""

    cyclic = True
    length = 2

    def __init__(self, at: int = 0) -> None:  # noqa: D107
        self.at, self.turn = at, at % 2 + 1

    def moves(self) -> Iterable[str]:
        return ["go", "end"] if self.at == 0 else ["go"] if self.at > 0 else []

    def play(self, move: str) -> "Ring":
        return type(self)(-1 if move == "end" else (self.at + 1) % self.length)

    def outcome(self) -> Outcome:
        return Outcome(margin=-2)

    def evaluate(self) -> int:
        return -500 if self.turn == 1 else 500


@pytest.mark.parametrize("length", [2, 4, 6])
def test_a_return_to_the_root_is_searched_again(length: int) -> None:
    """The entry of the root in the table does not show the draw that a return to it begins."""
    ring = type("Ring", (Ring,), {"length": length})
    for depth in (length + 1, 40):
        result = Engine(hash=1).analyse(Position(ring()), depth=depth)
        assert (result.best_move, str(result.score)) == ("go", "0.00")


CIRCLE = {"b": ["w", "c"], "c": ["r"], "r": ["b"], "w": []}


@dataclass(frozen=True)
class Circle(Game):
    """Player 1 alone moves, round and round or to a win."""

    cyclic = True
    node: str = "b"
    turn: int = 1

    def moves(self) -> list[str]:
        return CIRCLE[self.node]

    def play(self, move: str) -> "Circle":
        return Circle(move)

    def outcome(self) -> Outcome:
        return Outcome(winner=1)


def test_exact_search_is_refused_near_a_third_occurrence() -> None:
    position = Position(Circle()).play_line(["c", "r", "b", "c", "r"])
    assert position.outcome is None
    assert position.play("b").outcome == Outcome(winner=None)
    engine = Engine(hash=1)
    for _ in range(2):
        with pytest.raises(
            ValueError,
            match="Circle cannot be solved: a position of the game so far would end the game if it came back",
        ):
            engine.solve(position)
        assert engine.solve(Position(Circle())).pv == ["w"]
    assert str(engine.analyse(position, depth=9).score) == "0.00"


@dataclass(frozen=True)
class Detour(Game):
    """Places 4 and 7 end the game; the way over 5 may lead there, or to and fro."""

    cyclic = True
    at: int = 3
    turn: int = 2

    def moves(self) -> Iterable[int]:
        return {3: (5, 7, 4), 2: (5,), 5: (2, 7)}.get(self.at, ())

    def play(self, move: int) -> "Detour":
        return Detour(move, 1 if move in (2, 4, 5) else 2)

    def outcome(self) -> Outcome:
        return Outcome(margin=3)

    def key(self) -> object:
        return self.at


def test_equal_moves_that_may_repeat_are_not_settled() -> None:
    position, engine = Position(Detour()), Engine(hash=1)
    ending = engine.best_moves(position, depth=30, root_moves=["7", "4"])
    assert [str(score) for score in ending.values()] == [str(ending["7"])] * 2
    # The value of 5 is the same, but no search proves it: it is missing.
    assert set(Engine(hash=1).best_moves(position, depth=30)) <= set(ending)
