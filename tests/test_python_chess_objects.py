"""Boards, moves, limits and games of python-chess as arguments, and its moves in results."""

import asyncio
import io
import json
import pickle
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import chess
import chess.engine
import chess.pgn
import numpy
import pytest
import secateurs
from secateurs import BadPosition, Engine, IllegalMove, Limit, Position, Score, UciEngine, _python_chess, aio
from secateurs.chess import board_of, info_of, position_of

MATE_IN_1 = "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1"

PGN = '[Event "one"]\n\n1. e4 e5 2. Nf3 (2. f4 exf4) Nc6 $1 {a comment} *\n\n[Event "two"]\n\n1. d4 *\n'


def is_legal(move: chess.Move | None, board: chess.Board) -> bool:
    return move is not None and move in board.legal_moves


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(hash=4)


@pytest.fixture
def board() -> chess.Board:
    board = chess.Board()
    board.push_san("e4")
    return board


def test_every_search_takes_a_board_and_answers_with_its_moves(engine: Engine, board: chess.Board) -> None:
    result = engine.analyse(board, depth=4)
    assert is_legal(result.best_move, board)
    assert board.variation_san(result.pv).startswith("1...")
    assert [result.best_san, *result.pv_san[1:]] == result.pv_san
    assert result.best_san == board.san(result.pv[0])
    assert result.position == position_of(board)
    assert result.position.history == ["e2e4"]
    assert [is_legal(line.best_move, board) for line in engine.analyse(board, depth=3, multipv=2)] == [True, True]
    assert all(is_legal(step.best_move, board) for step in result.iterations)
    played = engine.play(board, depth=4)
    assert played.move is not None
    board.push(played.move)
    assert is_legal(played.ponder, board)
    with engine.analysis(board, depth=3) as analysis:
        assert [is_legal(found.best_move, board) for found in analysis] == [True] * 3
    assert set(engine.best_moves(board, depth=2)) <= set(board.legal_moves)
    mate = chess.Board(MATE_IN_1)
    solution = engine.solve(mate, moves="all")
    assert solution.best_moves == solution.pv == [chess.Move.from_uci("g5g7")]
    assert solution.moves[chess.Move.from_uci("g5g7")] == (1, 1)
    awaited = asyncio.run(aio.Engine(hash=1).play(board, depth=2))
    assert is_legal(awaited.move, board)


def test_a_position_has_moves_as_text(engine: Engine, board: chess.Board) -> None:
    position = Position(board)
    assert position.history == ["e2e4"]
    assert engine.play(position, depth=3).move in [move.uci() for move in board.legal_moves]
    assert isinstance(engine.analyse(board.fen(), depth=3).pv[0], str)
    # Positions that come from a result are positions like others.
    assert isinstance(engine.analyse(board, depth=3).position.legal_moves[0], str)


def test_results_of_boards_are_copied_and_written(engine: Engine, board: chess.Board) -> None:
    result = engine.analyse(board, depth=3, multipv=2)[0]
    assert pickle.loads(pickle.dumps(result)).pv == result.pv
    assert result.to_dict()["pv"] == [move.uci() for move in result.pv]
    assert json.loads(result.to_json()) == json.loads(json.dumps(result.to_dict()))
    played = engine.play(board, depth=3)
    assert json.loads(played.to_json())["move"] == str(played.move)
    solution = engine.solve(chess.Board(MATE_IN_1), moves="all")
    assert json.loads(solution.to_json())["moves"]["g5g7"] == [1, 1]
    assert "Qg7#" in solution._repr_html_()
    assert "<svg" in engine.analyse(board, depth=3)._repr_html_()  # type: ignore[attr-defined]


@pytest.mark.parametrize("number", [0, 518, 959])
def test_chess960(engine: Engine, number: int) -> None:
    board = chess.Board.from_chess960_pos(number)
    for _ in range(12):
        move = engine.play(board, nodes=100).move
        assert move is not None
        assert is_legal(move, board)
        board.push(move)
    castles = chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", chess960=True)
    [castling] = [move for move in castles.legal_moves if castles.is_kingside_castling(move)]
    assert engine.play(castles, depth=1, root_moves=[castling]).move == castling
    assert Position(castles).play(castling).text.startswith("r3k2r/8/8/8/8/8/8/R4RK1")


