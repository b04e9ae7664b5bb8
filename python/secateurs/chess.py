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

from typing import Any

from secateurs._arguments import wrong_type
from secateurs._extras import needed
from secateurs._native import Position, Result, Score

with needed("secateurs.chess", "chess"):
    import chess
    import chess.engine

__all__ = ["board_of", "info_of", "position_of", "score_of"]


def position_of(board: chess.Board) -> Position:
    """Returns a board of python-chess as a position, with the moves of its stack, so that repetitions count.

    Null moves are against the rules: after one, the position has the moves since the last of them.

    :raises TypeError: it is no ``chess.Board``.
    :raises ValueError: the board is of a variant, or is no valid position.
    """
    if not isinstance(board, chess.Board):
        raise wrong_type("board", "a chess.Board", board)
    if board.uci_variant != "chess":
        raise ValueError(f"board is of the variant {board.uci_variant}: chess and Chess960 are supported")
    moves = board.move_stack
    nulls = [at for at, move in enumerate(moves) if not move]
    if nulls:
        root, moves = board.copy(), moves[nulls[-1] + 1 :]
        for _ in moves:
            root.pop()
    else:
        root = board.root()
    fen = root.fen(shredder=board.chess960, en_passant="legal")
    position = Position.parse(fen, "chess", uci_chess960=board.chess960)
    return position.play_line([move.uci() for move in moves])


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


def info_of(result: Result[Any]) -> chess.engine.InfoDict:
    """Returns the result of a search as python-chess has it, with its scores and moves.

    A score that is only a bound has the item ``lowerbound`` or ``upperbound``. ``tbhits`` and ``string`` are left out.

    >>> import secateurs
    >>> info = info_of(secateurs.Engine(hash=1).analyse(chess.Board(), depth=4))
    >>> info["depth"], info["pv"][0] in chess.Board().legal_moves, info["score"].turn == chess.WHITE
    (4, True, True)

    ``result["score"]`` is ``info_of(result)["score"]``.

    :raises TypeError: it is no :class:`Result`.
    :raises ValueError: the position is of another game.
    """
    if not isinstance(result, Result):
        raise wrong_type("result", "a Result", result)
    board = board_of(result.position)
    info: chess.engine.InfoDict = {
        "depth": result.depth,
        "seldepth": result.seldepth,
        "nodes": result.nodes,
        "time": result.time,
        "nps": result.nps,
        "hashfull": result.hashfull,
        "multipv": result._line(),
    }
    for move in result.pv:
        board.push_uci(str(move))
    info["pv"] = board.move_stack[len(result.position.history) :]
    turn = bool(result.position.turn == 1)
    if result.score is not None:
        info["score"] = chess.engine.PovScore(score_of(result.score), turn)
        # python-chess has these items, but not in the type.
        if result.bound == "lower":
            info["lowerbound"] = True  # type: ignore[typeddict-unknown-key]
        elif result.bound == "upper":
            info["upperbound"] = True  # type: ignore[typeddict-unknown-key]
    if result.wdl is not None:
        info["wdl"] = chess.engine.PovWdl(chess.engine.Wdl(*result.wdl), turn)
    return info


def score_of(score: Score) -> chess.engine.Score:
    """Returns a score of chess as python-chess has it: 100 centi-units are 100 centipawns.

    >>> import secateurs
    >>> score_of(secateurs.Score(31995, 1)), score_of(secateurs.Score(-32000, 1)), score_of(secateurs.Score(50, 1))
    (Mate(+3), Mate(-0), Cp(+50))
    """
    return chess.engine.Cp(score.cp) if score.mate is None else chess.engine.Mate(score.mate)
