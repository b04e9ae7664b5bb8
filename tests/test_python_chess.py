"""The engine, driven by python-chess."""

import sys
from collections.abc import Iterator

import chess
import chess.engine
import pytest


@pytest.fixture(scope="module")
def engine() -> Iterator[chess.engine.SimpleEngine]:
    """The engine as a chess program: `uci` selects chess."""
    with chess.engine.SimpleEngine.popen_uci([sys.executable, "-m", "secateurs"]) as engine:
        engine.configure({"Hash": 4})
        yield engine


@pytest.mark.parametrize("start", [None, 0, 518, 959])
def test_whole_games(engine: chess.engine.SimpleEngine, start: int | None) -> None:
    board = chess.Board() if start is None else chess.Board.from_chess960_pos(start)
    while not board.is_game_over(claim_draw=True):
        result = engine.play(board, chess.engine.Limit(nodes=300), game=start)
        assert result.move is not None
        board.push(result.move)
    assert board.ply() > 10


def test_a_game_on_clocks_with_pondering(engine: chess.engine.SimpleEngine) -> None:
    board = chess.Board()
    limit = chess.engine.Limit(white_clock=1.0, black_clock=1.0, white_inc=0.01, black_inc=0.01)
    pondered = 0
    for _ in range(6):
        result = engine.play(board, limit, ponder=True, game="clocks")
        assert result.move is not None
        board.push(result.move)
        if result.ponder is not None and pondered % 2 == 0:
            # The opponent plays the expected move: the engine gets `ponderhit`.
            board.push(result.ponder)
        else:
            board.push(next(iter(board.legal_moves)))
        pondered += result.ponder is not None
    assert pondered > 3


def test_lines_are_legal_and_in_order(engine: chess.engine.SimpleEngine) -> None:
    board = chess.Board("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3")
    infos = engine.analyse(board, chess.engine.Limit(depth=6), multipv=4)
    assert [info["multipv"] for info in infos] == [1, 2, 3, 4]
    scores = [info["score"].pov(board.turn) for info in infos]
    assert scores == sorted(scores, reverse=True)
    assert len({info["pv"][0] for info in infos}) == 4
    for info in infos:
        board.variation_san(info["pv"])
        assert info["depth"] == 6
        assert info["nodes"] > 0


def test_mate_is_found_and_counted(engine: chess.engine.SimpleEngine) -> None:
    board = chess.Board("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1")
    info = engine.analyse(board, chess.engine.Limit(mate=2))
    assert info["score"].relative == chess.engine.Mate(2)
    assert board.san(info["pv"][0]) == "Ra6"
    result = engine.play(board, chess.engine.Limit(nodes=20_000), root_moves=[board.parse_san("Ra2")])
    assert result.move == board.parse_san("Ra2")


def test_an_endless_analysis_stops(engine: chess.engine.SimpleEngine) -> None:
    board = chess.Board()
    with engine.analysis(board) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 5:
                analysis.stop()
        best = analysis.wait()
    assert best.move is not None
    assert best.move in board.legal_moves
    assert analysis.info["score"].relative.score() is not None


def test_a_game_that_is_over(engine: chess.engine.SimpleEngine) -> None:
    board = chess.Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    assert board.is_stalemate()
    assert engine.play(board, chess.engine.Limit(depth=3)).move is None
    assert engine.analyse(board, chess.engine.Limit(depth=3))["score"].relative == chess.engine.Cp(0)
