"""Dots and Boxes as a game in Python, with the optional methods that make its search fast.

``secateurs play --game dots_and_boxes:DotsAndBoxes`` plays it at a terminal, from this directory.
"""

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

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


@cache
def corners(rows: int, columns: int) -> list[tuple[int, int]]:
    """The two outer edges of each box in a corner, as bits: either of them closes the same box and no other."""
    bit = {edge: 1 << at for at, edge in enumerate(edges(rows, columns))}
    return [
        (bit["h", row, min(column, columns - 1)], bit["v", min(row, rows - 1), column])
        for row in (0, rows)
        for column in (0, columns)
    ]


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
        """Returns the edges that are not drawn: those that close a box first, those that offer one last."""
        left = dict.fromkeys(range(1, 5), 0)
        for box in self.open:
            left[box.bit_count()] |= box
        closing: list[str] = []
        safe: list[str] = []
        giving: list[str] = []
        for at, (kind, row, column) in enumerate(edges(self.rows, self.columns)):
            if not self.drawn >> at & 1:
                chosen = closing if left[1] >> at & 1 else giving if left[2] >> at & 1 else safe
                chosen.append(f"{kind}{row + 1}{column + 1}")
        return closing + safe + giving

    def play(self, move: str) -> "DotsAndBoxes":
        """Draws an edge."""
        drawn = 1 << self.action(move)
        closed = self.open.count(drawn)
        lead = self.lead + (closed if self.turn == 1 else -closed)
        return DotsAndBoxes(self.drawn | drawn, lead, self.turn if closed else 3 - self.turn, self.rows, self.columns)

    def outcome(self) -> Outcome:
        """Returns the lead."""
        return Outcome(margin=self.lead)

    @cached_property
    def open(self) -> list[int]:
        """The missing edges of each box that is left, as bits."""
        return [box & ~self.drawn for box in boxes(self.rows, self.columns) if box & ~self.drawn]

    def settled(self) -> int:
        """Returns the boxes so far: nobody loses them any more."""
        return self.lead

    def key(self) -> object:
        """Returns the edges: the lead does not matter for the rest of the game."""
        return self.drawn, self.rows, self.columns

    def symmetric_key(self) -> object:
        """Returns the least number that the edges make in a reflection, with the outer edges of corners in order."""
        boards = [self.drawn]
        for image in images(self.rows, self.columns):
            boards.append(sum(bit for at, bit in enumerate(image) if self.drawn >> at & 1))
        for at, board in enumerate(boards):
            for one, other in corners(self.rows, self.columns):
                if board & (one | other) == other:
                    boards[at] = board = board ^ one ^ other
        return min(boards), self.rows, self.columns

    def bounds(self) -> tuple[Outcome, Outcome]:
        """Returns the ends in which one player gets all boxes but those that the mover can close now."""
        left, sure = list(self.open), 0
        while edge := next((box for box in left if box.bit_count() == 1), 0):
            sure += left.count(edge)
            left = [box & ~edge for box in left if box != edge]
        worst, best = self.lead - len(self.open), self.lead + len(self.open)
        if self.turn == 1:
            return Outcome(margin=worst + 2 * sure), Outcome(margin=best)
        return Outcome(margin=worst), Outcome(margin=best - 2 * sure)

    @property
    def num_actions(self) -> int:
        """The number of edges, for environments of PettingZoo."""
        return len(edges(self.rows, self.columns))

    def action(self, move: str) -> int:
        """Returns the number of an edge."""
        return edges(self.rows, self.columns).index((move[0], int(move[1]) - 1, int(move[2]) - 1))

    def observation(self, player: int) -> Any:
        """Returns the edges, ones where they are drawn, then the lead of the player."""
        import numpy as np

        drawn = [self.drawn >> at & 1 for at in range(self.num_actions)]
        return np.array([*drawn, self.lead if player == 1 else -self.lead], np.int8)

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
