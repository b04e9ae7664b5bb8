"""The exact values of Kalah(m, n) and of its opening moves, as a document.

python3 benches/kalah_values.py RECORDS [OPTIONS] > FILE        --help lists the options

Every board of m, n <= 6, but (6, 6), with at most SEEDS seeds (50) is solved by both rules with endgame databases
that are built beside RECORDS. A solved board is a line of RECORDS and is not solved again, so the work can be
stopped and resumed at any time. The document has the boards of RECORDS.
"""

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

RULES = ["empty", "standard"]
BOARDS = [(m, n) for m in range(1, 7) for n in range(1, 7) if (m, n) != (6, 6)]

#: Seeds of the databases, by houses: all of a small board, and as many as take seconds for a large one.
ON_RECORD = {1: 10, 2: 20, 3: 24, 4: 24, 5: 24, 6: 22}


def solve(args: argparse.Namespace, houses: int, seeds: int, rule: str) -> dict[str, Any]:
    """Solves a board with all its opening moves."""
    folder = args.records.with_suffix(".endgames")
    rules = ["--option", f"Houses={houses}", "--option", f"Capture={rule}"]
    # A database of all seeds would need no search.
    most = min(args.on_record or ON_RECORD[houses], 2 * houses * seeds - 1)
    build = [args.engine, "endgame", "build", *rules, "--seeds", str(most), folder]
    subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
    began = time.perf_counter()
    options = [*rules, "--option", f"Seeds={seeds}", "--option", f"KalahEndgames={folder}"]
    limits = ["--hash", str(args.hash), "--threads", str(args.threads), "--moves", "all", "--json"]
    done = subprocess.run(
        [args.engine, "solve", *options, *limits], input="startpos\n", capture_output=True, text=True, check=True
    )
    record = json.loads(done.stdout)
    assert record["proven"] == "exact", record
    values = [move["lower"] for move in record["moves"] if move["lower"] == move["upper"]]
    assert len(values) == len(record["moves"]), record
    seconds = time.perf_counter() - began
    print(f"({houses}, {seeds}) {rule}: {record['value']}, {seconds:.1f} s", file=sys.stderr)
    return {
        "houses": houses,
        "seeds": seeds,
        "rule": rule,
        "value": record["value"],
        "moves": values,
        "line": record["pv"],
        "nodes": record["nodes"],
        "cpu": record["cpu_us"] / 1e6,
        "on_record": most,
    }


HEAD = """\
# Exact values of Kalah(m, n)

This page has the margin of the first player with best play, by capture rule. For each board it then has the margin
after each opening move, leftmost house first, one line of best play, and the cost. "Database seeds" is the number of
seeds in play of the endgame databases that were used. The time is that of the search alone, on one processor, beside
other work. Boards that are missing have not been solved by this command yet.

`{command}` made the tables. Boards of 60 seeds used
`--hash 2048` and databases of as many seeds as the table says (`--on-record`).
"""


def signed(value: int) -> str:
    """A margin as people write it."""
    return f"{value:+d}" if value else "0"


def document(records: list[dict[str, Any]], command: str) -> str:
    """The records as Markdown."""
    text = [HEAD.format(command=command)]
    known = {(record["houses"], record["seeds"], record["rule"]): record for record in records}
    for rule in RULES:
        seeds = sorted({n for _, n, of in known if of == rule})
        text += [f"## Values, {rule} captures", ""]
        text += ["| m | " + " | ".join(f"n = {n}" for n in seeds) + " |", "|---" * (len(seeds) + 1) + "|"]
        for houses in sorted({m for m, _, of in known if of == rule}):
            row = [known.get((houses, n, rule)) for n in seeds]
            cells = [signed(record["value"]) if record else "" for record in row]
            text.append(f"| {houses} | " + " | ".join(cells) + " |")
        text.append("")
    for rule in RULES:
        text += [f"## Opening moves, {rule} captures", ""]
        text += [
            "| board | after each opening move | line | database seeds | nodes | time |",
            "|---|---|---|---|---|---|",
        ]
        for record in sorted((r for r in records if r["rule"] == rule), key=lambda r: (r["houses"], r["seeds"])):
            moves = " ".join(map(signed, record["moves"]))
            board = f"({record['houses']}, {record['seeds']})"
            line = " ".join(record["line"])
            numbers = f"{record['on_record']} | {record['nodes']:,} | {record['cpu']:.2f} s"
            text.append(f"| {board} | {moves} | {line} | {numbers} |")
        text.append("")
    return "\n".join(text).rstrip() + "\n"


def main() -> None:
    """Solves the missing boards, and prints the document."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", type=Path)
    parser.add_argument("--engine", default="target/release/secateurs")
    parser.add_argument("--most", type=int, default=50)
    parser.add_argument("--on-record", type=int)
    parser.add_argument("--hash", type=int, default=1024)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    args.records.touch()
    records = [json.loads(line) for line in args.records.read_text().splitlines()]
    done = {(record["houses"], record["seeds"], record["rule"]) for record in records}
    for houses, seeds in sorted(BOARDS, key=lambda board: board[0] * board[1]):
        for rule in RULES:
            if 2 * houses * seeds <= args.most and (houses, seeds, rule) not in done:
                records.append(solve(args, houses, seeds, rule))
                with args.records.open("a") as file:
                    file.write(json.dumps(records[-1]) + "\n")
    options = f"--most {args.most} --hash {args.hash}"
    print(document(records, f"python3 benches/kalah_values.py values.jsonl {options}"), end="")


if __name__ == "__main__":
    main()
