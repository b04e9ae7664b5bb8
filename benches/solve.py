"""The cost of exact values: processor seconds, medians of several runs, with all databases built in the run.

python3 benches/solve.py [ENGINE] [RUNS] [-- PEER...]
python3 benches/solve.py [ENGINE] --large

Kalah(6,4) by both rules: the endgame databases are built in an empty folder and counted, then the start is solved with
them, by one thread. Connect Four: the public sets and random positions of 14, 10 and 8 stones, from an empty table.

With `--large` it is Kalah(6,5) by both rules instead, once: the databases by one thread, then the start with them by
one thread and by two, each from an empty table. It takes minutes.

A peer is a command that does one piece of work, measured beside ours in each round, process start included: once all is
done its median is printed, and the ratio of ours for (6,4) with empty captures to it.
"""

import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

#: By seeds a house: the seeds of the endgame databases that pay for one solution, and the hash, MiB.
#: More memory than the positions need costs time, because distant addresses are slower.
MEANS = {4: (18, 128), 5: (24, 1024)}

DATA = Path(__file__).parent.parent / "tests" / "data"
SETS = ["Test_L3_R1", "Test_L2_R1", "Test_L1_R1", "connect4_14", "connect4_10", "connect4_8"]


def cpu(command: list[str], text: str = "") -> tuple[float, str]:
    """Processor seconds of a command, and its output."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return spent, done.stdout


class Solved(NamedTuple):
    """A start solved: seconds for the databases, for the search by the processor and by the clock; the result."""

    built: float
    spent: float
    took: float
    nodes: int
    value: int


def kalah(engine: str, house: int, capture: str, threads: tuple[int, ...] = (1,)) -> list[Solved]:
    """The start of Kalah with six houses and so many seeds in each, solved by so many threads."""
    seeds, mib = MEANS[house]
    option, found = ["--option", f"Capture={capture}"], []
    with tempfile.TemporaryDirectory() as folder:
        built, _ = cpu([engine, "endgame", "build", *option, "--seeds", str(seeds), "--threads", "1", folder])
        option += ["--option", f"Seeds={house}", "--option", f"KalahEndgames={folder}"]
        for number in threads:
            limits = ["--hash", str(mib), "--threads", str(number), "--moves", "none", "--json"]
            start = time.monotonic()
            spent, text = cpu([engine, "solve", *option, *limits], "startpos\n")
            record = json.loads(text)
            found.append(Solved(built, spent, time.monotonic() - start, record["nodes"], record["value"]))
    return found


def four(engine: str, name: str) -> tuple[float, float]:
    """Microseconds and nodes a position of a set, each value compared with the published one."""
    text = (DATA / name).read_text()
    _, output = cpu([engine, "solve", "--game", "connect4", "--json", "--fresh", "--moves", "none"], text)
    records = [json.loads(line) for line in output.splitlines()]
    for line, record in zip(text.splitlines(), records, strict=True):
        assert (record["value"], record["proven"]) == (int(line.split()[1]), "exact"), line
    micros, nodes = (statistics.mean(record[key] for record in records) for key in ("cpu_us", "nodes"))
    return micros, nodes


def large(engine: str) -> None:
    """Kalah(6,5), once."""
    print(
        f"Kalah(6,5), {MEANS[5][0]} database seeds     databases s  threads    search s     clock s       nodes   value"
    )
    for capture in ("empty", "standard"):
        for threads, found in zip((1, 2), kalah(engine, 5, capture, (1, 2)), strict=True):
            seconds = f"{found.built:13.2f}{threads:9}{found.spent:12.2f}{found.took:12.2f}"
            print(f"{capture:30}{seconds}{found.nodes:12}{found.value:8}", flush=True)


def main() -> None:
    """Measures, and prints a table."""
    words, peer = sys.argv[1:], []
    if "--" in words:
        words, peer = words[: words.index("--")], words[words.index("--") + 1 :]
    engine = words[0] if words else "target/release/secateurs"
    if words[1:] == ["--large"]:
        large(engine)
        return
    runs = int(words[1]) if len(words) > 1 else 5
    found: dict[str, list[Solved]] = {"empty": [], "standard": []}
    sets: dict[str, list[tuple[float, float]]] = {name: [] for name in SETS}
    beside: list[float] = []
    for _ in range(runs):
        for capture, rounds in found.items():
            rounds += kalah(engine, 4, capture)
        for name, times in sets.items():
            times.append(four(engine, name))
        if peer:
            beside.append(cpu(peer)[0])
    print(f"Kalah(6,4), {MEANS[4][0]} database seeds     databases s    search s     total s       nodes   value")
    totals = {}
    for capture, rounds in found.items():
        totals[capture] = statistics.median(one.built + one.spent for one in rounds)
        middle = [
            statistics.median(one.built for one in rounds),
            statistics.median(one.spent for one in rounds),
            totals[capture],
        ]
        counts = f"{rounds[0].nodes:12} {rounds[0].value:7}"
        print(f"{capture:30}" + "".join(f"{value:12.2f}" for value in middle) + counts)
    print("Connect Four                   us a position      nodes")
    for name, times in sets.items():
        micros, nodes = zip(*times, strict=True)
        print(f"{name:30}{statistics.median(micros):14.2f}{nodes[0]:11.1f}")
    if beside:
        print(f"peer {statistics.median(beside):.2f} s, ratio {totals['empty'] / statistics.median(beside):.3f}")


if __name__ == "__main__":
    main()
