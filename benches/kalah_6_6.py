"""Kalah(6,6): the rate of exact search, an estimate of the whole solution, and bounds that are proven on the way.

python3 benches/kalah_6_6.py rate ENDGAMES [--capture RULE] [--hash MIB]
python3 benches/kalah_6_6.py sample RECORDS ENDGAMES [--capture RULE] [--per N] [--nodes N] [--known SEEDS=NODES]...
python3 benches/kalah_6_6.py prove RECORDS ENDGAMES [--capture RULE] [--budget S] [--hash MIB]

ENDGAMES is a folder of `secateurs endgame build`. Every result is written to RECORDS at once: `sample` and `prove` can
be stopped at any time, and the same command continues. `sample` solves random positions of the boards of 4, 5 and 6
seeds a house with few seeds in play, and estimates the nodes of the starts; docs/kalah-6-6.md explains the method.
`prove` saves its table beside RECORDS.
"""

import argparse
import itertools
import json
import math
import random
import subprocess
import time
from pathlib import Path
from typing import Any

#: Seeds in play of the positions that `sample` solves, by seeds a house: of the two larger boards at least 20 less than
#: at the start.
LEFT = {4: range(28, 42, 2), 5: range(28, 42, 2), 6: range(28, 54, 2)}

#: The opening moves of (6,6): the first house brings another turn.
OPENINGS = [f"1 {house}" for house in range(2, 7)] + [str(house) for house in range(2, 7)]

#: Nodes of the first attempt at a bound; each next one has twice as many.
FIRST = 200_000


