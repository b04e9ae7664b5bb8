"""Checks a certificate of Kalah by rules of its own: docs/certificates.md is all that it has in common with Secateurs.

python3 tests/certificate_checker.py FILE
"""

import json
import sys
from collections.abc import Iterable, Iterator

# Stores and houses of the side to move, each in its sowing order, then the other side's.
Side = tuple[int, tuple[int, ...]]
State = tuple[Side, Side]
NOTHING = (-1000, 1000)


class Wrong(Exception):
    """A certificate that proves nothing, and why."""


def read(text: str) -> tuple[State, str]:
    board, turn = text.split()
    houses, south, north, *seeds = (int(number) for number in board.strip("<>").split(","))
    sides = (south, tuple(seeds[:houses])), (north, tuple(seeds[houses:]))
    return (sides if turn == "s" else sides[::-1]), turn


def write(state: State, turn: str) -> str:
    south, north = state if turn == "s" else state[::-1]
    numbers = (len(south[1]), south[0], north[0], *south[1], *north[1])
    return f"<{','.join(map(str, numbers))}> {turn}"


def margin(state: State) -> int | None:
    """The margin once a side has nothing to sow; None before."""
    (own, houses), (opposing, others) = state
    return None if sum(houses) and sum(others) else own + sum(houses) - opposing - sum(others)


def after(state: State, house: int, empty: bool) -> tuple[State, bool]:
    """The position after a move, for the side to move there, and whether that is the same side."""
    (store, houses), (opposing, others) = state
    count = len(houses)
    way = [*houses, store, *others]
    hand, way[house] = way[house], 0
    place = house
    while hand:
        place = (place + 1) % len(way)
        way[place] += 1
        hand -= 1
    if place < count and way[place] == 1:
        opposite = 2 * count - place
        if way[opposite] or empty:
            way[count] += 1 + way[opposite]
            way[place] = way[opposite] = 0
    mover, other = (way[count], tuple(way[:count])), (opposing, tuple(way[count + 1 :]))
    return ((mover, other), True) if place == count else ((other, mover), False)


def verify(lines: Iterable[str]) -> tuple[str, int]:
    """The position that a certificate is about, and the value that it proves for the side to move."""
    rows: Iterator[dict[str, object]] = map(json.loads, lines)
    header = next(rows)
    if header["certificate"] != 1 or header["game"] != "kalah":
        raise Wrong(f"not for me: {header}")
    options = header["options"]
    empty = isinstance(options, dict) and options.get("Capture", "standard") == "empty"
    owed: dict[str, tuple[int, int]] = {}
    proven: tuple[str, int] | None = None
    for number, row in enumerate(rows, 2):
        position, moves = row["position"], row["moves"]
        lower, upper = (
            bound if isinstance(bound, int) else none
            for bound, none in zip((row["lower"], row["upper"]), NOTHING, strict=True)
        )
        assert isinstance(position, str)
        assert isinstance(moves, list)
        state, turn = read(position)
        if margin(state) is not None or lower > upper:
            raise Wrong(f"line {number}: {position} is over, or has crossed bounds")
        if proven is None:
            if lower != upper:
                raise Wrong(f"line {number}: no exact value")
            proven = position, lower
        else:
            least, most = owed.pop(position, (1, 0))
            if least > most or lower < least or upper > most:
                raise Wrong(f"line {number}: {position} is not what the lines before rest on")
        legal = {str(house + 1) for house, seeds in enumerate(state[0][1]) if seeds}
        if len(moves) != (len(legal) if upper < NOTHING[1] else 1) or len(set(moves) & legal) != len(moves):
            raise Wrong(f"line {number}: {moves} do not show it")
        for mv in moves:
            following, same = after(state, int(mv) - 1, empty)
            bounds = lower if mv == moves[0] else NOTHING[0], upper
            least, most = bounds if same else (-bounds[1], -bounds[0])
            value = margin(following)
            if value is None:
                text = write(following, turn if same else "ns"[turn == "n"])
                known = owed.get(text, NOTHING)
                if (least, most) != NOTHING:
                    owed[text] = max(known[0], least), min(known[1], most)
            elif not least <= value <= most:
                raise Wrong(f"line {number}: {mv} ends {position} at {value}")
    if owed or proven is None:
        raise Wrong(f"no line proves {next(iter(owed), 'any position')}")
    return proven


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        print(*verify(file))
