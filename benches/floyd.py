"""The gain of learning in Floyd's search by plausibility: nodes against the loss of value of the chosen move.

python3 benches/floyd.py PLAUSIBILITIES [--game NAME] [--positions N] [--depth PLIES]

PLAUSIBILITIES is a file of `secateurs plausibility`, learned from other games. Positions are random: 8 to 20 plies from
the start. Each is searched to a depth with a line for every move; what a procedure gives away is the value of the best
move less that of its own, in units of the game. Nodes are means. Alpha-beta to a depth stands beside it.
"""

import argparse
import random
from statistics import mean, stdev

import secateurs

THRESHOLDS = (1e-1, 1e-2, 1e-3, 1e-4, 1e-5)

DEPTHS = (1, 2, 3, 4, 5, 6, 7, 8)


def positions(game: str, count: int) -> list[secateurs.Position]:
    """Random ones with a choice; the same in every run."""
    lot = random.Random(5)
    found: list[secateurs.Position] = []
    while len(found) < count:
        position = secateurs.Position(game)
        for _ in range(lot.randint(8, 20)):
            if not position.legal_moves:
                break
            position = position.play(lot.choice(position.legal_moves))
        if len(position.legal_moves) > 1:
            found.append(position)
    return found


def worth(position: secateurs.Position, depth: int) -> dict[str, float]:
    """What each move gives away, in units; no more than a hundred, so that wins are no outliers."""
    lines = secateurs.Engine(hash=16).analyse(position, depth=depth, multipv=len(position.legal_moves))
    values = {line.pv[0]: max(-50.0, min(50.0, line.score.cp / 100)) for line in lines}
    return {move: max(values.values()) - value for move, value in values.items()}


def main() -> None:
    """Prints a line for each procedure and its limit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plausibilities")
    parser.add_argument("--game", default="kalah")
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--depth", type=int, default=14)
    args = parser.parse_args()
    chosen = positions(args.game, args.positions)
    lost = {position: worth(position, args.depth) for position in chosen}

    def report(name: str, limit: str, found: secateurs.Comparison) -> None:
        losses = [lost[position][move] for position, move in zip(chosen, found["move"], strict=True)]
        error = stdev(losses) / len(losses) ** 0.5
        best = mean(loss == 0 for loss in losses)
        nodes = mean(found["nodes"])
        lost_by = f"gives away {mean(losses):.3f} +- {error:.3f}"
        print(f"{name:18} {limit:>8} {nodes:12,.0f} nodes  best {best:4.0%}  {lost_by}")

    for depth in DEPTHS:
        found = secateurs.compare(chosen, depth, procedures="alpha-beta", order="rank")
        report("alpha-beta", f"depth {depth}", found)
    for name, path in (("floyd, to start", None), ("floyd, learned", args.plausibilities)):
        for threshold in THRESHOLDS:
            found = secateurs.compare(
                chosen, procedures="floyd", order="rank", threshold=threshold, plausibilities=path
            )
            report(name, f"{threshold:g}", found)


if __name__ == "__main__":
    main()
