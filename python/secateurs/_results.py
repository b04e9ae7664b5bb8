"""Results that consist of other values alone; the native module creates them."""

from dataclasses import FrozenInstanceError, dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Literal, final

from secateurs._arguments import wrong_type
from secateurs._frames import Hinted, Record, Table
from secateurs._native import Result

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    from secateurs._native import Position, Score

    M = TypeVar("M", default=str)
else:
    from typing import TypeVar

    M = TypeVar("M")


class Lines(list["Result[M]"], Table, Hinted):
    """The lines of a search, each a :class:`Result`: a list that notebooks display as a table."""

    def _table(self) -> list[dict[str, Any]]:
        from secateurs._dicts import of_lines

        return of_lines(self)

    def _repr_html_(self) -> str:
        from secateurs._display import lines_html

        return lines_html(self)


@final
@dataclass(frozen=True, slots=True, repr=False)
class PlayResult(Record, Hinted, Generic[M]):
    """The move that an engine plays, returned by :meth:`Engine.play`.

    ``info`` is the result of the search, with the score.

    >>> position = secateurs.Position("nim", heaps=[1, 2], theory=False)
    >>> played = secateurs.Engine(hash=1).play(position, secateurs.Limit(depth=5))
    >>> played.move, played.ponder, played.info.depth
    ('2-1', '1-1', 3)
    >>> position.play(played.move).text
    '1,1 2'
    """

    info: "Result[M]"

    def __post_init__(self) -> None:
        """Checks the type."""
        if not isinstance(self.info, Result):
            raise wrong_type("info", "a Result", self.info)

    @property
    def move(self) -> M | None:
        """The move, which is legal; ``None`` only if there is none."""
        return self.info.best_move

    @property
    def ponder(self) -> M | None:
        """The expected reply; ``None`` if there is none."""
        return next(iter(self.info.pv[1:2]), None)

    @property
    def resigned(self) -> bool:
        """``False``, as in python-chess with engines that have no way to resign: ours plays on."""
        return False

    @property
    def draw_offered(self) -> bool:
        """``False``, as in python-chess with engines that have no way to offer a draw."""
        return False

    def to_dict(self) -> dict[str, Any]:
        """Returns the moves, and ``info`` as :meth:`Result.to_dict` has it: a ``dict`` that ``json.dumps`` accepts."""
        from secateurs._dicts import of_play_result

        return of_play_result(self)

    def __repr__(self) -> str:
        """Formats the move and the reply."""
        return f"<PlayResult move={self.move!r}, ponder={self.ponder!r}>"