def test_repetitions_on_the_stack_count(engine: Engine) -> None:
    board = chess.Board("7k/8/8/8/8/8/q7/7K b - - 0 1")
    for san in ("Qb2", "Kg1", "Qa2", "Kh1") * 2:
        board.push_san(san)
    outcome = Position(board).outcome
    assert outcome is not None
    assert outcome.winner is None


def test_moves_of_python_chess_are_moves(engine: Engine, board: chess.Board) -> None:
    move: Any = chess.Move.from_uci("e7e5")
    position = Position(board)
    assert position.play(move).history == ["e2e4", "e7e5"]
    assert move in position.legal_moves
    played: Any = board.peek()
    assert played not in position.legal_moves
    assert position.play_line([move, "g1f3"]).history == ["e2e4", "e7e5", "g1f3"]
    assert engine.analyse(board, depth=2, root_moves=[move]).best_move == move
    assert is_legal(engine.analyse(board, depth=2, root_moves=board.legal_moves).best_move, board)
    with pytest.raises(IllegalMove):
        position.play(chess.Move.null())
    with pytest.raises(
        TypeError, match="move is a str, or an int where the game numbers its moves, not the class Move"
    ):
        position.play(chess.Move)  # type: ignore[arg-type]


def test_limits_of_python_chess_are_limits(engine: Engine, board: chess.Board) -> None:
    assert engine.analyse(board, chess.engine.Limit(depth=3)).depth == 3
    assert engine.analyse(Position("kalah"), chess.engine.Limit(nodes=50)).nodes <= 50
    clocks = chess.engine.Limit(white_clock=60, black_clock=0.2, white_inc=1, black_inc=0.01, remaining_moves=5)
    assert engine.play(board, clocks).info.time < 0.2
    assert engine.play(board, chess.engine.Limit(white_clock=60, depth=2)).info.depth == 2
    assert secateurs.analyse_many([board], chess.engine.Limit(depth=2))["depth"] == [2]
    assert engine.solve(chess.Board(MATE_IN_1), chess.engine.Limit(time=10)).value == 1
    with pytest.raises(ValueError, match="limit has clocks, which only one position can use"):
        secateurs.analyse_many([board], clocks)
    with pytest.raises(ValueError, match="a search needs a limit"):
        engine.analyse(board, chess.engine.Limit())
    with pytest.raises(ValueError, match="limit has white_clock alone, and black is to move: give black_clock"):
        engine.analyse(board, chess.engine.Limit(white_clock=5))
    with pytest.raises(ValueError, match="give a limit or its keywords"):
        engine.analyse(board, chess.engine.Limit(depth=2), nodes=3)


def test_times_may_be_timedelta(engine: Engine) -> None:
    second = timedelta(seconds=1)
    assert Limit(time=second) == Limit(movetime=second) == Limit(time=1.0) == Limit(movetime=1000)
    limit = Limit(remaining=timedelta(minutes=1), increment=timedelta(milliseconds=50))
    assert (limit.remaining, limit.increment) == (60.0, 0.05)
    assert engine.analyse(Position("chess"), time=timedelta(milliseconds=20)).time < 1
    with pytest.raises(ValueError, match="time is a positive number of seconds"):
        Limit(time=timedelta(0))
    assert Limit(time=numpy.timedelta64(20, "ms")) == Limit(time=0.02)  # type: ignore[arg-type]
    assert Limit(time=numpy.timedelta64(2_000_000, "ns")) == Limit(time=0.002)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="time is a number of seconds or a timedelta, not NoneType"):
        Limit(time=numpy.timedelta64("NaT"))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="depth is an int, not timedelta"):
        Limit(depth=second)  # type: ignore[arg-type]


