"""Drawings of positions. Each game has a module or an object here with ``PLAYERS`` and ``draw``, and a row below."""

from reprlib import repr
from typing import Protocol

from secateurs._arguments import theme as check
from secateurs._native import Position
from secateurs._pictures import chess, connect4, draughts, kalah, nim, othello, oware, text, xiangqi
from secateurs._pictures.canvas import Canvas


class Picture(Protocol):
    """What draws the positions of a game."""

    @property
    def PLAYERS(self) -> tuple[str, str]:
        """The names of the players, the one who moves first first."""

    def draw(self, position: Position, best: str | None) -> Canvas:
        """Draws a position, with a legal move marked."""


GAMES: dict[str, Picture] = {
    "kalah": kalah,
    "nim": nim,
    "connect4": connect4,
    "cfour": connect4,
    "chess": chess,
    "checkers": draughts.ENGLISH,
    "draughts": draughts.INTERNATIONAL,
    "brazilian": draughts.BRAZILIAN,
    "xiangqi": xiangqi,
    "oware": oware,
    "othello": othello,
}


def svg(position: Position, best: str | None, theme: str) -> str:
    """Draws a position, with a legal move marked."""
    check(theme)
    own = getattr(position.state, "svg", None)
    if own is not None:
        drawn = own(best, theme)
        if not isinstance(drawn, str):
            raise TypeError(f"{position.game}.svg() returns a str, not {repr(drawn)}")
        return drawn
    game = GAMES.get(position.game, text)
    canvas = game.draw(position, best)
    caption = standing(position, game.PLAYERS)
    canvas.word(canvas.width / 2, canvas.height - 13, caption, "ink", 13)
    drawing: str = canvas.svg(theme, f"{position.game}: {position.text}")
    return drawing


def standing(position: Position, players: tuple[str, str]) -> str:
    """Returns the side to move or the winner."""
    outcome = position.outcome
    if outcome is None:
        return f"{players[position.turn - 1]} to move"
    if outcome.winner is None:
        return "A draw"
    margin = f" by {abs(outcome.margin)}" if outcome.margin else ""
    return f"{players[outcome.winner - 1]} wins{margin}"
