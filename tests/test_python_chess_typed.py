"""What people who know python-chess type: objects of python-chess in every argument, and their names."""

import io
from datetime import timedelta
from typing import Any

import chess
import chess.engine
import chess.pgn
import pytest
import secateurs
from secateurs import Engine, Limit, Player, Position, UciEngine, analyse_many, compare, match

BOARD = chess.Board("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
MATE = chess.Move.from_uci("d1d8")


def first(position: Position) -> str:
    """Plays the first move."""
    return position.legal_moves[0]


def test_boards_are_positions_and_openings_of_a_match() -> None:
    engine = Engine(hash=1)
    found = match([engine, engine], BOARD, Limit(depth=2), rounds=1)
    assert found.games[0].opening[0] == BOARD.fen()
    openings: Any = [BOARD, Position(BOARD), BOARD.fen()]
    found = match([engine, engine], chess.Board(), chess.engine.Limit(depth=2), rounds=3, openings=openings)
    assert [game.opening[0] for game in found.games[::2]] == 3 * [BOARD.fen()]
    players = [Player(engine, limit=chess.engine.Limit(nodes=9)), Player(engine, name="b", margin=timedelta(seconds=1))]
    found = match(players, "nim", depth=1, rounds=1, hang=timedelta(seconds=9), margin=timedelta(0))
    assert found.played == 2
    with pytest.raises(ValueError, match="give a limit or its keywords, not both"):
        match([engine, engine], BOARD, Limit(depth=2), depth=1)
    with pytest.raises(TypeError, match="position is a Position or the name of a game, not int"):
        match([engine, engine], 5, depth=1)  # type: ignore[arg-type]


def test_an_environment_starts_from_a_board() -> None:
    pytest.importorskip("pettingzoo")
    environment = secateurs.env(BOARD)
    environment.reset()
    assert environment.unwrapped.position.fen() == BOARD.fen()


def test_a_board_is_the_text_of_a_position() -> None:
    assert Position("chess", BOARD) == Position(BOARD) == Position(fen=BOARD)
    assert Position.parse(BOARD) == Position(BOARD)
    with pytest.raises(ValueError, match='text is a board of chess, and the game is "kalah"'):
        Position("kalah", BOARD)
    # A board is not equal to a position: it can change.
    assert Position(BOARD) != BOARD
    with pytest.raises(ValueError, match=r"use Position\(\.\.\.\)\.play_line\(moves\)"):
        Position("chess", moves="e2e4")
    with pytest.raises(ValueError, match=r"use Position\(board\)"):
        Position(board=BOARD)  # type: ignore[call-overload]


@pytest.mark.parametrize("moves", ["d1d8", "Rd8", MATE, [MATE], ["d1d8"], (MATE,)])
def test_root_moves_are_a_move_or_several(moves: Any) -> None:
    assert Engine(hash=1).analyse(BOARD, depth=2, root_moves=moves).best_move == MATE
    assert analyse_many([BOARD], depth=2, root_moves=moves)["best_move"] == ["d1d8"]


def test_a_single_position_is_a_batch() -> None:
    assert len(analyse_many(BOARD, depth=1)) == len(analyse_many(BOARD.fen(), depth=1)) == 1
    assert secateurs.solve_many(BOARD)[0].best_moves == [MATE]
    rows = compare([BOARD, Position(BOARD)], depth=1, procedures=["alpha-beta"])
    assert len(rows["nodes"]) == 2


def test_a_move_that_is_played_has_the_attributes_of_python_chess() -> None:
    played = Engine(hash=1).play(BOARD, depth=2)
    assert (played.move, played.resigned, played.draw_offered) == (MATE, False, False)


def test_a_running_search_has_its_lines() -> None:
    with Engine(hash=1).analysis(BOARD, depth=3, multipv=2) as analysis:
        for result in analysis:
            assert len(result.multipv) == 2
        assert analysis.multipv[0].best_move == MATE
        assert analysis.empty()


def test_options_of_a_program_are_named() -> None:
    with pytest.raises(TypeError, match=r'use options={"Hash": \.\.\.}'):
        UciEngine("secateurs", hash=16)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("object", "name", "way"),
    [
        (Position("chess"), "fullmove_number", r"board_of\(position\)\.fullmove_number"),
        (Position("chess"), "to_chess", r"board_of\(position\)"),
        (Position("chess"), "occupied_co", r"board_of\(position\)\.occupied_co"),
        (Position("chess"), "is_repetition", r"board_of\(position\)\.is_repetition"),
        (analyse_many([BOARD], depth=1), "score", r"batch\['score'\]"),
        (analyse_many([BOARD], depth=1), "head", r"to_pandas\(\)"),
        (Engine(hash=1), "id", "__version__"),
        (Position("chess"), "is_terminal", "outcome"),
        (Position("nim"), "legal_actions", "legal_moves"),
        (Engine(hash=1), "analyze", r"analyse\(position\)"),
        (Engine(hash=1), "annotate", r"secateurs\.annotate"),
        (match([first, first], "nim", rounds=1), "wins", "standings"),
    ],
)
def test_names_of_python_chess_are_answered_with_ours(object: Any, name: str, way: str) -> None:
    with pytest.raises(AttributeError, match=way):
        getattr(object, name)


