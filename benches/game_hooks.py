"""Dots and Boxes, a game in Python, solved with and without the methods that prune its search.

python3 benches/game_hooks.py [ROWS COLUMNS]

Each line adds a method of examples/dots_and_boxes.py to those of the line before, and has the nodes and seconds.
"""

import sys
import time
from pathlib import Path
from typing import Any

from secateurs import Engine, Game, Position

sys.path.insert(0, str(Path(__file__).parent.parent / "examples"))

from dots_and_boxes import DotsAndBoxes

METHODS = ["moves", "settled", "key", "bounds", "symmetric_key"]


def without(names: list[str]) -> Any:
    """The game without some methods: the moves then have the order of the board."""
    members: dict[str, Any] = {name: getattr(Game, name) for name in names}
    if "moves" in names:
        members["moves"] = lambda self: sorted(DotsAndBoxes.moves(self))

    def play(self: DotsAndBoxes, move: str) -> DotsAndBoxes:
        after = DotsAndBoxes.play(self, move)
        return type(self)(after.drawn, after.lead, after.turn, after.rows, after.columns)

    return type("Fewer", (DotsAndBoxes,), {**members, "play": play})


def main() -> None:
    """Solves the start with more and more methods."""
    rows, columns = map(int, sys.argv[1:3] or (2, 3))
    steps = {"no method": 0, "+ order of moves()": 1, "+ settled(), key()": 3, "+ bounds()": 4, "+ symmetric_key()": 5}
    for name, count in steps.items():
        began = time.perf_counter()
        start = Position(without(METHODS[count:])(rows=rows, columns=columns))
        solution = Engine(hash=64).solve(start)
        seconds = time.perf_counter() - began
        print(f"{name}: value {solution.value}, {solution.nodes} nodes, {seconds:.2f} s", flush=True)


if __name__ == "__main__":
    main()
