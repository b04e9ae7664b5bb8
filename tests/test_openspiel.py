"""States, actions and bots of OpenSpiel; benches/openspiel.py compares the rules over many more games."""

import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from secateurs import IllegalMove, Limit, Position
from test_docs import run

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")

import secateurs.openspiel  # noqa: E402
from secateurs.openspiel import Bot, action_of, game, move_of, position_of, state_of  # noqa: E402

ROOT = Path(__file__).parent.parent


def state(text: str, moves: str = "") -> Any:
    """A state of a game of OpenSpiel after some moves."""
    found = pyspiel.load_game(text).new_initial_state()
    for move in moves.split():
        found.apply_action(action_of(found, move))
    return found


def walk(text: str, seed: int, plies: int = 1000) -> Any:
    """A state of a game of OpenSpiel after random actions."""
    chance, found = random.Random(seed), pyspiel.load_game(text).new_initial_state()
    for _ in range(plies):
        if found.is_terminal():
            break
        found.apply_action(chance.choice(found.legal_actions()))
    return found


def test_the_rules_agree_move_by_move() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "benches" / "openspiel.py", "3"], stdout=subprocess.PIPE, text=True, check=True
    )
    lines = done.stdout.splitlines()
    assert len(lines) == 10
    assert all(": 3 games, " in line and "differences: " in line for line in lines)


def test_states_and_positions_are_the_same_games() -> None:
    names = (
        "mancala",
        "connect_four(rows=4,columns=9)",
        "nim(pile_sizes=0;9;4)",
        "chess",
        "chess(chess960=True)",
        "oware",
    )
    for text in names:
        for seed in range(3):
            there = walk(text, seed, 60)
            here = position_of(there)
            assert position_of(state_of(here)) == here
            assert position_of(state_of(here)).history == here.history
            assert str(state_of(here)) == str(there)
    # Other starts.
    for here in (
        Position.parse("7/7/7/3x3/3o3/2xxo2 o", "connect4").play("4"),
        Position.parse("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9", "chess").play_line(["e1g1", "e8c8"]),
        Position("nim", heaps=[1, 0, 7], misere=True).play("3-7"),
    ):
        there = state_of(here)
        assert (position_of(there), position_of(there).history) == (here, here.history)


def test_players_and_actions_correspond() -> None:
    there = state("mancala", "3")
    assert (there.current_player(), position_of(there).turn) == (0, 1)
    there = state("mancala", "3 1")
    assert (there.current_player(), position_of(there).turn) == (1, 2)
    assert [move_of(there, action) for action in there.legal_actions()] == ["1", "2", "3", "4", "5", "6"]
    assert action_of(there, "1") == 8
    # White is player 1 of both.
    assert (state("chess").current_player(), position_of(state("chess")).turn) == (1, 1)
    assert move_of(state("nim"), 14) == "3-4"
    assert move_of(state("connect_four", "4 4"), 0) == "1"
    castling = "e2e4 e7e5 g1f3 g8f6 f1e2 f8e7"
    assert "e1g1" in {move_of(state("chess", castling), action) for action in state("chess", castling).legal_actions()}


def test_a_capture_en_passant_by_a_pinned_pawn_counts_in_its_repetitions() -> None:
    """After e4 the pawn on d4 is pinned. By the Laws of Chess the position is that without the double step."""
    there = pyspiel.load_game("chess").new_initial_state("3k4/8/8/8/3p4/8/4P3/3R2K1 w - - 0 1")
    here = position_of(there)
    moves = ["e2e4", *["d8c8", "g1h1", "c8d8", "h1g1"] * 2]
    for move in moves:
        assert (there.is_terminal(), here.outcome) == (False, None)
        there.apply_action(action_of(there, move))
        here = here.play(move)
    assert here.outcome is not None
    assert here.outcome.winner is None
    assert not there.is_terminal()
    # The bot plays on where OpenSpiel does.
    assert Bot(depth=2).step(there) in there.legal_actions()
    there.apply_action(action_of(there, "d8c8"))
    assert there.is_terminal()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("kuhn_poker", "OpenSpiel's kuhn_poker: it has chance, and Secateurs plays deterministic zero-sum games"),
        ("phantom_ttt", "OpenSpiel's phantom_ttt: it has hidden information"),
        ("matching_pennies_3p", "its players move at the same time"),
        ("chinese_checkers(players=3)", "it has 3 players"),
        ("solitaire", "solitaire: it has"),
        ("connect_four(rows=40,columns=40)", "Columns|Rows"),
        ("chess(chess960=True)", "the starting position is not drawn yet"),
    ],
)
def test_other_games_are_refused(text: str, words: str) -> None:
    there = pyspiel.load_game(text)
    with pytest.raises(ValueError, match=words):
        game(text)
    if there.get_type().dynamics == pyspiel.GameType.Dynamics.SEQUENTIAL and "poker" not in text:
        with pytest.raises(ValueError, match=words):
            position_of(there.new_initial_state())


