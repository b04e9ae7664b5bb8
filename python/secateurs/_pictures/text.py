"""Games without a drawing of their own: the board as in the terminal."""

from secateurs._native import Position
from secateurs._pictures.canvas import Canvas

PLAYERS = "Player 1", "Player 2"


def draw(position: Position, best: str | None) -> Canvas:
    """Draws the lines of the board, and the best move below."""
    lines = str(position) + (f"\n\nbest move {best}" if best else "")
    rows = lines.splitlines() or [""]
    canvas = Canvas(24 + 8.2 * max(map(len, rows)), 60 + 16.9 * len(rows))
    canvas.lines(12, 24, lines)
    return canvas
