"""The cost of a batch: a row, a checkpoint, Ctrl-C, tables of any size, two threads.

Run it with a release build, on idle cores:

python benches/batch.py

It first builds and runs `benches/batch.rs` with cargo, for the same searches in a plain loop.
"""

import statistics
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import secateurs
from engine import cores, interrupts
from secateurs import Engine, Position, analyse_many

ROWS = 100_000

# The limit, microseconds a row beyond the search.
OVERHEAD = 2.0


def walk(game: str, rows: int) -> list[Position]:
    """Positions of several games in play."""
    positions: list[Position] = []
    position, number = Position(game), 0
    while len(positions) < rows:
        positions.append(position)
        moves = position.legal_moves
        number += 1
        position = position.play(moves[number * 7 % len(moves)])
        if position.outcome is not None:
            position = Position(game)
    return positions


def loops() -> dict[str, float]:
    """Microseconds of each search in a plain loop of Rust."""
    run = ["cargo", "bench", "--quiet", "--locked", "--bench", "batch"]
    lines = subprocess.run(run, capture_output=True, text=True, check=True).stdout.splitlines()[1:]
    return {words[0]: float(words[1]) for words in map(str.split, lines)}


def cost(positions: Sequence[Position | str], **keywords: Any) -> float:
    """Microseconds a row: the least of five."""

    def once() -> float:
        began = perf_counter()
        analyse_many(positions, depth=1, threads=1, pv=False, **keywords)
        return (perf_counter() - began) * 1e6 / len(positions)

    return min(once() for _ in range(5))


def rows() -> None:
    """Rows of depth 1, one thread, without variations: from the list of positions to the columns."""
    looped = loops()
    print(f"{ROWS:,} rows of depth 1   us a row   more than a loop of Rust (allowed)")
    for game in secateurs.games():
        positions = walk(game, ROWS)
        whole = cost(positions)
        print(f"{game:22} {whole:13.2f} {whole - looped[game]:13.2f} ({OVERHEAD:.0f})")
        print(f"{game:9} read from text {cost([position.text for position in positions], game=game):11.2f}")
    positions = walk("nim", ROWS)
    for hash in (1, 16, 256):
        print(f"nim, tables of {hash:3} MiB {cost(positions, hash=hash):14.2f}")
    with tempfile.TemporaryDirectory() as folder:
        began = perf_counter()
        analyse_many(positions, depth=1, threads=1, pv=False, checkpoint=Path(folder) / "batch")
        print(f"nim, with a checkpoint {(perf_counter() - began) / ROWS * 1e6:13.2f}")
        began = perf_counter()
        analyse_many(positions, depth=1, threads=1, pv=False, checkpoint=Path(folder) / "batch")
        print(f"nim, all of it there   {(perf_counter() - began) / ROWS * 1e6:13.2f}")


def single() -> None:
    """The same searches one by one, from Python."""
    positions, engine = walk("nim", 2_000), Engine(hash=4)
    began = perf_counter()
    for position in positions:
        engine.clear()
        engine.analyse(position, depth=1)
    print(f"nim, Engine.analyse    {(perf_counter() - began) / len(positions) * 1e6:13.2f}")


def interrupts_of_a_batch() -> None:
    """Ctrl-C while a batch is searched."""
    endless = [Position("kalah", houses=12, seeds=12)] * 100
    print(interrupts(lambda: analyse_many(endless, depth=255)))


def threads() -> None:
    """The same batch with two threads and with one."""
    if cores() < 2:
        print("two threads: this process has one core")
        return
    positions = walk("kalah", 400)

    def seconds(count: int) -> float:
        began = perf_counter()
        analyse_many(positions, depth=9, threads=count)
        return perf_counter() - began

    ratios = [seconds(1) / seconds(2) for _ in range(5)]
    print(f"two threads against one: {statistics.median(ratios):.2f} times as fast, {sorted(ratios)}")


if __name__ == "__main__":
    rows()
    single()
    interrupts_of_a_batch()
    threads()
