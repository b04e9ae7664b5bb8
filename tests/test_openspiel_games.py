"""The games of OpenSpiel that Secateurs plays by OpenSpiel's rules; benches/openspiel_games.py plays many more."""

import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import secateurs
from secateurs import Engine, Limit, Position

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")

from secateurs.openspiel import Bot, action_of, game, move_of, position_of, state_of  # noqa: E402

ROOT = Path(__file__).parent.parent


def test_random_games_are_alike() -> None:
    command = [sys.executable, str(ROOT / "benches" / "openspiel_games.py"), "3"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    lines = [line for line in done.stdout.splitlines() if " games, " in line]
    assert len(lines) == 32
    assert len({line.partition(":")[0].partition("(")[0] for line in lines}) == 28
    assert all("differences: none" in line for line in lines)


def minimax(state: Any, known: dict[str, float]) -> float:
    """The value for player 0, by OpenSpiel's rules alone."""
    if state.is_terminal():
        return float(state.returns()[0])
    key = f"{state} {state.current_player()} {state.legal_actions()}"
    if key not in known:
        values = [minimax(state.child(action), known) for action in state.legal_actions()]
        known[key] = max(values) if state.current_player() == 0 else min(values)
    return known[key]


@pytest.mark.parametrize(
    "text",
    [
        "breakthrough(rows=4,columns=2)",
        "clobber(rows=3,columns=3)",
        "connect_four(x_in_row=3,rows=3,columns=3)",
        "dots_and_boxes(num_rows=1,num_cols=3,utility_margin=True)",
        "dots_and_boxes(num_rows=2,num_cols=1)",
        "hex(board_size=3)",
        "mnk(m=3,n=3)",
        "misere(game=tic_tac_toe())",
        "tic_tac_toe",
        "y(board_size=3)",
    ],
)
def test_values_are_those_of_minimax(text: str) -> None:
    position = game(text)
    value = minimax(state_of(position), {})
    solution = Engine(hash=16).solve(position)
    if position.state.rules.max_utility() > 1:  # type: ignore[union-attr]
        assert solution.value == value
    else:
        assert solution.outcome == {1.0: "win", 0.0: "draw", -1.0: "loss"}[value]


def test_a_game_has_everything_that_other_games_have(tmp_path: Path) -> None:
    start = game("breakthrough", rows=np.int64(5), columns=3)  # type: ignore[arg-type]
    assert (start.game, start.turn, start.outcome) == ("breakthrough", 1, None)
    assert start.legal_moves[0] == "a5a4"
    assert start == game("breakthrough(rows=5,columns=3)") == game(pyspiel.load_game("breakthrough(rows=5,columns=3)"))
    assert Engine(hash=1).analyse(start, depth=4).best_move in start.legal_moves
    players: Any = [Engine(hash=1), lambda position: position.legal_moves[-1]]
    found = secateurs.match(players, start, Limit(depth=3), rounds=2, random_plies=2)
    assert found.played == 4
    env = secateurs.env(start)
    env.reset()
    assert env.observe("player_0")["observation"].shape == (3, 5, 3)
    batch = secateurs.analyse_many([start, start.play("a5a4")], depth=2)
    assert len(batch) == 2
    copy = pickle.loads(pickle.dumps(start.play("a5a4")))
    assert (copy, copy.history) == (start.play("a5a4"), ["a5a4"])
    assert repr(copy.state) == "breakthrough(columns=3,rows=5) after [2]"


def test_states_and_actions_are_converted() -> None:
    there = pyspiel.load_game("breakthrough").new_initial_state()
    here = position_of(there)
    assert str(state_of(here)) == str(there)
    for action in there.legal_actions():
        assert action_of(there, move_of(there, action)) == action
    move = here.legal_moves[3]
    assert str(state_of(here.play(move))) == str(there.child(action_of(there, move)))
    with pytest.raises(secateurs.IllegalMove, match="action -1 is not legal in breakthrough"):
        move_of(there, -1)
    with pytest.raises(secateurs.IllegalMove, match="move 'x' is not legal in breakthrough"):
        action_of(there, "x")
    # A state that changes later changes no position.
    there.apply_action(there.legal_actions()[0])
    assert here == position_of(pyspiel.load_game("breakthrough").new_initial_state())


def test_the_bot_plays_them() -> None:
    for text in "tic_tac_toe", "breakthrough(rows=5,columns=4)", "nine_mens_morris":
        bots = [Bot(nodes=300, hash=1), pyspiel.make_uniform_random_bot(1, 7)]
        returns = pyspiel.evaluate_bots(pyspiel.load_game(text).new_initial_state(), bots, 7)
        assert returns[0] == 1, text


def test_a_key_of_ones_own_replaces_the_history() -> None:
    def board(state: Any) -> object:
        return str(state)

    plain, keyed = game("misere(game=tic_tac_toe())"), game("misere(game=tic_tac_toe())", key=board)
    solutions = [Engine(hash=4).solve(position) for position in (plain, keyed)]
    assert solutions[0].value == solutions[1].value
    assert solutions[1].nodes < solutions[0].nodes / 2
    lines = ["x(0,0)", "o(0,1)", "x(0,2)"], ["x(0,2)", "o(0,1)", "x(0,0)"]
    assert len({plain.play_line(line).key for line in lines}) == 2
    assert len({keyed.play_line(line).key for line in lines}) == 1


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(TypeError, match=r"name is a str or a pyspiel\.Game, not int"):
        game(3)
    with pytest.raises(ValueError, match=r"a pyspiel\.Game has its parameters"):
        game(pyspiel.load_game("y"), board_size=3)
    with pytest.raises(pyspiel.SpielError):
        game("no_such_game")
    assert isinstance(game("connect_four"), Position)
    assert (game("connect_four").game, game("connect_four", x_in_row=3).game) == ("connect4", "connect_four")
