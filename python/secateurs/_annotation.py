""":func:`secateurs.annotate` and its types."""

import json
import os
import re
from collections.abc import Callable
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from secateurs import _native
from secateurs._arguments import wrong_type

if TYPE_CHECKING:
    import chess.pgn

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

    ``result`` is ``"1-0"``, ``"0-1"``, ``"1/2-1/2"`` or ``"*"``. ``error`` says why a game could not be read or
    annotated; it has no moves and no text then.
    """

    tags: dict[str, str]
    result: str
    moves: list[AnnotatedMove]
    pgn: str
    error: str | None


def annotate(
    pgn: "str | os.PathLike[str] | IO[str] | IO[bytes] | chess.pgn.Game",
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

    :param pgn: games in Portable Game Notation: a text, the path of a file, an open file, or a ``chess.pgn.Game``. A
        ``str`` is a path if it is that of a file, or one line that ends as the name of a file does (``.pgn``). A file
        is in UTF-8 or, as the standard prescribes, ISO 8859-1.
    :param limit: the limits of the search of each position: a :class:`Limit`, or its keywords.
    :param threads: the number of threads of each search, 1 to 256.
    :param hash: the size of the transposition table, MiB.
    :param progress: ``True`` or a function, as for :func:`analyse_many`; it counts positions.
    :param game: the game, if there is no tag ``Variant``.
    :param limits: the keywords of a limit.
    :raises ValueError: no limit is given, an argument is out of range, or no game can be read.
    :raises BadOption: the game does not exist.
    :raises OSError: the file cannot be read.
    """
    text = text_of(pgn)
    return [read(json.loads(found)) for found in _native._annotate(text, game, limit, threads, hash, progress, limits)]


def text_of(pgn: Any) -> bytes:
    """Returns games as the bytes of a file."""
    if isinstance(pgn, os.PathLike) or (isinstance(pgn, str) and is_path(pgn)):
        with open(pgn, "rb") as file:
            return file.read()
    if hasattr(pgn, "read"):
        pgn = pgn.read()
        return pgn if isinstance(pgn, bytes) else text_of_str(pgn)
    # The exporter of python-chess writes a game, which need not be imported here.
    if hasattr(pgn, "headers") and hasattr(pgn, "accept"):
        pgn = str(pgn)
    return text_of_str(pgn)


def text_of_str(text: Any) -> bytes:
    """Returns a text as the bytes of a file."""
    if not isinstance(text, str):
        raise wrong_type("pgn", "a str, a path, an open file or a chess.pgn.Game", text)
    return text.encode(errors="replace")


def is_path(text: str) -> bool:
    """Returns whether a text is a path rather than games."""
    if "\n" in text or "\0" in text:
        return False
    return re.search(r"\.[A-Za-z]\w*$", text) is not None or os.path.isfile(text)


def read(found: dict[str, Any]) -> AnnotatedGame:
    """Reads a game of the native module."""
    found["tags"] = dict(found["tags"])
    found["moves"] = [AnnotatedMove(**fields) for fields in found["moves"]]
    return AnnotatedGame(**found)
