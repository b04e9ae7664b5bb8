"""Matches: engines, commands and players written in Python against each other."""

import json
import os
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeAlias

from secateur import _native
from secateur._native import Engine, Limit, Position, Result, UciEngine

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame


class Clock(NamedTuple):
    """What a player may spend on a move; times in seconds, ``None`` where there is no such limit."""

    remaining: float | None
    opponent: float | None
    increment: float
    moves_to_go: int | None
    depth: int | None
    nodes: int | None
    time: float | None


class Plays(Protocol):
    """A player with a method for its moves."""

    def play(self, position: Position, clock: Clock, /) -> "str | Result | None":
        """The move."""
        ...


Who: TypeAlias = (
    Engine | UciEngine | str | os.PathLike[str] | Sequence[str] | Callable[[Position], str | Result | None] | Plays
)


@dataclass(frozen=True)
class Player:
    """Who takes part in a match, and what it may spend.

    >>> secateur.Player(secateur.Engine(hash=1), name="quick", limit=secateur.Limit(nodes=100)).name
    'quick'

    :param who: an :class:`Engine`, of which only the settings are taken: each game at a time has a table of its own; a
        command, or a :class:`UciEngine`, which is started anew as it was started first; or what plays in Python: a function of the position, or an object with ``play(position, clock)``, where ``clock`` is a
        :class:`Clock`. Either returns a move, or a :class:`Result`, whose score, depth and nodes are recorded too. Games
        side by side ask it from several threads.
    :param name: what it is called; ``None``: after what it is.
    :param limit: depth, nodes and time of each move; ``None``: as the match has it.
    :param clock: ``"[MOVES/]SECONDS[+INCREMENT]"``; ``None``: as the match has it.
    :param options: for an :class:`Engine` or a command: options by the names that the protocol has.
    :param protocol: what a command speaks, "uci" or "ugi".
    """

    who: Who
    name: str | None = None
    limit: Limit | None = None
    clock: str | None = None
    options: Mapping[str, bool | int | str] = field(default_factory=dict)
    protocol: Literal["uci", "ugi"] = "uci"


