"""The cost of the Python interface: positions, the import, Ctrl-C, two threads of Python.

Run it with a release build, on idle cores:

python benches/notebook.py
"""

import statistics
import subprocess
import sys
import timeit
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from time import perf_counter

import secateurs
from engine import cores, interrupts, summary
from secateurs import Engine, Game, Outcome, Position

# The limits, nanoseconds.
MOVES, A_MOVE, PLAY = 200.0, 60.0, 500.0


def nanoseconds(work: Callable[[], object]) -> float:
    """The best of many rounds."""
    timer = timeit.Timer(work)
    return min(timer.repeat(40, 2_000)) / 2_000 * 1e9


def positions() -> None:
    """`legal_moves` and `play`, of every game, at its start and thirty moves later."""
    print("position               moves   legal_moves ns (allowed)   play ns (allowed): first move, last move")
    for game in secateurs.games():
        position = Position(game)
        for plies in (0, 30):
            for _ in range(plies):
                after = position.play(position.legal_moves[-1])
                position = position if after.outcome else after
            moves = position.legal_moves
            listed = nanoseconds(partial(getattr, position, "legal_moves"))
            played = [nanoseconds(partial(position.play, move)) for move in (moves[0], moves[-1])]
            allowed = MOVES + A_MOVE * len(moves)
            print(
                f"{game:12} {plies:4} in {len(moves):8} {listed:10.0f} ({allowed:.0f})"
                f"          {played[0]:10.0f} {played[-1]:6.0f} ({PLAY:.0f})"
            )


def interrupts_of_a_search() -> None:
    """Ctrl-C while an engine searches."""
    engine, endless = Engine(hash=8), Position("kalah", houses=12, seeds=12)
    print(interrupts(lambda: engine.analyse(endless, depth=255)))


@dataclass(frozen=True)
class Nim(Game):
    """A game of the registry, once more in Python."""

    heaps: tuple[int, ...]
    turn: int = 1

    def moves(self) -> list[tuple[int, int]]:
        """A heap and the number of objects taken."""
        return [(i, taken) for i, heap in enumerate(self.heaps) for taken in range(heap, 0, -1)]

    def play(self, move: tuple[int, int]) -> "Nim":
        """The position after a move."""
        heaps = list(self.heaps)
        heaps[move[0]] -= move[1]
        return Nim(tuple(heaps), 3 - self.turn)

    def outcome(self) -> Outcome:
        """The player who took the last stone has won."""
        return Outcome(winner=3 - self.turn)


def games_in_python() -> None:
    """The same search of the same game, written in Rust and in Python."""
    for name, position in (
        ("registry", Position("nim", heaps="3,4,5", theory=False)),
        ("Python", Position(Nim((3, 4, 5)))),
    ):
        result = Engine(hash=1).analyse(position, depth=12)
        print(f"Nim, {name}: {result.nodes:,} nodes, {result.time / result.nodes * 1e6:.2f} microseconds a node")


def imports() -> None:
    """The import, in a process of its own, without the start of Python itself."""
    program = "import time; t = time.perf_counter(); import secateurs; print((time.perf_counter() - t) * 1000)"
    run = [sys.executable, "-c", program]
    times = [float(subprocess.run(run, capture_output=True, text=True, check=True).stdout) for _ in range(21)]
    print(f"import secateurs, ms: median, 99th percentile, longest: {summary(times)}")


def threads() -> None:
    """Nodes a second of two threads of Python that search at once, each with an engine, beside one alone."""
    if cores() < 2:
        print("two threads: this process has one core")
        return
    position = Position("kalah", houses=12, seeds=12)

    def speed(count: int) -> float:
        engines = [Engine(hash=16) for _ in range(count)]
        for engine in engines:
            engine.analyse(position, time=0.2)
        began = perf_counter()
        with ThreadPoolExecutor(count) as pool:
            nodes: int = sum(pool.map(lambda engine: engine.analyse(position, time=2.0).nodes, engines))
        return nodes / (perf_counter() - began)

    ratios = [speed(2) / speed(1) for _ in range(5)]
    print(f"two threads of Python against one: {statistics.median(ratios):.2f} times as fast, {sorted(ratios)}")


if __name__ == "__main__":
    positions()
    games_in_python()
    imports()
    interrupts_of_a_search()
    threads()
