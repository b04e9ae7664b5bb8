"""The environments of PettingZoo: its own tests, and what the arrays and numbers mean."""

import copy
import pickle
import random
import subprocess
import sys
import warnings
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
import secateurs
from secateurs import IllegalMove, Position
from test_docs import run

pytest.importorskip("pettingzoo", reason="PettingZoo is not installed")
pytest.importorskip("pygame", reason="pygame is not installed, which the tests of PettingZoo need")

with warnings.catch_warnings():
    # What it says of its own names.
    warnings.simplefilter("ignore")
    import numpy as np
    import secateurs.pettingzoo
    from pettingzoo.classic import chess_v6, connect_four_v3
    from pettingzoo.test import api_test, render_test, seed_test
    from secateurs.pettingzoo import raw_env

# PettingZoo warns of observations that are dicts, and of an empty board.
pytestmark = pytest.mark.filterwarnings("ignore:Observation:UserWarning")

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("kalah", {}),
    ("kalah", {"houses": 1, "seeds": 1}),
    ("kalah", {"houses": 12, "seeds": 12, "capture": "empty"}),
    ("kalah", {"houses": 4, "seeds": 3, "first": "north"}),
    ("nim", {}),
    ("nim", {"heaps": [1, 3, 5, 7], "misere": True, "max_take": 3}),
    ("connect4", {}),
    ("connect4", {"columns": 5, "rows": 4}),
    ("cfour", {}),
    ("chess", {}),
    ("chess", {"uci_chess960": True}),
    ("checkers", {}),
    ("checkers", {"routes": "together"}),
    ("draughts", {}),
    ("brazilian", {}),
    ("xiangqi", {}),
    ("xiangqi", {"xiangqi_first_rank": 0}),
    ("oware", {}),
    ("oware", {"oware_seeds": 1}),
    ("othello", {}),
    ("othello", {"board_size": "4"}),
]