class Estimate(NamedTuple):
    """A value with its 95 % interval, whose ends may be infinite."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        """As tables show it."""
        return f"{self.value:+.1f} [{self.low:+.1f}, {self.high:+.1f}]"


class Verdict(NamedTuple):
    """What a sequential test says: the log-likelihood ratio, where it ends, what it tells apart, and what was accepted."""

    llr: float
    bounds: tuple[float, float]
    elo: tuple[float, float]
    accepted: Literal["H0", "H1"] | None


class Standing(NamedTuple):
    """A row of the table. ``elo`` is against all others, ``rating`` around 0 with half the width of its interval."""

    name: str
    games: int
    wins: int
    draws: int
    losses: int
    points: float
    elo: Estimate | None
    rating: tuple[float, float]
    faults: dict[str, int]
    wrong_claims: int


class Game(NamedTuple):
    """A game. ``result`` is "1-0", "0-1" or "1/2-1/2"; ``margin`` the units by which the first player is ahead.

    ``opening`` is a position as text and the moves from there, ``moves`` those that were played, and ``details`` has of
    each of them the time in microseconds, the score for the mover as text, the depth and the nodes.
    """

    number: int
    round: int
    players: tuple[str, str]
    opening: tuple[str, list[str]]
    result: str
    ending: str
    detail: str
    margin: int | None
    moves: list[str]
    details: list[tuple[int, str, int, int]]

    @property
    def points(self) -> float:
        """Those of the first player."""
        return {"1-0": 1.0, "0-1": 0.0}.get(self.result, 0.5)


TestPlan: TypeAlias = tuple[float, float, float, float, bool, bool]


class Match:
    """What a match has come to; :func:`match` makes these, and :meth:`load` does from a record.

    Notebooks show the crosstable. Games are in the order of their numbers.
    """

    def __init__(
        self,
        names: Sequence[str],
        records: Sequence[str],
        planned: int,
        test: TestPlan | None,
        position: Position | None,
    ) -> None:
        """Of records as the arena writes them."""
        read = [(json.loads(record), record) for record in records]
        read.sort(key=lambda pair: int(pair[0]["number"]))
        self._records = [record for _, record in read]
        self._games = [game_of(record) for record, _ in read]
        self._position = position
        self._found = _native._standings(list(names), self._records, test)
        self.names: tuple[str, ...] = tuple(names)
        self.planned = planned

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, sprt: tuple[float, float] | None = None) -> "Match":
        """The games of a record, of :func:`match` or of ``secateur match``.

        :param sprt: two Elo differences: what a test of one against the other says of them, with error rates of 0.05.
        :raises BadFile: it is no record.
        :raises OSError: it cannot be read.
        """
        header, records = _native._load_match(path)
        told = json.loads(header)
        test = None if sprt is None else (*sprt, 0.05, 0.05, False, False)
        return cls([engine["name"] for engine in told.get("engines", [])], records, len(records), test, None)

    @property
    def games(self) -> list[Game]:
        """The games."""
        return self._games

    @property
    def standings(self) -> list[Standing]:
        """A row a player, the best rating first; of two the first player first."""
        rows = [
            Standing(
                row["name"],
                row["games"],
                row["wins"],
                row["draws"],
                row["losses"],
                row["wins"] + row["draws"] / 2,
                estimate(row["elo"]),
                row["rating"],
                row["faults"],
                row["wrong_claims"],
            )
            for row in self._found["rows"]
        ]
        return rows if len(rows) == 2 else sorted(rows, key=lambda row: -row.rating[0])

    @property
    def crosstable(self) -> dict[tuple[str, str], tuple[int, int, int]]:
        """Wins, draws and losses of one player against another."""
        return {
            (one, other): (wins, draws, losses)
            for one, cells in zip(self.names, self._found["cells"], strict=True)
            for other, ((losses, draws, wins), _) in zip(self.names, cells, strict=True)
            if one != other
        }

    @property
    def elo(self) -> Estimate | None:
        """The Elo difference of the first of two players, from pairs of games; ``None`` of more, and before the first pair."""
        return estimate(self._found["cells"][0][1][1]) if len(self.names) == 2 else None

    @property
    def normalized_elo(self) -> Estimate | None:
        """The same in normalized Elo."""
        return estimate(self._found["normalized_elo"])

    @property
    def superiority(self) -> float | None:
        """The likelihood that the first of two players is the better one, 0 to 1."""
        found: float | None = self._found["superiority"]
        return found

    @property
    def pentanomial(self) -> tuple[int, ...] | None:
        """Pairs of games by the points 0, 0.5, 1, 1.5 and 2 of the first of two players; ``None`` of more."""
        pairs = self._found["pairs"]
        return None if pairs is None else tuple(pairs)

    @property
    def sprt(self) -> Verdict | None:
        """What the test says; ``None`` without one."""
        found = self._found.get("sprt")
        return None if found is None else Verdict(*found)

    @property
    def endings(self) -> dict[str, int]:
        """How games ended, and how many."""
        found: dict[str, int] = self._found["endings"]
        return found

    @property
    def finished(self) -> bool:
        """Whether all games were played, or the test has come to its end."""
        return len(self.games) >= self.planned or (self.sprt is not None and self.sprt.accepted is not None)

    def to_pandas(self) -> "DataFrame":
        """The games as a table, a row each (the package ``pandas``).

        :raises ImportError: pandas is not installed.
        """
        try:
            from pandas import DataFrame
        except ImportError as error:
            raise ImportError("to_pandas needs pandas: pip install pandas") from error
        return DataFrame(self.rows())

    def rows(self) -> list[dict[str, Any]]:
        """The games as rows of a table: numbers from 1, points of the first player, seconds and nodes of both."""
        return [
            {
                "game": game.number + 1,
                "round": game.round + 1,
                "p1": game.players[0],
                "p2": game.players[1],
                "result": game.result,
                "points": game.points,
                "ending": game.ending,
                "detail": game.detail,
                "margin": game.margin,
                "moves": len(game.moves),
                "seconds": sum(detail[0] for detail in game.details) / 1e6,
                "nodes": sum(detail[3] for detail in game.details),
                "position": game.opening[0],
                "opening": " ".join(game.opening[1]),
            }
            for game in self.games
        ]

    def export(self, path: str | os.PathLike[str]) -> None:
        """Writes the games for other programs, as PGN or CSV by the end of the file's name.

        :raises ValueError: the name ends otherwise, or the match was read from a record.
        :raises OSError: the file cannot be written.
        """
        kind = os.path.splitext(os.fspath(path))[1].lower()
        if kind not in (".pgn", ".csv"):
            raise ValueError(f'the name of the file ends in ".pgn" or ".csv", not {kind!r}')
        if self._position is None:
            raise ValueError("a match that was read from a record is not exported: `secateur match` does that")
        _native._export(self._position, self._records, kind[1:], path)

    def svg(self, *, theme: Literal["auto", "dark", "light"] = "auto") -> str:
        """The crosstable as a drawing.

        :param theme: "light", "dark", or "auto" to follow the notebook or the browser that shows it.
        :raises ValueError: there is no such theme.
        """
        from secateur._pictures.crosstable import svg

        return svg(self, theme)

    def plot(self) -> "Figure":
        """Draws the Elo difference as it came about game by game, of more players the ratings (the extra ``plot``).

        :raises ImportError: matplotlib is not installed.
        """
        try:
            from secateur._match_plot import figure
        except ImportError as error:
            raise ImportError("plot needs matplotlib: pip install secateur[plot]") from error
        return figure(self)

    def _repr_html_(self) -> str:
        from secateur._match_display import match_html

        return match_html(self)

    def __str__(self) -> str:
        """The table, in a typewriter's letters."""
        width = max(6, *(len(name) for name in self.names))
        lines = [f"{'player':{width}}  {'games':>6}  {'wins':>6}  {'draws':>6}  {'losses':>6}  {'points':>7}  Elo"]
        for row in self.standings:
            worth = row.elo if len(self.names) == 2 else f"{row.rating[0]:+.1f} +- {row.rating[1]:.1f}"
            lines.append(
                f"{row.name:{width}}  {row.games:>6}  {row.wins:>6}  {row.draws:>6}  {row.losses:>6}  {row.points:>7}  "
                f"{'-' if worth is None else worth}"
            )
        return "\n".join([*lines, *self.remarks()])

    def remarks(self) -> list[str]:
        """What there is to say below the table."""
        found = []
        if self.pentanomial is not None:
            counts = " ".join(map(str, self.pentanomial))
            found.append(f"pairs by points 0, 0.5, 1, 1.5, 2 of {self.names[0]}: {counts}")
        if (test := self.sprt) is not None:
            verdict = "undecided" if test.accepted is None else f"{test.accepted} accepted"
            low, high = test.bounds
            found.append(
                f"SPRT [{test.elo[0]:g}, {test.elo[1]:g}] llr {test.llr:.2f} ({low:.2f}, {high:.2f}) {verdict}"
            )
        if self.endings:
            found.append("ended: " + ", ".join(f"{count} {ending}" for ending, count in self.endings.items()))
        for row in self.standings:
            if row.faults:
                faults = ", ".join(f"{count} by {fault}" for fault, count in row.faults.items())
                found.append(f"lost by {row.name}'s own fault: {faults}")
            if row.wrong_claims:
                found.append(f"{row.name} said {row.wrong_claims} times that it had a proven win, and did not get it")
        return found

    def __repr__(self) -> str:
        """In a line."""
        against = " - ".join(self.names)
        return f"<Match {against}, {len(self.games)}/{self.planned} games{'' if self.elo is None else f', Elo {self.elo}'}>"


