"""Breakthrough (Dan Troyka, 2000) on 6 x 6 squares as a game in Python, with features for a network.

``secateurs play --game breakthrough:Breakthrough`` plays it at a terminal, from this directory. The notebook
``learn-a-game.ipynb`` trains its network.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from secateurs import Game, Outcome

SIZE = 6
SQUARES = SIZE * SIZE
ROW = (1 << SIZE) - 1
NAMES = [f"{'abcdef'[square % SIZE]}{square // SIZE + 1}" for square in range(SQUARES)]

#: For each player and square, a move straight on, as text with the bit where it ends, and those to the sides.
STEPS = [
    [
        [
            (NAMES[square] + NAMES[square + up + side], 1 << square + up + side, side != 0)
            for side in (-1, 1, 0)
            if 0 <= square + up < SQUARES and 0 <= square % SIZE + side < SIZE
        ]
        for square in range(SQUARES)
    ]
    for up in (SIZE, -SIZE)
]

#: The goal of each player: the row where the opponent began.
GOALS = ROW << SQUARES - SIZE, ROW


def squares(pieces: int) -> Iterator[int]:
    """The numbers of the bits."""
    while pieces:
        yield (pieces & -pieces).bit_length() - 1
        pieces &= pieces - 1


@dataclass(frozen=True)
class Breakthrough(Game):
    """A piece moves a square straight on or to a side, and captures to a side; the first in the last row wins.

    Bit 0 is a1, bit 35 f6. Player 1 begins in the rows 1 and 2, and moves up.
    """

    first: int = ROW | ROW << SIZE
    second: int = (ROW | ROW << SIZE) << SQUARES - 2 * SIZE
    turn: int = 1

    #: The pieces of the player, then those of the opponent, with the player below.
    feature_count: ClassVar[int] = 2 * SQUARES

    def moves(self) -> list[str]:
        """Returns the moves: captures first, then those of the foremost pieces."""
        own, other = (self.first, self.second) if self.turn == 1 else (self.second, self.first)
        if not own or other & GOALS[2 - self.turn]:
            return []
        captures: list[str] = []
        others: list[str] = []
        for square in squares(own):
            for name, end, is_aside in STEPS[self.turn - 1][square]:
                if other & end:
                    if is_aside:
                        captures.append(name)
                elif not own & end:
                    others.append(name)
        if self.turn == 1:
            others.reverse()
        return captures + others

    def play(self, move: str) -> "Breakthrough":
        """Moves a piece."""
        start, end = 1 << NAMES.index(move[:2]), 1 << NAMES.index(move[2:])
        if self.turn == 1:
            return type(self)(self.first ^ start ^ end, self.second & ~end, 2)
        return type(self)(self.first & ~end, self.second ^ start ^ end, 1)

    def outcome(self) -> Outcome:
        """Returns a win of the player who has just moved: there is always a move before the end."""
        return Outcome(winner=3 - self.turn)

    def features(self, player: int) -> list[int]:
        """Returns the pieces from the side of a player."""
        if player == 1:
            return [*squares(self.first), *(SQUARES + square for square in squares(self.second))]
        # The same with the rows from the other end.
        flip = SQUARES - SIZE
        own = [flip - square + 2 * (square % SIZE) for square in squares(self.second)]
        return own + [SQUARES + flip - square + 2 * (square % SIZE) for square in squares(self.first)]

    def __str__(self) -> str:
        """Draws the board as text."""
        signs = ["x" if self.first >> at & 1 else "o" if self.second >> at & 1 else "." for at in range(SQUARES)]
        rows = [f"{row + 1} {' '.join(signs[row * SIZE :][:SIZE])}" for row in reversed(range(SIZE))]
        return "\n".join([*rows, "  a b c d e f", f"{'xo'[self.turn - 1]} to move"])

    def svg(self, best: str | None, theme: str) -> str:
        """Draws the board, with the best move in green."""
        dark, ink = ("#444", "#ddd") if theme == "dark" else ("#ddd", "#222")
        centre = [(20 + 30 * (at % SIZE), 20 + 30 * (SIZE - 1 - at // SIZE)) for at in range(SQUARES)]
        shapes = []
        for at, (x, y) in enumerate(centre):
            fill = dark if (at + at // SIZE) % 2 == 0 else "none"
            shapes.append(f'<rect x="{x - 15}" y="{y - 15}" width="30" height="30" fill="{fill}" stroke="{dark}"/>')
            if (self.first | self.second) >> at & 1:
                piece = "#f8f8f8" if self.first >> at & 1 else "#222"
                shapes.append(f'<circle cx="{x}" cy="{y}" r="10" fill="{piece}" stroke="{ink}"/>')
        if best:
            (x, y), (to_x, to_y) = (centre[NAMES.index(name)] for name in (best[:2], best[2:]))
            shapes.append(f'<path d="M{x} {y}L{to_x} {to_y}" stroke="#2a2" stroke-width="5"/>')
        size = 30 * SIZE + 10
        return f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}">{"".join(shapes)}</svg>'
