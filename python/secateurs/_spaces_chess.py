"""Chess as arrays and numbers: planes of the board, and the actions of AlphaZero (Silver et al. 2018, 8 x 8 x 73)."""

import numpy as np
from numpy.typing import NDArray

PIECES = "PNBRQK"

# The directions of queens and of knights, files then ranks, in the order of their planes.
QUEENS = [(file, rank) for file in (-1, 0, 1) for rank in (-1, 0, 1) if file or rank]
KNIGHTS = [(file, rank) for file in range(-2, 3) for rank in range(-2, 3) if abs(file) + abs(rank) == 3]


def chess_planes(fen: str, player: int, before: int) -> NDArray[np.int16]:
    """Returns the planes of a FEN as a player sees it, rows from the opponent's side.

    0 to 5 are the own pawns, knights, bishops, rooks, queens and king, 6 to 11 the opponent's; 12 and 13 are all ones
    if the own king may castle to the side of file a, of file h, and 14 and 15 those of the opponent; 16 has the square
    of a capture en passant; 17 is how often the position has occurred before; 18 the halfmove clock; 19 is all ones for
    Black.
    """
    board, _, rights, passed, halfmoves = fen.split()[:5]
    planes = np.zeros((8, 8, 20), np.int16)
    for row, line in enumerate(board.split("/")):
        file = 0
        for letter in line:
            if letter.isdigit():
                file += int(letter)
                continue
            is_own = letter.isupper() == (player == 1)
            planes[row, file, PIECES.index(letter.upper()) + 6 * (not is_own)] = 1
            file += 1
    if passed != "-":
        planes[8 - int(passed[1]), ord(passed[0]) - ord("a"), 16] = 1
    if player == 2:
        planes = planes[::-1].copy()
    for letter in rights.strip("-"):
        is_own = letter.isupper() == (player == 1)
        planes[:, :, 12 + 2 * (not is_own) + is_far(letter, board)] = 1
    planes[:, :, 17] = before
    planes[:, :, 18] = halfmoves
    planes[:, :, 19] = player == 2
    return planes


def is_far(letter: str, board: str) -> bool:
    """Whether a castling right is that of the rook on the king's side of file h: ``K``, or a file beyond the king's."""
    if letter.upper() in "KQ":
        return letter.upper() == "K"
    row = board.split("/")[7 if letter.isupper() else 0]
    king = "K" if letter.isupper() else "k"
    squares = "".join("." * int(one) if one.isdigit() else one for one in row)
    return ord(letter.upper()) - ord("A") > squares.index(king)


def chess_action(move: str, player: int) -> int:
    """Returns the number of a move in UCI notation: (file * 8 + rank) * 73 + plane of its square and its direction.

    Black sees the ranks mirrored. Planes 0 to 55 are moves of a queen, by distance and direction, also of kings, pawns
    and in castling; 56 to 63 those of knights; 64 to 72 promotions to knight, bishop and rook, by direction. A pawn
    that reaches the last rank by another plane becomes a queen.
    """
    file, rank, to_file, to_rank = (ord(letter) - ord("a1"[place % 2]) for place, letter in enumerate(move[:4]))
    if player == 2:
        rank, to_rank = 7 - rank, 7 - to_rank
    across, ahead = to_file - file, to_rank - rank
    if move[4:] in ("n", "b", "r"):
        plane = 64 + 3 * (across + 1) + "nbr".index(move[4])
    elif (across, ahead) in KNIGHTS:
        plane = 56 + KNIGHTS.index((across, ahead))
    else:
        distance = max(abs(across), abs(ahead))
        plane = 8 * (distance - 1) + QUEENS.index((across // distance, ahead // distance))
    return (file * 8 + rank) * 73 + plane
