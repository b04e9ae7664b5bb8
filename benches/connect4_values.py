"""The exact values of Connect Four by board size, as a document.

python3 benches/connect4_values.py RECORDS [OPTIONS] > FILE        --help lists the options

Every board of at least four columns and rows, with columns + rows <= 15, is solved from the start, the smallest first,
for at most SECONDS each. A line of RECORDS has what was found, and is not computed again: the work can be stopped and
resumed at any time. With --checkpoints, boards that were given up go on from their tables each time the script is run.
The document has the boards of RECORDS, beside the published values.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

BOARDS = [(columns, rows) for columns in range(4, 12) for rows in range(4, 12) if columns + rows <= 15]

#: The last move with best play, by rows from 4 on, for boards from 4 columns on (the readme of C. Steininger's c4,
#: github.com/ChristopheSteininger/c4). A game that ends with the last square is a draw or, where DECIDED says so, won
#: by that stone.
PUBLISHED = {
    4: [16, 20, 24, 28, 32, 36, 40, 44],
    5: [20, 25, 30, 35, 39, 41, 47],
    6: [24, 30, 36, 41, 48, 52],
    7: [28, 35, 41, 49, 53],
    8: [32, 40, 48, 55],
    9: [36, 45, 53],
    10: [40, 50],
    11: [44],
}

#: Boards, columns and rows, that are won with the last square.
DECIDED = {(6, 4), (8, 4), (9, 4), (10, 4), (11, 4), (6, 6), (8, 6), (6, 8)}


def published(columns: int, rows: int) -> str:
    """The published result of a board."""
    last = PUBLISHED[rows][columns - 4]
    return result(last if last < columns * rows or (columns, rows) in DECIDED else 0)


def result(last: int) -> str:
    """The winner and the last move; 0 is a draw."""
    return f"{'second' if last % 2 == 0 else 'first'}, {last}" if last else "draw"


def last_move(squares: int, score: int) -> int:
    """The last move of a game with this score: the number of stones that the winner has left, the winning one included;
    negative if the second player wins; 0 is a draw."""
    if score == 0:
        return 0
    stones = (squares + (score > 0)) // 2 + 1 - abs(score)
    return 2 * stones - (score > 0)


def solve(args: argparse.Namespace, columns: int, rows: int, before: dict[str, Any]) -> dict[str, Any]:
    """Solves a board, or gives up. `before` is the record of the search that it goes on from; empty without one."""
    board = ["--option", f"Columns={columns}", "--option", f"Rows={rows}"]
    if args.checkpoints:
        board += ["--checkpoint", str(args.checkpoints / f"{columns}x{rows}.sct")]
    limits = ["--hash", str(args.hash), "--threads", str(args.threads), "--movetime", str(1000 * args.seconds)]
    done = subprocess.run(
        [args.engine, "solve", "--game", "connect4", *board, *limits, "--moves", "none", "--json"],
        input="startpos\n",
        capture_output=True,
        text=True,
    )
    # 1: given up, with the bounds so far.
    if done.returncode > 1 or not done.stdout:
        sys.exit(f"{columns} x {rows}: {done.stderr}")
    record = json.loads(done.stdout)
    found = result(last_move(columns * rows, record["value"])) if record["proven"] == "exact" else None
    bounds = [record["lower"], record["upper"]]
    print(f"{columns} x {rows}: {found}, {record['time_us'] / 1e6:.1f} s", file=sys.stderr)
    return {
        "columns": columns,
        "rows": rows,
        "result": found,
        "bounds": bounds,
        "nodes": record["nodes"] + before.get("nodes", 0),
        "seconds": record["time_us"] / 1e6 + before.get("seconds", 0),
        "cpu": record["cpu_us"] / 1e6 + before.get("cpu", 0),
        "hash": args.hash,
        "threads": args.threads,
    }


HEAD = """\
# Exact values of Connect Four

This page has the result of the game with best play by board size: the winner, and the number of the last move. The
winner wins as soon as possible, the loser loses as late as possible. "Published" is from the readme of
[c4](https://github.com/ChristopheSteininger/c4), which goes on from the table of
[J. Tromp](https://tromp.github.io/c4/c4.html); every board that is solved here agrees with it. Nodes and processor
time, beside other work, are those of the value, without a line of best play. A board with two numbers
was given up after that time; they bound the score, counted as in the public test sets.

`{command}` makes the table.
With `--checkpoints FOLDER`, a board that was given up goes on from its table when the script runs again: so did 11 x
4, for a minute, and 10 x 5, for half an hour. On 10 x 5 the first player is proven to win. Each row shows the threads
and the size of the transposition table, MiB; where it is not 2048, `--hash` was another. All boards but 10 x 5 were
searched by a version that did not look for early wins first. On boards of up to 20 million nodes that makes a
difference of up to 16 % ([performance.md](performance.md)).
"""


def document(records: list[dict[str, Any]], command: str) -> str:
    """The records as Markdown."""
    text = [HEAD.format(command=command)]
    text += ["| columns | rows | result | published | nodes | processor time | threads | MiB |"]
    text += ["|--:|--:|---|---|--:|--:|--:|--:|"]
    known = {(record["columns"], record["rows"]): record for record in records}
    for columns, rows in BOARDS:
        record = known.get((columns, rows))
        found, cost = "", " | | | "
        if record:
            lower, upper = record["bounds"]
            found = record["result"] or f"{lower} to {upper}"
            cost = f"{record['nodes']:,} | {record['cpu']:.2f} s | {record['threads']} | {record['hash']}"
        text.append(f"| {columns} | {rows} | {found} | {published(columns, rows)} | {cost} |")
    return "\n".join(text) + "\n"


def main() -> None:
    """Solves the missing boards, and prints the document."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", type=Path)
    parser.add_argument("--engine", default="target/release/secateurs")
    parser.add_argument("--squares", type=int, default=56, help="the most squares of a board")
    parser.add_argument("--seconds", type=int, default=1800, help="the most time for a board")
    parser.add_argument("--hash", type=int, default=2048)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--checkpoints", type=Path, metavar="FOLDER", help="where tables are saved")
    args = parser.parse_args()
    if args.checkpoints:
        args.checkpoints.mkdir(parents=True, exist_ok=True)
    args.records.touch()
    records = [json.loads(line) for line in args.records.read_text().splitlines()]
    known = {(record["columns"], record["rows"]): record for record in records}
    for columns, rows in sorted(BOARDS, key=lambda board: (board[0] * board[1], board)):
        before = known.get((columns, rows))
        if columns * rows <= args.squares and (before is None or (args.checkpoints and not before["result"])):
            records.append(solve(args, columns, rows, before or {}))
            with args.records.open("a") as file:
                file.write(json.dumps(records[-1]) + "\n")
    for record in records:
        board = (record["columns"], record["rows"])
        assert record["result"] in (None, published(*board)), f"{board}: {record['result']}, not {published(*board)}"
    options = f"--squares {args.squares} --seconds {args.seconds} --hash {args.hash} --threads {args.threads}"
    print(document(records, f"python3 benches/connect4_values.py values.jsonl {options}"), end="")


if __name__ == "__main__":
    main()
