"""Environments of PettingZoo for games in Python."""

import sys
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import secateurs
from secateurs import Game, Outcome, Position

pytest.importorskip("pettingzoo", reason="PettingZoo is not installed")
pytest.importorskip("pygame", reason="pygame is not installed, which the tests of PettingZoo need")

with warnings.catch_warnings():
    # What it says of its own names.
    warnings.simplefilter("ignore")
    import numpy as np
    import secateurs.pettingzoo
    from pettingzoo.classic import connect_four_v3, rps_v2, tictactoe_v3
    from pettingzoo.test import api_test, render_test, seed_test

sys.path.insert(0, str(Path(__file__).parent.parent / "examples"))

from dots_and_boxes import DotsAndBoxes

# PettingZoo warns of observations that are dicts.
pytestmark = pytest.mark.filterwarnings("ignore:Observation:UserWarning")


@dataclass(frozen=True)
class Bare(Game):
    """A game without what an environment needs."""

    turn: int = 1

    def moves(self) -> list[str]:
        return []

    def play(self, move: str) -> "Bare":
        return self

    def outcome(self) -> Outcome:
        return Outcome()


def test_games_in_python_are_environments() -> None:
    def make(**more: Any) -> Any:
        return secateurs.env(DotsAndBoxes(rows=2, columns=2), **more)

    api_test(make(), num_cycles=300)
    seed_test(make, num_cycles=100)
    render_test(make, custom_tests={"svg": lambda drawing: drawing.startswith("<svg")})
    env = make()
    env.reset()
    inner = env.unwrapped
    assert env.metadata["name"] == "DotsAndBoxes_v0"
    assert inner.action("h11") == 0
    observation = env.observe("player_0")
    assert observation["observation"].dtype == np.int8
    assert list(observation["action_mask"]) == [1] * 12
    for move in "h11", "v11", "h21", "v12":
        env.step(inner.action(move))
    # The second player has a box and moves again.
    assert env.agent_selection == "player_1"
    assert env.observe("player_1")["observation"][-1] == 1
    with pytest.raises(ValueError, match="the position does not fit the spaces of"):
        env.reset(options={"position": DotsAndBoxes(rows=1, columns=2)})
    env.reset(options={"position": Position(DotsAndBoxes(rows=2, columns=2)).play("h11")})
    assert env.agent_selection == "player_1"


def test_what_an_environment_of_a_game_in_python_needs_is_named() -> None:
    with pytest.raises(TypeError, match=r"an environment needs Bare\.num_actions: the number of all actions"):
        secateurs.env(Bare())
    for name, value, error, message in (
        ("action", lambda self, move: 0, ValueError, r"Wrong\.action\(\) gives each legal move a number of its own"),
        ("action", lambda self, move: 99, ValueError, "below 17"),
        (
            "observation",
            lambda self, player: np.array(["x"]),
            TypeError,
            r"Wrong\.observation\(\) is an array of numbers",
        ),
    ):
        kind: Any = type("Wrong", (DotsAndBoxes,), {name: value})
        with pytest.raises(error, match=message):
            secateurs.env(kind())


def test_a_position_is_where_an_environment_starts() -> None:
    env = secateurs.env(Position("nim", heaps=[1, 2]).play("1-1"))
    env.reset()
    assert env.unwrapped.position.heaps == (0, 2)


def test_environments_of_pettingzoo_are_games() -> None:
    engine = secateurs.Engine(hash=4)
    start = secateurs.pettingzoo.game(tictactoe_v3.env())
    assert (start.game, start.turn, start.legal_moves) == ("tictactoe_v3", 1, [str(square) for square in range(9)])
    fork = start.play_line([4, 1])
    assert fork.legal_moves == ["0", "2", "3", "5", "6", "7", "8"]
    assert engine.solve(fork).outcome == "win"
    won = start.play_line([0, 3, 1, 4, 2])
    assert (won.outcome, won.legal_moves) == (Outcome(winner=1), [])
    # The end of PettingZoo's Connect Four is ours.
    columns = [3, 3, 2, 2]
    theirs = secateurs.pettingzoo.game(connect_four_v3.env()).play_line(columns)
    ours = Position("connect4").play_line([column + 1 for column in columns])
    assert engine.analyse(theirs, depth=3).score == engine.analyse(ours, depth=3).score

    def board(env: Any) -> object:
        return tuple(env.board.squares)

    keyed = secateurs.pettingzoo.game(tictactoe_v3.env(), key=board)
    assert engine.solve(keyed.play_line([0, 4])).outcome == "draw"
    assert keyed.play_line([0, 4, 8]).key == keyed.play_line([8, 4, 0]).key
    assert start.play_line([0, 4, 8]).key != start.play_line([8, 4, 0]).key


def test_environments_that_are_no_such_games_are_refused() -> None:
    with pytest.raises(ValueError, match="PettingZoo's rps_v2: its agents move at the same time, and Secateurs plays"):
        secateurs.pettingzoo.game(rps_v2.env())
    with pytest.raises(TypeError, match="env is an AECEnv, not str"):
        secateurs.pettingzoo.game("tictactoe_v3")

    class Named(type(tictactoe_v3.env().unwrapped)):  # type: ignore[misc]
        metadata = {"name": "leduc_holdem_v4"}  # noqa: RUF012

    with pytest.raises(ValueError, match="PettingZoo's leduc_holdem_v4: it has chance and hidden information"):
        secateurs.pettingzoo.game(Named())


def test_an_environment_is_not_changed() -> None:
    env = tictactoe_v3.env()
    env.reset()
    env.step(4)
    position = secateurs.pettingzoo.game(env)
    assert position.legal_moves == [str(square) for square in range(9)]
    assert list(env.unwrapped.board.squares).count(0) == 8