def test_batches_take_boards(board: chess.Board) -> None:
    start = Position("chess")
    batch = secateurs.analyse_many((each for each in (board, start, chess.STARTING_FEN)), depth=2, san=True)
    assert batch["history"] == [["e2e4"], [], []]
    assert batch["best_san"] == [Position(row["position"]).san(row["best_move"]) for row in batch]
    assert [line[0] for line in batch["pv_san"]] == batch["best_san"]
    assert [solution.value for solution in secateurs.solve_many([chess.Board(MATE_IN_1), MATE_IN_1])] == [1, 1]
    # A bad board costs no other, as a bad text does.
    bad = chess.Board("8/8/8/8/8/8/8/8 w - - 0 1")
    batch = secateurs.analyse_many([bad, board, bad.fen()], depth=1)
    assert [error is None for error in batch["error"]] == [False, True, False]
    assert "White has 0 kings" in batch["error"][0]
    assert batch["error"][0] == batch["error"][2]
    assert secateurs.compare(board, 1, procedures="alpha-beta")["subject"] == [Position(board).text]


def test_an_engine_process_takes_boards(board: chess.Board) -> None:
    with UciEngine([sys.executable, "-m", "secateurs"]) as engine:
        assert engine.analyse(board, chess.engine.Limit(depth=3)).pv[0] in board.legal_moves
        move = engine.play(board, depth=2, root_moves=[chess.Move.from_uci("e7e5")]).move
        assert move == chess.Move.from_uci("e7e5")
        assert engine.analyse(board, depth=3)["score"].turn == chess.BLACK


def test_a_result_has_the_items_of_python_chess(engine: Engine, board: chess.Board) -> None:
    result = engine.analyse(Position(board), depth=4)
    assert dict(result) == info_of(result)
    assert result["pv"] == [chess.Move.from_uci(move) for move in result.pv]
    assert result["score"] == chess.engine.PovScore(chess.engine.Cp(result.score.cp), chess.BLACK)
    assert result["score"].white().score(mate_score=10_000) == -result.score.cp
    assert result.wdl is not None
    assert result["wdl"].relative == chess.engine.Wdl(*result.wdl)
    assert "score" in result
    assert "string" not in result
    assert list(result) == list(result.keys())
    assert (result.get("depth"), result.get("string"), result.get("string", "")) == (4, None, "")
    with pytest.raises(KeyError, match=r"'string' is none of the items depth, seldepth, .*; the result has attributes"):
        result["string"]
    with pytest.raises(KeyError, match=r"the result has attributes: result\.best_move"):
        result["move"]
    other = engine.analyse(Position("kalah"), depth=2)
    for key, attribute in {"score": ": result.score", "bestmov": ": result.best_move", "zzz": ""}.items():
        message = f"a Result of kalah has attributes{attribute}, and to_dict\\(\\) is a dict"
        with pytest.raises(TypeError, match=message):
            other[key]
    for use in (list, dict, lambda result: result.get("x"), lambda result: result.keys(), lambda result: 3 in result):
        with pytest.raises(TypeError, match=r"has attributes.*to_dict\(\) is a dict"):
            use(other)
    with pytest.raises(TypeError, match="result is a Result, not int"):
        info_of(3)  # type: ignore[arg-type]


def test_a_bound_is_a_bound_in_python_chess_too(engine: Engine) -> None:
    fen = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 0 1"
    found: dict[str, set[tuple[bool, bool]]] = {}
    for nodes in range(1, 400):
        engine.clear()
        result = engine.analyse(fen, nodes=nodes)
        found.setdefault(result.bound or "", set()).add(("lowerbound" in result, "upperbound" in result))
        assert result.get("lowerbound", True) is result.get("upperbound", True) is True
    assert repr(engine.analyse(fen, nodes=12)).endswith(", nodes=12, bound='lower')")
    assert found == {"exact": {(False, False)}, "lower": {(True, False)}, "upper": {(False, True)}}


