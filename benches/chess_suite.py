"""Test positions with a best move: how many of them an engine solves.

pip install chess
python3 benches/chess_suite.py [ENGINE] [FILE] [SECONDS]

Plays each position of an EPD file (tests/data/chess/wac.epd: "Win at Chess", Reinfeld 1958) for SECONDS (1) and
compares the move with the operations `bm` and `am`. Prints the positions that are missed, with the move played, and the
number of those that are solved.
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
    arguments = [*sys.argv[1:], *["target/release/secateur", "tests/data/chess/wac.epd", "1"][len(sys.argv) - 1 :]]
    path, file, seconds = arguments[0], arguments[1], float(arguments[2])
    with open(file) as lines:
        positions = [chess.Board.from_epd(line) for line in lines if line.strip()]
    solved = 0
    with chess.engine.SimpleEngine.popen_uci([path]) as engine:
        engine.configure({"Hash": 16})
        for number, (board, operations) in enumerate(positions, 1):
            move = engine.play(board, chess.engine.Limit(time=seconds), game=number).move
            if is_solved(board, operations, move):
                solved += 1
            else:
                played = "no move" if move is None else board.san(move)
                print(f"{operations.get('id', number)}: {played} in {board.fen()}", flush=True)
    print(f"{solved} of {len(positions)} solved, {seconds:g} s a position")


if __name__ == "__main__":
    main()
