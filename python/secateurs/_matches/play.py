"""Playing a match."""

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Literal

from secateurs import _native
from secateurs._arguments import either, flag, items, meant, native, pair, plain_bool, spelled, whole, wrong_type
from secateurs._matches.players import Player, Who, entry
from secateurs._matches.result import Match, check
from secateurs._native import Position
from secateurs.game import Game

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from secateurs._native import _AnyLimit, _AnyPosition, _Limits

# The arguments that describe random openings.
RANDOM = ("random_plies", "random_candidates", "random_nodes")

# The number of plies after which a game in Python is drawn: longer wins are beyond the scale of scores.
LONGEST = 3200


@spelled
def match(
    players: Sequence[Who | Player] | Mapping[str, Who | Player],
    position: "_AnyPosition | None" = None,
    limit: "_AnyLimit | None" = None,
    *,
    clock: str | None = None,
    rounds: int | None = None,
    format: Literal["round-robin", "gauntlet"] = "round-robin",
    concurrency: int = 1,
    pin: bool = False,
    openings: "Sequence[_AnyPosition] | str | os.PathLike[str] | None" = None,
    order: Literal["sequential", "random"] = "sequential",
    start: int = 1,
    opening_plies: int | None = None,
    random_plies: int | None = None,
    random_candidates: int | None = None,
    random_nodes: int | None = None,
    seed: int = 1,
    sprt: tuple[float, float] | None = None,
    errors: tuple[float, float] = (0.05, 0.05),
    normalized: bool = False,
    trinomial: bool = False,
    resign: tuple[int, int] | tuple[int, int, int] | None = None,
    twosided: bool = True,
    draw: tuple[int, int] | tuple[int, int, int] | None = None,
    proven: bool = False,
    length: int | None = None,
    databases: str | os.PathLike[str] | None = None,
    margin: float | timedelta = 0.01,
    hang: float | timedelta = 60.0,
    record: str | os.PathLike[str] | None = None,
    transcript: str | os.PathLike[str] | None = None,
    progress: bool | Callable[[Match], object] | None = None,
    **limits: "Unpack[_Limits]",
) -> Match:
    """Plays a match between engines, commands and players written in Python, and returns the result.

    Every opening is played twice, with colours exchanged. The match checks every move and keeps the clocks; a fault of
    a player (an illegal move, an exception, a crash, a time-out) forfeits the game, not the match. docs/matches.md
    describes how reliable the results are.

    >>> import random
    >>> def anything(position: secateurs.Position) -> str:
    ...     return random.choice(position.legal_moves)
    >>> players = {"search": secateurs.Engine(hash=1), "chance": anything}
    >>> board = secateurs.Position("kalah", houses=3, seeds=3)
    >>> found = secateurs.match(players, board, secateurs.Limit(depth=4), rounds=8)
    >>> len(found.games), found.standings[0].name, found.standings[0].points > 8
    (16, 'search', True)

    Ctrl-C aborts the match at once and raises ``KeyboardInterrupt``. The games so far are the attribute ``match`` of
    the exception, which a notebook stores as ``sys.last_value``, and are in the ``record`` if there is one.

    :param players: at least two, each a :class:`Player` or its parameter ``who``; the keys of a mapping are names.
    :param position: the game and its options, also as the name of a game, a ``chess.Board`` or a FEN; ``None``: Kalah.
        The games start from the openings, or from the position itself if there are none and it is not the start of its
        game. In a game in Python they start from the position itself, or from openings that follow it.
    :param limit: depth, nodes and time of each move, for players without a limit or clock of their own; or keywords of
        them.
    :param clock: likewise a clock, ``"[MOVES/]SECONDS[+INCREMENT]"``, also ``"1:00+1"`` (minutes:seconds). A player in
        Python needs neither.
    :param rounds: the number of pairs of games for each pair of players; ``None``: 10, with ``sprt`` at most 20,000.
    :param format: "round-robin": all players meet each other; "gauntlet": the first meets each of the others.
    :param concurrency: the number of concurrent games, 1 to 1024.
    :param pin: whether each concurrent game is pinned to cores of its own.
    :param openings: positions with the options of ``position``, texts as ``"startpos moves 3 1"``, or a file of such
        lines (FEN or EPD in chess) or, with the extension ``.pgn``, of games; ``None``: ``random_plies`` random moves
        from the start of the game, the most balanced of ``random_candidates`` such lines by searches of
        ``random_nodes``.
    :param order: "sequential": the order of ``openings``; "random": shuffled by ``seed``.
    :param start: the number of the first opening played, from 1, in this order; after the last one comes the first.
    :param opening_plies: the number of plies of each game of a PGN file; by default all.
    :param random_plies: see ``openings``; ``None``: 6.
    :param random_candidates: see ``openings``; ``None``: 8.
    :param random_nodes: see ``openings``; ``None``: 2,000.
    :param seed: the seed of the random numbers.
    :param sprt: two Elo differences: the match ends when a sequential test accepts one of them.
    :param errors: the error rates of the test.
    :param normalized: whether the differences are in normalized Elo.
    :param trinomial: whether the test counts games instead of pairs.
    :param resign: moves, score and, by default 0, plies: a game is won when both players report at least this score, in
        centi-units, for this number of consecutive moves, after this number of plies.
    :param twosided: whether ``resign`` requires both players, not only the losing one.
    :param draw: moves, score and, by default 0, plies: a game is drawn when both players report at most this score for
        this number of consecutive moves, after this number of plies.
    :param proven: whether a game ends when both players report the same proven result.
    :param length: the number of plies after which a game is drawn; ``None``: 3,200 in a game in Python, whose positions
        may repeat, and no limit in others.
    :param databases: the folder of endgame databases that end a game where they show its result with best play.
    :param margin: the time by which a clock may be exceeded, seconds; a :class:`Player` may have its own.
    :param hang: the time-out of a player without a clock or after its time, seconds.
    :param record: a file with a line of JSON per game; a match recorded there is continued. A player in Python is then
        identified only by its name.
    :param transcript: a file for the input and output of commands.
    :param progress: displays the current match: in a notebook a table, in a terminal a line, elsewhere lines on stderr;
        or a function that is called with the match after each game. ``None``: only in a notebook or a terminal.
    :raises EngineError: a command cannot be started, or not again; the games so far are the attribute ``match``.
    :raises TypeError: an argument is of the wrong type, or a player in Python has other parameters.
    :raises ValueError: an argument is out of range; its subclasses ``BadOption``, ``BadPosition`` and ``BadFile``.
    """
    return conduct(SimpleNamespace(**locals()), _native._play_match)


