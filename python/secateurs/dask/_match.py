"""Matches whose games the workers of Dask play."""

import time as clock
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from inspect import signature
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

import cloudpickle
import distributed

import secateurs
from secateurs import _native
from secateurs._arguments import check_words, number, parameters
from secateurs._matches import play
from secateurs._matches.players import Player, Who
from secateurs._matches.result import Match
from secateurs.dask._workers import completed, current, go_on

if TYPE_CHECKING:
    from secateurs._native import _AnyLimit, _AnyPosition
    from secateurs.dask._regress import Revision

# The target time of a job, seconds: long beside the start of its engines, and cheap to repeat on another worker.
TASK = 10.0

# The largest number of rounds of a job.
MOST = 64

# The arguments that describe one machine.
LOCAL = {"concurrency", "pin", "transcript"}

# What is different on the workers: the driver has openings, test and record.
ON_WORKERS: dict[str, Any] = {"openings": None, "order": "sequential", "start": 1, "opening_plies": None, "sprt": None}
ON_WORKERS |= {"errors": (0.05, 0.05), "normalized": False, "trinomial": False, "record": None, "progress": False}
ON_WORKERS |= dict.fromkeys(play.RANDOM)


def match(
    players: "Sequence[Who | Player] | Mapping[str, Who | Player]",
    position: "_AnyPosition | None" = None,
    limit: "_AnyLimit | None" = None,
    *,
    client: distributed.Client | None = None,
    speed: float | None = None,
    progress: bool | Callable[[Match], object] | None = None,
    **settings: Any,
) -> Match:
    """Plays a match on the workers of Dask.

    Each job is a few rounds, and each thread of a worker plays one game at a time. The games have the openings and
    seeds of :func:`secateurs.match`, and count in the order of the schedule. With limits of nodes or depth,
    deterministic players therefore play the same games as there with ``concurrency=1``, a test ends after the same
    game, and ``record`` is the same file: either function continues what the other has begun. Games after the one that
    decides a test are dropped, as there. Workers end after the current game.

    Clocks are scaled: a worker of half the speed has twice the time, measured by :func:`speed` once per worker process.

    :param players: those of :func:`secateurs.match`. A command is run on the workers, an engine or a player in Python
        is pickled. A :class:`UciEngine`, which is a process of this machine, is refused.
    :param client: the client of the scheduler; ``None``: the current one.
    :param speed: the speed of the machine for which clocks and times are given, nodes per second as :func:`speed`
        measures it; ``None``: that of this machine.
    :param settings: the other arguments of :func:`secateurs.match`, except ``concurrency``, ``pin`` and ``transcript``.
    :raises ValueError: there is no client, or as for :func:`secateurs.match`.
    :raises TypeError: a player cannot be pickled, or as for :func:`secateurs.match`.
    :raises EngineError: a command cannot be started on a worker; the games so far are the attribute ``match``.
    :raises RuntimeError: a worker has another version of Secateurs.
    :raises ConnectionError: the scheduler was lost; the same call with a ``record`` continues the match.
    """
    return match_of(current(client), players, position, limit, {"speed": speed, "progress": progress, **settings})


def match_of(
    client: distributed.Client,
    players: Any,
    position: "_AnyPosition | None",
    limit: "_AnyLimit | None",
    settings: dict[str, Any],
    built: "dict[str, Revision] | None" = None,
) -> Match:
    """Plays a match with these settings; between the revisions that the workers build, if there are any."""
    if found := LOCAL.intersection(settings):
        raise ValueError(f"{min(found)} is for a match on one machine")
    speed = settings.pop("speed", None)
    if speed is not None and not number("speed", speed) > 0:
        raise ValueError(f"speed is a number of nodes per second above 0, not {speed}")
    # An iterator is read once here, and the workers need the players too.
    if not isinstance(players, Mapping | str) and hasattr(players, "__iter__"):
        players = list(players)
    check_words("match", settings, [*parameters(play.match), "client", "speed"])
    bound = signature(play.match).bind(players, position, limit, **settings)
    bound.apply_defaults()
    spread = Spread(client, dict(bound.arguments), speed, built)
    return play.conduct(SimpleNamespace(**bound.arguments), spread.play)


