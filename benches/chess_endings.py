"""Won endings of chess: how many of them an engine wins against another one that defends.

pip install chess
python3 benches/chess_endings.py [ENGINE] [DEFENDER] [GAMES] [NODES]

Plays GAMES (200) random positions of each of KQK, KRK, KPK and KBNK that the DEFENDER (stockfish) itself sees as won
after a search to depth 20, with NODES (20000) a move on both sides. A game is won by mate, before a third occurrence or
fifty moves. Prints the games that are not won, and for each ending their number and the longest win.
"""

import random
import sys

import chess
import chess.engine

ENDINGS = ["Q", "R", "P", "BN"]

#: A score, centipawns, that only a won ending has.
WON = 500


def drawn(pieces: str) -> chess.Board:
    """A random legal position with these pieces of White's and the kings, White to move."""
    while True:
        board = chess.Board.empty()
        symbols = [*pieces, "K", "k"]
        for symbol, square in zip(symbols, random.sample(range(64), len(symbols)), strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(symbol))
        if board.is_valid() and not board.is_game_over():
            return board


def won(defender: chess.engine.SimpleEngine, pieces: str) -> chess.Board:
    """A random position that the defender sees as lost."""
    while True:
        board = drawn(pieces)
        score = defender.analyse(board, chess.engine.Limit(depth=20), game=object())["score"].white()
        if score.score(mate_score=100_000) >= WON:
            return board


def play(engine: chess.engine.SimpleEngine, defender: chess.engine.SimpleEngine, board: chess.Board, nodes: int) -> str:
    """Plays a position to its end; the word for the end."""
    game = object()
    while (outcome := board.outcome()) is None:
        if board.is_repetition(3):
            return "third occurrence"
        if board.halfmove_clock >= 100:
            return "fifty moves"
        player = engine if board.turn == chess.WHITE else defender
        move = player.play(board, chess.engine.Limit(nodes=nodes), game=game).move
        assert move is not None
        board.push(move)
    return outcome.termination.name.lower()


def main() -> None:
    """Plays the endings."""
    arguments = [*sys.argv[1:], *["target/release/secateurs", "stockfish", "200", "20000"][len(sys.argv) - 1 :]]
    games, nodes = int(arguments[2]), int(arguments[3])
    random.seed(1)
    with (
        chess.engine.SimpleEngine.popen_uci([arguments[0]]) as engine,
        chess.engine.SimpleEngine.popen_uci([arguments[1]]) as defender,
    ):
        engine.configure({"Hash": 16})
        for pieces in ENDINGS:
            wins, longest = 0, 0
            for _ in range(games):
                board = won(defender, pieces)
                start = board.fen()
                end = play(engine, defender, board, nodes)
                if end == "checkmate":
                    wins += 1
                    longest = max(longest, (board.ply() + 1) // 2)
                else:
                    print(f"K{pieces}K: {end} from {start}", flush=True)
            print(f"K{pieces}K: {wins} of {games} won, the longest in {longest} moves", flush=True)


if __name__ == "__main__":
    main()
