"""Positions as arrays and moves as numbers, for :mod:`secateurs.pettingzoo`.

Every array shows the board as the player who observes sees it: with its own pieces first, and with its own side below
where the boards of the two sides mirror each other.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from operator import index
from re import findall
from typing import Any

import numpy as np
from numpy.typing import NDArray

from secateurs._arguments import whole
from secateurs._native import Position
from secateurs._spaces_chess import chess_action, chess_planes

Array = NDArray[np.int16]

# The largest number of actions of a game in Python: masks have a byte for each.
MOST = 1 << 24


class Spaces(ABC):
    """The observations and actions of a game on the board of its starting position.

    ``actions`` is the number of actions, ``shape`` the shape of an observation, ``low`` and ``high`` its least and its
    largest value.
    """

    actions: int
    shape: tuple[int, ...]
    low: float = 0
    high: float = 1
    dtype: np.dtype[Any] = np.dtype(np.int16)

    @abstractmethod
    def __init__(self, start: Position) -> None:
        """Measures the board of a starting position."""

    @abstractmethod
    def observation(self, position: Position, player: int, before: int) -> Array:
        """Returns the position as a player, 1 or 2, sees it; it occurred ``before`` times earlier in the game."""

    @abstractmethod
    def action(self, position: Position, move: str) -> int:
        """Returns the number of a legal move."""

    def fit(self, other: "Spaces") -> bool:
        """Returns whether the observations and actions are among those of other spaces."""
        is_within = self.actions <= other.actions and other.low <= self.low and self.high <= other.high
        return is_within and (self.shape, self.dtype) == (other.shape, other.dtype)

    def moves(self, position: Position) -> dict[int, str]:
        """Returns the legal moves of a position by their numbers."""
        return {self.action(position, move): move for move in position.legal_moves}


class KalahSpaces(Spaces):
    """Kalah: two rows, the own one first: the houses in the sowing order of their side, then the store."""

    def __init__(self, start: Position) -> None:
        self.actions = len(start.houses[0])
        self.shape = (2, self.actions + 1)
        self.high = max(1, sum(map(sum, start.houses)) + sum(start.stores))

    def observation(self, position: Position, player: int, before: int) -> Array:
        """Returns the seeds."""
        sides = [(*houses, store) for houses, store in zip(position.houses, position.stores, strict=True)]
        return np.array(sides if player == 1 else sides[::-1], np.int16)

    def action(self, position: Position, move: str) -> int:
        """Returns the house, from 0."""
        return int(move) - 1


class OwareSpaces(KalahSpaces):
    """Oware: two rows, the own one first: the houses in the sowing order of their side, then the captured seeds."""

    def action(self, position: Position, move: str) -> int:
        """Returns the house, from 0."""
        return "abcdef".index(move.lower())


class NimSpaces(Spaces):
    """Nim: the heaps. The actions have the numbers of OpenSpiel's."""

    def __init__(self, start: Position) -> None:
        self.high = max(1, *start.heaps)
        self.shape = (len(start.heaps),)
        self.actions = len(start.heaps) * min(self.high, int(start.options["max_take"]))

    def observation(self, position: Position, player: int, before: int) -> Array:
        """Returns the heaps, which both players see alike."""
        return np.array(position.heaps, np.int16)

    def action(self, position: Position, move: str) -> int:
        """Returns (objects taken - 1) * heaps + heap, from 0."""
        heap, taken = move.split("-")
        return (int(taken) - 1) * self.shape[0] + int(heap) - 1


class ConnectFourSpaces(Spaces):
    """Connect Four: the own stones and the opponent's, as in ``connect_four_v3`` of PettingZoo."""

    def __init__(self, start: Position) -> None:
        self.actions = len(start.board[0])
        self.shape = (len(start.board), self.actions, 2)

    def observation(self, position: Position, player: int, before: int) -> Array:
        """Returns two planes, rows from the top."""
        board = np.array(position.board)
        return np.stack([board == player, board == 3 - player], axis=2).astype(np.int16)

    def action(self, position: Position, move: str) -> int:
        """Returns the column, from 0."""
        return ord(move[2]) - ord("a") if "@" in move else int(move) - 1