def match(
    players: Sequence[Who | Player] | Mapping[str, Who | Player],
    position: Position | None = None,
    limit: Limit | None = None,
    *,
    clock: str | None = None,
    rounds: int = 10,
    format: Literal["round-robin", "gauntlet"] = "round-robin",
    concurrency: int = 1,
    pin: bool = False,
    openings: Sequence[Position | str] | str | os.PathLike[str] | None = None,
    shuffle: bool = False,
    random_plies: int = 6,
    random_candidates: int = 8,
    random_nodes: int = 2000,
    seed: int = 1,
    sprt: tuple[float, float] | None = None,
    errors: tuple[float, float] = (0.05, 0.05),
    normalized: bool = False,
    trinomial: bool = False,
    resign: tuple[int, int] | None = None,
    draw: tuple[int, int, int] | None = None,
    proven: bool = False,
    length: int | None = None,
    margin: float = 0.01,
    hang: float = 60.0,
    record: str | os.PathLike[str] | None = None,
    transcript: str | os.PathLike[str] | None = None,
    progress: bool | Callable[[Match], object] | None = None,
) -> Match:
    """Plays a match between engines, commands and players written in Python, and returns it when it is over.

    Every opening is played twice, with colours exchanged; every move is judged by our rules, clocks are ours, and what a
    player does wrong (an illegal move, an exception, a crash, no answer) costs it the game and not the match. docs/matches.md
    says what can be believed.

    >>> import random
    >>> def anything(position: secateur.Position) -> str:
    ...     return random.choice(position.legal_moves)
    >>> board = secateur.Position("kalah", houses=3, seeds=3)
    >>> found = secateur.match({"search": secateur.Engine(hash=1), "chance": anything}, board, secateur.Limit(depth=4), rounds=4)
    >>> len(found.games), found.standings[0].name, found.standings[0].points > 4
    (8, 'search', True)

    Ctrl-C breaks the match off at once and raises ``KeyboardInterrupt``: the games so far are the attribute ``match`` of the
    exception, which a notebook keeps as ``sys.last_value``, and are in the ``record`` if there is one.

    :param players: at least two, each as :class:`Player` or what that is made of; a mapping gives them names.
    :param position: the game with its options; the position itself is only where matches without ``openings`` begin if it is
        the game's first. ``None``: Kalah.
    :param limit: depth, nodes and time of each move, for players that have no limit or clock of their own.
    :param clock: likewise a clock, ``"[MOVES/]SECONDS[+INCREMENT]"``. A player in Python needs neither.
    :param rounds: pairs of games for each two players.
    :param format: everyone meets everyone, or the first meets each of the others.
    :param concurrency: games at a time, 1 to 1024.
    :param pin: whether these are kept on cores of their own.
    :param openings: positions, texts as ``"startpos moves 3 1"``, or a file of such lines; ``None``: random moves,
        ``random_plies`` of them, the most level of ``random_candidates`` such walks by searches of ``random_nodes``.
    :param shuffle: whether the openings come in random order.
    :param seed: decides what is random.
    :param sprt: two Elo differences: the match ends once it is decided which of them is the true one, with the error rates
        ``errors``; ``normalized`` takes them as normalized Elo, ``trinomial`` looks at games and not at pairs of them.
    :param resign: a game is won once both players say so for so many moves, by so many centi-units.
    :param draw: it is drawn once both say a score of at most so much for so many moves: moves, score, first ply.
    :param proven: it is over once both say that its result is proven, and agree.
    :param length: it is drawn after so many plies.
    :param margin: what a clock may be overdrawn by, seconds.
    :param hang: how long a player is waited for without a clock, or after its time, seconds.
    :param record: a file for a line of JSON a game; a match that it has begun is taken up. For that a player in Python is
        known by its name alone.
    :param transcript: a file for what is said to and by commands.
    :param progress: shows the match under way: in a notebook its table, in a terminal a line; or a function that is given
        the match after each game. ``None``: where somebody looks.
    :raises EngineError: a command cannot be started, or not any more; the games so far are its attribute ``match``.
    :raises ValueError: something is out of range, and ``BadOption``, ``BadPosition`` or ``BadFile`` as they fit.
    """
    named: Sequence[tuple[str | None, Who | Player]]
    named = list(players.items()) if isinstance(players, Mapping) else [(None, who) for who in players]
    entries = [entry(who, name, limit, clock) for name, who in named]
    test = None if sprt is None else (*sprt, *errors, normalized, trinomial)
    for word, value, least, most in (
        ("rounds", rounds, 1, 10_000_000),
        ("concurrency", concurrency, 1, 1024),
        ("random_plies", random_plies, 0, 10_000),
        ("random_candidates", random_candidates, 1, 10_000),
        ("random_nodes", random_nodes, 1, 2**63),
        ("seed", seed, 0, 2**64 - 1),
    ):
        if not least <= value <= most:
            raise ValueError(f"{word} is a whole number from {least} to {most}, not {value}")
    from_file = isinstance(openings, str | os.PathLike)
    plan = SimpleNamespace(
        position=Position() if position is None else position,
        players=entries,
        format=format,
        rounds=rounds,
        concurrency=concurrency,
        pin=pin,
        openings=None if openings is None or from_file else [line_of(one) for one in openings],
        opening_file=openings if from_file else None,
        shuffle=shuffle,
        random_plies=random_plies,
        random_candidates=random_candidates,
        random_nodes=random_nodes,
        seed=seed,
        sprt=test,
        resign=resign,
        draw=draw,
        proven=proven,
        length=length,
        margin=margin,
        hang=hang,
        record=record,
        transcript=transcript,
    )
    names: list[str] = []
    records: list[str] = []
    planned = 0

    def so_far() -> Match:
        return Match(names, records, planned, test, plan.position)

    show = shown(progress)

    def begun(players: list[str], games: int) -> None:
        nonlocal planned
        names.extend(players)
        planned = games

    def tell(record: str) -> None:
        records.append(record)
        if show is not None:
            show(so_far)

    try:
        _native._play_match(plan, begun, tell)
    except BaseException as error:
        if names:
            error.match = so_far()  # type: ignore[attr-defined]
        raise
    finally:
        if show is not None and names:
            show(so_far, last=True)
    return so_far()


