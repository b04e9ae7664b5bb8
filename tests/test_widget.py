"""`BoardWidget`, with the messages that a page would send."""

import gc
import json
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable
from typing import Any

import chess
import chess.engine
import numpy
import pytest
import secateurs
from secateurs import BoardWidget, Position
from test_game import Nim
from traitlets import TraitError


def send(board: BoardWidget, name: str, **values: object) -> None:
    """Sends a message as a page does."""
    board._receive(board, {"name": name, **values}, [])


def view(board: BoardWidget) -> dict[str, Any]:
    """What a page shows; it is sent as JSON."""
    shown: dict[str, Any] = json.loads(json.dumps(board._view))
    return shown


def wait(condition: Callable[[], object]) -> None:
    """Waits for what happens in the background."""
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize("game", secateurs.games())
def test_every_game_has_its_board(game: str) -> None:
    board = BoardWidget(game)
    shown = view(board)
    assert [move["move"] for move in shown["state"]["moves"]] == board.position.legal_moves
    assert all(move["spots"] for move in shown["state"]["moves"])
    assert shown["svg"].startswith("<svg")
    assert shown["open"]
    send(board, "play", move=board.position.legal_moves[0])
    assert board.position.history == [board.move]


@pytest.mark.parametrize("given", [Position("chess"), chess.Board(), chess.STARTING_FEN, "chess"])
def test_positions_are_given_as_elsewhere(given: Any) -> None:
    assert BoardWidget(given).position == Position("chess")


def test_a_page_shows_state_and_moves() -> None:
    board = BoardWidget(Position("chess").play_line("e4 e5"))
    shown = view(board)
    assert (shown["line"], shown["ply"], shown["state"]["status"]) == (["e4", "e5"], 2, "White to move")
    assert "<style>" in shown["svg"]
    send(board, "step", plies=-1)
    assert (view(board)["line"], view(board)["ply"]) == (["e4", "e5"], 1)
    send(board, "step", plies=-1e6)
    send(board, "go", ply=7)
    assert view(board)["ply"] == 1
    send(board, "step", plies=-1_000_000)
    assert view(board)["ply"] == 0
    # A move in the middle of the game replaces the rest.
    send(board, "play", move="d2d4")
    assert view(board)["line"] == ["d4"]
    send(board, "back")
    send(board, "back")
    assert view(board)["line"] == []
    before = view(board)["svg"]
    send(board, "flip")
    assert view(board)["svg"] != before


def test_moves_that_are_not_legal_are_named() -> None:
    board = BoardWidget("chess")
    send(board, "play", move="e2e5")
    assert 'illegal move "e2e5"' in view(board)["message"]
    with pytest.raises(secateurs.IllegalMove):
        board.play("e2e5")
    for message in ({}, {"name": "play"}, {"name": "close"}, {"name": "_refresh"}, {"name": "go", "ply": "x"}):
        board._receive(board, message, [])
    assert board.position == Position("chess")


@pytest.mark.parametrize("engine", [1, 7, secateurs.Engine(hash=1)])
def test_the_engine_answers(engine: Any) -> None:
    limit = None if isinstance(engine, int) else secateurs.Limit(time=0.5)
    board = BoardWidget("chess", engine=engine, limit=limit)
    played: list[list[str]] = []
    board.on_move(lambda position: played.append(position.history))
    send(board, "play", move="e2e4")
    assert not view(board)["open"]
    # The turn is the engine's.
    send(board, "play", move="e7e5")
    wait(lambda: view(board)["open"])
    wait(lambda: len(played) == 2)
    assert len(board.position.history) == 2
    assert played == [["e2e4"], board.position.history]
    send(board, "back")
    assert board.position.history == []


def test_the_engine_begins() -> None:
    board = BoardWidget("chess", engine=2, side="black")
    wait(lambda: board.position.history)
    wait(lambda: view(board)["open"])
    assert board.position.turn == 2


def test_the_engine_moves_now() -> None:
    board = BoardWidget("chess", engine=secateurs.Engine(hash=1), limit=secateurs.Limit(time=600), side=2)
    assert view(board)["thinking"]
    wait(lambda: board._thinking is not None and board._thinking.latest)
    send(board, "stop")
    wait(lambda: board.position.history)


def test_a_game_is_played_to_its_end() -> None:
    board = BoardWidget(Position("kalah", houses=3, seeds=2), engine=3)
    while board.position.outcome is None:
        wait(lambda: board._is_open or board.position.outcome)
        if board.position.outcome is None:
            send(board, "play", move=board.position.legal_moves[0])
    assert not view(board)["open"]
    assert "wins" in view(board)["state"]["status"] or "draw" in view(board)["state"]["status"]


