"""Attributes that people who know python-chess look for here: the error names what there is instead."""

import sys
from difflib import get_close_matches
from types import ModuleType
from typing import Any, NoReturn

OVER = "outcome, which is None until the game is over"
SAME = "a position never changes"
PLAY = f"play(move), which returns the next position: {SAME}"

#: What a dict has, and what there is instead of it in a result.
OF_A_DICT = {
    **dict.fromkeys(("get", "keys", "items", "values", "dict", "as_dict", "asdict", "_asdict"), "to_dict()"),
    "json": "to_json()",
}

#: By class and attribute, what there is instead.
INSTEAD = {
    "secateurs": {
        **{name: f"Engine().{name}(position)" for name in ("analyse", "analysis", "best_moves", "play", "solve")},
        **{name: f"Position.{name}" for name in ("evaluate", "perft")},
        "Board": "Position",
        "Move": "a move as text, such as 'e2e4'",
        **dict.fromkeys(("SimpleEngine", "popen_uci"), "Engine(), or UciEngine(command) for another program"),
        "analyze": "Engine().analyse(position)",
        "from_pgn": "Position.from_pgn(pgn)",
    },
    "Position": {
        **dict.fromkeys(("push", "push_san", "push_uci", "push_xboard"), PLAY),
        "pop": f"positions(), all from the start to this one: {SAME}",
        "peek": "history[-1]",
        "move_stack": "history",
        "copy": f"the position itself: {SAME}",
        **dict.fromkeys(("is_game_over", "is_checkmate", "is_stalemate", "is_variant_end", "result"), OVER),
        "is_insufficient_material": OVER,
        **dict.fromkeys(("epd", "board_fen", "shredder_fen"), "fen()"),
        **dict.fromkeys(("set_fen", "set_epd", "from_epd"), "Position(fen)"),
        **dict.fromkeys(("parse_uci", "parse_xboard", "uci"), "parse_san(move), for moves in any notation"),
        "lan": "san(move)",
        "is_legal": "move in position.legal_moves",
        "pseudo_legal_moves": "legal_moves",
        **{
            name: f"secateurs.chess.board_of(position).{name}"
            for name in (
                *("fullmove_number", "halfmove_clock", "castling_rights", "ep_square"),
                *("can_claim_draw", "is_repetition"),
            )
        },
        **dict.fromkeys(("to_chess", "to_board"), "secateurs.chess.board_of(position)"),
        "to_dict": "game, options, text and history",
        **dict.fromkeys(("is_terminal", "returns", "rewards"), OVER),
        "legal_actions": "legal_moves",
        "current_player": "turn",
        **dict.fromkeys(("apply_action", "child"), PLAY),
        "clone": f"the position itself: {SAME}",
        **{name: f"Engine().{name}(position)" for name in ("analyse", "analysis", "best_moves", "solve")},
    },
    "Engine": {
        "configure": "Engine(hash=64, threads=1): an engine keeps its settings",
        **dict.fromkeys(("options", "config"), "hash, threads and aspiration"),
        "quit": "close()",
        "id": "secateurs.__version__",
        **{name: f"Position.{name}()" for name in ("evaluate", "perft")},
        **{name: f"secateurs.{name}" for name in ("analyse_many", "annotate", "match", "solve_many")},
        "analyze": "analyse(position)",
        "ping": "closed",
        "position": "Position(game): each method takes a position",
        "popen_uci": "UciEngine(command)",
    },
    "Batch": {
        **dict.fromkeys(("shape", "head", "to_csv", "to_parquet", "groupby"), "to_pandas() or to_polars()"),
        **dict.fromkeys(("keys", "items", "values"), "to_dict()"),
    },
    "Solution": {
        **dict.fromkeys(("best_move", "move"), "best_moves[0]"),
        "svg": "position.svg(values=...)",
    },
    "AnnotatedGame": {
        **dict.fromkeys(("accuracy", "accuracies", "average_loss"), "players[0].accuracy and the like"),
        "headers": "tags",
        **dict.fromkeys(("to_pgn", "text"), "pgn"),
    },
    "Match": {
        **dict.fromkeys(("wins", "draws", "losses", "score", "points"), "standings, a row for each player"),
        **dict.fromkeys(("results", "records"), "games"),
        "pgn": "export(path)",
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
        "san": "best_san",
        "best": "best_move",
        "moves": "pv",
        **dict.fromkeys(("win_probability", "expected", "policy"), "wdl"),
        "svg": "position.svg(best=result.best_move)",
        "fen": "position.fen()",
        "ponder": "pv[1]",
        "lowerbound": "bound",
        "upperbound": "bound",
        "cp": "score.cp",
    },
}


#: By class or function and keyword, what there is instead of a keyword of another class, python-chess or fastchess.
KEYWORDS = {
    "Engine": {
        "info": "each result has all that is known",
        "game": "the position knows its game, and clear() begins a new one",
        "options": "Engine(hash=64, threads=1) has the settings",
        "ponder": "analysis() searches in the background",
        "draw_offered": "an engine does not agree to draws",
        "opponent": "an engine plays all opponents alike",
    },
    "Position": {
        **dict.fromkeys(("moves", "history"), "use Position(...).play_line(moves)"),
        "flipped": "orientation is the player at the bottom",
        "check": "a king in check is marked without it",
        "board": "use Position(board), without a keyword",
    },
    "UciEngine": {
        "hash": 'use options={"Hash": ...}, the option of the protocol',
        "threads": 'use options={"Threads": ...}, the option of the protocol',
        **dict.fromkeys(("info", "game"), "each result has all that is known, and the position knows its game"),
        "options": "configure({...}) sets them",
        "ponder": "analysis() searches in the background",
    },
    "match": {
        "threads": "concurrency is the number of games at the same time",
        **dict.fromkeys(
            ("games", "pairs"), "rounds is the number of rounds, in each of which all pairs play two games"
        ),
        "game": "position is the name of a game or a position",
        "pgn": "Match.export(path) writes the games",
        "file": "record is the file",
    },
}


def instead_of(function: str, keyword: str) -> str | None:
    """Returns what a function has instead of a keyword."""
    return KEYWORDS.get(function.split(".")[0], {}).get(keyword)


def nearest(of: Any, name: str) -> str | None:
    """Returns the attribute of an object that a name may mean."""
    kind, names = type(of).__name__, [known for known in dir(of) if not known.startswith("_")]
    return INSTEAD[kind].get(name) or next(iter(get_close_matches(name, names, 1)), None)


def missing(of: Any, name: str) -> NoReturn:
    """Raises the error for an attribute that an object does not have."""
    kind = of.__name__ if isinstance(of, ModuleType) else type(of).__name__
    hint = INSTEAD.get(kind, {}).get(name)
    if hint is None and hasattr(type(of), "to_dict"):
        hint = OF_A_DICT.get(name)
    board = getattr(sys.modules.get("chess"), "Board", None)
    is_chess = hint is None and kind == "Position" and of.game == "chess" and not name.startswith("_")
    if is_chess and board is not None and hasattr(board(), name):
        hint = f"secateurs.chess.board_of(position).{name}"
    if kind == "Batch" and name in of.columns:
        hint = f"batch[{name!r}]"
    subject = f"'secateurs.{kind}' object" if kind != "secateurs" else "module 'secateurs'"
    raise AttributeError(f"{subject} has no attribute '{name}'" + (f"; use {hint}" if hint else ""), name=name, obj=of)
