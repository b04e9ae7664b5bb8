"""What a match on Dask costs beside one on this machine, at fixed nodes: the same games.

python3 benches/dask_match.py [--rounds N] [--nodes N]

One worker of one thread beside `secateurs.match`, then two workers beside one. Both ratios need a machine with two idle
cores.
"""

import argparse
import time
import warnings

warnings.simplefilter("ignore")

import secateurs  # noqa: E402
from dask_cluster import local  # noqa: E402
from secateurs import Engine, dask  # noqa: E402


def main() -> None:
    """Measures, and prints the ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--nodes", type=int, default=20_000)
    given = parser.parse_args()
    players = {"one": Engine(hash=4), "other": Engine(hash=1)}
    began = time.perf_counter()
    found = secateurs.match(players, "kalah", nodes=given.nodes, rounds=given.rounds, progress=False)
    seconds = [time.perf_counter() - began]
    for workers in (1, 2):
        with local(workers) as client:
            began = time.perf_counter()
            there = dask.match(players, "kalah", nodes=given.nodes, rounds=given.rounds, progress=False, client=client)
            seconds.append(time.perf_counter() - began)
            if [game.moves for game in there.games] != [game.moves for game in found.games]:
                raise SystemExit("the games differ")
    here, one, two = seconds
    print(f"{found.played} games: {here:.1f} s here, {one:.1f} s by one worker, {two:.1f} s by two")
    print(f"overhead {one / here:.2f}, speed-up of two workers {one / two:.2f}")


if __name__ == "__main__":
    main()
