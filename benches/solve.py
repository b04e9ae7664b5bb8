"""What exact values cost: processor seconds, medians of several runs, everything built in the run.

python3 benches/solve.py [ENGINE] [RUNS] [-- PEER...]

Kalah(6,4) by both rules: the endgame databases are built in an empty folder and counted, then the start is solved with
them, by one thread. Connect Four: the public sets, the table cleared before each position.

A peer is a command that does one piece of work, measured beside ours in each round, process start included: once all is
done its median is printed, and the ratio of ours for (6,4) with empty captures to it.
"""

import json
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

#: Seeds of the endgame databases that are worth their while for one solution of (6,4), and the hash, MiB.
SEEDS = 19
HASH = 256

DATA = Path(__file__).parent.parent / "tests" / "data"
SETS = ["Test_L3_R1", "Test_L2_R1", "Test_L1_R1"]


def cpu(command: list[str], text: str = "") -> tuple[float, str]:
    """Processor seconds of a command, and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return spent, done.stdout


def kalah(engine: str, capture: str) -> tuple[float, float, int, int]:
    """Seconds for the databases and for the search, nodes and value of (6,4)."""
    option = ["--option", f"Capture={capture}"]
    with tempfile.TemporaryDirectory() as folder:
        built, _ = cpu([engine, "endgame", "build", *option, "--seeds", str(SEEDS), "--threads", "1", folder])
        used = [*option, "--option", f"KalahEndgames={folder}", "--hash", str(HASH), "--moves", "none", "--json"]
        spent, text = cpu([engine, "solve", *used], "startpos\n")
    record = json.loads(text)
    return built, spent, record["nodes"], record["value"]


def four(engine: str, name: str) -> tuple[float, float]:
    """Microseconds and nodes a position of a set, each value held against the published one."""
    text = (DATA / name).read_text()
    _, told = cpu([engine, "solve", "--game", "connect4", "--json", "--fresh", "--moves", "none"], text)
    records = [json.loads(line) for line in told.splitlines()]
    for line, record in zip(text.splitlines(), records, strict=True):
        assert (record["value"], record["proven"]) == (int(line.split()[1]), "exact"), line
    micros, nodes = (statistics.mean(record[key] for record in records) for key in ("cpu_us", "nodes"))
    return micros, nodes


def main() -> None:
    """Measures, and prints a table."""
    words, peer = sys.argv[1:], []
    if "--" in words:
        words, peer = words[: words.index("--")], words[words.index("--") + 1 :]
    engine = words[0] if words else "target/release/secateur"
    runs = int(words[1]) if len(words) > 1 else 5
    found: dict[str, list[tuple[float, float, int, int]]] = {"empty": [], "standard": []}
    sets: dict[str, list[tuple[float, float]]] = {name: [] for name in SETS}
    beside: list[float] = []
    for _ in range(runs):
        for capture, rounds in found.items():
            rounds.append(kalah(engine, capture))
        for name, times in sets.items():
            times.append(four(engine, name))
        if peer:
            beside.append(cpu(peer)[0])
    print(f"Kalah(6,4), {SEEDS} seeds on record    databases s    search s     total s       nodes   value")
    totals = {}
    for capture, rounds in found.items():
        built, spent, nodes, values = zip(*rounds, strict=True)
        totals[capture] = statistics.median(map(sum, zip(built, spent, strict=True)))
        middle = [statistics.median(built), statistics.median(spent), totals[capture]]
        print(f"{capture:30}" + "".join(f"{value:12.2f}" for value in middle) + f"{nodes[0]:12} {values[0]:7}")
    print("Connect Four                   us a position      nodes")
    for name, times in sets.items():
        micros, counts = zip(*times, strict=True)
        print(f"{name:30}{statistics.median(micros):14.2f}{counts[0]:11.1f}")
    if beside:
        print(f"peer {statistics.median(beside):.2f} s, ratio {totals['empty'] / statistics.median(beside):.3f}")


if __name__ == "__main__":
    main()
