"""Boards of python-chess as positions, and back; both with their moves.

>>> import chess
>>> from secateurs.chess import board_of, position_of
>>> board = chess.Board()
>>> board.push_san("e4")
Move.from_uci('e2e4')
>>> position = position_of(board)
>>> position.history
['e2e4']
>>> board_of(position.play("c5")).peek()
Move.from_uci('c7c5')

It needs python-chess: ``pip install 'secateurs[chess]'``.
"""

from secateurs._arguments import wrong_type
from secateurs._extras import needed
from secateurs._native import Position

with needed("secateurs.chess", "chess"):
    import chess

__all__ = ["board_of", "position_of"]


def position_of(board: chess.Board) -> Position:
    """Returns a board of python-chess as a position, with the moves of its stack, so that repetitions count.

    :raises TypeError: it is no ``chess.Board``.
    :raises ValueError: the board is of a variant, has null moves, or is no valid position.
    """
    if not isinstance(board, chess.Board):
        raise wrong_type("board", "a chess.Board", board)
    if board.uci_variant != "chess":
        raise ValueError(f"board is of the variant {board.uci_variant}: chess and Chess960 are supported")
    root = board.root()
    fen = root.fen(shredder=board.chess960, en_passant="legal")
    position = Position.parse(fen, "chess", uci_chess960=board.chess960)
    return position.play_line([move.uci() for move in board.move_stack])


def board_of(position: Position) -> chess.Board:
    """Returns a position of chess as a board of python-chess, with the moves of its history on the stack.

    :raises TypeError: it is no :class:`Position`.
    :raises ValueError: the position is of another game.
    """
    if not isinstance(position, Position):
        raise wrong_type("position", "a Position", position)
    if position.game != "chess":
        raise ValueError(f"position is of {position.game}, not chess")
    board = chess.Board(position.start, chess960=bool(position.options["uci_chess960"]))
    for move in position.history:
        board.push_uci(move)
    return board
