"""The latency of the engine: milliseconds, median, 99th percentile and longest, beside a bare ``cat``.

python3 benches/latency.py [ENGINE] [REPEATS]

Start to ``uciok``; ``isready`` beside a search on all cores, and ``cat`` beside the same; with one thread, ``stop`` to
``bestmove`` at random moments of ``go infinite``, and the overshoot of ``go movetime 10``. On a busy machine these
times are mostly those of other processes: the rows ``of it busy`` have the engine's own processor time. REPEATS is 200
by default. The exit code is 1 if a target is missed.
"""

import random
import statistics
import sys
import time

from engine import Engine, cores, percentile, summary

#: The target of each measurement, milliseconds.
TARGETS = {"start to uciok": 10.0, "isready": 1.0, "stop": 5.0, "movetime": 1.0}

#: Name, game, options, position.
POSITIONS: list[tuple[str, str, list[tuple[str, object]], str]] = [
    ("kalah(6,4)", "kalah", [], "startpos moves 3 6 2 1 5 4 2 3"),
    ("kalah(6,6)", "kalah", [("Seeds", 6)], "startpos moves 1 2 6 1 5 4 6"),
    ("nim 16 x 255", "nim", [("Theory", "false")], ",".join(["255"] * 16) + " 1"),
]


def report(name: str, times: list[float], bare: list[float] | None = None) -> bool:
    """Prints a row and returns whether the target is met, after the time of a bare echo is subtracted."""
    most = next((most for start, most in TARGETS.items() if name.startswith(start)), None)
    verdict = ""
    if most is not None:
        echo = bare or [0.0]
        medians = statistics.median(times) - statistics.median(echo)
        highest = percentile(times, 99) - percentile(echo, 99)
        met = ["pass" if value <= most else "FAIL" for value in (medians, highest)]
        verdict = f"{most:7.1f}  beyond the echo {medians:.3f} {met[0]}, 99 % {highest:.3f} {met[1]}"
    print(f"{name:32} {summary(times)} {verdict}", flush=True)
    return "FAIL" not in verdict


def starts(command: list[str], line: str, answer: str, repeats: int) -> tuple[list[float], list[float]]:
    """From before the start of the process to its first reply, and of it busy."""
    times, busy = [], []
    for _ in range(repeats):
        began = time.perf_counter()
        with Engine(*command) as engine:
            engine.ask(line, answer)
            times.append((time.perf_counter() - began) * 1000)
            busy.append(engine.busy())
    return times, busy


def searching(path: str, position: int, threads: int = 1) -> Engine:
    """An engine at a position."""
    _, game, options, text = POSITIONS[position]
    engine = Engine(path, "--game", game)
    engine.use([*options, ("Threads", threads)])
    engine.ask("isready", "readyok")
    engine.say(f"position {text}")
    return engine


def ready_times(path: str, position: int, repeats: int) -> tuple[list[float], list[float]]:
    """``isready`` at random moments of one endless search on all cores, and a bare echo in between."""
    with searching(path, position, cores()) as engine, Engine("cat") as cat:
        engine.say("go infinite")
        engine.hear("info depth 1 ")
        times, echo = [], []
        for _ in range(repeats):
            time.sleep(random.uniform(0, 0.02))
            times.append(engine.ask("isready", "readyok"))
            time.sleep(random.uniform(0, 0.02))
            echo.append(cat.ask("readyok", "readyok"))
        return times, echo


def stop_times(path: str, position: int, repeats: int) -> tuple[list[float], list[float]]:
    """``stop`` to ``bestmove``, each time at a random moment of a search from an empty table, and of it busy."""
    with searching(path, position) as engine:
        times, busy = [], []
        for _ in range(repeats):
            engine.say("ucinewgame")
            engine.ask("isready", "readyok")
            engine.say("go infinite")
            time.sleep(random.choice([0, 0.001, 0.01, 0.2]) * random.random())
            before = engine.busy()
            times.append(engine.ask("stop", "bestmove"))
            busy.append(engine.busy() - before)
        return times, busy


def overheads(path: str, position: int, repeats: int) -> list[float]:
    """The time of ``go movetime 10`` beyond 10 ms, with an overhead of 0."""
    with searching(path, position) as engine:
        engine.say("setoption name Move Overhead value 0")
        return [engine.ask("go movetime 10", "bestmove") - 10 for _ in range(repeats)]


def main() -> None:
    """Measures everything; the exit code is 1 if a target is missed."""
    path = sys.argv[1] if len(sys.argv) > 1 else "target/release/secateurs"
    repeats = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    print(f"{'milliseconds':32} {'median':>9} {'99 %':>9} {'longest':>9} {'target':>7}")
    started = starts(["cat"], "uciok", "uciok", repeats)[0]
    report("cat, from the start", started)
    times, busy = starts([path], "uci", "uciok", repeats)
    met = [report("start to uciok", times, started)]
    report("  of it busy", busy)
    with Engine("cat") as cat:
        bare = [cat.ask("readyok", "readyok") for _ in range(repeats)]
    report("cat", bare)
    for number, (name, *_) in enumerate(POSITIONS):
        times, echo = ready_times(path, number, repeats)
        report("cat beside all cores", echo)
        met.append(report(f"isready during {name}", times, echo))
        times, busy = stop_times(path, number, repeats)
        met.append(report(f"stop, {name}", times, bare))
        report("  of it busy", busy)
        met.append(report(f"movetime 10, {name}", overheads(path, number, repeats), bare))
    sys.exit(not all(met))


if __name__ == "__main__":
    main()
