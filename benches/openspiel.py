"""The rules of OpenSpiel and of Secateurs compared, move by move, over random games.

python3 benches/openspiel.py [GAMES] [GAME ...]

After every move of GAMES games (1,000) of each GAME, named as in OpenSpiel with its parameters, it compares the board,
the player to move, the legal moves, whether the game is over, and the returns. It needs OpenSpiel:
pip install open_spiel.
"""

import random
import sys
import time
from collections import Counter
from typing import Any

import pyspiel
from secateurs import Position
from secateurs.openspiel import move_of, position_of

GAMES = [
    "mancala",
    "connect_four",
    "connect_four(rows=5,columns=8)",
    "nim",
    "nim(pile_sizes=3;4;5;6,is_misere=False)",
    "chess",
    "chess(chess960=True)",
    "oware",
    "oware(num_seeds_per_house=1)",
    "oware(num_seeds_per_house=12)",
]


def board(name: str, state: Any) -> str:
    """OpenSpiel's board, as Secateurs writes it."""
    text = str(state)
    if name == "mancala":
        # Two rows of pits from the left, between them the stores; the upper row is North's from the last house.
        north, stores, south, player, _ = text.splitlines()
        houses = [*south.strip("-").split("-"), *reversed(north.strip("-").split("-"))]
        left, right = (store for store in stores.split("-") if store)
        return f"<6,{right},{left},{','.join(houses)}> {'sn'[int(player[-1])]}"
    if name == "nim":
        player, heaps = text.split(": ")
        return f"{heaps.replace(' ', ',')} {int(player.strip('()')) + 1}"
    if name == "oware":
        # North's seeds, the letters and North's houses from the left, then South's.
        north, _, upper, lower, _, south = text.removeprefix("[FINISHED]\n").splitlines()[:6]
        numbers = [line.split("=")[1].split()[0] for line in (south, north)]
        turn = "s" if "PLAYING" in south else "n"
        return f"<6,{','.join([*numbers, *lower.split(), *reversed(upper.split())])}> {turn}"
    if name == "chess":
        return text
    return text.strip()


def written(name: str, position: Position) -> str:
    """Secateurs' board, in the form that is compared."""
    if name != "connect_four":
        return position.text
    return "\n".join("".join(".xo"[stone] for stone in row) for row in position.board)


def ended(position: Position) -> tuple[int, int]:
    """The seeds of both sides in a game of Oware that is over: those captured, and those in their houses."""
    south, north = (store + sum(row) for store, row in zip(position.stores, position.houses, strict=True))
    return south, north


def differences(name: str, state: Any, position: Position) -> list[str]:
    """What differs between a state and the position."""
    found = []
    theirs, ours = board(name, state), written(name, position)
    if name == "oware" and state.is_terminal():
        # OpenSpiel also ends the game once a side has more than half of the seeds, and empties the houses.
        seeds = tuple(int(number) for number in theirs.strip("<").split(",")[1:3])
        decided = max(position.stores) > sum(seeds) // 2
        returns = [float((seeds[side] > seeds[1 - side]) - (seeds[side] < seeds[1 - side])) for side in (0, 1)]
        same = seeds == ended(position) and state.returns() == returns
        return [] if same and (decided or position.outcome is not None) else ["end"]
    if theirs != ours:
        is_field = name == "chess" and [theirs.split()[i] for i in (0, 1, 2, 4, 5)] == [
            ours.split()[i] for i in (0, 1, 2, 4, 5)
        ]
        found.append("en passant field" if is_field else "board")
    if state.is_terminal() != (position.outcome is not None):
        found.append("end")
    if state.is_terminal():
        # White is player 1 of OpenSpiel's chess, and player 1 of Secateurs'.
        returns = state.returns()[::-1] if name == "chess" else state.returns()
        winner = position.outcome.winner if position.outcome else None
        if returns != ([0, 0], [1, -1], [-1, 1])[winner or 0]:
            found.append("returns")
        return found
    player = 2 - state.current_player() if name == "chess" else state.current_player() + 1
    if player != position.turn:
        found.append("player")
    if sorted(move_of(state, action) for action in state.legal_actions()) != sorted(position.legal_moves):
        found.append("moves")
    return found


def play(text: str, seed: int) -> tuple[int, Counter[str]]:
    """Plays a random game; returns the number of its states and what differs in them."""
    chance = random.Random(seed)
    state = pyspiel.load_game(text).new_initial_state()
    if state.is_chance_node():
        state.apply_action(chance.choice(state.legal_actions()))
    name, position = text.partition("(")[0], position_of(state)
    states, found = 1, Counter(differences(name, state, position))
    while not state.is_terminal():
        action = chance.choice(state.legal_actions())
        position = position.play(move_of(state, action))
        state.apply_action(action)
        states += 1
        found.update(differences(name, state, position))
    # The conversion of the whole game is the game.
    found["conversion"] += position_of(state) != position or position_of(state).history != position.history
    return states, +found


def main() -> int:
    """Plays the games, prints a line for each, and returns whether anything but a field of FEN differs."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    wrong = False
    for text in sys.argv[2:] or GAMES:
        began = time.perf_counter()
        states, found = 0, Counter[str]()
        for seed in range(count):
            more, differing = play(text, seed)
            states += more
            found += differing
        listed = ", ".join(f"{kind} {number}" for kind, number in found.items()) or "none"
        print(f"{text}: {count} games, {states} states, differences: {listed}  ({time.perf_counter() - began:.0f} s)")
        wrong |= bool(set(found) - {"en passant field"})
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