def test_an_annotated_game_has_its_glyphs() -> None:
    [game] = secateurs.annotate("1. f3 e5 2. g4 Qh4# 0-1", depth=4)
    board = BoardWidget(game)
    assert view(board)["ply"] == 0
    board.go(3)
    assert view(board)["line"][2] == "g4??"
    assert "blunder, better" in view(board)["comment"]
    board.go(2)
    board.play("e4")
    assert view(board)["line"] == ["f3?!", "e5", "e4"]
    assert view(board)["comment"] == ""
    # The game is named by the keyword alone.
    [game] = secateurs.annotate("1. 3 6 2. 1 *", depth=4, game="kalah")
    assert BoardWidget(game).position.game == "kalah"
    assert game.pgn.startswith('[Variant "kalah"]')
    # A game in Python is defined by its states.
    [game] = secateurs.annotate("1. 1-1 2-3 2. 2-1 *", depth=4, game=Nim((2, 5)))
    board = BoardWidget(game)
    board.go(1)
    assert str(board.position.state) == "1,5 2"
    assert view(board)["line"] == ["1-1??", "2-3??", "2-1"]
    [bad] = secateurs.annotate("1. e5 *", depth=1)
    with pytest.raises(ValueError, match="e5"):
        BoardWidget(bad)


def test_analysis_runs_while_it_is_shown() -> None:
    board = BoardWidget("chess", analyse=True, multipv=2)
    assert board._analysis is None
    send(board, "shown")
    wait(lambda: board._search)
    found = board._search
    assert len(found["info"]["lines"]) == 2
    assert found["info"]["lines"][0]["san"][0] in map(board.position.san, board.position.legal_moves)
    assert found["svg"] != view(board)["svg"]
    search = board._analysis
    assert search is not None
    board.play("e4")
    wait(lambda: search.done)
    wait(lambda: board._search)
    send(board, "analyse", on=False)
    assert board._search is None
    assert not board.analyse
    board.analyse = True
    wait(lambda: board._search)
    send(board, "hidden")
    assert board._analysis is None
    assert board._search is None


def test_a_closed_board_searches_no_more() -> None:
    before = set(threading.enumerate())
    board = BoardWidget("chess", engine=secateurs.Engine(hash=1), limit=secateurs.Limit(time=600), side=2, analyse=True)
    send(board, "shown")
    searches = [board._thinking, board._analysis]
    board.close()
    wait(lambda: all(search and search.done for search in searches))
    wait(lambda: set(threading.enumerate()) <= before)
    known = weakref.ref(board)
    del board
    gc.collect()
    assert known() is None


def test_python_exits_during_a_search() -> None:
    script = (
        "import secateurs\n"
        "board = secateurs.BoardWidget('chess', engine=10, side=2, analyse=True)\n"
        "board._receive(board, {'name': 'shown'}, [])\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


def test_games_in_python() -> None:
    board = BoardWidget(Nim((5, 6, 7)), engine=4, analyse=True)
    send(board, "shown")
    assert all(move["spots"] == [] for move in view(board)["state"]["moves"])
    send(board, "play", move=board.position.legal_moves[0])
    wait(lambda: len(board.position.history) == 2)
    wait(lambda: board._search)


class Unsure(Nim):
    """A game whose evaluation fails."""

    def evaluate(self) -> int:
        raise ArithmeticError("no idea")


def test_an_analysis_that_fails_says_why() -> None:
    board = BoardWidget(Unsure((5, 6, 7)), analyse=True)
    send(board, "shown")
    wait(lambda: view(board)["message"] == "no idea")


@pytest.mark.filterwarnings("error")
def test_arguments() -> None:
    with pytest.raises(ValueError, match="engine is a level from 1 to 10, not 11"):
        BoardWidget("chess", engine=11)
    for engine in ("strong", 5.0, len):
        with pytest.raises(TypeError, match="engine is a level from 1 to 10, an Engine or a UciEngine, not "):
            BoardWidget("chess", engine=engine)  # type: ignore[arg-type]
    one = secateurs.Engine(hash=1)
    assert BoardWidget("chess", engine=one, limit=chess.engine.Limit(time=0.1)).position.history == []
    with pytest.raises(TypeError, match="limit is a Limit, not int"):
        BoardWidget("chess", engine=one, limit=3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="side is 1, 2, 'white' or 'black', not 'blue'"):
        BoardWidget("chess", engine=1, side="blue")
    assert [BoardWidget("chess", engine=1, side=side)._side for side in ("Black", False, "white", True)] == [2, 2, 1, 1]
    with pytest.raises(TraitError, match="theme"):
        BoardWidget("chess", theme="blue")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="ply is a whole number from 0 to 0, not 1"):
        BoardWidget("chess").go(1)
    for ply in ("x", None, 1.0, True):
        with pytest.raises(TypeError, match="ply is an int"):
            BoardWidget("chess").go(ply)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="callback is a function of a Position, not int"):
        BoardWidget("chess").on_move(3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="limit goes with an engine: a level has its own"):
        BoardWidget("chess", engine=5, limit=secateurs.Limit(depth=1))
    board = BoardWidget("chess")
    with pytest.raises(TraitError, match="read-only"):
        board.history = ["e2e4"]
    board.play("e4")
    board.go(numpy.int64(1))  # type: ignore[arg-type]
    assert json.loads(json.dumps(view(board)))["ply"] == 1
    with pytest.raises(TypeError, match="foo"):
        BoardWidget("chess", foo=1)  # type: ignore[call-arg]
    gc.collect()


def test_the_component_is_one_module() -> None:
    script, styles = BoardWidget._esm, BoardWidget._css
    assert "\nimport " not in script
    assert script.count("export default") == 1
    assert ":root" not in styles