@pytest.mark.parametrize(
    ("call", "keyword", "way"),
    [
        (Engine(hash=1).analyse, "info", "each result has all that is known"),
        (Engine(hash=1).play, "game", "the position knows its game"),
        (Engine(hash=1).play, "ponder", r"analysis\(\)"),
        (match, "games", "rounds is the number of rounds"),
    ],
)
def test_keywords_of_python_chess_are_answered_with_ours(call: Any, keyword: str, way: str) -> None:
    with pytest.raises(TypeError, match=way):
        call([first, first] if call is match else BOARD, **{keyword: True})
    with pytest.raises(TypeError, match="orientation is the player at the bottom"):
        Position("chess").svg(flipped=True)  # type: ignore[call-arg]


@pytest.mark.parametrize("spec", [".2f", "d", "+.1e"])
def test_a_score_is_formatted_as_text(spec: str) -> None:
    with pytest.raises(ValueError, match=r"formatted as text, and float\(score\) as a number"):
        format(secateurs.Score(25, 1), spec)


def test_a_game_is_no_name_of_one() -> None:
    for text in ("1. e4 e5 2. Nf3 *", '[Event "x"]\n\n1. e4 *'):
        with pytest.raises(secateurs.BadOption, match=r"Position\.from_pgn\(text\) reads a game"):
            Position(text)


def test_a_board_with_a_null_move_has_the_moves_after_it() -> None:
    board = chess.Board()
    for move in ("e2e4", "0000", "d2d4", "d7d5"):
        board.push_uci(move)
    position = Position(board)
    assert (position.history, position.fen()) == (["d2d4", "d7d5"], board.fen())
    assert Engine(hash=1).play(board, depth=2).move in list(board.legal_moves)


def test_one_bad_position_does_not_decide_on_the_others() -> None:
    for first_of_all in ("garbage", "", chess.Board()):
        batch = analyse_many([first_of_all, chess.STARTING_FEN, "x"], depth=2)
        assert [row["best_move"] is None for row in batch] == [isinstance(first_of_all, str), False, True]
    batch = analyse_many([chess.Board(), chess.Board(None)], depth=1)
    assert batch["error"][0] is None
    assert "White has 0 kings" in batch["error"][1]


def test_a_flag_that_has_fallen_is_a_move_at_once() -> None:
    for limit in (chess.engine.Limit(time=0), chess.engine.Limit(white_clock=0, black_clock=-5.0)):
        assert Engine(hash=1).play(BOARD, limit).move in list(BOARD.legal_moves)


def test_a_player_takes_the_keywords_of_a_limit() -> None:
    assert Player(first, depth=3).limit == Limit(depth=3)
    assert Player(first, depth=None, nodes=3, limit=None).limit == Limit(nodes=3)
    assert Player(first, clock="1+0.1", depth=None).limit is None
    with pytest.raises(ValueError, match="a limit or its keywords, not both"):
        Player(first, limit=Limit(depth=1), nodes=3)
    with pytest.raises(TypeError, match="depth"):
        Player(first, depth="x")  # type: ignore[arg-type]


def test_a_table_is_no_list_of_positions() -> None:
    pandas = pytest.importorskip("pandas")
    with pytest.raises(TypeError, match="not DataFrame: give one of its columns"):
        secateurs.analyse_many(pandas.DataFrame({"fen": [chess.STARTING_FEN]}), depth=1)


def test_a_game_is_no_list_of_its_moves() -> None:
    game = chess.pgn.read_game(io.StringIO("1. e4 (1. d4 d5) e5 2. Nf3 *"))
    assert game is not None
    start = Position("chess")
    result = Engine(hash=1).analyse(start, depth=2)
    calls: list[Any] = [start.play_line, start.variation_san]
    for call in calls:
        for node in (game, game.end()):
            with pytest.raises(TypeError, match=r"not (Game|ChildNode): game\.mainline_moves\(\) has its moves"):
                call(node)
        with pytest.raises(TypeError, match=r"not Result: result\.pv has its moves"):
            call(result)
    assert start.play_line(game.mainline_moves()).history == ["e2e4", "e7e5", "g1f3"]
    assert start.play_line(result.pv).history == result.pv


def test_lines_are_a_frame() -> None:
    pytest.importorskip("pandas")
    result = Engine(hash=1).analyse(BOARD, depth=2, multipv=2)[0]
    frame = result.to_pandas()
    assert list(frame["line"]) == [1, 2]
    assert frame["best_move"][0] == "d1d8"


def test_long_counts_and_proofs_show_their_progress(tmp_path: Any) -> None:
    seen: list[tuple[int, int]] = []
    position = Position("chess")
    assert position.perft(3, progress=lambda done, total: seen.append((done, total))) == position.perft(3) == 8902
    assert seen[-1] == (20, 20)
    assert position.perft(0, progress=True) == 1
    claims: list[int] = []
    lines = Engine(hash=1).certify(tmp_path / "nim.jsonl", Position("nim"), progress=claims.append)
    assert claims[-1] == lines - 1
