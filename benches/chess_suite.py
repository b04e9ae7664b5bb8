"""Test positions with a best move: how many of them an engine solves.

pip install chess
python3 benches/chess_suite.py [ENGINE] [FILE] [LIMIT] [OPTION=VALUE ...]

Plays each position of an EPD file (tests/data/chess/wac.epd: "Win at Chess", Reinfeld 1958) for LIMIT seconds (1), or
for a number of nodes with an `n` behind it (1500000n), and compares the move with the operations `bm` and `am`. Prints
the positions that are missed, with the move played, and the number of those that are solved.
"""

import sys
from collections.abc import Mapping

import chess
import chess.engine


def is_solved(board: chess.Board, operations: Mapping[str, object], move: chess.Move | None) -> bool:
    """Whether a move is one of the best ones, and none of those to avoid."""
    best, avoid = operations.get("bm"), operations.get("am")
    return (not isinstance(best, list) or move in best) and (not isinstance(avoid, list) or move not in avoid)


def main() -> None:
    """Plays the positions."""
    arguments = [*sys.argv[1:], *["target/release/secateurs", "tests/data/chess/wac.epd", "1"][len(sys.argv) - 1 :]]
    path, file, amount = arguments[:3]
    is_nodes = amount.endswith("n")
    limit = chess.engine.Limit(nodes=int(amount[:-1])) if is_nodes else chess.engine.Limit(time=float(amount))
    options: dict[str, str] = dict(option.split("=", 1) for option in arguments[3:])
    with open(file) as lines:
        positions = [chess.Board.from_epd(line) for line in lines if line.strip()]
    solved = 0
    with chess.engine.SimpleEngine.popen_uci([path]) as engine:
        engine.configure({"Hash": 16, **options})
        for number, (board, operations) in enumerate(positions, 1):
            move = engine.play(board, limit, game=number).move
            if is_solved(board, operations, move):
                solved += 1
            else:
                played = "no move" if move is None else board.san(move)
                print(f"{operations.get('id', number)}: {played} in {board.fen()}", flush=True)
    print(f"{solved} of {len(positions)} solved, {amount if is_nodes else f'{amount} s'} a position")


if __name__ == "__main__":
    main()
