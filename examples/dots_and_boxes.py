"""Dots and Boxes as a game in Python, with the optional methods that make its search fast.

``secateurs play --game dots_and_boxes:DotsAndBoxes`` plays it at a terminal, from this directory.
"""

from dataclasses import dataclass
from functools import cache, cached_property

from secateurs import Game, Outcome


@cache
def edges(rows: int, columns: int) -> list[tuple[str, int, int]]:
    """The edges of a board, in the order of their bits: ``h`` is horizontal, ``v`` vertical; row and column from 0."""
    horizontal = [("h", row, column) for row in range(rows + 1) for column in range(columns)]
    return horizontal + [("v", row, column) for row in range(rows) for column in range(columns + 1)]


@cache
def boxes(rows: int, columns: int) -> list[int]:
    """The four edges of each box, as bits."""
    bit = {edge: 1 << at for at, edge in enumerate(edges(rows, columns))}
    return [
        bit["h", row, column] | bit["h", row + 1, column] | bit["v", row, column] | bit["v", row, column + 1]
        for row in range(rows)
        for column in range(columns)
    ]


@cache
def images(rows: int, columns: int) -> list[list[int]]:
    """The reflections of a board and its rotation by half a turn: the bit of each edge in the image."""
    bit = {edge: 1 << at for at, edge in enumerate(edges(rows, columns))}

    def image(edge: tuple[str, int, int], upside_down: bool, mirrored: bool) -> int:
        kind, row, column = edge
        last_row, last_column = (rows, columns - 1) if kind == "h" else (rows - 1, columns)
        return bit[kind, last_row - row if upside_down else row, last_column - column if mirrored else column]

    flips = [(True, False), (False, True), (True, True)]
    return [[image(edge, *flip) for edge in edges(rows, columns)] for flip in flips]


@dataclass(frozen=True)
class DotsAndBoxes(Game):
    """A move draws an edge, and the fourth edge of a box earns the box and another move.

    Edges are named by kind, row and column from 1: ``h11`` is the edge above the first box, ``v11`` that to its left.
    """

    drawn: int = 0
    #: The boxes of player 1 less those of player 2.
    lead: int = 0
    turn: int = 1
    rows: int = 2
    columns: int = 3

    def moves(self) -> list[str]:
        """Returns the edges that are not drawn."""
        return [
            f"{kind}{row + 1}{column + 1}"
            for at, (kind, row, column) in enumerate(edges(self.rows, self.columns))
            if not self.drawn >> at & 1
        ]

    def play(self, move: str) -> "DotsAndBoxes":
        """Draws an edge."""
        edge = move[0], int(move[1]) - 1, int(move[2]) - 1
        drawn = self.drawn | 1 << edges(self.rows, self.columns).index(edge)
        closed = self.open - len([box for box in boxes(self.rows, self.columns) if box & ~drawn])
        lead = self.lead + (closed if self.turn == 1 else -closed)
        return DotsAndBoxes(drawn, lead, self.turn if closed else 3 - self.turn, self.rows, self.columns)

    def outcome(self) -> Outcome:
        """Returns the lead."""
        return Outcome(margin=self.lead)

    @cached_property
    def open(self) -> int:
        """The number of boxes that are left."""
        return sum(1 for box in boxes(self.rows, self.columns) if box & ~self.drawn)

    def settled(self) -> int:
        """Returns the boxes so far: nobody loses them any more."""
        return self.lead

    def key(self) -> object:
        """Returns the edges: the lead does not matter for the rest of the game."""
        return self.drawn, self.rows, self.columns

    def symmetric_key(self) -> object:
        """Returns the least number that the edges make in a reflection of the board."""
        least = self.drawn
        for image in images(self.rows, self.columns):
            least = min(least, sum(bit for at, bit in enumerate(image) if self.drawn >> at & 1))
        return least, self.rows, self.columns

    def bounds(self) -> tuple[Outcome, Outcome]:
        """Returns the ends of the game in which one player gets all boxes that are left."""
        return Outcome(margin=self.lead - self.open), Outcome(margin=self.lead + self.open)

    def __str__(self) -> str:
        """Draws the board as text."""
        known = {edge: bool(self.drawn >> at & 1) for at, edge in enumerate(edges(self.rows, self.columns))}
        lines = []
        for row in range(self.rows + 1):
            lines.append(
                "+".join(["", *("--" if known["h", row, column] else "  " for column in range(self.columns)), ""])
            )
            if row < self.rows:
                lines.append("  ".join("|" if known["v", row, column] else " " for column in range(self.columns + 1)))
        return "\n".join([*lines, f"player {self.turn} to move, player 1 leads by {self.lead}"])

    def svg(self, best: str | None, theme: str) -> str:
        """Draws the board, with the best move in green."""
        ink = "#ddd" if theme == "dark" else "#888" if theme == "auto" else "#222"
        shapes = []
        for at, (kind, row, column) in enumerate(edges(self.rows, self.columns)):
            if self.drawn >> at & 1 or f"{kind}{row + 1}{column + 1}" == best:
                x, y = 20 + 40 * column, 20 + 40 * row
                end = (x + 40, y) if kind == "h" else (x, y + 40)
                colour = ink if self.drawn >> at & 1 else "#2a2"
                shapes.append(f'<path d="M{x} {y}L{end[0]} {end[1]}" stroke="{colour}" stroke-width="4"/>')
        for row in range(self.rows + 1):
            for column in range(self.columns + 1):
                shapes.append(f'<circle cx="{20 + 40 * column}" cy="{20 + 40 * row}" r="5" fill="{ink}"/>')
        size = f'width="{40 * self.columns + 40}" height="{40 * self.rows + 40}"'
        return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(shapes)}</svg>'
