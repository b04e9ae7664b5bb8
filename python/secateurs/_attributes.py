"""Attributes that people who know python-chess look for here: the error names what there is instead."""

import sys
from types import ModuleType
from typing import Any, NoReturn

OVER = "outcome, which is None until the game is over"
SAME = "a position never changes"
PLAY = f"play(move), which returns the next position: {SAME}"

#: By class and attribute, what there is instead.
INSTEAD = {
    "secateurs": {
        **{name: f"Engine().{name}(position)" for name in ("analyse", "analysis", "best_moves", "play", "solve")},
        **{name: f"Position.{name}" for name in ("evaluate", "perft")},
        "Board": "Position",
        "Move": "a move as text, such as 'e2e4'",
        **dict.fromkeys(("SimpleEngine", "popen_uci"), "Engine(), or UciEngine(command) for another program"),
    },
    "Position": {
        **dict.fromkeys(("push", "push_san", "push_uci", "push_xboard"), PLAY),
        "pop": f"positions(), all from the start to this one: {SAME}",
        "peek": "history[-1]",
        "move_stack": "history",
        "copy": f"the position itself: {SAME}",
        **dict.fromkeys(("is_game_over", "is_checkmate", "is_stalemate", "is_variant_end", "result"), OVER),
        **dict.fromkeys(("can_claim_draw", "is_repetition", "is_insufficient_material"), OVER),
        **dict.fromkeys(("epd", "board_fen", "shredder_fen"), "fen()"),
        "set_fen": "Position(fen)",
        **dict.fromkeys(("parse_uci", "parse_xboard", "uci"), "parse_san(move), for moves in any notation"),
        "lan": "san(move)",
        "is_legal": "move in position.legal_moves",
        "pseudo_legal_moves": "legal_moves",
        **{
            name: f"secateurs.chess.board_of(position).{name}"
            for name in ("fullmove_number", "halfmove_clock", "castling_rights", "ep_square")
        },
        **dict.fromkeys(("to_chess", "to_board"), "secateurs.chess.board_of(position)"),
        "to_dict": "game, options, text and history",
    },
    "Engine": {
        "configure": "Engine(hash=64, threads=1): an engine keeps its settings",
        **dict.fromkeys(("options", "config"), "hash, threads and aspiration"),
        "quit": "close()",
        "id": "secateurs.__version__",
        "evaluate": "Position.evaluate()",
        "popen_uci": "UciEngine(command)",
    },
    "UciEngine": {"quit": "close()", "id": "name and author", "popen_uci": "UciEngine(command)"},
    "Analysis": {
        **dict.fromkeys(("next", "get"), "next(analysis)"),
        "would_block": "empty()",
        "info": "latest",
    },
    "Score": {
        "white": "pov(1)",
        "black": "pov(2)",
        "relative": "the score itself, for the player of score.player",
        "turn": "player",
        "score": "cp",
        "is_mate": "mate, which is None for other scores",
        "wdl": "Result.wdl",
    },
    "Result": {
        **dict.fromkeys(("move", "bestmove"), "best_move"),
        "ponder": "pv[1]",
        "lowerbound": "bound",
        "upperbound": "bound",
        "cp": "score.cp",
        **{name: f"dict(result).{name}()" for name in ("items", "values")},
    },
}


def missing(of: Any, name: str) -> NoReturn:
    """Raises the error for an attribute that an object does not have."""
    kind = of.__name__ if isinstance(of, ModuleType) else type(of).__name__
    hint = INSTEAD[kind].get(name)
    board = getattr(sys.modules.get("chess"), "Board", None)
    if hint is None and kind == "Position" and of.game == "chess" and not name.startswith("_") and hasattr(board, name):
        hint = f"secateurs.chess.board_of(position).{name}"
    subject = f"'secateurs.{kind}' object" if kind != "secateurs" else "module 'secateurs'"
    raise AttributeError(f"{subject} has no attribute '{name}'" + (f"; use {hint}" if hint else ""), name=name, obj=of)
