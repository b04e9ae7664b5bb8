"""Draughts: the pieces on the dark squares, with square 1 at the top."""

from itertools import pairwise
from re import findall

from secateurs._native import Position
from secateurs._pictures.canvas import Canvas

SQUARE = 45
EDGE = 22

# The outline of a crown within a square.
CROWN = "M14 28l-2-11 6 5 4.5-8 4.5 8 6-5-2 11z"


class Board:
    """The size of a game's board, and its players."""

    def __init__(self, size: int, players: tuple[str, str]) -> None:
        """Takes the number of rows, and the players, the one who moves first first."""
        self.size, self.PLAYERS = size, players

    def place(self, number: int) -> tuple[int, int]:
        """Returns the column and the row of a square, from the upper left corner."""
        row, index = divmod(number - 1, self.size // 2)
        return 2 * index + 1 - row % 2, row

    def corner(self, number: int) -> tuple[float, float]:
        """Returns the upper left corner of a square in pixels."""
        column, row = self.place(number)
        return EDGE + SQUARE * column, EDGE / 2 + SQUARE * row

    def middle(self, number: int) -> tuple[float, float]:
        """Returns the middle of a square in pixels."""
        x, y = self.corner(number)
        return x + SQUARE / 2, y + SQUARE / 2

    def draw(self, position: Position, best: str | None) -> Canvas:
        """Draws the board with the squares of the last move shaded, and an arrow for the best move."""
        canvas = Canvas(self.size * SQUARE + 2 * EDGE, self.size * SQUARE + 54)
        canvas.box(EDGE, EDGE / 2, self.size * SQUARE, self.size * SQUARE, 0, "square-light")
        last = squares(position.history[-1]) if position.history else []
        for number in range(1, self.size**2 // 2 + 1):
            kind = "last" if number in last else "dark"
            x, y = self.corner(number)
            canvas.box(x, y, SQUARE, SQUARE, 0, f"square-{kind}")
            canvas.word(x + 3, y + 11, number, "ink", 9, "start")
        for side, pieces in findall(r":([WB])([K\d,]*)", position.text):
            colour = "white" if side == "W" else "black"
            for king, number in findall(r"(K?)(\d+)", pieces):
                self.piece(canvas, int(number), colour, king=bool(king))
        if best is not None:
            for start, end in pairwise(squares(best)):
                canvas.arrow(*self.middle(start), *self.middle(end), "mark")
        return canvas

    def piece(self, canvas: Canvas, number: int, colour: str, *, king: bool) -> None:
        """Draws a man, or a king with a crown."""
        left, top = self.corner(number)
        canvas.outline(left, top, "M6 22.5a16.5 16.5 0 1 0 33 0a16.5 16.5 0 1 0-33 0z", f"piece-{colour}")
        canvas.outline(left, top, "M11 22.5a11.5 11.5 0 1 0 23 0a11.5 11.5 0 1 0-23 0z", f"piece-{colour}")
        if king:
            other = "black" if colour == "white" else "white"
            canvas.outline(left, top, CROWN, f"piece-{other}")


def squares(move: str) -> list[int]:
    """Returns the numbers of the squares of a move."""
    return [int(number) for number in findall(r"\d+", move)]


ENGLISH = Board(8, ("Black", "White"))
INTERNATIONAL = Board(10, ("White", "Black"))
BRAZILIAN = Board(8, ("White", "Black"))
