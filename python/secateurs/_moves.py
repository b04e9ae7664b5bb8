"""The list of legal moves."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from secateurs._native import Position


class LegalMoves(list[str]):
    """The legal moves of a position, as text; ``in`` takes every form of a move that :meth:`Position.play` takes."""

    __slots__ = ("_position",)

    # Set by the extension: a constructor in Python would take longer than the moves of many games.
    _position: "Position"

    def __contains__(self, move: object) -> bool:
        """Returns whether the list has a move."""
        return super().__contains__(move) or super().__contains__(self._position._named(move))