def entry(who: Who | Player, name: str | None, limit: Limit | None, clock: str | None) -> SimpleNamespace:
    """A player as the arena takes it."""
    player = who if isinstance(who, Player) else Player(who)
    who, options = player.who, dict(player.options)
    name = name or player.name
    command: Sequence[str] | str | os.PathLike[str] | None = None
    ask: Callable[..., object] | None = None
    uci: UciEngine | None = None
    if isinstance(who, Engine):
        options = {"Hash": who.hash, "Threads": who.threads, **options}
    elif isinstance(who, UciEngine):
        uci = who
    elif isinstance(who, str | os.PathLike) or (isinstance(who, Sequence) and all(isinstance(w, str) for w in who)):
        command = who
    elif callable(getattr(who, "play", None)) or callable(who):
        if options:
            raise ValueError("a player in Python takes no options")
        ask = asker(who)
        name = name or getattr(who, "__name__", type(who).__name__)
    else:
        raise TypeError(f"a player is an engine, a command, a function or has a method play, not {type(who).__name__}")
    if player.limit is not None or player.clock is not None:
        limit, clock = player.limit, player.clock
    if ask is None and limit is None and clock is None:
        raise ValueError(f"{name or 'a player'} has no limit: give the match or the player a limit or a clock")
    return SimpleNamespace(
        name=name,
        command=command,
        uci=uci,
        ask=ask,
        options=options,
        protocol=player.protocol,
        clock=clock,
        limit=limit,
    )