class Engine:
    """A session of the engine."""

    def __init__(self, args: argparse.Namespace, mebibytes: int) -> None:
        """Starts the engine."""
        self.process = subprocess.Popen([args.engine], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        options = {"Hash": mebibytes, "Capture": args.capture, "KalahEndgames": args.endgames, "Seeds": 6}
        for name, value in options.items():
            self.say(f"setoption name {name} value {value}")

    def say(self, command: str) -> None:
        """Sends a command."""
        assert self.process.stdin is not None
        print(command, file=self.process.stdin, flush=True)

    def ask(self, command: str, begin: str) -> list[str]:
        """The words of the first reply that begins with a word; raises if the command is refused."""
        self.say(command)
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith(begin):
                return line.split()
            wrong = ("info string bad", "info string illegal", "info string cannot", "info string unknown")
            assert not line.startswith(wrong), line
        raise EOFError(command)

    def solve(self, words: str) -> tuple[int, int, int]:
        """Lower and upper bound for the side to move, and nodes."""
        # solved value V proven P lower L upper U nodes N ...
        reply = self.ask(f"solve moves none {words}", "solved")
        lower, upper, nodes = (int(reply[reply.index(word, 5) + 1]) for word in ("lower", "upper", "nodes"))
        return lower, upper, nodes


class Records:
    """Results in a file, a line each."""

    def __init__(self, path: Path) -> None:
        """Reads the existing results."""
        path.touch()
        self.path = path
        self.all: list[dict[str, Any]] = [json.loads(line) for line in path.read_text().splitlines()]

    def add(self, **record: Any) -> None:
        """Adds a result."""
        self.all.append(record)
        with self.path.open("a") as file:
            file.write(json.dumps(record) + "\n")


def rate(args: argparse.Namespace) -> None:
    """Nodes a second of the processor on the way to the value of the start."""
    options = [f"Capture={args.capture}", f"KalahEndgames={args.endgames}", "Seeds=6"]
    command = [args.engine, "solve", "--json", "--moves", "none", "--hash", str(args.hash), "--nodes", str(args.nodes)]
    command += [word for option in options for word in ("--option", option)]
    # A search that is given up is not an error here.
    reply = subprocess.run(command, input="startpos\n", stdout=subprocess.PIPE, text=True, check=False).stdout
    record = json.loads(reply)
    nodes, seconds = record["nodes"], record["cpu_us"] / 1e6
    speed = nodes / seconds / 1e6
    known = f"{record['lower']} to {record['upper']}"
    print(f"{nodes} nodes, {seconds:.1f} s of processor: {speed:.2f} million a second; {known}")


def left(text: str) -> int:
    """Seeds in the houses of a position."""
    return sum(int(number) for number in text[text.index("<") + 1 : text.index(">")].split(",")[3:])


def drawn(engine: Engine, seeds: int, most: int, chance: random.Random) -> str:
    """A position with at most this many seeds in play: half of its moves are random, half those of a short search."""
    while True:
        engine.say(f"setoption name Seeds value {seeds}")
        moves: list[str] = []
        while True:
            engine.say(f"position startpos moves {' '.join(moves)}" if moves else "position startpos")
            text = " ".join(engine.ask("d", "position")[1:])
            if left(text) <= most:
                break
            # The position may be over, in which case there is no move.
            best = engine.ask("go depth 4", "bestmove")[1]
            if best == "(none)":
                break
            moves.append(chance.choice(legal_moves(text)) if chance.random() < 0.5 else best)
        # Near the number: a capture may have passed it.
        if most - 1 <= left(text) <= most:
            return text


def legal_moves(text: str) -> list[str]:
    """The houses of the side to move that have seeds."""
    numbers = [int(number) for number in text[text.index("<") + 1 : text.index(">")].split(",")]
    houses = numbers[3:9] if text.endswith("s") else numbers[9:]
    return [str(house) for house, seeds in enumerate(houses, 1) if seeds]


def sample(args: argparse.Namespace) -> None:
    """Solves random positions, and estimates the nodes of the starts."""
    records, engine = Records(args.records), Engine(args, 64)
    done = {(record["capture"], record["seeds"], record["left"], record["number"]) for record in records.all}
    places = [(seeds, most) for seeds, places in LEFT.items() for most in places]
    for number, (seeds, most) in itertools.product(range(args.per), places):
        if (args.capture, seeds, most, number) in done:
            continue
        text = drawn(engine, seeds, most, random.Random(f"{args.capture} {seeds} {most} {number}"))
        engine.say("ucinewgame")
        engine.say(f"position {text}")
        lower, upper, nodes = engine.solve(f"nodes {args.nodes}")
        found = {"capture": args.capture, "seeds": seeds, "left": most, "number": number, "position": text}
        records.add(**found, nodes=max(nodes, 1), solved=lower == upper)
    known = {int(seeds): int(nodes) for seeds, nodes in (pair.split("=") for pair in args.known)}
    for seeds in LEFT:
        points = [
            (record["left"], math.log10(record["nodes"]), record["solved"])
            for record in records.all
            if (record["capture"], record["seeds"]) == (args.capture, seeds)
        ]
        low, middle, high = predicted(points, 12 * seeds)
        cut = sum(not solved for _, _, solved in points)
        text = f"(6,{seeds}) {args.capture}: 10^{middle:.1f} nodes (80 %: 10^{low:.1f} to 10^{high:.1f})"
        text += f", {len(points)} positions, {cut} given up"
        if seeds in known:
            text += f"; in truth 10^{math.log10(known[seeds]):.1f}"
        print(text)


Point = tuple[float, float, bool]


def predicted(points: list[Point], at: float) -> tuple[float, float, float]:
    """The tenth, fiftieth and ninetieth percentile of a new value at a place, by drawing the points again and again."""
    chance = random.Random(1)
    values = []
    for _ in range(400):
        start, slope, spread = fitted(chance.choices(points, k=len(points)))
        values.append(start + slope * at + chance.gauss(0, spread))
    values.sort()
    return values[40], values[200], values[360]


def fitted(points: list[Point]) -> tuple[float, float, float]:
    """Start, slope and spread of a line through points of which some are lower bounds only (Tobit, by expectation
    and maximisation: Dempster, Laird and Rubin 1977)."""
    start, slope, spread = 0.0, 0.1, 1.0
    for _ in range(60):
        means, variances = [], []
        for place, value, exact in points:
            if exact:
                means.append(value)
                variances.append(0.0)
                continue
            middle = start + slope * place
            far = min((value - middle) / spread, 6.0)
            # The mean beyond the bound.
            hazard = math.sqrt(2 / math.pi) * math.exp(-far * far / 2) / math.erfc(far / math.sqrt(2))
            means.append(middle + spread * hazard)
            variances.append(spread * spread * max(1 + far * hazard - hazard * hazard, 0.0))
        count = len(points)
        x, y = sum(point[0] for point in points) / count, sum(means) / count
        across = sum((point[0] - x) ** 2 for point in points)
        slope = sum((point[0] - x) * (mean - y) for point, mean in zip(points, means, strict=True)) / max(across, 1e-9)
        start = y - slope * x
        rest = [
            (mean - start - slope * point[0]) ** 2 + variance
            for point, mean, variance in zip(points, means, variances, strict=True)
        ]
        spread = max(math.sqrt(sum(rest) / count), 1e-3)
    return start, slope, spread


def prove(args: argparse.Namespace) -> None:
    """Bounds the values of the opening moves, the easy bounds first."""
    records, engine = Records(args.records), Engine(args, args.hash)
    table = args.records.with_suffix(f".{args.capture}.sct")
    engine.say("position startpos")
    if table.exists():
        engine.ask(f"loadhash {table}", "info string loaded")
    # The bounds of each move, for South, and the nodes of the next attempt at either bound.
    known = {opening: [-72, 72] for opening in OPENINGS}
    effort = {(opening, side): FIRST for opening in OPENINGS for side in (0, 1)}
    for record in records.all:
        if record["capture"] == args.capture:
            known[record["moves"]] = [record["lower"], record["upper"]]
            effort[record["moves"], record["side"]] = 2 * record["limit"]
    # The nodes of earlier attempts count as time as well.
    spent = sum(record["seconds"] for record in records.all if record["capture"] == args.capture)
    while spent < args.budget:
        open_ones = [one for one in effort if known[one[0]][0] < known[one[0]][1]]
        if not open_ones:
            break
        opening, side = min(open_ones, key=lambda one: effort[one])
        engine.say(f"position startpos moves {opening}")
        south = engine.ask("query p1turn", "response")[1] == "true"
        lower, upper = known[opening]
        # The first window is at this value for South; from there the steps grow.
        target = lower + 2 if side == 0 else upper
        guess = target if south else 2 - target
        began, limit = time.perf_counter(), effort[opening, side]
        low, high, nodes = engine.solve(f"guess {guess} nodes {limit}")
        seconds = time.perf_counter() - began
        if not south:
            low, high = -high, -low
        known[opening] = [max(lower, low), min(upper, high)]
        effort[opening, side] = 2 * limit
        spent += seconds
        found = {"capture": args.capture, "moves": opening, "lower": known[opening][0], "upper": known[opening][1]}
        records.add(**found, side=side, limit=limit, nodes=nodes, seconds=round(seconds, 3))
    engine.say("position startpos")
    engine.ask(f"savehash {table}", "info string saved")
    nodes = sum(record["nodes"] for record in records.all if record["capture"] == args.capture)
    print(f"{args.capture} captures, {nodes} nodes, {spent:.0f} s\n\n| opening | at least | at most |\n|---|---|---|")
    for opening, (lower, upper) in known.items():
        print(f"| {opening} | {lower:+d} | {upper:+d} |")
    best = [max(bounds[side] for bounds in known.values()) for side in (0, 1)]
    print(f"| the start | {best[0]:+d} | {best[1]:+d} |")


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", default="target/release/secateurs")
    parser.add_argument("--capture", choices=["empty", "standard"], default="empty")
    commands = parser.add_subparsers(required=True)
    for name, run in (("rate", rate), ("sample", sample), ("prove", prove)):
        command = commands.add_parser(name)
        command.set_defaults(run=run)
        if name != "rate":
            command.add_argument("records", type=Path)
        command.add_argument("endgames")
        command.add_argument("--hash", type=int, default=2048)
        command.add_argument("--nodes", type=int, default=20_000_000)
        command.add_argument("--per", type=int, default=16)
        command.add_argument("--known", action="append", default=[], metavar="SEEDS=NODES")
        command.add_argument("--budget", type=float, default=1800)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
