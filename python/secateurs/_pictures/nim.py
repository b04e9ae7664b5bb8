"""Nim: heaps of objects, one per row."""

from secateurs._native import Position
from secateurs._pictures.canvas import Canvas

PLAYERS = "Player 1", "Player 2"

# The number of objects in a line; larger heaps continue in the next line.
LINE, PITCH = 20, 18


def draw(position: Position, best: str | None) -> Canvas:
    """Draws the heaps; the objects that the best move takes are rings."""
    heaps = position.heaps
    heap_chosen, taken = (int(word) for word in best.split("-")) if best else (0, 0)
    heights = [max(1, -(-heap // LINE)) * PITCH + 16 for heap in heaps]
    widest = min(LINE, max(heaps))
    canvas = Canvas(max(220, 108 + widest * PITCH), sum(heights) + 44)
    y = 14.0
    for number, (heap, height) in enumerate(zip(heaps, heights, strict=True), 1):
        canvas.box(12, y, canvas.width - 24, height - 6, 10, "wood")
        middle = y + height / 2 + 1.5
        canvas.word(28, middle, number, "mark" if number == heap_chosen else "ink", 12)
        for index in range(heap):
            place = 52 + PITCH * (index % LINE), y + 14 + PITCH * (index // LINE)
            if number == heap_chosen and index >= heap - taken:
                canvas.ring(*place, 5.5, "mark", 3)
            else:
                canvas.disc(*place, 6.5, "seed")
        canvas.word(canvas.width - 24, middle, heap, "ink", 13, "end")
        y += height
    return canvas