def conduct(plan: SimpleNamespace, play: Callable[..., None]) -> Match:
    """Conducts a match, whose games ``play`` plays as ``_native._play_match`` does.

    :param plan: the arguments of :func:`match`; ``play`` gets it with what the arena takes.
    """
    players, position, openings = plan.players, plan.position, plan.openings
    if isinstance(players, str | os.PathLike):
        raise TypeError("players is a list or a mapping: one command alone is no match")
    named: Iterable[tuple[str | None, Who | Player]]
    if isinstance(players, Mapping):
        named = players.items()
    else:
        named = ((None, who) for who in items("players", "a list or a mapping of players", players))
    position = Position() if position is None else _native._meant(position) or named_game(position)
    limit = native(either(plan.limit, plan.limits))
    entries = [entry(who, name, limit, plan.clock, position) for name, who in named]
    rates = pair("errors", plan.errors)
    model = flag("normalized", plan.normalized), flag("trinomial", plan.trinomial)
    if plan.sprt is None and (any(model) or rates != (0.05, 0.05)):
        raise ValueError("errors, normalized and trinomial are for a match with sprt")
    test = None if plan.sprt is None else (*pair("sprt", plan.sprt), *rates, *model)
    check(test, len(entries))
    for word, least, most in (
        ("rounds", 1, 10_000_000),
        ("concurrency", 1, 1024),
        ("start", 1, 2**32 - 1),
        ("random_plies", 0, 10_000),
        ("random_candidates", 1, 10_000),
        ("random_nodes", 1, 2**63),
        ("seed", 0, 2**64 - 1),
    ):
        if word not in ("rounds", *RANDOM) or getattr(plan, word) is not None:
            whole(word, getattr(plan, word), least, most)
    own = position if isinstance(position, Position) and position.state is not None else None
    lines: list[str] | list[list[str]] | str | os.PathLike[str] | None
    if own is not None and plan.length is None:
        plan.length = LONGEST
    if openings is None and own is None and not is_start(position):
        if isinstance(position, Position) and position.outcome is not None:
            raise ValueError(f"position has no game to play: it is over in {position.text}")
        openings = [position]
    for word in RANDOM if openings is not None else ():
        if getattr(plan, word) is not None:
            begin = (
                "with those of openings" if plan.openings is not None else "at position, which is no start of a game"
            )
            raise ValueError(f"{word} is for random openings, and the games begin {begin}")
    if openings is None or isinstance(openings, str | os.PathLike):
        lines = openings
    else:
        expected = "an iterable of Position and str, or the path of a file"
        if hasattr(openings, "read"):
            raise wrong_type("openings", expected, openings)
        given = enumerate(items("openings", expected, openings))
        if own is not None:
            lines = [moves_of(one, f"openings[{index}]", own) for index, one in given]
        else:
            lines = [line_of(one, f"openings[{index}]", position) for index, one in given]
        if not lines:
            raise ValueError("openings is empty: None is for random openings")
    plan.position, plan.players, plan.openings, plan.sprt = position, entries, lines, test
    plan.library, plan.scale = _native.__file__, None
    header = ""
    records: list[str] = []
    planned = 0

    def so_far() -> Match:
        return Match(header, records, planned, test, own)

    show = shown(plan.progress)

    def begun(described: str, games: int) -> None:
        nonlocal header, planned
        header, planned = described, games
        if show is not None:
            show(so_far)

    try:
        play(plan, begun, records, None if show is None else lambda: show(so_far))
    except BaseException as error:
        if header:
            error.match = so_far()  # type: ignore[attr-defined]
        raise
    finally:
        if show is not None and header:
            show(so_far, last=True)
    found = so_far()
    # The display at the end of the cell replaces the one during the match.
    found._instead = getattr(show, "clear", None)
    return found


