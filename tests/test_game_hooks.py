"""The optional methods of a game in Python that prune its search: values stay the same, and mistakes are named."""

import random
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

import pytest
import secateurs
from secateurs import Engine, Game, Outcome, Position

sys.path.insert(0, str(Path(__file__).parent.parent / "examples"))

from dots_and_boxes import DotsAndBoxes

HOOKS = "settled", "key", "bounds", "symmetric_key"


@cache
def minimax(state: DotsAndBoxes) -> int:
    """The margin of player 1 with best play."""
    values = [minimax(state.play(move)) for move in state.moves()]
    return state.lead if not values else max(values) if state.turn == 1 else min(values)


def without(*names: str) -> type[DotsAndBoxes]:
    """The game without some of its optional methods."""
    members: dict[str, Any] = {name: getattr(Game, name) for name in names}

    def play(self: DotsAndBoxes, move: str) -> DotsAndBoxes:
        after = DotsAndBoxes.play(self, move)
        return kind(after.drawn, after.lead, after.turn, after.rows, after.columns)

    kind = cast("type[DotsAndBoxes]", type("Fewer", (DotsAndBoxes,), {**members, "play": play}))
    return kind


@pytest.mark.parametrize(
    "kind",
    [DotsAndBoxes, without("symmetric_key"), without("bounds"), without("bounds", "symmetric_key"), without(*HOOKS)],
)
def test_values_are_those_of_minimax(kind: type[DotsAndBoxes]) -> None:
    dice, engine = random.Random(54), Engine(hash=4)
    for rows, columns, early in (1, 2, 0), (2, 2, 1), (2, 2, 3), (1, 4, 3), (2, 3, 7), (2, 3, 8), (2, 3, 9):
        state: DotsAndBoxes = kind(rows=rows, columns=columns)
        for _ in range(early):
            state = state.play(dice.choice(state.moves()))
        position = Position(state)
        sign = 1 if state.turn == 1 else -1
        plain = DotsAndBoxes(state.drawn, state.lead, state.turn, rows, columns)
        value = sign * minimax(plain)
        solution = engine.solve(position)
        assert solution.value == value
        assert solution.best_moves == [move for move in state.moves() if sign * minimax(plain.play(move)) == value]
        result = engine.analyse(position, depth=len(state.moves()))
        assert result.score.cp == 100 * value
        assert result.pv


def test_hooks_save_nodes() -> None:
    """From the most nodes to the fewest; the figures of 2 x 3 are in docs/games-in-python.md."""
    kinds: list[Any] = [without(*HOOKS), without("bounds", "symmetric_key"), without("symmetric_key"), DotsAndBoxes]
    nodes = [Engine(hash=4).solve(Position(kind(rows=1, columns=3))).nodes for kind in kinds]
    assert nodes == sorted(nodes, reverse=True)
    assert 4 * nodes[-1] < nodes[0]


def test_the_settled_margin_is_the_default_evaluation() -> None:
    ahead = DotsAndBoxes().play("h11").play("v11").play("h21").play("v12")
    assert (ahead.lead, ahead.turn, ahead.evaluate()) == (-1, 2, 100)
    assert Position(ahead).evaluate() == {"evaluation": 100}


@dataclass(frozen=True)
class Walk(Game):
    """Player 1 wins at 3, player 2 at -3; a game of 6 moves or more is drawn."""

    place: int = 0
    plies: int = 0
    turn: int = 1

    def moves(self) -> list[str]:
        return [] if abs(self.place) == 3 or self.plies == 6 else ["down", "up"]

    def play(self, move: str) -> "Walk":
        return type(self)(self.place + (1 if move == "up" else -1), self.plies + 1, 3 - self.turn)

    def outcome(self) -> Outcome:
        return Outcome(winner={3: 1, -3: 2}.get(self.place))


class Bounded(Walk):
    """A player too far from the end cannot win any more."""

    def bounds(self) -> tuple[Outcome | None, Outcome | None] | None:
        left = 6 - self.plies
        if self.place == 3:
            return Outcome(winner=1), None
        return (
            Outcome() if self.place - left > -3 else None,
            Outcome() if self.place + left < 3 else Outcome(winner=1),
        )


def test_bounds_are_outcomes_of_player_1() -> None:
    for place in range(-2, 3):
        for plies in range(6):
            for turn in 1, 2:
                plain, bounded = (Position(kind(place, plies, turn)) for kind in (Walk, Bounded))
                found = [Engine(hash=1).solve(position) for position in (plain, bounded)]
                assert found[0].value == found[1].value
                scores = [Engine(hash=1).analyse(position, depth=6).score for position in (plain, bounded)]
                assert scores[0] == scores[1]


