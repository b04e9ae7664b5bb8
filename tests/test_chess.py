"""Boards of python-chess as positions, and back."""

import random

import chess
import chess.variant
import pytest
from secateurs import Engine, Position
from secateurs.chess import board_of, position_of


def random_board(seed: int, chess960: bool) -> chess.Board:
    chance = random.Random(seed)
    board = chess.Board.from_chess960_pos(chance.randrange(960)) if chess960 else chess.Board()
    for _ in range(chance.randrange(80)):
        if board.is_game_over(claim_draw=True):
            break
        board.push(chance.choice(list(board.legal_moves)))
    return board


@pytest.mark.parametrize("chess960", [False, True])
def test_random_games_are_the_same_in_both(chess960: bool) -> None:
    for seed in range(60):
        board = random_board(seed, chess960)
        position = position_of(board)
        assert sorted(position.legal_moves) == sorted(move.uci() for move in board.legal_moves), board.fen()
        assert position.history == [move.uci() for move in board.move_stack]
        assert position.turn == (1 if board.turn else 2)
        again = board_of(position)
        assert (again, again.move_stack, again.chess960) == (board, board.move_stack, chess960)
        ended = board.outcome(claim_draw=False)
        if ended is not None:
            assert position.outcome is not None
            winner = None if ended.winner is None else 1 if ended.winner else 2
            assert position.outcome.winner == winner


def test_repetitions_of_the_stack_count() -> None:
    board = chess.Board()
    for move in ["Nf3", "Nf6", "Ng1", "Ng8"] * 2:
        board.push_san(move)
    position = position_of(board)
    assert position.outcome is not None
    assert position.outcome.winner is None
    assert Position.parse(board.fen(), "chess").outcome is None


def test_an_analysis_of_a_board() -> None:
    board = chess.Board("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
    result = Engine(hash=1).analyse(position_of(board), depth=4)
    assert board.san(board.parse_uci(result.best_move or "")) == "Ra8#"


def test_what_cannot_be_converted_is_named() -> None:
    with pytest.raises(TypeError, match=r"board is a chess\.Board, not str"):
        position_of("startpos")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="position is a Position, not Board"):
        board_of(chess.Board())  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="kalah, not chess"):
        board_of(Position("kalah"))
    with pytest.raises(ValueError, match="kings"):
        position_of(chess.Board(None))
    with pytest.raises(ValueError, match="variant atomic"):
        position_of(chess.variant.AtomicBoard())
