"""How often a value is a win: games of the engine against itself, and the model of a game's `wdl` fitted to them.

python3 benches/wdl.py [ENGINE] [GAMES] [NODES] [GAME]

Plays GAMES games of each board with NODES nodes a move, after up to ten random moves, and fits the chances of a
win by the values that were not proven. GAME is kalah, chess, checkers, draughts, brazilian, xiangqi, othello, oware or
connect4. Prints the parameters as the game's heuristics.rs or, for draughts, variant.rs has them, and for ten classes
of the predicted chance how many positions were won.
"""

import math
import random
import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple

from engine import Engine

#: Numbers that a curve is made of.
Parameters = Sequence[float]


class Sample(NamedTuple):
    """A reported value, and the result of its game."""

    #: The value, seeds, pawns or men, for the side to move.
    value: float
    #: Seeds in all houses, pieces or stones.
    in_play: int
    #: The result for the side to move: 1, 0 or -1.
    result: int


class Model(NamedTuple):
    """What a game's chances depend on."""

    #: Options of each board.
    boards: list[dict[str, object]]
    #: Seeds in all houses, pieces or stones in a position as `d` shows it.
    in_play: Callable[[str], int]
    #: The lead that wins every other time, and the scale of the logistic curve, by parameters and what is in play.
    curve: Callable[[Parameters, int], tuple[float, float]]
    #: Where the fit begins.
    start: Parameters
    #: The parameters in words.
    text: str


def seeds_in_play(text: str) -> int:
    """The seeds in the houses of a position of Kalah or Oware."""
    numbers = [int(word) for word in text[text.index("<") + 1 : text.index(">")].split(",")]
    return sum(numbers[3:])


def men(text: str) -> int:
    """The men on the board of a FEN."""
    return sum(letter.isalpha() for letter in text.split()[1])


def stones(text: str) -> int:
    """The stones of x and o in a position, whose last word is the side to move."""
    return sum(letter in "xoXO" for letter in text.split()[1])


def pieces(text: str) -> int:
    """The pieces in a FEN of Portable Draughts Notation: two lists, each with a comma between its squares."""
    return text.count(",") + 2


def by_pieces(game: str, in_play: Callable[[str], int], most: int) -> Model:
    """A model whose lead and scale are linear in what is in play, at most `most`."""

    def curve(parameters: Parameters, in_play: int) -> tuple[float, float]:
        share = in_play / most
        lead, scale = (parameters[at] + parameters[at + 1] * share for at in (0, 2))
        return max(lead, 0.01), max(scale, 0.01)

    text = f"lead {{:.3f}} + {{:.3f}}, scale {{:.3f}} + {{:.3f}}, the second of each times what is in play / {most}"
    return Model([{"UCI_Variant": game}], in_play, curve, [1.0, 0.0, 0.5, 0.0], text)


MODELS = {
    "kalah": Model(
        boards=[
            {"Houses": houses, "Seeds": seeds, "Capture": capture}
            for houses, seeds, capture in [
                *[(6, 4, "standard"), (6, 4, "empty"), (6, 6, "standard")],
                *[(5, 5, "empty"), (8, 6, "standard"), (4, 4, "empty")],
            ]
        ],
        in_play=seeds_in_play,
        curve=lambda parameters, in_play: (parameters[0], max(parameters[1], 0.001) * in_play),
        start=[0.5, 0.1],
        text="lead {:.3f} seeds, scale {:.4f} a seed in play",
    ),
    "chess": by_pieces("chess", men, 32),
    "checkers": by_pieces("checkers", pieces, 24),
    "draughts": by_pieces("draughts", pieces, 40),
    "brazilian": by_pieces("brazilian", pieces, 24),
    "xiangqi": by_pieces("xiangqi", men, 32),
    "othello": by_pieces("othello", stones, 64),
    "oware": by_pieces("oware", seeds_in_play, 48),
    "connect4": by_pieces("connect4", stones, 42),
}


def play(engine: Engine, nodes: int, in_play: Callable[[str], int]) -> list[Sample]:
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
            return [Sample(value, amount, sign * side) for value, amount, side in reported]
        engine.say("query p1turn")
        side = 1 if engine.hear("response").endswith("true") else -1
        if len(moves) < opening:
            engine.say("moves")
            moves.append(random.choice(engine.hear("").split()))
            continue
        engine.say("d")
        amount = in_play(engine.hear("position"))
        engine.say(f"go nodes {nodes}")
        line = ""
        while not (heard := engine.hear("")).startswith("bestmove"):
            line = heard if heard.startswith("info depth") else line
        words = line.split()
        if "proven" not in words and "cp" in words:
            reported.append((int(words[words.index("cp") + 1]) / 100, amount, side))
        moves.append(heard.split()[1])


def chance(model: Model, parameters: Parameters, value: float, in_play: int) -> float:
    """The chance of a win."""
    lead, scale = model.curve(parameters, in_play)
    return 1 / (1 + math.exp(min(max((lead - value) / scale, -50), 50)))


def surprise(model: Model, parameters: Parameters, samples: Sequence[Sample]) -> float:
    """The mean of minus the logarithm of the chance of the actual result."""
    total = 0.0
    for value, in_play, result in samples:
        win, loss = (chance(model, parameters, signed, in_play) for signed in (value, -value))
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
                if (found := surprise(tried)) < least:
                    best, least, improved = tried, found, True
        step = step if improved else step / 2
    return best


def main() -> None:
    """Plays, fits and prints the model."""
    arguments = [*sys.argv[1:], *["target/release/secateurs", "250", "5000", "kalah"][len(sys.argv) - 1 :]]
    path, games, nodes, model = arguments[0], int(arguments[1]), int(arguments[2]), MODELS[arguments[3]]
    random.seed(1)
    samples: list[Sample] = []
    for board in model.boards:
        with Engine(path) as engine:
            engine.say("ugi")
            engine.hear("ugiok")
            engine.use([*board.items(), ("Hash", 4)])
            found = [sample for _ in range(games) for sample in play(engine, nodes, model.in_play)]
        print(f"{board}: {games} games, {len(found)} values", flush=True)
        samples += found
    parameters = fit(lambda tried: surprise(model, tried, samples), model.start)
    print(model.text.format(*parameters))
    classes: list[list[Sample]] = [[] for _ in range(10)]
    for sample in samples:
        classes[min(int(10 * chance(model, parameters, sample.value, sample.in_play)), 9)].append(sample)
    for found in filter(None, classes):
        predicted = sum(chance(model, parameters, sample.value, sample.in_play) for sample in found) / len(found)
        won = sum(sample.result == 1 for sample in found) / len(found)
        print(f"predicted {predicted:.3f}  won {won:.3f}  of {len(found)}")


if __name__ == "__main__":
    main()
