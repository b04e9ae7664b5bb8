"""Secateur prunes game trees: one alpha-beta search for two-player games of perfect information.

>>> import secateur
>>> position = secateur.Position("kalah", houses=3, seeds=2)
>>> engine = secateur.Engine(hash=16)
>>> result = engine.search(position, depth=30)
>>> result.score  # centi-units for the side to move: South wins by 4 seeds
400
>>> position.play(result.best_move).history == [result.best_move]
True

Scores are in centi-units (100 is one seed) for the side to move, depths in plies, times in seconds, table sizes
in MiB; the values of :class:`Solution` are in the game's own count (seeds). Errors are subclasses of ``ValueError``:
:class:`IllegalMove`, :class:`BadPosition`, :class:`BadOption`, :class:`BadFile`.
The engine's log records come through :mod:`logging`, by loggers below ``secateur``.
"""

from secateur._native import (
    BadFile,
    BadOption,
    BadPosition,
    Engine,
    IllegalMove,
    Outcome,
    Position,
    Result,
    Solution,
    __version__,
    games,
)

__all__ = [
    "BadFile",
    "BadOption",
    "BadPosition",
    "Engine",
    "IllegalMove",
    "Outcome",
    "Position",
    "Result",
    "Solution",
    "__version__",
    "games",
]
