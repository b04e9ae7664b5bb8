"""Matches of Oware against OpenSpiel's searches: Monte Carlo tree search, and alpha-beta in Python.

python benches/oware.py ENGINE [GAMES] [MILLISECONDS] [SIMULATIONS] [DEPTH]

ENGINE is the program, `target/release/secateurs`. Each of GAMES (20) openings of four random moves is played with both
sides against each opponent: `MCTSBot` with random rollouts and SIMULATIONS (10,000) a move, and `alpha_beta_search` to
DEPTH (7) with the difference of the captured seeds as its evaluation. The engine has MILLISECONDS (100) a move, one
thread. Prints wins, draws and losses of the engine and the time that each side took for a move.
It needs OpenSpiel: pip install open_spiel.
"""

import random
import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any

import pyspiel
from engine import Engine
from open_spiel.python.algorithms import minimax

Player = Callable[[Any, list[str]], int]


def lead(state: Any) -> float:
    """The seeds that player 0 has captured, less those of player 1, per mille."""
    north, south = (int(line.split("=")[1].split()[0]) for line in str(state).splitlines() if "score" in line)
    return (south - north) / 1000


def alpha_beta(depth: int) -> Player:
    """OpenSpiel's alpha-beta; values are for the player at its root."""

    def play(state: Any, _moves: list[str]) -> int:
        player = state.current_player()
        sign = 1 if player == 0 else -1
        found = minimax.alpha_beta_search(state.get_game(), state, lambda leaf: sign * lead(leaf), depth, player)
        action: int = found[1]
        return action

    return play


def tree_search(game: Any, simulations: int) -> Player:
    """OpenSpiel's Monte Carlo tree search."""
    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 1.4, simulations, 1000, True, 1, False)
    return lambda state, _moves: int(bot.step(state))


def secateurs(engine: Engine, milliseconds: int) -> Player:
    """The engine, with the moves of the game so far."""

    def play(state: Any, moves: list[str]) -> int:
        engine.say(f"position startpos moves {' '.join(moves)}", f"go movetime {milliseconds}")
        move = engine.hear("bestmove").split()[1]
        player = state.current_player()
        actions: list[int] = state.legal_actions()
        return next(action for action in actions if state.action_to_string(player, action) == move)

    return play


def main() -> None:
    """Plays the matches."""
    given = [int(word) for word in sys.argv[2:]]
    games, milliseconds, simulations, depth = [*given, *[20, 100, 10_000, 7][len(given) :]]
    game = pyspiel.load_game("oware")
    opponents = {
        f"MCTS {simulations}": tree_search(game, simulations),
        f"alpha-beta depth {depth}": alpha_beta(depth),
    }
    with Engine(sys.argv[1]) as engine:
        engine.use([("UCI_Variant", "oware"), ("Hash", 16)])
        ours = secateurs(engine, milliseconds)
        for name, theirs in opponents.items():
            results, spent, played, seeds = [0, 0, 0], [0.0, 0.0], [0, 0], random.Random(7)
            for number in range(2 * games):
                if number % 2 == 0:
                    opening = [seeds.random() for _ in range(4)]
                state, moves, side = game.new_initial_state(), list[str](), number % 2
                engine.say("ucinewgame")
                for share in opening:
                    legal = state.legal_actions()
                    action = legal[int(share * len(legal))]
                    moves.append(state.action_to_string(state.current_player(), action))
                    state.apply_action(action)
                while not state.is_terminal():
                    who = state.current_player() != side
                    began = perf_counter()
                    action = (theirs if who else ours)(state, moves)
                    spent[who] += perf_counter() - began
                    played[who] += 1
                    moves.append(state.action_to_string(state.current_player(), action))
                    state.apply_action(action)
                results[1 - int(state.returns()[side])] += 1
            times = [1000 * total / max(count, 1) for total, count in zip(spent, played, strict=True)]
            wins, draws, losses = results
            print(f"{name}: {wins} won, {draws} drawn, {losses} lost; {times[0]:.0f} ms a move, theirs {times[1]:.0f}")


if __name__ == "__main__":
    main()
