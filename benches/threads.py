"""The gain of a second thread: nodes a second and time to a depth, by position, as ratios to one thread.

python3 benches/threads.py [ENGINE] [THREADS] [POSITIONS]

Positions are reached by random moves from the start of Kalah(6,4), Kalah(6,6), chess and international draughts. Each
is searched to the depth that one thread reaches in about half a second, from an empty table, by one thread and by
several in turn.
"""

import random
import statistics
import sys
import time

from engine import Engine, cores, summary

#: Options of each game.
GAMES: dict[str, list[tuple[str, object]]] = {
    "kalah(6,4)": [("Seeds", 4)],
    "kalah(6,6)": [("Seeds", 6)],
    "chess": [("UCI_Variant", "chess")],
    "draughts": [("UCI_Variant", "draughts")],
}

#: Milliseconds in which one thread chooses the depth.
MILLISECONDS = 500

#: Random moves before a position, at most.
OPENING = 8


def opening(engine: Engine, rng: random.Random) -> str:
    """A position with a choice of moves, as a command."""
    while True:
        moves: list[str] = []
        for _ in range(rng.randint(0, OPENING)):
            legal = listed(engine, command(moves))
            if not legal:
                break
            moves.append(rng.choice(legal))
        if len(listed(engine, command(moves))) > 1:
            return command(moves)


def command(moves: list[str]) -> str:
    """The command for a position."""
    return " ".join(["position startpos moves", *moves])


def listed(engine: Engine, position: str) -> list[str]:
    """The legal moves."""
    engine.say(position, "moves")
    return engine.hear("").split()


def search(engine: Engine, position: str, limit: str) -> tuple[int, int, float]:
    """Depth, nodes and seconds of a search from an empty table."""
    engine.say("ucinewgame", position)
    engine.ask("isready", "readyok")
    began = time.perf_counter()
    engine.say(f"go {limit}")
    depth = nodes = 0
    while not (line := engine.hear("")).startswith("bestmove"):
        words = line.split()
        if "nodes" in words:
            depth, nodes = int(words[2]), int(words[words.index("nodes") + 1])
    return depth, nodes, time.perf_counter() - began


def main() -> None:
    """Measures every game."""
    path = sys.argv[1] if len(sys.argv) > 1 else "target/release/secateurs"
    threads = int(sys.argv[2]) if len(sys.argv) > 2 else cores()
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 30
    print(f"{threads} threads beside 1, {count} positions, ratios      median      99 %   highest   least    mean")
    for game, options in GAMES.items():
        rng = random.Random(game)
        with Engine(path) as one, Engine(path) as several:
            for engine, number in [(one, 1), (several, threads)]:
                engine.use([*options, ("Hash", 256), ("Threads", number)])
                engine.ask("isready", "readyok")
            speeds: list[float] = []
            times: list[float] = []
            while len(speeds) < count:
                position = opening(one, rng)
                depth = search(one, position, f"movetime {MILLISECONDS}")[0]
                _, nodes, alone = search(one, position, f"depth {depth}")
                if alone < MILLISECONDS / 5000:
                    continue
                _, more, together = search(several, position, f"depth {depth}")
                speeds.append((more / together) / (nodes / alone))
                times.append(alone / together)
        for name, ratios in [("nodes a second", speeds), ("time to depth", times)]:
            print(f"{game:10} {name:30} {summary(ratios)} {min(ratios):8.3f} {statistics.mean(ratios):8.3f}")


if __name__ == "__main__":
    main()
