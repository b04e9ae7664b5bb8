""":func:`secateurs.annotate` and its types."""

import json
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from secateurs import _native
from secateurs._arguments import file_text

if TYPE_CHECKING:
    from secateurs._native import Limit


class AnnotatedMove(NamedTuple):
    """A move of an annotated game.

    Scores are for the player that moves, in centi-units; a win or loss ``n`` plies away is ±(32,000 - n). ``loss`` is
    the difference of ``best_score`` and ``score``, each limited to ±1000, and at least 0. ``depth`` (plies), ``nodes``,
    ``time_us`` (microseconds) and ``pv`` are those of the search before the move. ``san`` and ``best_san`` are ``None``
    in games without standard algebraic notation.
    """

    ply: int
    player: int
    move: str
    san: str | None
    score: int
    best_move: str
    best_san: str | None
    best_score: int
    loss: int
    depth: int
    nodes: int
    time_us: int
    pv: list[str]


class AnnotatedGame(NamedTuple):
    """A game with its tags, its result, its annotated moves, and the same as text in Portable Game Notation.

    ``error`` says why a game could not be annotated; it has no moves and no text then.
    """

    tags: dict[str, str]
    result: str
    moves: list[AnnotatedMove]
    pgn: str
    error: str | None


def annotate(
    pgn: str | os.PathLike[str],
    limit: "Limit | None" = None,
    *,
    threads: int = 1,
    hash: int = 16,
    progress: bool | Callable[[int, int], object] | None = None,
    game: str = "chess",
    **limits: float | None,
) -> list[AnnotatedGame]:
    """Annotates games: for each move its score, the best move, and the loss.

    >>> [annotated] = secateurs.annotate("1. f3 e5 2. g4 Qh4# 0-1\\n", depth=4)
    >>> [move.san for move in annotated.moves if move.loss >= 300]
    ['g4']
    >>> annotated.moves[3].score  # mate with this move
    31999

    ``pandas.DataFrame(annotated.moves)`` has a row for each move. ``annotated.pgn`` has comments such as
    ``{[%eval 0.31,12]}``, which lichess.org and python-chess read: the score for the first player and the depth.

    :param pgn: the path of a file in Portable Game Notation, or its text, which contains a line feed.
    :param limit: the limits of the search of each position: a :class:`Limit`, or its keywords.
    :param threads: the number of threads of each search, 1 to 256.
    :param hash: the size of the transposition table, MiB.
    :param progress: ``True`` or a function, as for :func:`analyse_many`; it counts positions.
    :param game: the game, if there is no tag ``Variant``.
    :param limits: the keywords of a limit.
    :raises ValueError: no limit is given, an argument is out of range, or the text cannot be read.
    :raises BadOption: the game does not exist.
    :raises OSError: the file cannot be read.
    """
    text = pgn if isinstance(pgn, str) and "\n" in pgn else file_text("pgn", pgn)
    return [read(json.loads(found)) for found in _native._annotate(text, game, limit, threads, hash, progress, limits)]


def read(found: dict[str, Any]) -> AnnotatedGame:
    """Reads a game of the native module."""
    found["tags"] = dict(found["tags"])
    found["moves"] = [AnnotatedMove(**fields) for fields in found["moves"]]
    return AnnotatedGame(**found)
