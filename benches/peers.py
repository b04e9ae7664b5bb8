"""Our search from Python beside the alpha-beta searches of OpenSpiel and easyAI, on the same games.

pip install . open_spiel easyAI
python benches/peers.py [ROUNDS]

A node is a position that a search entered; the peers' are counted in a run of their own, which is not timed. One thread
each, in turn, and ours with a thread a core besides; the medians of ROUNDS (5) rounds. The peers evaluate
for free here: every leaf is a draw, and so is every bound, which makes their trees as small as possible.
"""

import statistics
import sys
from collections.abc import Callable
from importlib import import_module
from time import perf_counter
from typing import Any

import secateurs
from engine import cores

DEPTH = {"mancala": 10, "checkers": 10, "ConnectFour": 6}


def counted(module: Any, name: str, work: Callable[[], object]) -> int:
    """The calls of a recursive function of a module while some work is done."""
    plain, calls = getattr(module, name), 0

    def counting(*given: Any, **named: Any) -> Any:
        nonlocal calls
        calls += 1
        return plain(*given, **named)

    setattr(module, name, counting)
    work()
    setattr(module, name, plain)
    return calls


def openspiel(name: str) -> tuple[int, Callable[[], object]]:
    """A game of OpenSpiel's: the nodes of a search, and the search."""
    game = import_module("pyspiel").load_game(name)
    minimax = import_module("open_spiel.python.algorithms.minimax")

    def work() -> object:
        return minimax.alpha_beta_search(game, game.new_initial_state(), lambda state: 0.0, DEPTH[name], 0)

    return counted(minimax, "_alpha_beta", work), work


def easyai(name: str) -> tuple[int, Callable[[], object]]:
    """A game of easyAI's."""
    negamax = import_module("easyAI.AI.Negamax")
    game = getattr(import_module(f"easyAI.games.{name}"), name)([None, None])

    def work() -> object:
        return negamax.Negamax(DEPTH[name], scoring=lambda state: 0)(game)

    return counted(negamax, "negamax", work), work


#: The peers, their games, and ours.
PEERS = (
    ("OpenSpiel", openspiel, "mancala", "kalah"),  # Kalah(6, 4)
    ("OpenSpiel", openspiel, "checkers", "checkers"),
    ("easyAI", easyai, "ConnectFour", "connect4"),
)


def ours(position: secateurs.Position, depth: int) -> tuple[float, float, float]:
    """Nodes a second of searches of a second or two, by one thread and by all, and the seconds of one to a depth.

    Each from an empty table.
    """
    results = [secateurs.Engine(hash=16, threads=n).analyse(position, nodes=5_000_000) for n in (1, cores())]
    [one, all_threads] = [result.nodes / result.time for result in results]
    return one, all_threads, secateurs.Engine(hash=16).analyse(position, depth=depth).time


def timed(work: Callable[[], object]) -> float:
    """The seconds of a peer."""
    began = perf_counter()
    work()
    return perf_counter() - began


def main() -> None:
    """All peers that are installed."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    for name, peer, their_game, game in PEERS:
        try:
            nodes, work = peer(their_game)
        except ImportError as error:
            print(f"{name}: {error}")
            continue
        position, depth = secateurs.Position(game), DEPTH[their_game]
        runs = [(*ours(position, depth), timed(work)) for _ in range(rounds)]
        [rate, fastest, seconds, theirs] = map(statistics.median, zip(*runs, strict=True))
        print(
            f"{game}: {rate:,.0f} nodes/s, {name} {nodes / theirs:,.0f}, {rate * theirs / nodes:.1f} times; "
            f"{cores()} threads {fastest * theirs / nodes:.1f} times; "
            f"to depth {depth} {seconds * 1000:.1f} ms, {name} {theirs * 1000:.1f} ms, {theirs / seconds:.0f} times"
        )


if __name__ == "__main__":
    main()
