"""The games that Secateurs plays by the rules of OpenSpiel, checked over random games.

python3 benches/openspiel_games.py [GAMES] [GAME ...]

After every move of GAMES games (1,000) of each GAME, named as in OpenSpiel with its parameters, it compares the board,
the player to move, the legal moves, the end and the outcome of the position with OpenSpiel's own state. Where two
states have the same key but not the same history, one random game is played on from both: they must stay alike to the
end. It needs OpenSpiel: pip install open_spiel.
"""

import random
import sys
import time
from collections import Counter
from typing import Any

from secateurs import Position
from secateurs.openspiel import action_of, game, state_of

# Those of small boards reach the same states again.
GAMES = [
    "amazons(board_size=6)",
    "antichess",
    "breakthrough",
    "breakthrough(rows=4,columns=3)",
    "checkers",
    "chinese_checkers(players=2)",
    "clobber",
    "clobber(rows=3,columns=4)",
    "connect_four(x_in_row=3,rows=4,columns=4)",
    "crazyhouse",
    "dots_and_boxes",
    "dots_and_boxes(num_rows=2,num_cols=3,utility_margin=True)",
    "go(board_size=5)",
    "gomoku(size=5,connect=4)",
    "havannah(board_size=3)",
    "hex",
    "hex(board_size=3)",
    "hive",
    "lines_of_action",
    "misere(game=tic_tac_toe())",
    "mnk(m=4,n=3)",
    "nine_mens_morris",
    "othello",
    "oware(num_houses_per_player=4)",
    "pentago",
    "quoridor(board_size=5)",
    "shogi",
    "tic_tac_toe",
    "twixt(board_size=5)",
    "ultimate_tic_tac_toe",
    "xiangqi",
    "y(board_size=4)",
]

# The states whose keys are kept.
MOST = 100_000


def differences(state: Any, position: Position) -> list[str]:
    """What differs between a state and the position."""
    found = []
    if str(position) != str(state).rstrip():
        found.append("board")
    if state.is_terminal() != (position.outcome is not None):
        return [*found, "end"]
    if position.outcome is not None:
        first, second = state.returns()
        winner = position.outcome.winner
        if (first > 0, second > 0) != (winner == 1, winner == 2) or position.outcome.margin not in (None, first):
            found.append("outcome")
    else:
        if position.turn != state.current_player() + 1:
            found.append("player")
        actions = state.legal_actions()
        if len(set(position.legal_moves)) != len(actions):
            found.append("moves")
    return found


def alike(one: Any, other: Any, chance: random.Random) -> bool:
    """Whether two states stay alike in a random game."""
    one, other = one.clone(), other.clone()
    while True:
        if one.is_terminal() or other.is_terminal():
            return bool(one.is_terminal() and other.is_terminal() and one.returns() == other.returns())
        actions = one.legal_actions()
        if actions != other.legal_actions() or one.current_player() != other.current_player():
            return False
        action = chance.choice(actions)
        one.apply_action(action)
        other.apply_action(action)


def play(start: Position, seed: int, known: dict[object, Any]) -> tuple[int, Counter[str]]:
    """Plays a random game; returns the number of its states, and what differs in them."""
    chance = random.Random(seed)
    state, position = state_of(start), start
    found, states, compared = Counter(differences(state, position)), 1, False
    while not state.is_terminal():
        action = chance.choice(state.legal_actions())
        move = position.legal_moves[state.legal_actions().index(action)]
        if action_of(state, move) != action:
            found["action"] += 1
        position = position.play(move)
        state.apply_action(action)
        states += 1
        found.update(differences(state, position))
        if state.is_terminal():
            break
        other = known.get(position.key)
        if other is None and len(known) < MOST:
            known[position.key] = state.clone()
        elif other is not None and not compared and other.history() != state.history():
            # One of each game: the state after it is known too, as a rule.
            compared = True
            found["equal keys"] += 1
            found["key"] += not alike(state, other, chance)
    return states, +found


def main() -> int:
    """Plays the games, prints a line for each, and returns whether anything differs."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    wrong = False
    for text in sys.argv[2:] or GAMES:
        began = time.perf_counter()
        states, found, known = 0, Counter[str](), dict[object, Any]()
        start = game(text)
        for seed in range(count):
            more, differing = play(start, seed, known)
            states += more
            found += differing
        equal = found.pop("equal keys", 0)
        listed = ", ".join(f"{kind} {number}" for kind, number in found.items()) or "none"
        seconds = time.perf_counter() - began
        print(
            f"{text}: {count} games, {states} states, {equal} equal keys, differences: {listed}  ({seconds:.0f} s)",
            flush=True,
        )
        wrong |= bool(found)
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
