"""Oware: seeds in houses, North above and South below, with the captured seeds beside."""

from secateurs._native import Position
from secateurs._pictures.canvas import Canvas

PLAYERS = "South", "North"

PITCH, STORE = 58, 62

#: The letters of the houses of South and of North.
LETTERS = "ABCDEF", "abcdef"


def draw(position: Position, best: str | None) -> Canvas:
    """Draws the board, with a ring around the house of the best move."""
    seeds, (south, north) = position.houses, position.stores
    canvas = Canvas(2 * STORE + 6 * PITCH + 40, 244)
    left = 20 + STORE
    canvas.box(12, 34, canvas.width - 24, 156, 26, "wood")
    for x, count in ((16 + STORE / 2, north), (canvas.width - 16 - STORE / 2, south)):
        canvas.box(x - STORE / 2 + 6, 44, STORE - 12, 136, 24, "hollow")
        canvas.seeds(x, 102, STORE / 2 - 12, 50, count)
        canvas.word(x, 174, count, "ink", 15)
    for player in (0, 1):
        # Each side's houses in its own sowing order: North's run from right to left.
        y, beside, label = ((154, 124, 208), (70, 108, 26))[player]
        for number, (letter, count) in enumerate(zip(LETTERS[player], seeds[player], strict=True)):
            x = left + PITCH * (0.5 + (number if player == 0 else 5 - number))
            marked = best == letter
            canvas.disc(x, y, 24, "hollow")
            canvas.seeds(x, y, 20, 20, count)
            if marked:
                canvas.ring(x, y, 24, "mark", 4)
            canvas.word(x, beside, count, "ink", 12)
            canvas.word(x, label, letter, "mark" if marked else "faint", 12)
    return canvas
