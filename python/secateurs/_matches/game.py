"""The games of a match."""

from typing import Any, NamedTuple


class Game(NamedTuple):
    """A game. ``result`` is "1-0", "0-1" or "1/2-1/2"; ``margin`` is the first player's lead in units.

    ``opening`` is a position as text and the moves from there, ``moves`` are the moves played, and ``details`` has for
    each of them the time in microseconds, the score for the mover as text, the depth and the nodes.
    """

    number: int
    round: int
    players: tuple[str, str]
    opening: tuple[str, tuple[str, ...]]
    result: str
    ending: str
    detail: str
    margin: int | None
    moves: tuple[str, ...]
    details: tuple[tuple[int, str, int, int], ...]

    @property
    def points(self) -> float:
        """The points of the first player."""
        return {"1-0": 1.0, "0-1": 0.0}.get(self.result, 0.5)


def game_of(record: dict[str, Any]) -> Game:
    """Reads a game from its record."""
    first, second = record["players"]
    opening, moves = record["opening"], record["moves"]
    return Game(
        record["number"],
        record["round"],
        (first, second),
        (opening["position"], tuple(opening.get("moves", []))),
        record["result"],
        record["ending"],
        record.get("detail", ""),
        record.get("margin"),
        tuple(move[0] for move in moves),
        tuple(tuple(move[1:]) for move in moves),
    )
