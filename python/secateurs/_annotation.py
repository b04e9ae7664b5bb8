""":func:`secateurs.annotate` and its types."""

import errno
import json
import os
import re
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Any, Literal, NamedTuple

from secateurs import _native
from secateurs._arguments import wrong_type
from secateurs._frames import Hinted, Table
from secateurs._native import Position

if TYPE_CHECKING:
    import chess.pgn

    from secateurs._native import Limit, _AnyPosition


class AnnotatedMove(NamedTuple):
    """A move of an annotated game.

    Scores are for the player that moves, in centi-units; a win or loss ``n`` plies away is ±(32,000 - n). ``loss`` is
    the difference of ``best_score`` and ``score``, each limited to ±1000, and at least 0. ``depth`` (plies), ``nodes``,
    ``time_us`` (microseconds) and ``pv`` are those of the search before the move. ``san`` and ``best_san`` are ``None``
    in games without standard algebraic notation.

    ``assessment`` is ``"inaccuracy"``, ``"mistake"`` or ``"blunder"`` for a move that loses a tenth, a fifth or three
    tenths of the winning chances, which range from -1 to 1; ``"good"`` or ``"only"`` for the best move where the next
    best would be a mistake or a blunder and a search of two plies does not find it; otherwise ``None``. ``lead`` is
    what the next best move loses, if it was searched. ``win_percent`` and ``best_win_percent`` are the winning chances
    after the move and after the best one, 0 to 100; ``accuracy`` is that of the move, 0 to 100. The formulas and the
    thresholds are `those of lichess.org <https://lichess.org/page/accuracy>`_; in games other than chess the winning
    chances are those of the game.
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
    lead: int | None
    assessment: Literal["good", "only", "inaccuracy", "mistake", "blunder"] | None
    win_percent: float
    best_win_percent: float
    accuracy: float
    depth: int
    nodes: int
    time_us: int
    pv: list[str]

    def __hash__(self) -> int:
        return hash((*self[:-1], *self.pv))

    @property
    def glyph(self) -> str:
        """The glyph of the assessment: ``!``, ``□``, ``?!``, ``?``, ``??``, or an empty text."""
        return GLYPHS.get(self.assessment or "", "")


# The largest size of a file of games, bytes: all of it is read into memory.
MOST = 256 << 20

GLYPHS = {"good": "!", "only": "\u25a1", "inaccuracy": "?!", "mistake": "?", "blunder": "??"}


class Summary(NamedTuple):
    """The moves of a player in numbers.

    ``accuracy`` is that of lichess.org, percent, ``average_loss`` in centi-units; both are ``None`` without a move.
    """

    accuracy: float | None
    average_loss: float | None
    inaccuracies: int
    mistakes: int
    blunders: int


@dataclass(frozen=True)
class AnnotatedGame(Table, Hinted):
    """A game with its tags, its result, its annotated moves, and the same as text in Portable Game Notation.

    ``result`` is ``"1-0"``, ``"0-1"``, ``"1/2-1/2"`` or ``"*"``. ``error`` says why a game could not be read or
    annotated; it has no moves and no text then. ``players`` has a :class:`Summary` of each player, the first player's
    first. In a notebook the game is a page with the board, the moves and a graph. ``to_pandas()`` and ``to_polars()``
    have a row for each move.
    """

    tags: dict[str, str] = field(hash=False)
    result: str
    moves: list[AnnotatedMove] = field(hash=False)
    pgn: str
    error: str | None
    players: tuple[Summary, Summary]
    _columns = AnnotatedMove._fields
    # In a game in Python, which only its states define.
    _start: Position | None = field(default=None, repr=False, compare=False)

    def _table(self) -> list[dict[str, Any]]:
        return [move._asdict() for move in self.moves]

    def to_dict(self) -> dict[str, Any]:
        """Returns the game as a ``dict`` that ``json.dumps`` accepts; the moves and the players are dicts too."""
        known = {"tags": self.tags, "result": self.result, "moves": self._table(), "pgn": self.pgn, "error": self.error}
        return {**known, "players": [summary._asdict() for summary in self.players]}

    def html(self) -> str:
        """Returns a self-contained page with the board, the moves with their glyphs, and the graph."""
        return page([self])

    def svg(self, theme: Literal["auto", "light", "dark"] = "auto") -> str:
        """Returns the winning chances of the first player over the game as SVG.

        :raises ValueError: the theme does not exist.
        """
        return _native._annotation_graph(rows(self), theme)

    def _repr_html_(self) -> str:
        from secateurs._display import escape

        if self.error is not None:
            return escape(self.error)
        return f'<iframe srcdoc="{escape(self.html())}" style="width:100%;height:620px;border:0"></iframe>'


def page(games: list[AnnotatedGame]) -> str:
    """Returns a page of games; those with an error are left out."""
    return _native._annotation_page([(game.pgn, rows(game), game._start) for game in games if game.error is None])


def rows(game: AnnotatedGame) -> str:
    """Returns the moves of a game for the native module."""
    return json.dumps(game._table())


def annotate(
    pgn: "str | os.PathLike[str] | IO[str] | IO[bytes] | chess.pgn.Game",
    limit: "Limit | None" = None,
    *,
    threads: int = 1,
    hash: int = 16,
    skip: int = 0,
    progress: bool | Callable[[int, int], object] | None = None,
    game: "_AnyPosition" = "chess",
    **limits: float | None,
) -> list[AnnotatedGame]:
    """Annotates games: for each move its score, the best move, the loss, and a glyph.

    >>> [annotated] = secateurs.annotate("1. f3 e5 2. g4 Qh4# 0-1\\n", depth=4)
    >>> [move.san for move in annotated.moves if move.loss >= 300]
    ['g4']
    >>> annotated.moves[3].score  # mate with this move
    31999
    >>> annotated.moves[2].assessment, annotated.moves[2].glyph, annotated.players[0].blunders
    ('blunder', '??', 1)

    ``pandas.DataFrame(annotated.moves)`` has a row for each move. ``annotated.pgn`` has comments such as
    ``{[%eval 0.31,12]}``, which lichess.org and python-chess read: the score for the first player and the depth.

    :param pgn: games in Portable Game Notation: a text, the path of a file, an open file, or a ``chess.pgn.Game``. A
        ``str`` is a path if it is that of a file, one line that ends in ``.pgn``, ``.pdn``, ``.txt`` or, unless it
        begins with the number of a move, in another suffix, one that begins with a folder (``./``), or a word that is
        no game. A file is in UTF-8 or, as the standard prescribes, ISO 8859-1. Of a ``chess.pgn.Game`` there is what
        python-chess could read: its ``errors`` are its own.
    :param limit: the limits of the search of each position: a :class:`Limit`, or its keywords.
    :param threads: the number of threads of each search, 1 to 256.
    :param hash: the size of the transposition table, MiB.
    :param skip: the number of plies at the start of each game, the opening, that are not annotated.
    :param progress: ``True`` or a function, as for :func:`analyse_many`; it counts positions.
    :param game: the game, if there is no tag ``Variant``: its name, its start with options, or a position or state of
        a game in Python.
    :param limits: the keywords of a limit.
    :raises ValueError: no limit is given, or an argument is out of range.
    :raises BadOption: the game does not exist.
    :raises OSError: the file cannot be read.
    """
    text = text_of(pgn)
    here = _native._meant(game)
    start = here if here is not None and here.state is not None else None
    found = _native._annotate(text, here or game, limit, threads, hash, skip, progress, limits)
    games = [read(json.loads(game), start) for game in found]
    if all(game.error is not None for game in games):
        check_path(pgn)
    return games


def text_of(pgn: Any) -> bytes:
    """Returns games as the bytes of a file."""
    if isinstance(pgn, os.PathLike) or (isinstance(pgn, str) and is_path(pgn)):
        with open(pgn, "rb") as file:
            text = file.read(MOST + 1)
        if len(text) > MOST:
            raise OSError(errno.EFBIG, f"File has more than {MOST >> 20} MiB", os.fspath(pgn))
        return text
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
    suffix = re.search(r"\.([A-Za-z]\w*)$", text)
    is_named = suffix is not None and (suffix[1].lower() in ("pgn", "pdn", "txt") or not re.match(r"\s*\d+\.", text))
    is_folder = re.match(r"(~|\.{0,2})[/\\]|\.{1,2}$|[A-Za-z]:[/\\]", text) is not None
    return is_named or is_folder or os.path.isfile(text)


# The lines that were read behind a game from a file that cannot go back, the next one last.
_behind: "weakref.WeakKeyDictionary[Any, list[Any]]" = weakref.WeakKeyDictionary()


def lines_behind(file: Any) -> tuple[list[Any] | None, bool]:
    """Returns the list of lines that were read behind a game, and whether one was read from the file before.

    There is no list for a file without a hash or weak references.
    """
    try:
        is_known = file in _behind
        return _behind.setdefault(file, []), is_known
    except TypeError:
        return None, False


def check_path(pgn: Any) -> None:
    """Raises the error for a single word that has no game and is no path: it may be meant as one."""
    if isinstance(pgn, str) and re.fullmatch(r"[^\s\0]+", pgn) and not is_path(pgn):
        raise FileNotFoundError(errno.ENOENT, "No such file, and no game", pgn)


def read(found: dict[str, Any], start: Position | None) -> AnnotatedGame:
    """Reads a game of the native module."""
    found["tags"] = dict(found["tags"])
    found["moves"] = [AnnotatedMove(**fields) for fields in found["moves"]]
    first, second = (Summary(**fields) for fields in found["players"])
    found["players"] = first, second
    return AnnotatedGame(**found, _start=start)
