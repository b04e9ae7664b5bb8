"""Othello: discs on a green board, with dots where the side to move can play."""

from secateurs._native import Position
from secateurs._pictures.canvas import Canvas

PLAYERS = "Black", "White"

PITCH = 44
EDGE = 22


def draw(position: Position, best: str | None) -> Canvas:
    """Draws the board, with a ring at the best move, in the corner for the pass, and the last square shaded."""
    squares = position.text.split()[0]
    size = {64: 8, 36: 6}.get(len(squares), 4)
    canvas = Canvas(size * PITCH + 2 * EDGE, size * PITCH + 60)
    legal = position.legal_moves
    last = position.history[-1] if position.history else None
    for row in range(size):
        for column in range(size):
            name = f"{chr(ord('a') + column)}{row + 1}"
            left, top = EDGE + PITCH * column, EDGE / 2 + PITCH * row
            canvas.box(left + 1, top + 1, PITCH - 2, PITCH - 2, 0, "square-last" if name == last else "felt")
            x, y = left + PITCH / 2, top + PITCH / 2
            sign = squares[row * size + column]
            if sign != "-":
                canvas.disc(x, y, 18, "piece-black" if sign == "X" else "piece-white")
            elif name == best:
                canvas.ring(x, y, 13, "mark", 4)
            elif name in legal:
                canvas.disc(x, y, 4, "hollow")
    if best == "pass":
        canvas.ring(EDGE / 2, size * PITCH + 22, 8, "mark", 4)
    for number in range(size):
        middle = PITCH * (number + 0.5)
        canvas.word(EDGE / 2, EDGE / 2 + middle + 4, number + 1, "faint", 12)
        canvas.word(EDGE + middle, size * PITCH + 26, chr(ord("a") + number), "faint", 12)
    return canvas