def test_players_search_boards(board: chess.Board) -> None:
    own = Engine(hash=1)
    analysis = lambda position: own.analyse(board_of(position), depth=1)  # noqa: E731
    for play in (
        analysis,
        lambda position: own.play(board_of(position), depth=1),
        lambda position: chess.engine.PlayResult(next(iter(board_of(position).legal_moves)), None),
    ):
        games = secateurs.match([own, play], board, depth=1, rounds=1, length=4).games
        assert [(game.ending, len(game.moves)) for game in games] == [("length", 4)] * 2


def test_results_of_python_chess_are_recorded(board: chess.Board) -> None:
    """Their scores and bounds adjudicate."""

    def play(position: Position) -> chess.engine.PlayResult:
        board = board_of(position)
        score = chess.engine.PovScore(chess.engine.Cp(-900), board.turn)
        info = {"score": score, "depth": 4, "nodes": 99, "upperbound": True}
        return chess.engine.PlayResult(next(iter(board.legal_moves)), None, cast(chess.engine.InfoDict, info))

    for game in secateurs.match([play, Engine(hash=1)], board, depth=1, rounds=1, resign=(2, 5)).games:
        assert ("-9.00 upperbound", 4, 99) in {detail[1:] for detail in game.details}
        assert game.ending == "resignation"
    mate = chess.engine.PlayResult(None, None, {"score": chess.engine.PovScore(chess.engine.Mate(-2), chess.WHITE)})
    assert [_python_chess.info_line(mate, turn) for turn in (1, 2)] == ["info score mate -2", "info score mate 2"]


def test_an_engine_of_python_chess_is_no_player() -> None:
    with chess.engine.SimpleEngine.popen_uci([sys.executable, "-m", "secateurs"]) as engine:
        with pytest.raises(TypeError, match=r"a player is .*, not SimpleEngine: secateurs\.UciEngine\(command\)"):
            secateurs.match([Engine(hash=1), engine], "chess", depth=1)  # type: ignore[list-item]
        with pytest.raises(TypeError, match=r"engine is .*not SimpleEngine: secateurs\.UciEngine\(command\)"):
            secateurs.BoardWidget("chess", engine=engine)  # type: ignore[arg-type]


def test_colours_of_python_chess_are_points_of_view(engine: Engine, board: chess.Board) -> None:
    score = engine.analyse(board, depth=3).score
    assert score.pov(chess.WHITE) == score.pov(1)
    assert score.pov(board.turn).player == 2
    assert Score(20, 1).pov(chess.BLACK).cp == -20


def test_lines_are_read_and_written_as_people_do() -> None:
    start = Position("chess")
    line = ["e2e4", "e7e5", "g1f3"]
    for text in (
        "e4 e5 Nf3",
        "1. e4 e5 2. Nf3",
        "1.e4 e5 2.Nf3",
        "e2e4 e7e5 g1f3",
        "1. e4! {a comment} e5 $1 2. Nf3 *",
    ):
        assert start.play_line(text).history == line
    assert start.play_line("").history == []
    assert Position("kalah").play_line("3 1").history == Position("kalah").play_line("1. 3 2. 1").history == ["3", "1"]
    assert start.variation_san(line) == "1. e4 e5 2. Nf3" == chess.Board().variation_san(map(chess.Move.from_uci, line))
    assert start.play("e4").variation_san("e5 Nf3") == "1...e5 2. Nf3"
    assert Position("kalah").variation_san([3, 1]) == "1. 3 2. 1"
    assert start.variation_san([]) == ""
    assert [position.history for position in start.play_line("e4 e5").positions()] == [[], line[:1], line[:2]]
    with pytest.raises(IllegalMove, match='illegal move "e6"'):
        start.play_line("e4 e6 e6")
    with pytest.raises(ValueError, match="moves: line 1 has a variation without an end"):
        start.play_line("e4 (d4")
    with pytest.raises(ValueError, match="moves goes on after the result 1-0"):
        Position("chess").play_line("1. e4 e5 1-0 2. Nf3")
    with pytest.raises(ValueError, match="moves has several games"):
        Position("chess").play_line("1. e4 e5\n\n1. d4 d5")
    with pytest.raises(ValueError, match="moves is a line, not a game with tags"):
        start.play_line(PGN)


