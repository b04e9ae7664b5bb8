"""What a job-level search costs: `secateurs.dask.solve` on one and on two cores, beside `Engine.solve`.

python3 benches/dask_solve.py [--quick] [--job NODES] [--hash MIB] [--positions N]

The positions are in dask_solve.txt: ten of Connect Four on 9 x 6 and ten of Kalah(6,5), random moves after the start,
which one thread solves with 8 to 160 million nodes. With `--quick` they are random ones of Connect Four on 6 x 5 and of
Kalah(5,4). Each is solved four times from empty tables: by one thread without Dask, by a worker of one thread, by a
worker of two threads, which share its table, and by two workers of one thread, which do not. Overhead is the time of
the worker of one thread beside that of the thread alone, speed-up that beside either pair. Times need a machine with
nothing else running; the ratios of nodes do not, and bound them: two threads that search 1.2 times the nodes of one are
at most 2 / 1.2 times as fast.
"""

import argparse
import random
import sys
import time
import warnings
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any, NamedTuple

warnings.simplefilter("ignore")

from dask_cluster import local  # noqa: E402
from secateurs import Engine, Position, dask  # noqa: E402

# The numbers of workers, and of threads of each.
CORES = (1, 1), (1, 2), (2, 1)


class Cost(NamedTuple):
    """Seconds and nodes."""

    seconds: float
    nodes: int


def hard() -> Iterator[Position]:
    """The positions of the file."""
    boards: dict[str, dict[str, Any]] = {"connect4": {"columns": 9, "rows": 6}, "kalah": {"houses": 6, "seeds": 5}}
    for line in Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").splitlines():
        game, text = line.split(maxsplit=1)
        yield Position.parse(text, game, **boards[game])


def quick() -> Iterator[Position]:
    """Small positions without end, half of each game, none of them over."""
    chance = random.Random(57)
    for start in cycle([Position("connect4", columns=6, rows=5), Position("kalah", houses=5, seeds=4)]):
        position = start
        for _ in range(8):
            if position.outcome is None:
                position = position.play(chance.choice(position.legal_moves))
        if position.outcome is None:
            # Without its history.
            yield Position.parse(position.text, position.game, **position.options)


def alone(position: Position, hash_size: int) -> tuple[int | None, Cost]:
    """One thread, without Dask."""
    engine, began = Engine(hash=hash_size), time.perf_counter()
    found = engine.solve(position, moves="none")
    return found.value, Cost(time.perf_counter() - began, found.nodes)


def spread(position: Position, workers: int, threads: int, job: int, hash_size: int) -> tuple[int | None, Cost]:
    """New workers with this number of threads each."""
    with local(workers, threads) as client:
        began = time.perf_counter()
        found = dask.solve(position, job=job, hash=hash_size, client=client)
        return found.value, Cost(time.perf_counter() - began, found.nodes)


def main() -> None:
    """Measures, and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--job", type=int, help="the nodes of a job", default=None)
    parser.add_argument("--hash", type=int, help="the size of each table, MiB", default=None)
    parser.add_argument("--positions", type=int, help="default: 20", default=20)
    given = parser.parse_args()
    job = given.job or (20_000 if given.quick else 2_000_000)
    hash_size = given.hash or (16 if given.quick else 1_024)
    totals = [Cost(0.0, 0)] * 4
    kinds = "alone | 1 worker | 1 of 2 threads | 2 workers"
    print(f"| position | value | s {kinds} | nodes {kinds} |")
    print("|---|---|---|---|---|---|---|---|---|---|", flush=True)
    for position in islice(quick() if given.quick else hard(), given.positions):
        runs = [alone(position, hash_size), *(spread(position, *cores, job, hash_size) for cores in CORES)]
        values, costs = {value for value, _ in runs}, [cost for _, cost in runs]
        totals = [Cost(a + c, b + d) for (a, b), (c, d) in zip(totals, costs, strict=True)]
        shown = " | ".join([*(f"{cost.seconds:.2f}" for cost in costs), *(f"{cost.nodes:,}" for cost in costs)])
        value = values.pop() if len(values) == 1 else f"DIFFERENT: {values}"
        print(f"| {position.game} {position.text} | {value} | {shown} |", flush=True)
        print(ratios(totals), file=sys.stderr)
    print(ratios(totals))


def ratios(totals: list[Cost]) -> str:
    """Returns what the runs so far took beside each other."""
    thread, one, shared, two = totals

    def beside(cost: Cost) -> str:
        return f"{one.seconds / cost.seconds:.2f}, nodes {cost.nodes / one.nodes:.2f} times"

    overhead = f"overhead {one.seconds / thread.seconds:.2f}, nodes {one.nodes / thread.nodes:.2f} times"
    return f"{overhead}; speed-up of two threads {beside(shared)}, of two workers {beside(two)}"


if __name__ == "__main__":
    main()