@final
@dataclass(frozen=True, slots=True, repr=False)
class Solution(Record, Hinted, Generic[M]):
    """What is known of the value of a position, returned by :meth:`Engine.solve`.

    Values are for the side to move, in the units of the game: a margin in units (in Kalah: seeds); in Connect Four 1
    for a win with the last stone, 2 with the one before, negative for a loss, 0 for a draw; in other games plies to the
    win, negative to the loss, 0 for a draw or if the game is over.

    >>> position = secateurs.Position("kalah", houses=3, seeds=3)
    >>> solution = secateurs.Engine(hash=1).solve(position, moves="all")
    >>> solution.value, solution.outcome, solution.proven, solution.best_moves
    (2, 'win', 'exact', ['1', '2'])
    >>> solution.moves["3"]
    (-4, -4)
    >>> for move in solution.pv:
    ...     position = position.play(move)
    >>> position.outcome
    Outcome(winner=1, margin=2)

    Solutions are equal if their positions, bounds, moves and lines are, including the nodes and the times.

    :param position: the position that was solved.
    :param value: the value or, as ``proven`` shows, a bound of it; ``None`` if no more is known than the rules imply,
        and for a win or loss in an unknown number of plies.
    :param outcome: the result of the game for the side to move, once it is known: "win", "draw" or "loss".
    :param score: the value on the scale of :class:`Score`, with what is proven of it; ``None`` if no more is known than
        the rules imply.
    :param proven: what is proven: the value is ``value`` ("exact"), at least that ("lower") or at most that ("upper");
        ``None`` if no more is known than the rules imply.
    :param lower: a lower bound of the value; ``None`` if nothing is known. In a game counted by plies, -4 is a loss in
        four plies or, which is better, in more.
    :param upper: an upper bound of the value; ``None`` if nothing is known.
    :param best_moves: all moves as good as the best, in the order of the game's moves; empty with ``moves="none"``, if
        the game is over, and until the value is known. Some may be missing unless ``complete``.
    :param moves: each move with the lower and upper bound of its value, in the order of the game's moves; empty unless
        ``moves="all"``. Moves that were not valued because of a limit are missing.
    :param pv: a line of best play to the end of the game; empty with ``moves="none"`` or ``pv=False``, and until the
        moves are valued. It may end earlier unless ``complete``.
    :param complete: whether all that was requested was found: the value, the moves and the line. A limit or
        :meth:`Engine.stop` may end the search before.
    :param nodes: the number of nodes: positions entered after a move.
    :param time: the time of the search, seconds.
    :param cpu_time: the CPU time of all threads of the search, seconds.
    :param hashfull: the part of the table that this search filled, per mille.
    """

    position: "Position"
    value: int | None
    outcome: Literal["win", "draw", "loss"] | None
    score: "Score | None"
    proven: Literal["exact", "lower", "upper"] | None
    lower: int | None
    upper: int | None
    best_moves: list[M] = field(hash=False)
    moves: dict[M, tuple[int | None, int | None]] = field(hash=False)
    pv: list[M] = field(hash=False)
    complete: bool
    nodes: int
    time: float
    cpu_time: float
    hashfull: int

    if not TYPE_CHECKING:

        def __getattribute__(self, name: str) -> Any:
            """Returns an attribute; a copy of a list or a dict, so that nobody changes the solution."""
            value = object.__getattribute__(self, name)
            return value.copy() if isinstance(value, list | dict) else value

    def to_dict(self) -> dict[str, Any]:
        """Returns the solution as a ``dict`` that ``json.dumps`` accepts.

        Its keys are the attributes; the position is its ``game``, ``options``, ``text`` and ``history``, and the score
        is in centi-units for the side to move.

        >>> solution = secateurs.Engine(hash=1).solve(secateurs.Position("nim", heaps=[1, 2]))
        >>> row = solution.to_dict()
        >>> row["value"], row["best_moves"], row["complete"]
        (3, ['2-1'], True)
        """
        from secateurs._dicts import of_solution

        return of_solution(self)

    def _repr_html_(self) -> str:
        from secateurs._display import solution_html

        return solution_html(self)

    def __repr__(self) -> str:
        """Formats what is known of the value and the best moves."""
        known = f", outcome={self.outcome!r}" if self.outcome else ""
        cut = ""
        if self.proven != "exact":
            known += f", lower={self.lower}, upper={self.upper}"
        elif not self.complete:
            cut = ", complete=False"
        found = f"value={self.value}, proven={self.proven!r}{known}, best_moves={self.best_moves}{cut}"
        return f"Solution({found}, nodes={self.nodes})"


def _kept(self: object, name: str) -> None:
    """Refuses to remove an attribute: a frozen dataclass with slots reports those that are no fields wrongly."""
    raise FrozenInstanceError(f"cannot change {name!r} of {type(self).__name__}")


def _unchanged(self: object, name: str, value: Any) -> None:
    """Refuses to set an attribute."""
    _kept(self, name)


for _result in (PlayResult, Solution):
    setattr(_result, "__setattr__", _unchanged)  # noqa: B010
    setattr(_result, "__delattr__", _kept)  # noqa: B010

# The public names.
PlayResult.__module__ = Solution.__module__ = "secateurs"
