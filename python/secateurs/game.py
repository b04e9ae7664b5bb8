"""The base class of games written in Python."""

import os
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, ClassVar

from secateurs._key import ClassFacts, attributes
from secateurs._native import Outcome


class Game(ABC):
    """A state of a two-player game of perfect information written in Python.

    ``Position(state)`` with an instance of a subclass is a position like any other: the same alpha-beta search applies
    to it, with its table, lines, bounds and proofs.

    A state must not change and must return the same moves each time; its attributes identify it, as in a frozen
    dataclass. Otherwise a ``ValueError`` names the class and the method: after the first call of :meth:`moves` and
    after each move played, the state must have the same turn and the same :meth:`key` as at its creation. Attributes
    added since are ignored.

    Its ``str`` is its text. An optional method ``svg(best, theme)`` returns a drawing for notebooks as a ``str``, with
    the legal move ``best`` marked (or ``None``), for the theme "light", "dark" or "auto".

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Countdown(secateurs.Game):
    ...     left: int = 10
    ...     turn: int = 1
    ...     def moves(self):
    ...         return range(1, min(self.left, 3) + 1)
    ...     def play(self, move):
    ...         return Countdown(self.left - move, 3 - self.turn)
    ...     def outcome(self):
    ...         return secateurs.Outcome(winner=3 - self.turn)  # who has taken the last
    >>> result = secateurs.Engine(hash=1).analyse(secateurs.Position(Countdown()), depth=10)
    >>> print(result.best_move, result.score)
    2 win in 5 plies proven

    An exception of a method ends the search, which raises it; the engine can be used again. Only one thread at a time
    can run Python code, so a search uses one thread. A method may start a search itself, up to a nesting of 16
    searches; more raise a ``RuntimeError``.
    """

    #: The player to move, 1 or 2. Turns need not alternate.
    turn: int

    #: Whether positions can repeat. If so, a repetition is a draw: in the game when a position occurs for the third
    #: time, with the same ``key()`` and ``turn``, and in a search as soon as a line returns to one of its own
    #: positions after the root. The repeated position still has its :meth:`moves`. Otherwise a search follows such
    #: lines like any other, and exact search refuses them.
    cyclic: ClassVar[bool] = False

    #: The number of features that a network sees; see :meth:`features`. 0: there are none.
    feature_count: ClassVar[int] = 0

    #: The path of a network that ``secateurs train`` has written for the class. It evaluates instead of
    #: :meth:`evaluate`; ``None`` or empty: no network. It is read when a position is created.
    eval_file: ClassVar[str | os.PathLike[str] | None] = ""

    # The cached data of the class.
    _facts: ClassVar[ClassFacts | None] = None

    @abstractmethod
    def moves(self) -> Iterable[Any]:
        """Returns the legal moves, in a fixed order; empty at the end of the game.

        Moves may be any objects with a distinct ``str``, which is their text, without control characters; numbers of
        numpy in a tuple or list are written as those of Python. :meth:`Position.play` and other methods take a move
        that is equal to one of these, or its text. Promising moves first make the search faster.
        """

    @abstractmethod
    def play(self, move: Any, /) -> "Game":
        """Returns the state after one of the :meth:`moves`: a new state, never ``self``."""

    @abstractmethod
    def outcome(self) -> Outcome:
        """Returns the outcome of the game; called only if there is no move."""

    def evaluate(self) -> int:
        """Returns the static evaluation for the side to move.

        It is in centi-units (100 is one unit of a margin), within +-28,800, or +-14,400 in a game with :meth:`settled`.
        The default is the settled margin.
        """
        return 100 * self.settled() * (1 if self.turn == 1 else -1)

    def features(self, player: int) -> Iterable[int]:
        """Returns what a network sees of the state from the perspective of a player, 1 or 2.

        Each feature is a number from 0 to :attr:`feature_count` - 1: *a stone of this player on the third square*. A
        state has few of them. Both players should see the state alike: what is 7 for one with its own stone is 7 for
        the other with its own. The network adds its output to the :meth:`settled` margin.
        """
        return ()

    def settled(self) -> int:
        """Returns the part of the margin that no move can change any more, in units, for player 1.

        It is within +-144, as the margin of such a game is. The default is 0. In Dots and Boxes it is the difference of
        the boxes so far. :meth:`key` leaves it out: states that differ in it alone then share an entry of the table,
        which keeps values without it. They must have the same moves, and the same margin apart from it.
        """
        return 0

    def bounds(self) -> tuple[Outcome | None, Outcome | None] | None:
        """Returns the worst and the best outcome for player 1 that is still possible, whatever is played.

        ``None`` stands for an unknown one. The search does not look below a state whose bounds decide it. They must
        follow from the rules: a result of a game outside its bounds is a ``ValueError`` where the search meets it, and
        a wrong value where it does not. ``(Outcome(), None)``: player 1 cannot lose any more.
        """
        return None

    def symmetric_key(self) -> object:
        """Returns the :meth:`key` of one of the states symmetric to this one, the same for all of them.

        For example the smallest key of the images of a board by reflections and rotations. Tables then store such
        states once. They must have the same :attr:`turn` and the same values. The default is the key of the state.
        """
        return self.key()

    def key(self) -> object:
        """Returns everything that affects the rest of the game, besides :attr:`turn`: by default all attributes.

        The attributes are those of the ``__dict__`` and of slots, and the content of a tuple, list, dict or str from
        which the class derives. States whose keys have the same content share an entry of the transposition table:
        they must have the same moves and values. Containers, arrays of numpy and dataclasses count with everything in
        them, other objects with their ``repr``. A cache that exists from the start must not be in the key.

        :raises ValueError: the state has no attributes.
        """
        return attributes(self)


# The public name.
Game.__module__ = "secateurs"
