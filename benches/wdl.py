"""How often a value is a win: games of the engine against itself, and the model of Kalah's `wdl` fitted to them.

python3 benches/wdl.py [ENGINE] [GAMES] [NODES]

Plays GAMES games of each board with NODES nodes a move, after up to ten random moves, and fits the chances of a
win by the values that were not proven. Prints the parameters as src/games/kalah/heuristics.rs has them, and for ten
classes of the predicted chance how many positions were won.
"""

import math
import random
import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple

from engine import Engine

#: Houses, seeds, capture.
BOARDS = [(6, 4, "standard"), (6, 4, "empty"), (6, 6, "standard"), (5, 5, "empty"), (8, 6, "standard"), (4, 4, "empty")]

#: A model: the lead that wins every other time, seeds, and how much the next seed in play widens the scale.
Parameters = Sequence[float]


class Sample(NamedTuple):
    """A reported value, and the result of its game."""

    #: The value, seeds, for the side to move.
    value: float
    #: Seeds in all houses.
    in_play: int
    #: The result for the side to move: 1, 0 or -1.
    result: int


def seeds_in_play(text: str) -> int:
    """The seeds in the houses of a position, from the output of `d`."""
    numbers = [int(word) for word in text[text.index("<") + 1 : text.index(">")].split(",")]
    return sum(numbers[3:])


def play(engine: Engine, nodes: int) -> list[Sample]:
    """Plays a game; each value with the result."""
    moves: list[str] = []
    reported: list[tuple[float, int, int]] = []
    opening = random.randrange(11)
    while True:
        engine.say("position startpos" + "".join([" moves", *(f" {move}" for move in moves)] if moves else []))
        engine.say("query result")
        result = engine.hear("response").split()[1]
        if result != "none":
            sign = {"p1win": 1, "p2win": -1, "draw": 0}[result]
            return [Sample(value, in_play, sign * side) for value, in_play, side in reported]
        engine.say("query p1turn")
        side = 1 if engine.hear("response").endswith("true") else -1
        if len(moves) < opening:
            engine.say("moves")
            moves.append(random.choice(engine.hear("").split()))
            continue
        engine.say("d")
        in_play = seeds_in_play(engine.hear("position"))
        engine.say(f"go nodes {nodes}")
        line = ""
        while not (heard := engine.hear("")).startswith("bestmove"):
            line = heard if heard.startswith("info depth") else line
        words = line.split()
        if "proven" not in words:
            reported.append((int(words[words.index("cp") + 1]) / 100, in_play, side))
        moves.append(heard.split()[1])


def chance(parameters: Parameters, value: float, in_play: int) -> float:
    """The chance of a win."""
    lead, scale = parameters
    return 1 / (1 + math.exp(min(max((lead - value) / (scale * in_play), -50), 50)))


def surprise(parameters: Parameters, samples: Sequence[Sample]) -> float:
    """The mean of minus the logarithm of the chance of the actual result."""
    total = 0.0
    for value, in_play, result in samples:
        win, loss = chance(parameters, value, in_play), chance(parameters, -value, in_play)
        total -= math.log(max([1 - win - loss, win, loss][result], 1e-9))
    return total / len(samples)


def fit(surprise: Callable[[Parameters], float], start: Parameters) -> Parameters:
    """The minimum: steps along each parameter, halved until they are small (Hooke and Jeeves 1961)."""
    best, least, step = list(start), surprise(start), 0.1
    while step > 0.0005:
        improved = False
        for index in range(len(best)):
            for sign in (1, -1):
                tried = [*best]
                tried[index] += sign * step
                if min(tried) > 0 and (found := surprise(tried)) < least:
                    best, least, improved = tried, found, True
        step = step if improved else step / 2
    return best


def main() -> None:
    """Plays, fits and prints the model."""
    path = sys.argv[1] if len(sys.argv) > 1 else "target/release/secateur"
    games = int(sys.argv[2]) if len(sys.argv) > 2 else 250
    nodes = int(sys.argv[3]) if len(sys.argv) > 3 else 5000
    random.seed(1)
    samples: list[Sample] = []
    for houses, seeds, capture in BOARDS:
        with Engine(path) as engine:
            engine.use([("Hash", 4), ("Houses", houses), ("Seeds", seeds), ("Capture", capture)])
            found = [sample for _ in range(games) for sample in play(engine, nodes)]
        print(f"kalah({houses},{seeds}) {capture}: {games} games, {len(found)} values", flush=True)
        samples += found
    parameters = fit(lambda tried: surprise(tried, samples), [0.5, 0.1])
    print("lead {:.3f} seeds, scale {:.4f} a seed in play".format(*parameters))
    classes: list[list[Sample]] = [[] for _ in range(10)]
    for sample in samples:
        classes[min(int(10 * chance(parameters, sample.value, sample.in_play)), 9)].append(sample)
    for found in filter(None, classes):
        predicted = sum(chance(parameters, sample.value, sample.in_play) for sample in found) / len(found)
        won = sum(sample.result == 1 for sample in found) / len(found)
        print(f"predicted {predicted:.3f}  won {won:.3f}  of {len(found)}")


if __name__ == "__main__":
    main()
