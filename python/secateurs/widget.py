"""A board in notebooks, the extra ``widget``: :class:`BoardWidget`, which is ``secateurs.BoardWidget`` too."""

import json
import random
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

from secateurs import _native
from secateurs._annotation import AnnotatedGame
from secateurs._arguments import native, whole, wrong_type
from secateurs._display import follow
from secateurs._extras import needed
from secateurs._native import Analysis, Engine, Limit, Position, UciEngine

with needed("BoardWidget", "widget"):
    from anywidget import AnyWidget
from ipywidgets import CallbackDispatcher
from traitlets import Bool, Dict, Enum, Int, List, Unicode, observe

if TYPE_CHECKING:
    import chess.engine

    from secateurs._native import _AnyPosition, _Move

__all__ = ["BoardWidget"]

# The size of the table of the live analysis, MiB.
HASH = 64


class BoardWidget(AnyWidget):
    """A board to play on, in Jupyter, JupyterLab, VS Code and marimo: the extra ``widget``.

    >>> board = secateurs.BoardWidget("chess")
    >>> board.play("e4")
    >>> board.position.history, board.move
    (['e2e4'], 'e2e4')

    The traits ``theme``, ``size``, ``analyse`` and ``multipv`` can be set at any time; ``move`` is the last move
    played. In marimo, cells that use the ``history`` of ``mo.ui.anywidget(board).value`` run after each move. The
    engine thinks in the background; the lines of a search are shown while the board is on a page.

    :param position: a :class:`Position` with its game, the name of a game, a FEN, a ``chess.Board``, a state of a game
        in Python, or an :class:`AnnotatedGame`, whose glyphs and comments are shown.
    :param engine: the opponent: a level of ``secateurs play``, 1 to 10, or an engine; ``None``: two people.
    :param limit: the limit of an engine's searches; ``None``: a second. A level has its own.
    :param side: the player who is not the engine: 1, 2 or the name, such as ``"black"``; ``None``: the one to move.
    :param analyse: whether to show the lines of a search.
    :param multipv: the number of these lines, 1 to 20.
    :param theme: the colours: those of the page, or fixed ones.
    :param size: the largest width of the board, at least 100 pixels.
    :raises ImportError: anywidget is not installed.
    :raises ValueError: an argument is out of range; for a trait a ``traitlets.TraitError``.
    """

    _esm, _css = _native._component()

    _view = Dict().tag(sync=True)
    _search: Any = Dict(allow_none=True, default_value=None).tag(sync=True)

    move = Unicode(None, allow_none=True, help="The last move played.")
    history = List(Unicode(), read_only=True, help="The moves of the position shown, as a page has them.").tag(
        sync=True
    )
    analyse = Bool(False, help="Whether the lines of a search are shown.")
    multipv = Int(3, min=1, max=20, help="The number of lines.")
    theme = Enum(("auto", "light", "dark"), "auto", help="The colours.")
    size = Int(420, min=100, help="The width of the board in pixels.")

    def __init__(
        self,
        position: "_AnyPosition | AnnotatedGame" = "kalah",
        *,
        engine: "int | Engine | UciEngine | None" = None,
        limit: "Limit | chess.engine.Limit | None" = None,
        side: int | str | None = None,
        analyse: bool = False,
        multipv: int = 3,
        theme: Literal["auto", "light", "dark"] = "auto",
        size: int = 420,
    ) -> None:
        """Sets the board up."""
        # Searches in the background change the board too.
        self._lock = threading.RLock()
        self._thinking: Analysis[str] | None = None
        self._analysis: Analysis[str] | None = None
        self._analyser: Engine | None = None
        self._views = 0
        self._listeners = CallbackDispatcher()
        self._comments: dict[int, tuple[str, str]] = {}
        self._positions, self._ply = self._read(position)
        self._side = self._side_of(side)
        self._opponent = opponent(engine, self.position, limit)
        self._below = 2 if engine is not None and self._side == 2 else 0
        super().__init__(analyse=analyse, multipv=multipv, theme=theme, size=size)
        self.on_msg(self._receive)
        self._refresh()

    @property
    def position(self) -> Position:
        """The position shown, with the moves that led to it. Another one may be assigned."""
        return self._positions[self._ply]

    @position.setter
    def position(self, position: "_AnyPosition | AnnotatedGame") -> None:
        with self._lock:
            self._positions, self._ply = self._read(position)
            self._refresh()

    def play(self, move: "_Move") -> None:
        """Plays a move in the position shown; in the middle of a game it replaces the rest. Then the engine moves.

        :raises IllegalMove: the move is not legal.
        """
        with self._lock:
            position = self.position.play(move)
            del self._positions[self._ply + 1 :]
            self._comments = {ply: comment for ply, comment in self._comments.items() if ply <= self._ply}
            self._positions.append(position)
            self._ply += 1
            self.move = position.history[-1]
            self._refresh()
        self._listeners(position)

    def back(self) -> None:
        """Takes the last move back, and with an engine all moves since the last one of the player."""
        with self._lock:
            while len(self._positions) > 1:
                del self._positions[-1]
                if self._opponent is None or self._positions[-1].turn == self._side:
                    break
            self._ply = len(self._positions) - 1
            self._refresh()

    def go(self, ply: int) -> None:
        """Shows the position after so many moves of the game.

        :raises ValueError: the game has fewer moves.
        """
        with self._lock:
            self._ply = whole("ply", ply, 0, len(self._positions) - 1)
            self._refresh()

    def flip(self) -> None:
        """Turns the board."""
        with self._lock:
            self._below = 1 if self._below == 2 else 2
            # The pictures of a search are turned too.
            self._analyse()
            self._show()

    def stop(self) -> None:
        """Ends the search of the engine, which plays what it has found."""
        with self._lock:
            if self._thinking is not None:
                self._thinking.stop()

    def on_move(self, callback: Callable[[Position], object], remove: bool = False) -> None:
        """Registers a function that is called with the position after each move, or removes it.

        >>> board = secateurs.BoardWidget("kalah")
        >>> board.on_move(lambda position: print(position.history))
        >>> board.play(3)
        ['3']
        """
        if not callable(callback):
            raise wrong_type("callback", "a function of a Position", callback)
        self._listeners.register_callback(callback, remove)

    def close(self) -> None:
        """Ends all searches, and removes the board from all pages."""
        # A board with wrong arguments has not begun.
        if "_lock" in vars(self):
            with self._lock:
                self._end_searches()
        super().close()

    def _read(self, given: "_AnyPosition | AnnotatedGame") -> tuple[list[Position], int]:
        """Returns the positions of a game, and the number of moves before the one to show."""
        self._comments = {}
        if isinstance(given, AnnotatedGame):
            if given.error is not None:
                raise ValueError(given.error)
            game = "chess" if given._start is None else given._start
            positions = Position.from_pgn(given.pgn, game).positions()
            for move in given.moves:
                self._comments[move.ply] = move.glyph, comment(move)
            return positions, 0
        if given is None or isinstance(given, int | list):
            raise wrong_type("position", "a Position, a game or an AnnotatedGame", given)
        positions = (given if isinstance(given, Position) else Position(given)).positions()
        return positions, len(positions) - 1

    def _side_of(self, side: int | str | None) -> int:
        if side is None:
            return self.position.turn
        names = [name.lower() for name in self.position._state("{}")["sides"]]
        if isinstance(side, str) and side.lower() in names:
            return names.index(side.lower()) + 1
        if isinstance(side, bool) and self.position.game == "chess":
            # `chess.WHITE` and `chess.BLACK`.
            return 1 if side else 2
        if side in (1, 2) and not isinstance(side, bool):
            return int(side)
        raise ValueError(f"side is 1, 2, {names[0]!r} or {names[1]!r}, not {side!r}")

    @property
    def _is_open(self) -> bool:
        """Whether the player may move."""
        is_own = self._opponent is None or self.position.turn == self._side or self._ply < len(self._positions) - 1
        return self.position.outcome is None and is_own

    @observe("theme", "size", "analyse", "multipv")
    def _on_change(self, _change: object) -> None:
        with self._lock:
            self._analyse()
            self._show()

    def _refresh(self) -> None:
        """Shows another position, and begins the searches of it."""
        self._end_searches()
        if self._opponent and not self._is_open and self.position.outcome is None:
            self._thinking = self._opponent(self.position)
            follow(self._thinking, self._answered)
        self._analyse()
        self._show()

    def _end_searches(self) -> None:
        for search in (self._thinking, self._analysis):
            if search is not None:
                search.stop()
        self._thinking = self._analysis = None

    def _analyse(self) -> None:
        """Begins the analysis of the position shown, while the board is on a page."""
        if self._analysis is not None:
            self._analysis.stop()
        self._analysis = self._search = None
        if self.analyse and self._views > 0 and self.position.outcome is None:
            self._analyser = self._analyser or Engine(hash=HASH)
            self._analysis = self._analyser.analysis(self.position, multipv=self.multipv)
            follow(self._analysis, self._found)

    def _drawing(self, best: str | None = None) -> str:
        return json.dumps({"theme": self.theme, "below": self._below, "best": best})

    def _show(self, message: str = "") -> None:
        settings = self._drawing()
        line = _native._readable(self._positions[0], self._positions[-1].history)
        comments = self._comments
        self._view = {
            "state": self.position._state(settings),
            "svg": self.position._drawing(settings),
            "line": [san + comments.get(ply, ("", ""))[0] for ply, san in enumerate(line, 1)],
            "ply": self._ply,
            "comment": comments.get(self._ply, ("", ""))[1],
            "open": self._is_open,
            "engine": self._opponent is not None,
            "thinking": self._thinking is not None,
            "message": message,
            "theme": self.theme,
            "size": self.size,
            "analyse": self.analyse,
        }

    def _found(self, search: "Analysis[str]") -> None:
        """Shows what the analysis has found so far."""
        with self._lock:
            if search is not self._analysis:
                return
            try:
                latest = search.wait() if search.done else search.latest
            except Exception as error:
                self._show(str(error))
                return
            if latest is not None:
                drawing = self.position._drawing(self._drawing(latest.best_move))
                self._search = {"info": latest._page(), "svg": drawing}

    def _answered(self, search: "Analysis[str]") -> None:
        """Plays the move of the engine."""
        with self._lock:
            if search is not self._thinking or not search.done:
                return
            self._thinking = None
            try:
                move = search.wait().best_move
            except Exception as error:
                self._show(str(error))
                return
            if move is not None:
                self.play(move)

    def _receive(self, _widget: object, content: dict[str, Any], _buffers: object) -> None:
        """Does what somebody does on a page."""
        with self._lock:
            match content:
                case {"name": "play", "move": str(move)} if self._is_open:
                    try:
                        self.play(move)
                    except ValueError as error:
                        self._show(str(error))
                case {"name": "go", "ply": int(ply)} if 0 <= ply < len(self._positions):
                    self.go(ply)
                case {"name": "step", "plies": int(plies)}:
                    self.go(max(0, min(self._ply + plies, len(self._positions) - 1)))
                case {"name": "analyse", "on": bool(on)}:
                    self.analyse = on
                case {"name": "back" | "flip" | "stop" as name}:
                    getattr(self, name)()
                case {"name": "shown"}:
                    self._views += 1
                    if self._views == 1:
                        self._analyse()
                case {"name": "hidden"}:
                    self._views = max(0, self._views - 1)
                    if self._views == 0:
                        self._analyse()


def opponent(
    engine: "int | Engine | UciEngine | None", position: Position, limit: "Limit | chess.engine.Limit | None"
) -> "Callable[[Position], Analysis[str]] | None":
    """Returns what begins the search for a move of the engine."""
    if limit is not None and not isinstance(engine, Engine | UciEngine):
        raise ValueError("limit goes with an engine: a level has its own")
    if engine is None:
        return None
    if isinstance(engine, Engine | UciEngine):
        own = native(limit) or Limit(time=1)
        return lambda position: engine.analysis(position, own)
    if not hasattr(engine, "__index__"):
        raise wrong_type("engine", "a level from 1 to 10, an Engine or a UciEngine", engine)
    # A game in Python has no book.
    game = position.game if position.state is None else None
    return _native._Opponent(game, engine, random.getrandbits(63)).analysis


def comment(move: Any) -> str:
    """Returns what is known of an annotated move."""
    best = move.best_san or move.best_move
    parts = [f"{move.san or move.move}{move.glyph}", move.assessment or ""]
    if move.best_move != move.move:
        parts.append(f"better {best}")
    parts.append(f"winning chances {move.win_percent:.0f} %")
    return ", ".join(filter(None, parts))