def test_moves_are_read_and_written_as_people_do() -> None:
    start = Position("chess")
    assert (start.san("g1f3"), start.san(chess.Move.from_uci("g1f3")), start.san("Nf3")) == ("Nf3", "Nf3", "Nf3")
    assert start.parse_san("Nf3") == start.parse_san("g1f3") == "g1f3"
    assert Position("kalah").san(3) == Position("kalah").parse_san(3) == "3"
    for read in (start.san, start.parse_san):
        with pytest.raises(IllegalMove):
            read("Ke2")
    assert start.fen() == start.text == chess.STARTING_FEN
    with pytest.raises(TypeError, match=r"game is the name of a game or a Game, not a method: call it as fen\(\)"):
        Position(start.fen)  # type: ignore[call-overload]


@pytest.mark.parametrize(
    "given",
    [
        lambda path: PGN,
        lambda path: path,
        lambda path: str(path),
        lambda path: path.open(),
        lambda path: io.BytesIO(PGN.encode()),
        lambda path: chess.pgn.read_game(io.StringIO(PGN)),
    ],
)
def test_a_game_is_read_to_its_end(given: Callable[[Path], Any], tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(PGN)
    pgn = given(path)
    assert Position.from_pgn(pgn).history == ["e2e4", "e7e5", "g1f3", "b8c6"]
    if hasattr(pgn, "close"):
        pgn.close()


TAGGED = '[Event "a"]\n[Result "1-0"]\n\n1. e4 {in\n\n1-0 paragraphs} e5 1-0\n\n'
QUEENS = "1. d4 d5 *\n"


@pytest.mark.parametrize(
    ("text", "lengths"),
    [
        (TAGGED + QUEENS + TAGGED, [2, 2, 2]),
        (QUEENS + QUEENS, [2, 2]),
        ("1. e4\n\n1. d4 d5\n", [1, 2]),
        # Without a result and a blank line the tag of the next game is the end.
        ('[Event "a"]\n\n1. e4\n[Event "b"]\n[FEN "k7/8/8/8/8/8/8/K6R w - - 0 1"]\n\n1. Rh5 Kb7 *\n', [1, 2]),
        ('[Event "a"]\n\n1. e4 {no end\n\n' + TAGGED, ["line 3 has a comment without an end", 2]),
        ("1. e4 Ke4 *\n" + QUEENS, ["illegal move", 2]),
        ('[Event "a"]\n\n1. e4 {no end\n\n' + QUEENS, ["line 3 has a comment without an end"]),
        ('[Event "a"]\n\n1. e4 {as in\n\n[Event "b"]\n\n1. d4 *} e5 *\n\n' + QUEENS, [2, 2]),
        ("1. e4\n\n2. d4 d5\n", ["illegal move"]),
        ("1. e4 * 1. d4 *\n" + QUEENS, ["another game begins in a line in which one ends", 2]),
        ("1. e4 *\n\nSome prose.\n\n" + TAGGED, [1, 2]),
        ("\n\n", []),
    ],
)
def test_an_open_file_is_read_game_by_game(text: str, lengths: list[int | str]) -> None:
    for file in (io.StringIO(text), io.BytesIO(text.replace("\n", "\r\n").encode()), Pipe(text)):
        for length in lengths:
            if isinstance(length, str):
                with pytest.raises(ValueError, match=length):
                    Position.from_pgn(file)
            else:
                end = Position.from_pgn(file)
                assert end is not None
                assert len(end.history) == length
        assert Position.from_pgn(file) is None


class Pipe(io.StringIO):
    """A file without places, as standard input is."""

    def tell(self) -> int:
        """Raises the error of a pipe."""
        raise OSError(29, "Illegal seek")


def test_a_file_of_games_is_read_once() -> None:
    """The game that python-chess reads next is the second one."""
    file = io.StringIO(TAGGED + QUEENS)
    Position.from_pgn(file)
    second = chess.pgn.read_game(file)
    assert second is not None
    assert str(second.mainline_moves()) == "1. d4 d5"
    with pytest.raises(ValueError, match='pgn is in UTF-16: open the file with encoding="utf-16"'):
        Position.from_pgn(io.BytesIO(TAGGED.encode("utf-16")))
    with pytest.raises(TypeError, match="pgn is a file with lines of str or bytes, not NoneType"):
        Position.from_pgn(type("Odd", (), {"read": str, "readline": lambda self: None})())


def test_a_word_that_is_no_game_is_a_path(tmp_path: Path) -> None:
    for pgn in ("nofile", "/tmp/missing", "./no games", "~/games", "C:\\games"):
        for read in (Position.from_pgn, lambda pgn: secateurs.annotate(pgn, depth=1)):
            with pytest.raises(FileNotFoundError, match="No such file"):
                read(pgn)
    with pytest.raises((IsADirectoryError, PermissionError)):
        Position.from_pgn(str(tmp_path))
    (tmp_path / "packed.gz").write_bytes(b"\x1f\x8b\x08")
    for read in (Position.from_pgn, lambda pgn: secateurs.annotate(pgn, depth=1)):
        with pytest.raises(ValueError, match="cannot be read: it is compressed by gzip: unpack it first, by gunzip"):
            read(str(tmp_path / "packed.gz"))
    with pytest.raises(ValueError, match="compressed by gzip"), (tmp_path / "packed.gz").open("rb") as file:
        Position.from_pgn(file)
    for move in ("e4", "1.e4", "*", "{nothing}*"):
        assert Position.from_pgn(move).turn in (1, 2)


def test_games_that_cannot_be_read() -> None:
    for pgn, message in [
        ("", "pgn has no game"),
        ("1. e4 (", "pgn: line 1 has "),
        ("1. e4 Ke4 *", 'illegal move "Ke4"'),
    ]:
        with pytest.raises(ValueError, match=message):
            Position.from_pgn(pgn)
    with pytest.raises(BadPosition):
        Position.from_pgn('[FEN "nonsense"]\n\n*')
    with pytest.raises(FileNotFoundError):
        Position.from_pgn(Path("missing.pgn"))
    with pytest.raises(TypeError, match=r"pgn is a str, a path, an open file or a chess\.pgn\.Game, not int"):
        Position.from_pgn(3)  # type: ignore[call-overload]
    assert Position.from_pgn('[Variant "kalah"]\n\n1. 3 2. 1 *').history == ["3", "1"]
    assert Position.from_pgn("1. 3 2. 1 *", "kalah").history == ["3", "1"]


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        ("engine.analyse(chess.Board(None), depth=1)", BadPosition, "White has 0 kings"),
        ("engine.analyse(chess.pgn.Game(), depth=1)", TypeError, r"take node.board\(\), or Position.from_pgn\(game\)"),
        ("Position(chess.pgn.Game().end())", TypeError, r"take node.board\(\)"),
        ("engine.analyse(chess, depth=1)", TypeError, "position is a Position, not module"),
        ("Position(board, houses=3)", TypeError, "a position has its own options"),
        ("engine.analyse(chess.variant.AtomicBoard(), depth=1)", ValueError, "of the variant atomic"),
        ("secateurs.analyse_many([board, 3], depth=1)", TypeError, r"positions\[1\] is a Position or a str, not int"),
        ("Engine('chess')", TypeError, "an engine searches any game, and takes none"),
        ("Engine('64')", TypeError, "hash is an int, not str$"),
        ("engine.analyse(board, depth=1, searchmoves=['e5'])", TypeError, "did you mean root_moves"),
        ("Position('chess').push('e4')", AttributeError, r"use play\(move\), which returns the next position"),
        ("Position('chess').push_san", AttributeError, r"use play\(move\)"),
        ("Position('chess').is_game_over()", AttributeError, "use outcome"),
        ("Position('chess').move_stack", AttributeError, "use history"),
        ("Position('chess').piece_at(0)", AttributeError, r"use secateurs.chess.board_of\(position\).piece_at"),
        ("Position('kalah').piece_at(0)", AttributeError, "no attribute 'piece_at'$"),
        ("Position('chess').board", AttributeError, r"secateurs.chess.board_of\(position\)"),
        ("Position('chess').nonsense", AttributeError, "no attribute 'nonsense'$"),
        ("engine.analysis(board, depth=1).get()", AttributeError, r"use next\(analysis\)"),
        ("engine.analysis(board, depth=1).info", AttributeError, "use latest"),
        ("engine.quit()", AttributeError, r"use close\(\)"),
        ("engine.configure({})", AttributeError, "use Engine"),
        ("engine.analyse(board, depth=1).move", AttributeError, "use best_move"),
        ("engine.analyse(board, depth=1).items()", AttributeError, r"use to_dict\(\)"),
        ("engine.solve(Position('nim')).keys()", AttributeError, r"use to_dict\(\)"),
        ("engine.play(board, depth=1).get('move')", AttributeError, r"use to_dict\(\)"),
        ("engine.analyse(board, depth=1, multipv=2).json()", AttributeError, r"use to_json\(\)"),
        ("engine.analyse(board, depth=1).score.white()", AttributeError, r"use pov\(1\)"),
        ("secateurs.SimpleEngine", AttributeError, r"use Engine\(\), or UciEngine\(command\)"),
        ("secateurs.analyse(board)", AttributeError, r"use Engine\(\).analyse"),
        ("secateurs.nonsense", AttributeError, "no attribute 'nonsense'$"),
    ],
)
def test_what_is_not_there_is_named(
    engine: Engine, board: chess.Board, call: str, kind: type[Exception], message: str
) -> None:
    import chess.variant

    known = {"engine": engine, "board": board, "chess": chess, "secateurs": secateurs}
    with pytest.raises(kind, match=message):
        eval(call, {**known, "Position": Position, "Engine": Engine})


