"""The players of a match."""

import inspect
import os
import re
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from operator import index
from threading import local
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, SupportsIndex, TypeAlias, Union, cast

from secateurs import _python_chess
from secateurs._arguments import either, native, spelled, wrong_type
from secateurs._errors import IllegalMove
from secateurs._native import Engine, Limit, Position, Result, UciEngine
from secateurs._results import PlayResult, Solution

if TYPE_CHECKING:
    import chess
    import chess.engine
    from typing_extensions import Unpack

    from secateurs._native import _AnyLimit, _Limits, _Setting


class Clock(NamedTuple):
    """The limits of a move; times in seconds, ``None`` if there is no such limit."""

    remaining: float | None
    opponent: float | None
    increment: float
    moves_to_go: int | None
    depth: int | None
    nodes: int | None
    time: float | None


# The result of a player in Python.
Answer: TypeAlias = Union[
    str, SupportsIndex, "chess.Move", PlayResult[Any], "Result[Any]", "chess.engine.PlayResult", None
]


class Plays(Protocol):
    """A player with a method ``play``."""

    def play(self, position: Position, clock: Clock, /) -> Answer:
        """Returns the move."""
        ...


Who: TypeAlias = Engine | UciEngine | str | os.PathLike[str] | Sequence[str] | Callable[[Position], Answer] | Plays


@dataclass(frozen=True, init=False)
class Player:
    """A player of a match, and its clock or limit.

    >>> secateurs.Player(secateurs.Engine(hash=1), name="quick", limit=secateurs.Limit(nodes=100)).name
    'quick'

    :param who: an :class:`Engine`, of which only the settings are used: each concurrent game has a table of its own; a
        command, or a :class:`UciEngine`, for which another process is started in the same way; or a player in Python: a
        function of the position, or an object with ``play(position, clock)``, where ``clock`` is a :class:`Clock`.
        Either returns a move, or a :class:`PlayResult`, a :class:`Result` or a ``chess.engine.PlayResult``, whose
        score, depth and nodes are also recorded. Concurrent games call it from several threads.
    :param name: the name; ``None``: it is derived from ``who``.
    :param limit: depth, nodes and time of each move, a :class:`Limit` or its keywords; ``None``: that of the match.
    :param clock: ``"[MOVES/]SECONDS[+INCREMENT]"``, also ``"1:00+1"`` (minutes:seconds), or ``"inf"`` for no clock;
        ``None``: that of the match.
    :param options: for an :class:`Engine` or a command: options by their names in the protocol.
    :param protocol: the protocol of a command, "uci", "ugi", or "hub" for draughts; ``None``: the first two are
        tried, UCI first.
    :param margin: the time by which the clock may be exceeded, seconds or a ``timedelta``; ``None``: that of the match.
    :param restart: when the player is restarted: "on": for every game; "off": only after a fault of its own; "auto":
        after any fault in its game, and after a game that it did not play.
    :param limits: the keywords of a limit.
    :raises ValueError: a limit and its keywords are given.
    """

    who: Who
    name: str | None
    limit: "_AnyLimit | None"
    clock: str | None
    options: "Mapping[str, _Setting]" = field(hash=False)
    protocol: Literal["uci", "ugi", "hub"] | None
    margin: float | timedelta | None
    restart: Literal["on", "off", "auto"]

    @spelled
    def __init__(
        self,
        who: Who,
        name: str | None = None,
        limit: "_AnyLimit | None" = None,
        clock: str | None = None,
        options: "Mapping[str, _Setting] | None" = None,
        protocol: Literal["uci", "ugi", "hub"] | None = None,
        margin: float | timedelta | None = None,
        restart: Literal["on", "off", "auto"] = "auto",
        **limits: "Unpack[_Limits]",
    ) -> None:
        """Describes a player; the match checks it."""
        fields: dict[str, Any] = {"who": who, "name": name, "limit": either(limit, limits), "clock": clock}
        fields |= {"options": {} if options is None else options, "protocol": protocol, "margin": margin}
        for word, value in {**fields, "restart": restart}.items():
            object.__setattr__(self, word, value)


class InProcess:
    """An engine as a player of a game in Python. Each concurrent game has a thread, and an engine of its own."""

    def __init__(self, engine: Engine) -> None:
        """Takes the settings of an engine."""
        self.settings = engine
        self.own = local()

    def play(self, position: Position, clock: Clock) -> PlayResult:
        """Searches within the limits of the move."""
        history = position.history
        seen = getattr(self.own, "history", None)
        if seen is None:
            given = self.settings
            self.own.engine = Engine(hash=given.hash, threads=given.threads, aspiration=given.aspiration)
        elif history[: len(seen)] != seen:
            # Another game.
            self.own.engine.clear()
        self.own.history = history
        limits: dict[str, Any] = {
            "depth": clock.depth,
            "nodes": clock.nodes,
            "time": clock.time,
            "remaining": clock.remaining,
            "increment": clock.increment if clock.remaining is not None else None,
            "moves_to_go": clock.moves_to_go,
        }
        engine: Engine = self.own.engine
        given_limits = {name: limit for name, limit in limits.items() if limit is not None}
        return engine.play(position, Limit(**given_limits))


