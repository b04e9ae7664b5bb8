"""Start to ``uciok``, and ``isready`` to ``readyok``: milliseconds, median and 99th percentile, beside a bare ``cat``.

The first ``isready`` waits for the memory of the table, later ones for nothing.

python3 benches/latency.py [ENGINE] [REPEATS]
"""

import statistics
import subprocess
import sys
import time


def dialogue(command: list[str], lines: list[tuple[bytes, bytes]]) -> list[float]:
    """Says each line to a new process and waits for its answer; the first time includes the start."""
    times = []
    began = time.perf_counter()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for line, answer in lines:
            process.stdin.write(line + b"\n")
            process.stdin.flush()
            while process.stdout.readline().strip() != answer:
                pass
            times.append((time.perf_counter() - began) * 1000)
            began = time.perf_counter()
    return times


def told(times: list[float]) -> str:
    """Median and 99th percentile."""
    return f"median {statistics.median(times):6.3f}  99th percentile {sorted(times)[len(times) * 99 // 100]:6.3f}"


def main() -> None:
    """Measures the engine and ``cat`` in turn."""
    engine = sys.argv[1] if len(sys.argv) > 1 else "target/release/secateur"
    repeats = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    ours, bare = [], []
    for _ in range(repeats):
        ours.append(dialogue([engine], [(b"uci", b"uciok"), (b"isready", b"readyok"), (b"isready", b"readyok")]))
        bare.append(dialogue(["cat"], [(b"uciok", b"uciok"), (b"readyok", b"readyok"), (b"readyok", b"readyok")]))
    for number, what in enumerate(["start to uciok", "first isready", "isready to readyok"]):
        for name, rows in [(engine, ours), ("cat", bare)]:
            print(f"{what:18}  {told([row[number] for row in rows])}  {name}")


if __name__ == "__main__":
    main()
