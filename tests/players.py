"""Players for matches in the tests, and a board on which they play."""

import os
import random
import subprocess
import sys
from typing import Any

import pytest
from secateurs import Position

OURS = [sys.executable, "-m", "secateurs"]

BOARD = Position("kalah", houses=4, seeds=3)

POSIX = pytest.mark.skipif(os.name != "posix", reason="shells and signals of POSIX")


def ours(*words: str) -> str:
    """What the program prints, which ends without a fault or a word on stderr."""
    done = subprocess.run([*OURS, *words], capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def chance(seed: int = 1) -> Any:
    """A player that plays anything."""
    lot = random.Random(seed)

    def anything(position: Position) -> str:
        return lot.choice(position.legal_moves)

    return anything


def first(position: Position) -> str:
    """A player that plays the first move."""
    return position.legal_moves[0]