def walk(env: Any, seed: int) -> Iterator[Position]:
    """Plays a game with random legal actions and returns each position."""
    chance = random.Random(seed)
    env.reset()
    for agent in env.agent_iter():
        observation, _, termination, truncation, _ = env.last()
        if termination or truncation:
            env.step(None)
            continue
        assert agent == env.agent_selection
        yield env.unwrapped.position
        env.step(int(chance.choice(np.flatnonzero(observation["action_mask"]))))


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_the_tests_of_pettingzoo_pass(game: str, options: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    def make(**more: Any) -> Any:
        return secateurs.env(game, **options, **more)

    api_test(make(), num_cycles=300)
    seed_test(make, num_cycles=100)
    render_test(make, custom_tests={"svg": lambda drawing: drawing.startswith("<svg")})


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_actions_are_the_legal_moves(game: str, options: dict[str, Any]) -> None:
    env = secateurs.env(game, **options)
    inner = env.unwrapped
    for position in walk(env, 3):
        assert inner.agent_selection == f"player_{position.turn - 1}"
        legal = np.flatnonzero(env.observe(inner.agent_selection)["action_mask"])
        assert sorted(map(inner.move, legal)) == sorted(position.legal_moves)
        assert [inner.action(inner.move(number)) for number in legal] == list(legal)
        other = inner.possible_agents[2 - position.turn]
        assert not env.observe(other)["action_mask"].any()
        assert env.observation_space(other).contains(env.observe(other))
    outcome = inner.position.outcome
    assert outcome is not None


def test_rewards_are_those_of_the_outcome() -> None:
    env = secateurs.env("connect4")
    env.reset()
    for column in (0, 1, 0, 1, 0, 1):
        env.step(column)
        assert env.rewards == {"player_0": 0, "player_1": 0}
    env.step(0)
    assert env.rewards == {"player_0": 1, "player_1": -1}
    assert env.terminations == {"player_0": True, "player_1": True}
    assert not env.observe("player_1")["action_mask"].any()
    # The agent that moved last may lose.
    env = secateurs.env("nim", heaps=[1], misere=True)
    env.reset()
    env.step(0)
    assert env.rewards == {"player_0": -1, "player_1": 1}
    # A draw, and a turn that stays.
    env = secateurs.env("kalah", houses=1, seeds=1)
    env.reset()
    env.step(0)
    assert env.rewards == {"player_0": 0, "player_1": 0}
    env = secateurs.env("kalah")
    env.reset()
    env.step(2)
    assert env.agent_selection == "player_0"


def test_kalah_and_nim_are_numbers() -> None:
    env = secateurs.env("kalah", houses=3, seeds=2)
    env.reset()
    env.step(0)
    assert env.observe("player_0")["observation"].tolist() == [[0, 3, 3, 0], [2, 2, 2, 0]]
    assert env.observe("player_1")["observation"].tolist() == [[2, 2, 2, 0], [0, 3, 3, 0]]
    env = secateurs.env("nim", heaps=[1, 3, 5, 7])
    env.reset()
    assert env.action_space("player_0").n == 28
    env.step(14)
    assert env.observe("player_1")["observation"].tolist() == [1, 3, 1, 7]


def test_connect_four_is_that_of_pettingzoo() -> None:
    ours, theirs = secateurs.env("connect4"), connect_four_v3.env()
    for seed in range(20):
        chance = random.Random(seed)
        ours.reset()
        theirs.reset()
        assert ours.possible_agents == theirs.possible_agents
        while not ours.terminations["player_0"]:
            for agent in ours.possible_agents:
                for key in ("observation", "action_mask"):
                    assert np.array_equal(ours.observe(agent)[key], theirs.observe(agent)[key])
            action = int(chance.choice(np.flatnonzero(ours.observe(ours.agent_selection)["action_mask"])))
            ours.step(action)
            theirs.step(action)
            assert ours.agent_selection == theirs.agent_selection
            assert (ours.rewards, ours.terminations) == (theirs.rewards, theirs.terminations)


def test_actions_of_chess_are_those_of_pettingzoo() -> None:
    ours, theirs = secateurs.env("chess"), chess_v6.env()
    promoted = castled = False
    for seed in range(2):
        chance = random.Random(seed)
        ours.reset()
        theirs.reset()
        for move in ("e2e4", "e7e5", "g1f3", "g8f6", "f1e2", "f8e7")[: 6 * seed]:
            action = ours.unwrapped.action(move)
            ours.step(action)
            theirs.step(action)
        # PettingZoo claims draws that are in sight; ours come when they are there.
        while not (ours.terminations["player_0"] or theirs.terminations["player_0"]):
            agent = ours.agent_selection
            legal = np.flatnonzero(ours.observe(agent)["action_mask"])
            assert legal.tolist() == np.flatnonzero(theirs.observe(agent)["action_mask"]).tolist()
            moves = ours.unwrapped.position.legal_moves
            promoted |= any(move.endswith("n") for move in moves)
            castled |= "e1g1" in moves and ours.unwrapped.position.text.split()[2].startswith("K")
            action = int(chance.choice(legal))
            ours.step(action)
            theirs.step(action)
    assert promoted
    assert castled


def test_planes_of_chess() -> None:
    env = secateurs.env("chess")
    env.reset(options={"position": Position.parse("4k2r/8/8/8/3pP3/8/8/R3K3 b Qk e3 7 20", "chess")})
    black = env.observe("player_1")["observation"]
    # Black sees its own side below: the rook on h8 is in the last row, the pawn on d4 in the fifth row from below.
    assert np.argwhere(black[:, :, 3]).tolist() == [[7, 7]]
    assert np.argwhere(black[:, :, 0]).tolist() == [[3, 3]]
    assert np.argwhere(black[:, :, 6]).tolist() == [[3, 4]]
    assert np.argwhere(black[:, :, 16]).tolist() == [[2, 4]]
    assert [black[0, 0, plane] for plane in range(12, 20)] == [0, 1, 1, 0, 0, 0, 7, 1]
    white = env.observe("player_0")["observation"]
    assert np.argwhere(white[:, :, 5]).tolist() == [[7, 4]]
    assert [white[0, 0, plane] for plane in range(12, 20)] == [1, 0, 0, 1, 0, 0, 7, 0]
    env.reset()
    for move in ("g1f3", "g8f6", "f3g1", "f6g8"):
        env.step(env.unwrapped.action(move))
    assert env.observe("player_0")["observation"][0, 0, 17] == 1
    # Castling rights by files: the king's rook is the one on its right.
    env = secateurs.env("chess", uci_chess960=True)
    env.reset(options={"position": Position.parse("7k/8/8/8/8/8/8/1RK2R2 w F - 0 1", "chess", uci_chess960=True)})
    assert [env.observe("player_0")["observation"][0, 0, plane] for plane in range(12, 16)] == [0, 1, 0, 0]


def test_planes_of_draughts() -> None:
    env = secateurs.env("checkers")
    env.reset()
    black = env.observe("player_0")["observation"]
    white = env.observe("player_1")["observation"]
    # Black moves first. Each side sees its men in the three rows below, on the dark squares.
    assert black[:, :, 0].sum(axis=1).tolist() == [0, 0, 0, 0, 0, 4, 4, 4]
    assert np.array_equal(black, white)
    assert black[7, 0, 0] == 1
    env.reset(options={"position": Position.parse("W:WK32,5:B1:H9", "checkers")})
    white = env.observe("player_1")["observation"]
    assert np.argwhere(white[:, :, 1]).tolist() == [[7, 6]]
    assert np.argwhere(white[:, :, 0]).tolist() == [[1, 0]]
    assert np.argwhere(white[:, :, 2]).tolist() == [[0, 1]]
    assert white[0, 0, 5] == 9


def test_planes_of_xiangqi() -> None:
    env = secateurs.env("xiangqi")
    env.reset()
    red = env.observe("player_0")["observation"]
    assert np.array_equal(red, env.observe("player_1")["observation"])
    assert np.argwhere(red[:, :, 0]).tolist() == [[9, 4]]
    assert np.argwhere(red[:, :, 5]).tolist() == [[7, 1], [7, 7]]
    assert np.argwhere(red[:, :, 13])[0].tolist() == [3, 0]
    # The cannon to the middle file, and the same by Black.
    for player in range(2):
        assert env.unwrapped.action(["h3e3", "h8e8"][player]) == 25 * 90 + 22
        env.step(25 * 90 + 22)
    assert env.observe("player_0")["observation"][0, 0, 15] == 2


def test_captures_with_the_same_ends_have_numbers_of_their_own() -> None:
    text = "W:WK18,K25:BK6,K16,15,7,24,K4,19,23,14,K28"
    env = secateurs.env("checkers")
    position = Position.parse(text, "checkers")
    env.reset(options={"position": position})
    legal = np.flatnonzero(env.observe("player_1")["action_mask"])
    assert len(legal) == len(position.legal_moves)
    assert sum(env.unwrapped.move(number).startswith("18x") for number in legal) >= 6


def test_an_illegal_action_ends_the_game() -> None:
    env = secateurs.env("connect4", columns=4, rows=4)
    env.reset()
    for _ in range(4):
        env.step(0)
    env.step(0)
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.rewards["player_0"] == -1
    inner = raw_env("connect4", columns=4, rows=4)
    inner.reset()
    for action in (-1, 4, None, 10**20):
        with pytest.raises(IllegalMove, match=f"action {action} is not legal in 4/4/4/4 x"):
            inner.step(action)
    for wrong in ("3", [1], 2.0, True):
        with pytest.raises(TypeError, match="action is a whole number, not"):
            inner.step(wrong)  # type: ignore[arg-type]
    assert inner.action(4) == inner.action("4") == 3
    with pytest.raises(IllegalMove, match='illegal move "9" in'):
        inner.action("9")


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(secateurs.BadOption, match='unknown game "chss"; did you mean chess'):
        secateurs.env("chss")
    with pytest.raises(TypeError, match="game is the name of a game, a Position or a Game, not int"):
        secateurs.env(3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="a position has its options"):
        secateurs.env(Position(), houses=4)
    with pytest.raises(ValueError, match="render_mode is human, ansi, svg or None, not 'rgb_array'"):
        secateurs.env(render_mode="rgb_array")
    with pytest.raises(secateurs.BadOption):
        secateurs.env("kalah", houses=99)
    env = secateurs.env("kalah")
    for wrong, words in (
        (Position("kalah", houses=4), "the position is of kalah with other options"),
        (Position("nim"), "the position is of nim"),
        (Position.parse("<6,48,0,0,0,0,0,0,0,0,0,0,0,0,0> s"), "the game is over"),
        (Position.parse("<3,0,0,2,2,2,2,2,2> s"), "the position does not fit the spaces of <6,0,0,4,"),
        (Position.parse("<6,0,0,9,4,4,4,4,4,4,4,4,4,4,4> s"), "the position does not fit the spaces of <6,0,0,4,"),
    ):
        with pytest.raises(ValueError, match=words):
            env.reset(options={"position": wrong})
    with pytest.raises(TypeError, match=r'options\["position"\] is a Position, not str'):
        env.reset(options={"position": "startpos"})
    with pytest.raises(ValueError, match="options has no 'positions'; did you mean 'position'\\?"):
        env.reset(options={"positions": Position()})


def test_an_environment_starts_from_all_that_means_a_position() -> None:
    chess, env = pytest.importorskip("chess", reason="python-chess is not installed"), secateurs.env("chess")
    board = chess.Board()
    board.push_san("e4")
    for given in board, board.fen(), Position("chess").play("e4"):
        env.reset(options={"position": given})
        assert env.unwrapped.position.fen() == board.fen()


def test_positions_are_shown(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    env = secateurs.env("nim", heaps=[2], render_mode="human")
    env.reset()
    env.step(0)
    assert capsys.readouterr().out == f"{Position('nim', heaps=[2])}\n{Position.parse('1 2', 'nim')}\n"
    pytest.importorskip("IPython", reason="IPython is not installed")
    shown: list[object] = []
    monkeypatch.setattr("IPython.get_ipython", lambda: SimpleNamespace(kernel=None))
    monkeypatch.setattr("IPython.display.display", shown.append)
    env.step(0)
    assert shown == [env.unwrapped.position]
    assert capsys.readouterr().out == ""
    assert "svg" in secateurs.env(render_mode="svg").unwrapped.render()


def test_environments_are_copied_and_pickled() -> None:
    env = secateurs.env("kalah", houses=3, seeds=3)
    env.reset()
    env.step(1)
    for again in (copy.deepcopy(env), copy.deepcopy(env.unwrapped)):
        assert again.unwrapped.position == env.unwrapped.position
    again = pickle.loads(pickle.dumps(env.unwrapped))
    assert (again.position, again.metadata["name"]) == (env.unwrapped.position, "kalah_v0")
    again.step(0)
    assert again.position == env.unwrapped.position.play(1)
    assert env.unwrapped.position != again.position


def test_a_missing_package_is_named() -> None:
    program = "import sys; sys.modules['pettingzoo'] = None; import secateurs; secateurs.env()"
    failed = subprocess.run([sys.executable, "-c", program], stderr=subprocess.PIPE, text=True)
    assert (
        "ModuleNotFoundError: secateurs.env needs the package pettingzoo: pip install 'secateurs[pettingzoo]'"
        in failed.stderr
    )
    program = "import sys, secateurs; sys.exit('pettingzoo' in sys.modules or 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0


def test_docstrings_are_true() -> None:
    run(secateurs.pettingzoo.__doc__ or "", "secateurs.pettingzoo", {"secateurs": secateurs})