class ChessSpaces(Spaces):
    """Chess: 8 x 8 x 20, and the actions of AlphaZero in the numbers of ``chess_v6`` of PettingZoo."""

    actions = 8 * 8 * 73
    shape = (8, 8, 20)
    high = 100

    def __init__(self, start: Position) -> None:
        """The board is always the same."""

    def observation(self, position: Position, player: int, before: int) -> Array:
        """Returns the planes."""
        return chess_planes(position.text, player, before)

    def action(self, position: Position, move: str) -> int:
        """Returns the number of the move as its player sees it."""
        return chess_action(move, position.turn)


class DraughtsSpaces(Spaces):
    """Checkers and draughts: own men and kings, the opponent's, repetitions, and plies towards a draw."""

    #: How many moves with the same ends get numbers; more are very rare.
    ROUTES = 16
    #: The most plies towards a draw: two for each of the largest number of moves that ``DrawMoves`` takes.
    CLOCK = 2000

    high = CLOCK

    def __init__(self, start: Position) -> None:
        self.size = 10 if start.game == "draughts" else 8
        self.squares = self.size**2 // 2
        self.actions = self.squares**2 * self.ROUTES
        self.shape = (self.size, self.size, 6)
        # Black moves first in checkers, White in the others.
        self.colours = "BW" if start.game == "checkers" else "WB"

    def colour(self, player: int) -> str:
        """Returns the colour of a player, ``W`` or ``B``."""
        return self.colours[player - 1]

    def seen(self, square: int, colour: str) -> int:
        """Returns a square, from 1, as its number from 0 for a player of a colour: Black sees the board turned."""
        return square - 1 if colour == "W" else self.squares - square

    def observation(self, position: Position, player: int, before: int) -> Array:
        """Returns six planes, rows from the opponent's side."""
        planes = np.zeros(self.shape, np.int16)
        own = self.colour(player)
        for colour, square, is_king in pieces(position.text):
            row, place = divmod(self.seen(square, own), self.size // 2)
            planes[row, 2 * place + (row + 1) % 2, 2 * (colour != own) + is_king] = 1
        planes[:, :, 4] = before
        planes[:, :, 5] = clock(position.text)
        return planes

    def action(self, position: Position, move: str) -> int:
        """Returns (from * squares + to) of the first move with these ends."""
        words = move.replace("-", "x").split("x")
        first, last = (self.seen(int(word), self.colour(position.turn)) for word in (words[0], words[-1]))
        return first * self.squares + last

    def moves(self, position: Position) -> dict[int, str]:
        """Returns the legal moves; those with the same ends, in their order, are ``squares ** 2`` apart."""
        found: dict[int, str] = {}
        for move in position.legal_moves:
            number = self.action(position, move)
            while number in found:
                number += self.squares**2
            if number < self.actions:
                found[number] = move
        return found


def pieces(text: str) -> Iterator[tuple[str, int, bool]]:
    """Returns the pieces of a FEN of draughts: colour, square from 1, and whether it is a king."""
    for part in text.split(":")[1:3]:
        for piece in filter(None, part[1:].split(",")):
            yield part[0], int(piece.lstrip("K")), piece[0] == "K"


def clock(text: str) -> int:
    """Returns the plies towards a draw of a FEN of draughts."""
    return next((int(part[1:]) for part in text.split(":")[3:] if part[0] == "H"), 0)


class XiangqiSpaces(Spaces):
    """Xiangqi: 10 x 9 x 16: own pieces by kind, the opponent's, repetitions, and plies without a capture."""

    #: The kinds of pieces, in the order of the planes.
    KINDS = "kabnrcp"

    actions = 90 * 90
    shape = (10, 9, 16)
    high = 120

    def __init__(self, start: Position) -> None:
        self.first_rank = int(start.options["xiangqi_first_rank"])

    def observation(self, position: Position, player: int, before: int) -> Array:
        """Returns the planes, rows from the opponent's side."""
        planes = np.zeros(self.shape, np.int16)
        placement, *_, clock, _ = position.text.split()
        for row, rank in enumerate(placement.split("/")):
            column = 0
            for letter in rank:
                if letter.isdigit():
                    column += int(letter)
                    continue
                is_own = letter.isupper() == (player == 1)
                seen = row if player == 1 else 9 - row
                planes[seen, column, self.KINDS.index(letter.lower()) + (0 if is_own else 7)] = 1
                column += 1
        planes[:, :, 14] = before
        planes[:, :, 15] = int(clock)
        return planes

    def action(self, position: Position, move: str) -> int:
        """Returns from * 90 + to, points counted along the ranks from the own side."""
        first, last = (self.seen(file, int(rank), position.turn) for file, rank in findall(r"([a-i])(\d+)", move))
        return first * 90 + last

    def seen(self, file: str, number: int, player: int) -> int:
        """Returns the number of a point from 0 as a player sees it: Black sees the ranks mirrored."""
        rank = number - self.first_rank
        return 9 * (rank if player == 1 else 9 - rank) + ord(file) - ord("a")


class OthelloSpaces(Spaces):
    """Othello: the own discs and the opponent's; the actions are the squares, then the pass."""

    def __init__(self, start: Position) -> None:
        """Measures the board."""
        squares = len(start.text.split()[0])
        self.size = {64: 8, 36: 6}.get(squares, 4)
        self.actions = squares + 1
        self.shape = (self.size, self.size, 2)

    def observation(self, position: Position, player: int, before: int) -> Array:
        """Returns two planes, rows from the top."""
        board = np.array(list(position.text.split()[0])).reshape(self.size, self.size)
        own, other = "XO" if player == 1 else "OX"
        return np.stack([board == own, board == other], axis=2).astype(np.int16)

    def action(self, position: Position, move: str) -> int:
        """Returns row * size + column, from 0; a pass is the last number."""
        if move == "pass":
            return self.actions - 1
        return (int(move[1]) - 1) * self.size + ord(move[0]) - ord("a")


class PythonSpaces(Spaces):
    """A game in Python, by its methods ``observation`` and ``action`` and its attribute ``num_actions``."""

    def __init__(self, start: Position) -> None:
        """Reads the spaces from a state."""
        state: Any = start.state
        name = start.game
        for word, meaning in (
            ("num_actions", "the number of all actions"),
            ("action", "action(move), the number of a legal move, from 0"),
            ("observation", "observation(player), an array of numpy: the state as player 1 or 2 sees it"),
        ):
            if not hasattr(state, word):
                raise TypeError(f"an environment needs {name}.{word}: {meaning}")
        self.actions = whole(f"{name}.num_actions", state.num_actions, 1, MOST)
        seen = np.asarray(state.observation(1))
        self.shape, self.dtype = seen.shape, seen.dtype
        if self.dtype.kind == "f":
            self.low, self.high = -np.inf, np.inf
        elif self.dtype.kind == "b":
            self.low, self.high = 0, 1
        elif self.dtype.kind in "iu":
            self.low, self.high = np.iinfo(self.dtype).min, np.iinfo(self.dtype).max
        else:
            raise TypeError(f"{name}.observation() is an array of numbers, not of {self.dtype}")

    def observation(self, position: Position, player: int, before: int) -> Array:
        """Returns what the state shows the player."""
        state: Any = position.state
        seen: Array = np.asarray(state.observation(player), self.dtype)
        return seen

    def action(self, position: Position, move: str) -> int:
        """Returns the number that the state gives the move."""
        return self.moves_by_text(position)[move]

    def moves(self, position: Position) -> dict[int, str]:
        """Returns the legal moves of a position by their numbers."""
        found = {number: move for move, number in self.moves_by_text(position).items()}
        if len(found) != len(position.legal_moves) or not all(0 <= number < self.actions for number in found):
            raise ValueError(
                f"{position.game}.action() gives each legal move a number of its own, below {self.actions}"
            )
        return found

    def moves_by_text(self, position: Position) -> dict[str, int]:
        """Returns the numbers of the legal moves."""
        state: Any = position.state
        return dict(zip(position.legal_moves, (index(state.action(move)) for move in state.moves()), strict=True))


KINDS: dict[str, type[Spaces]] = {
    "kalah": KalahSpaces,
    "nim": NimSpaces,
    "connect4": ConnectFourSpaces,
    "cfour": ConnectFourSpaces,
    "chess": ChessSpaces,
    "checkers": DraughtsSpaces,
    "draughts": DraughtsSpaces,
    "brazilian": DraughtsSpaces,
    "xiangqi": XiangqiSpaces,
    "oware": OwareSpaces,
    "othello": OthelloSpaces,
}


def mask(actions: int, legal: Iterable[int]) -> NDArray[np.int8]:
    """Returns an array of ones at the legal actions."""
    found = np.zeros(actions, np.int8)
    found[list(legal)] = 1
    return found