def entry(
    who: Who | Player, name: str | None, limit: Limit | None, clock: str | None, position: Position
) -> SimpleNamespace:
    """Returns a player as the arena reads it."""
    player = who if isinstance(who, Player) else Player(who)
    if not isinstance(player.options, Mapping):
        raise wrong_type("options", "a dict with keys of str", player.options)
    who, options = player.who, dict(player.options)
    name = player.name if name is None else name
    if name is not None and not isinstance(name, str):
        raise wrong_type("the name of a player", "a str", name)
    if name is not None and not name.strip():
        raise ValueError("the name of a player is empty")
    if name is not None and re.search(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]", name):
        raise ValueError(f"the name of a player has no control characters or surrogates: {name!r}")
    command: Sequence[str] | str | os.PathLike[str] | None = None
    function: Callable[..., object] | None = None
    uci: UciEngine | None = None
    if player.limit is not None or player.clock is not None:
        limit, clock = native(player.limit), player.clock
    is_command = isinstance(who, str | os.PathLike) or (
        isinstance(who, Sequence) and all(isinstance(word, str) for word in who)
    )
    is_class = isinstance(who, type) and issubclass(who, Engine | UciEngine)
    if is_class or isinstance(who, _python_chess.class_of("chess.engine", "SimpleEngine")):
        raise wrong_type("a player", "an engine, a command or a function", who)
    is_engine = isinstance(who, Engine | UciEngine)
    is_python = not (is_engine or is_command) and (callable(getattr(who, "play", None)) or callable(who))
    if not (is_python or is_command or is_engine):
        raise TypeError(f"a player is an engine, a command, a function or has a method play, not {type(who).__name__}")
    if player.protocol is not None and not is_command:
        raise ValueError(f"protocol is that of a command, which player {name or type(who).__name__} is not")
    if not is_python and limit is None and clock is None:
        raise ValueError(f"{name or 'a player'} has no limit: give the match or the player a limit or a clock")
    if isinstance(position, Position) and position.state is not None and not is_python:
        if not isinstance(who, Engine):
            raise ValueError(
                f"{name or 'a player'} is a program, and a game in Python is known to this process alone: its players "
                "are an Engine or a player in Python"
            )
        name, who, is_python = name or "secateurs", InProcess(who), True
    if isinstance(who, Engine):
        options = {"Hash": who.hash, "Threads": who.threads, "Aspiration": who.aspiration or 0, **options}
    elif isinstance(who, UciEngine):
        uci = who
    elif is_python:
        if options:
            raise ValueError("a player in Python takes no options")
        function = wrapped(who, isinstance(position, Position) and position.state is not None)
        if name is None:
            name = str(getattr(who, "__name__", type(who).__name__))
        callable_with(who, name)
    else:
        command = cast("Sequence[str] | str | os.PathLike[str]", who)
    return SimpleNamespace(
        name=name,
        command=command,
        uci=uci,
        function=function,
        options=options,
        protocol=player.protocol,
        clock=clock,
        limit=limit,
        margin=player.margin,
        restart=player.restart,
    )


def callable_with(who: Any, name: str) -> None:
    """Raises a ``TypeError`` if the player has the wrong parameters: better now than as a lost game."""
    play = getattr(who, "play", None)
    method, given = (who, ["position"]) if play is None else (play, ["position", "clock"])
    try:
        signature = inspect.signature(method)
    except (TypeError, ValueError):
        # Functions written in C may have no signature.
        return
    try:
        signature.bind(*given)
    except TypeError as error:
        raise TypeError(f"player {name} is called with {' and '.join(given)}: {error}") from None


def wrapped(
    who: Any, own: bool
) -> Callable[[Position, tuple[Any, ...]], tuple[str | None, Result | str | None, str | None]]:
    """Wraps the player for the arena: it returns the move, the result or an ``info`` line, and an error message.

    ``own``: the game is one in Python, whose moves may be any objects.
    """
    play = getattr(who, "play", None)

    def play_move(position: Position, clock: tuple[Any, ...]) -> tuple[str | None, Result | str | None, str | None]:
        try:
            found = who(position) if play is None else play(position, Clock(*clock))
        except BaseException as error:
            *_, place = traceback.extract_tb(error.__traceback__)
            where = f"{os.path.basename(place.filename)}, line {place.lineno}, in {place.name}"
            return None, None, f"{described(error)} ({where})"
        if found is None or isinstance(found, str):
            return found, None, None
        if isinstance(found, PlayResult):
            found = found.info
        if isinstance(found, Result):
            # The search of a board of python-chess has its moves.
            return None if found.best_move is None else str(found.best_move), found, None
        if isinstance(found, _python_chess.class_of("chess.engine", "PlayResult")):
            move = None if found.move is None else found.move.uci()
            return move, _python_chess.info_line(found, position.turn), None
        if (own and not isinstance(found, Solution)) or hasattr(found, "uci"):
            try:
                return position.play(found).history[-1], None, None
            except IllegalMove:
                return str(found), None, None
            except Exception as error:
                return None, None, described(error)
        if hasattr(found, "__index__") and not isinstance(found, bool):
            return str(index(found)), None, None
        taken = "a str, an int, a chess.Move, a PlayResult or a Result"
        return None, None, f"TypeError: it returned {type(found).__name__}, where a move is {taken}"

    return play_move


def described(error: BaseException) -> str:
    """Formats an exception for the record of a match."""
    name = type(error).__name__
    try:
        return f"{name}: {error}".removesuffix(": ")
    except Exception:
        return f"{name}, which has no text"
