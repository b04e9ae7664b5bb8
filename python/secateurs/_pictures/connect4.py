"""Connect Four: discs in a frame."""

from secateurs._native import Position
from secateurs._pictures.canvas import Canvas

PLAYERS = "First player", "Second player"

PITCH = 44

# The colours of a vacant square and of the stones of each player.
INKS = "paper", "first", "second"


def draw(position: Position, best: str | None) -> Canvas:
    """Draws the frame, with a ring where the disc of the best move lands."""
    rows = position.board
    columns = len(rows[0])
    chosen = None if best is None else ord(best[2]) - ord("a") if "@" in best else int(best) - 1
    canvas = Canvas(columns * PITCH + 36, len(rows) * PITCH + 80)
    canvas.box(12, 12, columns * PITCH + 12, len(rows) * PITCH + 12, 14, "frame")
    for column in range(columns):
        x = 18 + PITCH * (column + 0.5)
        for number, row in enumerate(rows):
            canvas.disc(x, 18 + PITCH * (number + 0.5), 18, INKS[row[column]])
        if column == chosen:
            lowest = max(number for number, row in enumerate(rows) if not row[column])
            y = 18 + PITCH * (lowest + 0.5)
            canvas.disc(x, y, 9, INKS[position.turn])
            canvas.ring(x, y, 15, "mark", 4)
        canvas.word(x, len(rows) * PITCH + 42, column + 1, "mark" if column == chosen else "faint", 12)
    return canvas
