"""Xiangqi: the pieces on the crossings of lines, Red below. A piece is a disc with its letter in the notation WXF."""

from re import findall

from secateurs._native import Position
from secateurs._pictures.canvas import Canvas

PLAYERS = "Red", "Black"

PITCH = 45
EDGE = 44
TOP = 34

FILES = "abcdefghi"

# The letters of a FEN that WXF has otherwise: elephant, horse.
LETTERS = {"b": "E", "n": "H"}


def points(move: str, first_rank: int) -> list[tuple[float, float]]:
    """Returns the points of a move such as ``h3e3``."""
    found = findall(r"([a-i])(\d+)", move)
    return [(EDGE + PITCH * FILES.index(file), TOP + PITCH * (9 + first_rank - int(rank))) for file, rank in found]


def grid(canvas: Canvas, first_rank: int) -> None:
    """Draws the board: files that end at the river but for the outer ones, and the palaces."""
    canvas.box(EDGE - PITCH / 2, TOP - PITCH / 2, 9 * PITCH, 10 * PITCH, 0, "square-light")
    lines = [f"M0 {PITCH * rank}h{8 * PITCH}" for rank in range(10)]
    lines += [f"M{PITCH * file} 0v{4 * PITCH}m0 {PITCH}v{4 * PITCH}" for file in range(1, 8)]
    lines += [f"M{PITCH * file} 0v{9 * PITCH}" for file in (0, 8)]
    side = 2 * PITCH
    lines += [f"M{3 * PITCH} {PITCH * rank}l{side} {side}m0 {-side}l{-side} {side}" for rank in (0, 7)]
    canvas.outline(EDGE, TOP, "".join(lines), "square-light")
    for rank in range(10):
        canvas.word(EDGE / 4, TOP + PITCH * rank + 4, 9 - rank + first_rank, "faint", 11)
    for file, letter in enumerate(FILES):
        canvas.word(EDGE + PITCH * file, TOP + 9.5 * PITCH + 14, letter, "faint", 11)


def draw(position: Position, best: str | None) -> Canvas:
    """Draws the board with the points of the last move marked, and an arrow for the best move."""
    first_rank = int(position.options.get("xiangqi_first_rank", 1))
    canvas = Canvas(8 * PITCH + 2 * EDGE, 9 * PITCH + 110)
    grid(canvas, first_rank)
    for x, y in points(position.history[-1], first_rank) if position.history else []:
        canvas.disc(x, y, 22, "square-last")
    for number, row in enumerate(position.text.split()[0].split("/")):
        column = 0
        for letter in row:
            if letter.isdigit():
                column += int(letter)
                continue
            x, y = EDGE + PITCH * column, TOP + PITCH * number
            owner = "red" if letter.isupper() else "black"
            canvas.disc(x, y, 19, f"piece-{owner}")
            canvas.disc(x, y, 16.5, "piece-white")
            canvas.word(x, y + 7, LETTERS.get(letter.lower(), letter.upper()), f"piece-{owner}", 20)
            column += 1
    if best is not None:
        start, end = points(best, first_rank)
        canvas.arrow(*start, *end, "mark")
    return canvas
