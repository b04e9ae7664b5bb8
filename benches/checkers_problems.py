"""Published problems of English draughts, solved by search with endgame databases.

secateurs endgame build --game checkers --pieces 5 --distances endgames
python3 benches/checkers_problems.py [ENGINE] [FOLDER] [NODES]

Searches each problem of tests/data/checkers_problems.tsv with the databases in FOLDER (endgames), up to NODES
(10000000), without a draw by moves without progress: many wins take longer than its 40 moves. Prints the published
result, the score, what of it is proven, the nodes, and the number of problems whose result the search has proven.
"""

import csv
import json
import subprocess
import sys
from pathlib import Path

PROBLEMS = Path(__file__).parent.parent / "tests" / "data" / "checkers_problems.tsv"


def outcome(score: int, proven: str | None) -> str:
    """The result that a score proves; "open" if it proves none."""
    if score > 0 and proven in ("exact", "lower"):
        return "win"
    if score < 0 and proven in ("exact", "upper"):
        return "loss"
    return "draw" if score == 0 and proven == "exact" else "open"


def main() -> None:
    """Searches the problems."""
    arguments = [*sys.argv[1:], *["target/release/secateurs", "endgames", "10000000"][len(sys.argv) - 1 :]]
    engine, folder, nodes = arguments[:3]
    rows = list(csv.DictReader(PROBLEMS.open(), delimiter="\t"))
    options = ["--option", f"CheckersEndgames={folder}", "--option", "DrawMoves=1000"]
    command = [engine, "analyse", "--game", "checkers", *options, "--nodes", nodes, "--hash", "256", "--json"]
    lines = subprocess.run([*command, *[row["position"] for row in rows]], capture_output=True, text=True, check=True)
    solved = 0
    for row, line in zip(rows, lines.stdout.splitlines(), strict=True):
        found = json.loads(line)
        result = outcome(found["score"], found["proven"])
        assert result in (row["result"], "open"), (row, found)
        solved += result == row["result"]
        plies = 32_000 - abs(found["score"])
        score = f"in {plies} plies" if plies < 3_200 else f"{found['score'] / 100:+.2f}"
        print(f"{row['name']:45} {row['result']:5} {result:5} {score:14} {found['nodes']:>10} nodes")
    print(f"{solved} of {len(rows)} proven")


if __name__ == "__main__":
    main()