def is_start(position: Position) -> bool:
    """Returns whether a position is the start of its game."""
    return not position.history and position == Position(position.game, **position.options)


def named_game(position: Any, name: str = "position") -> Position:
    """Returns the start of a game given by name; the error calls it by the name of an argument."""
    if isinstance(position, str):
        return Position(position)
    is_game = isinstance(position, type) and issubclass(position, Game)
    expected = f"a Game, such as {position.__name__}()" if is_game else "a Position or the name of a game"
    raise wrong_type(name, expected, position)


def line_of(opening: Position | str, name: str, match: Position) -> str:
    """Returns an opening of the game of the match as a line of a file; errors call it by this name."""
    if isinstance(opening, str):
        return opening.replace("\n", " ")
    opening = meant(name, opening, "a Position or a str")
    if isinstance(match, Position):
        if opening.game != match.game:
            raise ValueError(f"{name} is a position of {opening.game}, and the match is of {match.game}")
        for option, value in opening.options.items():
            if (other := match.options[option]) != value:
                raise ValueError(f"{name} has {option}={value!r}, and the position of the match {option}={other!r}")
    pickled: Any = opening.__reduce__()
    _, (_, _, start, moves) = pickled
    return f"{start} moves {' '.join(moves)}" if moves else start


def moves_of(opening: Position | str, name: str, start: Position) -> list[str]:
    """Returns the moves of an opening of a game in Python; errors call it by this name."""
    if isinstance(opening, str):
        first, *moves = _native._moves(opening)
        if first != "startpos" or moves[:1] not in ([], ["moves"]):
            raise ValueError(f'{name} is a Position, or text as "startpos moves ..."')
        return moves[1:]
    opening = meant(name, opening, "a Position or a str")
    history, before = opening.history, start.history
    if (opening.game, opening.start) != (start.game, start.start) or history[: len(before)] != before:
        raise ValueError(f"{name} does not follow from the position of the match by moves")
    return history[len(before) :]


def shown(progress: bool | Callable[[Match], object] | None) -> Callable[..., None] | None:
    """Returns the display of the current match; ``None`` for none."""
    progress = plain_bool(progress)
    if progress is False:
        return None
    if not (progress is None or progress is True or callable(progress)):
        raise wrong_type("progress", "a bool or a function of a Match", progress)
    if callable(progress):
        report = progress

        def call(so_far: Callable[[], Match], last: bool = False) -> None:
            if not last and (found := so_far()).played:
                report(found)

        return call
    # Outside a notebook, IPython is not imported.
    if "IPython" in sys.modules:
        from secateurs._matches.display import live

        if (showing := live()) is not None:
            return showing
    if progress or sys.stderr.isatty():
        from secateurs._matches.display import line

        return line()
    return None
