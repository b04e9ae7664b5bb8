"""Games of your own."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, ClassVar

from secateur._key import ClassFacts, attributes
from secateur._native import Outcome


class Game(ABC):
    """A state of a two-player game of perfect information, of your own.

    Subclass it, and ``Position(state)`` is a position like any other: the same alpha-beta searches it, with its table,
    lines, bounds and proofs.

    A state never changes, and gives the same moves each time; what makes it out is in its attributes, as in those of a
    frozen dataclass. A game that breaks this raises a ``ValueError`` that names the class and the method: after every
    move that is played, the state that it was played in must have the same turn and the same :meth:`key` as when it was
    made, and so after its first :meth:`moves`. Attributes that it has got since do not count.

    Its ``str`` is its text. A method ``svg(best, theme)``, if there is one, returns its drawing for notebooks as a
    ``str``, with a legal move marked (or ``None``), for the theme "light", "dark" or "auto".

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Countdown(secateur.Game):
    ...     left: int = 10
    ...     turn: int = 1
    ...     def moves(self):
    ...         return range(1, min(self.left, 3) + 1)
    ...     def play(self, move):
    ...         return Countdown(self.left - move, 3 - self.turn)
    ...     def outcome(self):
    ...         return secateur.Outcome(winner=3 - self.turn)  # who has taken the last
    >>> result = secateur.Engine(hash=1).analyse(secateur.Position(Countdown()), depth=10)
    >>> print(result.best_move, result.score)
    2 win in 5 proven

    Whatever a method raises ends the search and is raised there; the engine can be used again. Only one thread at a
    time can be in Python, so a search uses one. A method may search itself; 16 searches inside each other are a
    ``RuntimeError``.
    """

    #: The player to move, 1 or 2. Turns need not alternate: who moves again stays on turn.
    turn: int

    #: Whether positions can come back. A repetition is a draw then: in the game when a position occurs for the third
    #: time, with the same ``key()`` and ``turn``, and in a search as soon as a line comes back to one of its own
    #: positions. The repeated position still has its :meth:`moves`. Without it a search follows such lines as any
    #: other, and exact search refuses them.
    cyclic: ClassVar[bool] = False

    # Facts of the class, found once.
    _facts: ClassVar[ClassFacts | None] = None

    @abstractmethod
    def moves(self) -> Iterable[Any]:
        """The legal moves, in a fixed order; none at an end of the game.

        They may be anything with a ``str`` of its own, which is their text. Promising moves first make searches fast.
        """

    @abstractmethod
    def play(self, move: Any, /) -> "Game":
        """The state after a move, one of those that :meth:`moves` gave: a new one, never ``self``."""

    @abstractmethod
    def outcome(self) -> Outcome:
        """How the game ended; asked only where there is no move."""

    def evaluate(self) -> int:
        """Estimate the value for the side to move, without any search.

        Centi-units (100 is one unit of a margin), within +-28,800. Without one, a search knows what it sees to the end.
        """
        return 0

    def key(self) -> object:
        """What still matters to the play, beside :attr:`turn`: all attributes, if it is not overridden.

        The attributes are those of the ``__dict__`` and of slots, and the content of a tuple, list, dict or str that
        the class derives from. The table takes states for one whose keys have the same ``repr``: they must have the
        same moves and values. Arrays of numpy count with all their bytes. An attribute that is there from the start and
        only remembers what was worked out must stay out of it.

        :raises ValueError: the state has no attributes.
        """
        return attributes(self)


# Where people find it.
Game.__module__ = "secateur"