def asker(who: Any) -> Callable[[Position, tuple[Any, ...]], tuple[str | None, Result | None, str | None]]:
    """The player as the arena asks it: its move, its result, and what went wrong."""
    play = getattr(who, "play", None)

    def ask(position: Position, clock: tuple[Any, ...]) -> tuple[str | None, Result | None, str | None]:
        try:
            found = who(position) if play is None else play(position, Clock(*clock))
        except Exception as error:
            *_, place = traceback.extract_tb(error.__traceback__)
            where = f"{os.path.basename(place.filename)}, line {place.lineno}, in {place.name}"
            return None, None, f"{type(error).__name__}: {error} ({where})"
        if found is None or isinstance(found, str):
            return found, None, None
        if isinstance(found, Result):
            return found.best_move, found, None
        return None, None, f"TypeError: it returned {type(found).__name__}, where a move is a str or a Result"

    return ask


def line_of(opening: Position | str) -> str:
    """An opening as files have it."""
    if isinstance(opening, str):
        return opening.replace("\n", " ")
    _, (_, _, start, moves) = opening.__reduce__()  # type: ignore[misc]
    return f"{start} moves {' '.join(moves)}" if moves else start


def game_of(record: dict[str, Any]) -> Game:
    """A game from its record."""
    first, second = record["players"]
    opening, moves = record["opening"], record["moves"]
    return Game(
        record["number"],
        record["round"],
        (first, second),
        (opening["position"], opening.get("moves", [])),
        record["result"],
        record["ending"],
        record.get("detail", ""),
        record.get("margin"),
        [move[0] for move in moves],
        [tuple(move[1:]) for move in moves],
    )


def estimate(found: tuple[float, float, float] | None) -> Estimate | None:
    """An estimate from its parts."""
    return None if found is None else Estimate(*found)


def shown(progress: bool | Callable[[Match], object] | None) -> Callable[..., None] | None:
    """What shows a match under way; ``None`` where nobody looks."""
    if progress is False:
        return None
    if callable(progress):
        told = progress

        def call(so_far: Callable[[], Match], last: bool = False) -> None:
            if not last:
                told(so_far())

        return call
    # Without a notebook nothing of IPython is loaded.
    if "IPython" in sys.modules:
        from secateur._match_display import live

        if (showing := live()) is not None:
            return showing
    if progress or sys.stderr.isatty():
        from secateur._match_display import line

        return line()
    return None
