"""Players for matches in the tests, and a board on which they play."""

import os
import random
import sys
from typing import Any

import pytest
from secateurs import Position

OURS = [sys.executable, "-m", "secateurs"]

BOARD = Position("kalah", houses=4, seeds=3)

POSIX = pytest.mark.skipif(os.name != "posix", reason="shells and signals of POSIX")


def chance(seed: int = 1) -> Any:
    """A player that plays anything."""
    lot = random.Random(seed)

    def anything(position: Position) -> str:
        return lot.choice(position.legal_moves)

    return anything


def first(position: Position) -> str:
    """A player that plays the first move."""
    return position.legal_moves[0]
