"""The result of a match."""

import json
import os
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from secateurs import _native
from secateurs._arguments import meant, pair, spelled
from secateurs._arguments import path as text_of
from secateurs._errors import BadFile
from secateurs._extras import needed
from secateurs._frames import Hinted, Table
from secateurs._matches.game import Game, game_of
from secateurs._native import Position

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from secateurs._native import _AnyPosition


class Estimate(NamedTuple):
    """A value with its 95 % interval, whose ends may be infinite."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        """Formats the estimate for tables."""
        # What is rounded to zero has no minus.
        value, low, high = (round(number, 1) + 0.0 for number in self)
        return f"{value:+.1f} [{low:+.1f}, {high:+.1f}]"


class Verdict(NamedTuple):
    """The state of a sequential test: log-likelihood ratio, bounds, hypotheses, accepted hypothesis."""

    llr: float
    bounds: tuple[float, float]
    elo: tuple[float, float]
    accepted: Literal["H0", "H1"] | None


class Standing(NamedTuple):
    """A row of the table: ``elo`` against all others, and ``rating`` around 0 with half the width of its interval."""

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

    def __hash__(self) -> int:
        """Hashes the values, without the faults."""
        return hash((self[:8], self.wrong_claims))


TestPlan: TypeAlias = tuple[float, float, float, float, bool, bool]


def check(test: TestPlan | None, players: int) -> None:
    """Refuses an invalid test, and one for more than two players."""
    if test is not None and players > 2:
        raise ValueError("sprt is for a match of two players")
    _native._standings(("first", "second"), (), test)


class Match(Table, Hinted):
    """The result of a match, returned by :func:`match`, or by :meth:`load` from a record.

    Notebooks show the crosstable. Games are in the order of their numbers.
    """

    def __init__(
        self,
        header: str,
        records: Sequence[str],
        planned: int,
        test: TestPlan | None,
        start: Position | None = None,
    ) -> None:
        """Creates a match from header and records of the arena; records are parsed at the first access."""
        self._header = header
        self._unsorted = list(records)
        self._test = test
        # In a game in Python, which only its states define.
        self._start = start
        self.names: tuple[str, ...] = tuple(player["name"] for player in json.loads(header)["engines"])
        self.planned = planned
        # Called when a notebook first displays the match.
        self._instead: Callable[[], object] | None = None

    @cached_property
    def _records(self) -> list[str]:
        return sorted(self._unsorted, key=lambda record: int(json.loads(record)["number"]))

    @cached_property
    def _games(self) -> list[Game]:
        return [game_of(json.loads(record)) for record in self._records]

    @cached_property
    def _found(self) -> dict[str, Any]:
        return _native._standings(self.names, self._unsorted, self._test)

    @classmethod
    @spelled
    def load(
        cls,
        path: str | os.PathLike[str],
        position: "_AnyPosition | None" = None,
        *,
        sprt: tuple[float, float] | None = None,
    ) -> "Match":
        """Loads the games of a record, of :func:`match` or of ``secateurs match``.

        :param position: for a game in Python the start of the match, because a record has only its name; any other one
            must be of the same game.
        :param sprt: two Elo differences for a sequential test, with error rates of 0.05.
        :raises BadFile: the file is not a record, or is one of another game.
        :raises OSError: the file cannot be read.
        :raises ValueError: ``sprt`` is invalid, or the match has more than two players.
        """
        start = None if position is None else meant("position", position)
        own = start if start is not None and start.state is not None else None
        header, records = _native._load_match(path, own)
        if start is not None and (game := json.loads(header)["game"]) != start.game:
            raise BadFile(f'"{os.fspath(path)}" is a match of {game}, not of {start.game}')
        test = None if sprt is None else (*pair("sprt", sprt), 0.05, 0.05, False, False)
        found = cls(header, records, len(records), test, own)
        check(test, len(found.names))
        return found

    @property
    def played(self) -> int:
        """The number of games played."""
        return len(self._unsorted)

    @property
    def games(self) -> list[Game]:
        """The games, in the order of their numbers."""
        return self._games.copy()

    @property
    def standings(self) -> list[Standing]:
        """A row per player, the best rating first; with two players the first player first."""
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
                row["faults"].copy(),
                row["wrong_claims"],
            )
            for row in self._found["rows"]
        ]
        return rows if len(rows) == 2 else sorted(rows, key=lambda row: -row.rating[0])

    @property
    def crosstable(self) -> dict[tuple[str, str], tuple[int, int, int]]:
        """Wins, draws and losses of each player against each other."""
        return {
            (one, other): (wins, draws, losses)
            for one, cells in zip(self.names, self._found["cells"], strict=True)
            for other, ((losses, draws, wins), _) in zip(self.names, cells, strict=True)
            if one != other
        }

    @property
    def elo(self) -> Estimate | None:
        """The Elo difference of the first of two players, by pairs; ``None`` for more players or without games."""
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
        """The pairs of games by the points 0, 0.5, 1, 1.5 and 2 of the first of two players; ``None`` for more."""
        pairs = self._found["pairs"]
        return None if pairs is None else tuple(pairs)

    @property
    def draw_ratio(self) -> float | None:
        """The share of drawn games between two players, 0 to 1; ``None`` for more players or without games."""
        found: float | None = self._found["draw_ratio"]
        return found

    @property
    def pairs_ratio(self) -> float | None:
        """The ratio of pairs won to pairs lost by the first of two players; infinite without a lost pair.

        ``None`` for more players, and before a pair is won or lost. A pair is won with more than half of its points.
        """
        found: float | None = self._found["pairs_ratio"]
        return found

    @property
    def distinct_games(self) -> int:
        """The number of distinct games, by players, colours, opening and moves.

        Deterministic engines repeat their games when openings repeat. A repeated game counts in the points, but it is
        no further evidence: the intervals, the ratings and the test use distinct games and pairs only.
        """
        found: int = self._found["distinct_games"]
        return found

    @property
    def sprt(self) -> Verdict | None:
        """The state of the test; ``None`` without one. Pairs of games that repeat earlier ones do not count."""
        found = self._found.get("sprt")
        return None if found is None else Verdict(*found)

    @property
    def endings(self) -> dict[str, int]:
        """The endings of games as the table words them ("by the rules", "illegal move"), with their counts.

        The faults of :attr:`standings` have the same words, and :attr:`Game.ending` those of the record ("rules",
        "illegal-move").
        """
        found: dict[str, int] = self._found["endings"]
        return found.copy()

    @property
    def finished(self) -> bool:
        """Whether all games were played or the test has accepted a hypothesis."""
        return self.played >= self.planned or (self.sprt is not None and self.sprt.accepted is not None)

    def _table(self) -> list[dict[str, Any]]:
        return self.rows()

    def rows(self) -> list[dict[str, Any]]:
        """Returns the games as rows: numbers from 1, points of the first player, seconds and nodes of both players."""
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
        """Exports the match to a file, by its suffix: the games as ".pgn" or ".csv", or the page of a match as ".html".

        The page is one file that needs no other: tables, the Elo difference over the games, and every game to step
        through, as of ``secateurs report``.

        :raises ValueError: the suffix is another one.
        :raises BadFile: there is a file of another kind.
        :raises OSError: the file cannot be written.
        """
        kind = os.path.splitext(text_of("path", path))[1].lower()
        if kind not in (".pgn", ".csv", ".html"):
            raise ValueError(f'path ends in ".pgn", ".csv" or ".html", not {kind!r}')
        _native._export((self._header, self.planned, self._test), self._records, kind[1:], path, self._start)

    def svg(self, *, theme: Literal["auto", "dark", "light"] = "auto") -> str:
        """Draws the crosstable as SVG.

        :param theme: "light", "dark", or "auto" to follow the notebook or the browser that shows it.
        :raises ValueError: the theme does not exist.
        """
        return _native._crosstable(self.names, self._unsorted, None if self.finished else self.planned, theme)

    def plot(self) -> "Figure":
        """Plots the Elo difference game by game, for more than two players the ratings (the extra ``plot``).

        :raises ImportError: matplotlib is not installed.
        """
        with needed("plot", "plot"):
            from secateurs._matches.plot import figure
        return figure(self)

    def __eq__(self, other: object) -> bool:
        """Returns whether both have the same players, games and test."""
        if not isinstance(other, Match):
            return NotImplemented
        return self._parts() == other._parts()

    def __hash__(self) -> int:
        """Returns a hash of the players and the number of games."""
        return hash((self._header, self.played))

    def _parts(self) -> tuple[object, ...]:
        return self._header, self._records, self.planned, self._test

    def __getstate__(self) -> dict[str, Any]:
        """Returns the state without the reference to the notebook."""
        return {**self.__dict__, "_instead": None}

    def _repr_html_(self) -> str:
        from secateurs._matches.display import match_html

        if self._instead is not None:
            self._instead()
            self._instead = None
        return match_html(self)

    def __str__(self) -> str:
        """Formats the table as plain text, as ``secateurs match`` does."""
        text: str = self._found["text"]
        return text.rstrip()

    def remarks(self) -> list[str]:
        """Returns the remarks below the table."""
        remarks: list[str] = self._found["remarks"]
        return remarks.copy()

    def __repr__(self) -> str:
        """Returns a summary in one line."""
        against = " - ".join(self.names)
        elo = "" if self.elo is None else f", Elo {self.elo}"
        return f"<Match {against}, {self.played}/{self.planned} games{elo}>"


def estimate(found: tuple[float, float, float] | None) -> Estimate | None:
    """Creates an estimate from its parts."""
    return None if found is None else Estimate(*found)
