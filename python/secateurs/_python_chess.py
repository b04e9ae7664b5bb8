"""Objects of python-chess as arguments. The package does not import it for that: without its import there are none."""

import sys
from typing import TYPE_CHECKING, Any

from secateurs._attributes import nearest

if TYPE_CHECKING:
    from secateurs._native import Position, Result


def class_of(module: str, name: str) -> tuple[Any, ...]:
    """Returns a class of python-chess in a tuple, which is empty if its module is not imported."""
    found = getattr(sys.modules.get(module), name, None)
    return (found,) if isinstance(found, type) else ()


def position(given: Any) -> "Position | None":
    """Returns a ``chess.Board`` as a position with its moves; ``None`` for other objects.

    :raises TypeError: it is a game, or a node of one, which has several positions.
    """
    if isinstance(given, class_of("chess.pgn", "GameNode")):
        raise TypeError("position is not a node of a game: take node.board(), or Position.from_pgn(game) for the end")
    if not isinstance(given, class_of("chess", "Board")):
        return None
    from secateurs.chess import position_of

    return position_of(given)


def info(result: "Result[Any]", key: object) -> Any:
    """Returns a result of chess as a ``chess.engine.InfoDict``, for access to the item ``key``."""
    if result.position.game != "chess":
        raise TypeError(f"a Result of {result.position.game} {of_attributes(result, key)}")
    from secateurs.chess import info_of

    return info_of(result)


def info_line(played: Any, turn: int | None) -> str:
    """Writes what a ``chess.engine.PlayResult`` has of its search as an ``info`` line of UCI.

    :param turn: the player who moves.
    """
    info, words = played.info, ["info"]
    for name in ("depth", "seldepth", "nodes"):
        words += [name, str(info[name])] if name in info else []
    if "score" in info:
        score = info["score"].pov(turn == 1)
        words += ["score", "cp", str(score.score())] if score.mate() is None else ["score", "mate", str(score.mate())]
        words += [bound for bound in ("lowerbound", "upperbound") if info.get(bound)]
    return " ".join(words)


def item(result: "Result[Any]", key: object) -> Any:
    """Returns an item of a result of chess.

    :raises KeyError: there is no such item; the message names those there are.
    """
    found = info(result, key)
    if key not in found:
        raise KeyError(f"{key!r} is none of the items {', '.join(found)}; the result {of_attributes(result, key)}")
    return found[key]


def of_attributes(result: "Result[Any]", key: object) -> str:
    """Returns what a result has instead of an item, with the attribute that it may mean."""
    near = nearest(result, key) if isinstance(key, str) else None
    return f"has attributes{f': result.{near}' if near else ''}, and to_dict() is a dict"


def limit(given: Any, turn: int | None) -> dict[str, Any] | None:
    """Returns the keywords of a ``chess.engine.Limit``; ``None`` for other objects.

    :param turn: the player to move, whose clock counts; ``None`` if positions of both may be searched.
    :raises ValueError: there are clocks, but no player, or only that of the other one and no other limit.
    """
    if not isinstance(given, class_of("chess.engine", "Limit")):
        return None
    clocks = {1: (given.white_clock, given.white_inc), 2: (given.black_clock, given.black_inc)}
    if turn is None and any(clock is not None for clock, _ in clocks.values()):
        raise ValueError("limit has clocks, which only one position can use: give depth, nodes or time")
    clock, increment = clocks.get(turn or 0, (None, None))
    known = {"depth": given.depth, "nodes": given.nodes, "time": least(given.time), "mate": given.mate}
    if clock is None and not any(limit is not None for limit in known.values()):
        mover, other = ("white", "black") if turn == 1 else ("black", "white")
        if clocks.get(3 - (turn or 0), (None, None))[0] is not None:
            raise ValueError(
                f"limit has {other}_clock alone, and {mover} is to move: give {mover}_clock, or depth, nodes or time"
            )
    if clock is not None:
        known |= {"remaining": least(clock), "increment": increment, "moves_to_go": given.remaining_moves}
    return known


def least(seconds: float | None) -> float | None:
    """Returns a time; a millisecond for a flag that has fallen, with which an engine of python-chess moves too."""
    return seconds if seconds is None else max(seconds, 0.001)
