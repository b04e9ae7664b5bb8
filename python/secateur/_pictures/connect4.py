"""Connect Four: discs in a frame."""

from secateur._native import Position
from secateur._pictures.canvas import Canvas

PLAYERS = "First player", "Second player"

PITCH = 44


def draw(position: Position, best: str | None) -> Canvas:
    """The frame, with a ring where the best move's disc comes to lie."""
    rows = [cells(row) for row in position.text.split()[0].split("[")[0].split("/")]
    columns = len(rows[0])
    chosen = None if best is None else ord(best[2]) - ord("a") if "@" in best else int(best) - 1
    canvas = Canvas(columns * PITCH + 36, len(rows) * PITCH + 80)
    canvas.box(12, 12, columns * PITCH + 12, len(rows) * PITCH + 12, 14, "frame")
    for column in range(columns):
        x = 18 + PITCH * (column + 0.5)
        for number, row in enumerate(rows):
            canvas.disc(x, 18 + PITCH * (number + 0.5), 18, row[column])
        if column == chosen:
            lowest = max(number for number, row in enumerate(rows) if row[column] == "paper")
            y = 18 + PITCH * (lowest + 0.5)
            canvas.disc(x, y, 9, ("first", "second")[position.turn - 1])
            canvas.ring(x, y, 15, "mark", 4)
        canvas.word(x, len(rows) * PITCH + 42, column + 1, "mark" if column == chosen else "faint", 12)
    return canvas


def cells(row: str) -> list[str]:
    """What lies on a row's squares; numbers stand for vacant ones."""
    found, gap = [], 0
    for letter in row:
        if letter.isdigit():
            gap = 10 * gap + int(letter)
        else:
            found += ["paper"] * gap + ["first" if letter in "xP" else "second"]
            gap = 0
    return found + ["paper"] * gap
