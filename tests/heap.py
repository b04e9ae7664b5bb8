"""A small game in Python for the tests."""

from dataclasses import dataclass

from secateurs import Game, Outcome


@dataclass(frozen=True)
class Heap(Game):
    """One or two from a heap; the last one wins."""

    left: int = 9
    turn: int = 1

    def moves(self) -> range:
        return range(1, min(self.left, 2) + 1)

    def play(self, move: int) -> "Heap":
        return type(self)(self.left - move, 3 - self.turn)

    def outcome(self) -> Outcome:
        return Outcome(winner=3 - self.turn)
