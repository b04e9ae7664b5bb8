"""Games of the agent against the built-in agents of Kaggle's environments, on their clocks.

python3 benches/kaggle.py [--games N] [--act SECONDS] [--overage SECONDS] [--seed N] [--most SECONDS]
                          [ENVIRONMENT:AGENT ...]

It plays N games (40) against each AGENT, with each colour in turn, at ACT seconds a move (2) and OVERAGE seconds in all
(60). No game begins after MOST seconds against an agent. It prints the points of the agent, its games that did not end
by the rules with the environment's word for it (INVALID, ERROR, TIMEOUT), its moves, the slowest one, and the least
overage that was left after a game. It needs Kaggle's package: pip install kaggle-environments.
"""

import argparse
import copy
import random
import sys
import time
from collections import Counter
from collections.abc import Mapping
from typing import Any

import kaggle_environments
from secateurs.kaggle import Agent

OPPONENTS = [
    "connectx:random",
    "connectx:negamax",
    "open_spiel_connect_four:random",
    "open_spiel_mancala:random",
    "open_spiel_chess:random",
]


class Timed(Agent):
    """The agent, with the times of its moves, seconds."""

    def __init__(self) -> None:
        """Makes an agent without moves."""
        super().__init__()
        self.times: list[float] = []

    def __call__(self, observation: Mapping[str, Any], configuration: Mapping[str, Any]) -> int | dict[str, int]:
        """Plays a move and measures it."""
        began = time.perf_counter()
        action = super().__call__(observation, configuration)
        self.times.append(time.perf_counter() - began)
        return action


def environment(name: str, act: float, overage: float) -> Any:
    """An environment with these clocks."""
    found = kaggle_environments.environments[name]
    specification = copy.deepcopy(found["specification"])
    specification["observation"]["remainingOverageTime"] = overage
    # Without the legal actions the agent "random" of OpenSpiel's environments has no move.
    configuration = {"actTimeout": act} | ({"includeLegalActions": True} if name.startswith("open_spiel") else {})
    return kaggle_environments.make({**found, "specification": specification}, configuration=configuration)


def main() -> int:
    """Plays the games, prints a line for each opponent, and returns whether a game did not end by the rules."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--act", type=float, default=2.0)
    parser.add_argument("--overage", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=float, default=float("inf"))
    parser.add_argument("opponents", nargs="*", default=OPPONENTS)
    arguments = parser.parse_args()
    random.seed(arguments.seed)
    failed = False
    for opponent in arguments.opponents:
        name, _, built_in = opponent.partition(":")
        agent, points, ends, left = Timed(), 0.0, Counter[str](), arguments.overage
        began = time.perf_counter()
        for game in range(arguments.games):
            if time.perf_counter() - began > arguments.most:
                break
            place = game % 2
            played = environment(name, arguments.act, arguments.overage)
            played.run([agent, built_in] if place == 0 else [built_in, agent])
            state = played.state[place]
            ends[state.status] += 1
            points += ((state.reward if state.reward is not None else -1) + 1) / 2
            left = min(left, state.observation.remainingOverageTime)
        bad = ", ".join(f"{status} {count}" for status, count in ends.items() if status != "DONE") or "none"
        print(
            f"{opponent}: {ends.total()} games, {points:g} points, not by the rules: {bad};"
            f" {len(agent.times)} moves, slowest {max(agent.times):.3f} s, least overage left {left:.1f} s"
        )
        failed |= set(ends) != {"DONE"}
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
