"""Chess: the pieces on their squares, White below. The shapes of the pieces are our own."""

from secateurs._native import Position
from secateurs._pictures.canvas import Canvas

PLAYERS = "White", "Black"

SQUARE = 45
EDGE = 22

# Outlines within a square of 45 pixels. Every piece stands on the same foot.
FOOT = "M10.5 35h24v4.5h-24z"
PIECES = {
    "p": "M22.5 9a5.5 5.5 0 0 1 3.6 9.7C28.5 23 30 29 31 35H14c1-6 2.5-12 4.9-16.3A5.5 5.5 0 0 1 22.5 9z",
    "n": "M14 35c0-7 6-9 7.5-14.5L16 23.5l-4.5-3.5L17 12l.5-5.5 4 3.5C30 11 33.5 20 32 35z",
    "b": "M22.5 5.5a2.5 2.5 0 0 1 1.8 4.2C29.5 14.5 30 20 26.5 24.5L30 35H15l3.5-10.5C15 20 15.5 14.5 "
    "20.7 9.7a2.5 2.5 0 0 1 1.8-4.2z",
    "r": "M12 9h5v4h3.5V9h4v4H28V9h5v8.5L29.5 20.5V31l2.5 4H13l2.5-4V20.5L12 17.5z",
    "q": "M13.5 35L8 14l7 8 2-12.5 5.5 11.5L28 9.5 30 22l7-8-5.5 21z",
    "k": "M21 4.5h3v3h3v3h-3V15c1.2 1.5 1.8 3 2 4.5C27.5 17.5 29.5 17 31 17c7 1 6.5 10 1 18H13C7.5 27 7 18 14 17c1.5 "
    "0 3.5.5 5 2.5.2-1.5.8-3 2-4.5v-4.5h-3v-3h3z",
}


def place(square: str) -> tuple[float, float]:
    """Returns the middle of a square such as ``e4``."""
    file, rank = ord(square[0]) - ord("a"), int(square[1])
    return EDGE + SQUARE * (file + 0.5), EDGE / 2 + SQUARE * (8.5 - rank)


def draw(position: Position, best: str | None) -> Canvas:
    """Draws the board with the squares of the last move shaded, and an arrow for the best move."""
    canvas = Canvas(8 * SQUARE + 2 * EDGE, 8 * SQUARE + 68)
    last = position.history[-1] if position.history else ""
    shaded = {last[:2], last[2:4]}
    for rank in range(1, 9):
        canvas.word(EDGE / 2, place(f"a{rank}")[1] + 4, rank, "faint", 11)
        for file in "abcdefgh":
            x, y = place(f"{file}{rank}")
            colour = "dark" if (ord(file) + rank) % 2 == 0 else "light"
            kind = "last" if f"{file}{rank}" in shaded else colour
            canvas.box(x - SQUARE / 2, y - SQUARE / 2, SQUARE, SQUARE, 0, f"square-{kind}")
    for file in "abcdefgh":
        canvas.word(place(f"{file}1")[0], 8 * SQUARE + EDGE / 2 + 14, file, "faint", 11)
    for number, row in enumerate(position.text.split()[0].split("/")):
        column = 0
        for letter in row:
            if letter.isdigit():
                column += int(letter)
                continue
            owner = "white" if letter.isupper() else "black"
            shape = FOOT + PIECES[letter.lower()]
            canvas.outline(EDGE + SQUARE * column, EDGE / 2 + SQUARE * number, shape, f"piece-{owner}")
            column += 1
    if best is not None:
        start, end = place(best[:2]), place(best[2:4])
        canvas.arrow(*start, *end, "mark")
        if best[4:]:
            canvas.word(end[0] + 14, end[1] - 8, best[4:].upper(), "mark", 15)
    return canvas
