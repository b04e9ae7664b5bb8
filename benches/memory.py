"""Resident memory against ``Hash``: MiB, from ``/proc``, when the table has been filled or the time is up. Linux only.

python3 benches/memory.py [ENGINE] [SECONDS]
"""

import sys

from engine import Engine, cores

#: The limit beyond the table, MiB.
BESIDE = 16

#: Sizes of the table, MiB.
SIZES = [1, 64, 4096]


def fill(engine: Engine, seconds: float) -> int:
    """Searches until the table is nearly full or the time is up; how full the last iteration left it, per mille."""
    engine.say("position startpos", f"go movetime {seconds * 1000:.0f}")
    full = 0
    while not (line := engine.hear("")).startswith("bestmove"):
        words = line.split()
        if "hashfull" in words:
            full = int(words[words.index("hashfull") + 1])
        if full > 900:
            engine.say("stop")
    return full


def main() -> None:
    """Measures all sizes; the exit code is 1 if one takes too much."""
    path = sys.argv[1] if len(sys.argv) > 1 else "target/release/secateurs"
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 20
    print(f"{'Hash':>6} {'at start':>9} {'VmRSS':>9} {'VmHWM':>9} {'target':>7} {'hashfull':>8}")
    met = []
    for size in SIZES:
        with Engine(path) as engine:
            engine.use([("Seeds", 6), ("Hash", size), ("Threads", cores())])
            engine.ask("isready", "readyok")
            start = engine.memory("VmRSS")
            full = fill(engine, seconds)
            resident, most = engine.memory("VmRSS"), engine.memory("VmHWM")
        met.append(most <= size + BESIDE)
        verdict = "pass" if met[-1] else "FAIL"
        print(f"{size:6} {start:9.1f} {resident:9.1f} {most:9.1f} {size + BESIDE:7} {full:8}  {verdict}", flush=True)
    sys.exit(not all(met))


if __name__ == "__main__":
    main()