def test_modules_of_the_package_are_imported_at_their_first_use() -> None:
    code = "import secateurs, sys; assert 'chess' not in sys.modules; print(secateurs.chess.board_of.__name__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "board_of\n"


# After tests of python-chess of its SimpleEngine (https://github.com/niklasf/python-chess), where ours does the same.


def test_forced_mates(engine: Engine) -> None:
    epd = '1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id "BK.01";'
    board, operations = chess.Board.from_epd(epd)
    result = engine.play(board, chess.engine.Limit(mate=5))
    assert result.move in operations["bm"]  # type: ignore[operator]


def test_multipv(engine: Engine) -> None:
    board = chess.Board("r2qr1k1/pb2npp1/1pn1p2p/8/3P4/P1PQ1N2/B4PPP/R1B1R1K1 w - - 2 15")
    infos = engine.analyse(board, chess.engine.Limit(depth=1), multipv=3)
    assert [info["multipv"] for info in infos] == [1, 2, 3]


def test_an_analysis(engine: Engine) -> None:
    board = chess.Board("8/6K1/1p1B1RB1/8/2Q5/2n1kP1N/3b4/4n3 w - - 0 1")
    analysis = engine.analysis(board, chess.engine.Limit(depth=40))
    with analysis:
        for info in analysis:
            if "score" in info and info["score"].white() >= chess.engine.Mate(+2):
                break
    assert analysis.wait()["score"].relative == chess.engine.Mate(+2)


def test_a_history_of_moves(engine: Engine) -> None:
    board = chess.Board()
    for move in ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6"]:
        board.push_san(move)
    with engine.analysis(board, chess.engine.Limit(depth=4)) as analysis:
        result = analysis.wait()
    assert is_legal(result.best_move, board)
    assert board_of(result.position).move_stack == board.move_stack


def test_a_player_of_a_match_returns_a_move_of_python_chess() -> None:
    def first(position: secateurs.Position) -> chess.Move:
        return chess.Move.from_uci(position.legal_moves[0])

    players: dict[str, Any] = {"engine": secateurs.Engine(hash=1), "first": first}
    found = secateurs.match(players, "chess", secateurs.Limit(nodes=50), length=4, rounds=1)
    assert {game.ending for game in found.games} == {"length"}