class Spread(NamedTuple):
    """A match on the workers: its arguments, the speed for its clocks, and the revisions that the workers build."""

    client: distributed.Client
    given: dict[str, Any]
    speed: float | None
    built: "dict[str, Revision] | None"

    def play(
        self,
        plan: Any,
        begun: Callable[[str, int], object],
        records: list[str],
        report: Callable[[], object] | None,
    ) -> None:
        """Plays the match, as ``_native._play_match`` does here."""
        players = self.given["players"]
        for entry, player in zip(
            plan.players, players.values() if isinstance(players, Mapping) else players, strict=True
        ):
            name = entry.name or "a player"
            if entry.uci is not None:
                raise ValueError(f"{name} is a process of this machine: give its command")
            try:
                cloudpickle.dumps(player)
            except Exception as error:
                raise TypeError(f"{name} cannot be pickled for the workers: {error}") from error
        timed = any(entry.clock not in (None, "inf") or (entry.limit and entry.limit.time) for entry in plan.players)
        ledger = _native._Ledger(plan)
        begun(ledger.header, ledger.planned)
        records.extend(ledger.earlier)
        if ledger.decided:
            return
        reference = (self.speed or speed()) if timed else None
        given = {**self.given, **ON_WORKERS}
        after, played, spent = 0, 0, 0.0

        def supply() -> tuple[Any, ...] | None:
            nonlocal after
            size = min(max(1, int(TASK * played / spent)), played, MOST) if played else 1
            rounds: list[int] = []
            openings: list[tuple[str, list[str]]] = []
            while len(rounds) < size and (found := ledger.next(after)) is not None:
                rounds.append(found[0])
                openings.append(found[1:])
                after = found[0] + 1
            return (rounds, given, openings, reference) if rounds else None

        with closing(completed(self.client, play_rounds, supply, shared=(self.built,), in_order=True)) as jobs:
            for (rounds, *_), games, seconds in jobs:
                played, spent = played + len(rounds), spent + seconds
                for record in ledger.add(rounds, games):
                    records.append(record)
                    if report is not None:
                        report()
                if ledger.decided:
                    return


def play_rounds(
    rounds: list[int],
    given: dict[str, Any],
    openings: list[tuple[str, list[str]]],
    reference: float | None,
    built: "dict[str, Revision] | None",
) -> list[str]:
    """Plays these rounds on a worker; returns the records of the games."""
    if built is not None:
        from secateurs.dask._regress import with_programs

        given = with_programs(given, built)

    def run(plan: Any, begun: Any, records: list[str], _: object) -> None:
        is_own = plan.position.state is not None
        plan.openings = [moves if is_own else " ".join([start, "moves", *moves]) for start, moves in openings]
        plan.scale = 1.0 if reference is None else reference / speed()
        _native._play_match(plan, begun, records, go_on)

    return play.conduct(SimpleNamespace(**{**given, "rounds": len(rounds)}), run)._unsorted


# The nodes of each search that measures the speed, and the result.
NODES = 200_000
known_speed: list[float] = []


def speed() -> float:
    """Returns the speed of this machine, nodes per second of one thread: the best of three short searches in chess.

    It is measured once for each process. :func:`match` scales clocks by it.

    >>> dask.speed() > 1000
    True
    """
    if not known_speed:
        position, best = secateurs.Position("chess"), 0.0
        for _ in range(3):
            engine, began = secateurs.Engine(hash=4), clock.perf_counter()
            nodes = engine.analyse(position, nodes=NODES).nodes
            best = max(best, nodes / (clock.perf_counter() - began))
        known_speed.append(best)
    return known_speed[0]
