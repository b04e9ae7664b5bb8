"""The list of legal moves."""

from typing import TYPE_CHECKING, SupportsIndex

if TYPE_CHECKING:
    from secateurs._native import Position


class LegalMoves(list[str]):
    """The legal moves of a position, as text; ``in``, ``index`` and ``count`` take every form of a move that
    :meth:`Position.play` takes."""

    __slots__ = ("_position",)

    # Set by the extension: a constructor in Python would take longer than the moves of many games.
    _position: "Position"

    def __contains__(self, move: object) -> bool:
        """Returns whether the list has a move."""
        return super().__contains__(self._text(move))

    def index(self, move: object, *span: SupportsIndex) -> int:
        """Returns the place of a move, from 0.

        :raises ValueError: the list does not have it.
        """
        return super().index(self._text(move), *span)

    def count(self, move: object) -> int:
        """Returns how often the list has a move."""
        return super().count(self._text(move))

    def _text(self, move: object) -> str:
        if isinstance(move, str) and super().__contains__(move):
            return move
        named = self._position._named(move)
        return str(move) if named is None else named
