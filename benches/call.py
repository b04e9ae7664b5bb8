"""The overhead of a search called from Python: the time of the call beyond that of the search itself, microseconds.

python benches/call.py [CALLS]

Each call is a search of one node. The search states its own time, ``Result.time``; the rest of the call is the
arguments, a thread, two switches to it and back, and the result. A ``chess.Board`` is converted first, which takes
python-chess longer than all the rest. CALLS is 2000 by default. The exit code is 1 if the median of a game is above the
target; on a busy machine the switches wait for other processes.
"""

import statistics
import sys
import time

import secateurs

#: The target of the median, microseconds.
TARGET = 20.0


def overheads(engine: secateurs.Engine, position: object, calls: int) -> list[float]:
    """Returns the overhead of each call."""
    limit = secateurs.Limit(nodes=1)
    times = []
    for _ in range(calls):
        began = time.perf_counter()
        result = engine.analyse(position, limit)  # type: ignore[call-overload]
        times.append((time.perf_counter() - began - result.time) * 1e6)
    return times


def main(calls: int = 2000) -> bool:
    """Prints a row for each kind of position and returns whether the target is met."""
    positions: dict[str, object] = {
        game: secateurs.Position(game) for game in ("chess", "kalah", "connect4", "othello")
    }
    positions["a FEN"] = secateurs.Position("chess").text
    try:
        import chess

        positions["a chess.Board"] = chess.Board()
    except ImportError:
        pass
    engine, met = secateurs.Engine(hash=1), True
    for name, position in positions.items():
        overheads(engine, position, calls // 10)
        times = overheads(engine, position, calls)
        median = statistics.median(times)
        is_judged = isinstance(position, secateurs.Position)
        met = met and (median <= TARGET or not is_judged)
        verdict = f"  target {TARGET:.0f}: {'pass' if median <= TARGET else 'FAIL'}" if is_judged else ""
        print(f"{name:15} median {median:6.1f}  least {min(times):6.1f}{verdict}", flush=True)
    return met


if __name__ == "__main__":
    sys.exit(not main(*map(int, sys.argv[1:])))