@pytest.mark.parametrize(
    ("position", "words"),
    [
        (Position("kalah", houses=4), r"it has Kalah\(6, 4\) with standard captures"),
        (Position("kalah", capture="empty"), "capture empty"),
        (Position("kalah", first="north"), "no such start of kalah"),
        (Position.parse("3,4 2", "nim"), "player 1 starts"),
        (Position("nim", max_take=3), "takes any number"),
        (Position("checkers"), "position is of checkers"),
        (Position("cfour"), "position is of cfour"),
        (Position.parse("<6,0,0,1,0,0,0,0,0,0,0,0,0,0,1> s", "oware"), "from equal houses, South first"),
    ],
)
def test_positions_of_other_games_are_refused(position: Position, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        state_of(position)


def test_wrong_arguments_are_named() -> None:
    there = state("connect_four", "4 4")
    for call in (lambda: position_of(3), lambda: move_of("mancala", 1), lambda: Bot(depth=1).step(None)):
        with pytest.raises(TypeError, match=r"state is a pyspiel.State, not "):
            call()
    with pytest.raises(TypeError, match="position is a Position, not State"):
        state_of(state("mancala"))
    with pytest.raises(TypeError, match="move is a str, not int"):
        action_of(there, 4)  # type: ignore[arg-type]
    for move in ("0", "8", "-1", "4 ", "e2e4", "", "x" * 10_000):
        with pytest.raises(IllegalMove, match="is not legal in connect_four"):
            action_of(there, move)
    for action in (-1, 7, 10**30):
        with pytest.raises(IllegalMove, match="is not legal in connect_four"):
            move_of(there, action)
    for wrong, kind in (((), ValueError), ((3,), TypeError)):
        with pytest.raises(kind, match="limit"):
            Bot(*wrong)
    with pytest.raises(ValueError, match="give a limit or its keywords"):
        Bot(Limit(depth=3), nodes=3)


def test_the_bot_plays_whole_games() -> None:
    for text in ("mancala", "connect_four", "nim", "chess"):
        bot = Bot(nodes=1000, hash=4)
        for place in (0, 1):
            bots = [pyspiel.make_uniform_random_bot(1 - place, 7)] * 2
            bots[place] = bot
            bot.restart()
            returns = pyspiel.evaluate_bots(state(text), bots, 7)
            # Misere Nim from 1, 3, 5, 7 is lost for the first player, but not against this one.
            assert returns[place] == 1, text


def test_the_bot_wins_at_once_and_refuses_finished_games() -> None:
    bot = Bot(Limit(depth=4), hash=1)
    there = state("connect_four", "4 4 3 3 2 2")
    action = bot.step(there)
    assert move_of(there, action) in ("1", "5")
    bot.inform_action(there, 0, action)
    with pytest.raises(IllegalMove, match="action 9 is not legal"):
        bot.inform_action(there, 0, 9)
    there.apply_action(action)
    with pytest.raises(ValueError, match="the game is over"):
        bot.step(there)
    # A state of another game, without a restart and with one.
    assert bot.step(state("nim")) in state("nim").legal_actions()
    bot.restart_at(state("chess", "e2e4"))
    assert bot.step(state("chess", "e2e4")) in state("chess", "e2e4").legal_actions()
    assert bot.step(state("breakthrough")) in state("breakthrough").legal_actions()


def test_a_missing_package_is_named() -> None:
    program = "import sys; sys.modules['pyspiel'] = None; import secateurs; import secateurs.openspiel"
    failed = subprocess.run([sys.executable, "-c", program], stderr=subprocess.PIPE, text=True)
    assert (
        "ModuleNotFoundError: secateurs.openspiel needs the package pyspiel: pip install 'secateurs[openspiel]'"
        in failed.stderr
    )


def test_docstrings_are_true() -> None:
    run(secateurs.openspiel.__doc__ or "", "secateurs.openspiel", {"secateurs": secateurs})