@pytest.mark.parametrize(
    ("name", "value", "error", "message"),
    [
        ("settled", 145, ValueError, r"Wrong\.settled\(\) is within ±144, not 145"),
        ("settled", 10**30, ValueError, r"Wrong\.settled\(\) is within ±144, not 1000"),
        ("settled", True, TypeError, r"Wrong\.settled\(\) returns an int, not True"),
        ("settled", 1.5, TypeError, r"Wrong\.settled\(\) returns an int, not 1\.5"),
        ("bounds", 3, TypeError, r"Wrong\.bounds\(\) returns a tuple of two, each an Outcome or None, not 3"),
        ("bounds", (1, 2), TypeError, r"Wrong\.bounds\(\) returns a tuple of two, .*, not \(1, 2\)"),
        ("bounds", (None,), TypeError, r"Wrong\.bounds\(\) returns a tuple of two"),
        ("bounds", (Outcome(winner=1), Outcome()), ValueError, r"Wrong\.bounds\(\) is the worst and the best outcome"),
        ("symmetric_key", object(), ValueError, r"override Wrong\.key\(\)"),
    ],
)
def test_wrong_answers_are_refused(name: str, value: object, error: type[Exception], message: str) -> None:
    kind = type("Wrong", (DotsAndBoxes,), {name: lambda self: value})
    with pytest.raises(error, match=message):
        Position(kind())


def test_bounds_that_the_end_contradicts_are_refused() -> None:
    kind: Any = type("Wrong", (Walk,), {"bounds": lambda self: (Outcome(), None)})
    with pytest.raises(ValueError, match=r"Wrong\.bounds\(\) excludes what Wrong\.outcome\(\) returns"):
        Position(kind(-3))


def test_a_settled_margin_needs_margins() -> None:
    kind: Any = type("Wrong", (Walk,), {"settled": lambda self: 0})
    with pytest.raises(
        ValueError, match=r"Wrong\.outcome\(\) has no margin, and Wrong\.settled\(\) returns a part of one"
    ):
        Position(kind(3))
    kind = type("Wrong", (Walk,), {"settled": lambda self: 0, "outcome": lambda self: Outcome(margin=200)})
    with pytest.raises(ValueError, match=r"Wrong\.settled\(\) is within ±144, not 200 as in Wrong\.outcome\(\)"):
        Position(kind(3))
    kind = type("Wrong", (DotsAndBoxes,), {"evaluate": lambda self: 14_401})
    with pytest.raises(ValueError, match=r"Wrong\.evaluate\(\) is within ±14400, not 14401"):
        Position(kind()).evaluate()


@pytest.mark.parametrize("name", ["bounds", "settled", "symmetric_key", "evaluate"])
def test_an_attribute_with_the_name_of_a_hook_is_refused(name: str) -> None:
    kind: Any = type("Wrong", (Walk,), {name: 5})
    with pytest.raises(TypeError, match=rf"Wrong\.{name} is no method: secateurs\.Game has a method {name}\(\)"):
        Position(kind()).evaluate()


@pytest.mark.parametrize("name", HOOKS)
def test_exceptions_of_hooks_are_raised(name: str) -> None:
    def fail(self: object) -> object:
        raise ArithmeticError(name)

    kind: Any = type("Wrong", (DotsAndBoxes,), {name: fail})
    with pytest.raises(ArithmeticError, match=name):
        Position(kind())


def test_a_hook_that_changes_the_state_is_refused() -> None:
    def settled(self: Any) -> int:
        self.__dict__["lead"] = 3
        return 0

    members = {"settled": settled, "key": Game.key, "symmetric_key": Game.symmetric_key}
    kind: Any = type("Wrong", (DotsAndBoxes,), members)
    with pytest.raises(ValueError, match=r"Wrong\.moves\(\) or settled\(\) or bounds\(\) changes the state"):
        Position(kind())


def test_the_example_is_drawn() -> None:
    position = Position(DotsAndBoxes(rows=1, columns=1)).play("h11").play("v12")
    assert str(position).splitlines()[:3] == ["+--+", "   |", "+  +"]
    for theme in "light", "dark", "auto":
        drawing = position.svg("h21", theme=theme)
        assert drawing.startswith("<svg")
        assert drawing.count("<path") == 3
    assert secateurs.Engine(hash=1).play(position, depth=4).move in position.legal_moves
