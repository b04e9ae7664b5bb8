"""Secateur prunes game trees: one alpha-beta search for two-player games of perfect information.

>>> import secateur
>>> position = secateur.Position("kalah", houses=3, seeds=2)
>>> engine = secateur.Engine(hash=16)
>>> result = engine.analyse(position, depth=30)
>>> print(result.score)  # for the side to move: South wins by 4 seeds
+4.00 proven
>>> position.play(result.best_move).history == [result.best_move]
True

A :class:`Score` knows whose it is; it is in centi-units (100 is one seed). Depths are in plies, times in seconds, table
sizes in MiB; the values of :class:`Solution` are in the game's own count (seeds). Errors are subclasses of
``ValueError``: :class:`IllegalMove`, :class:`BadPosition`, :class:`BadOption`, :class:`BadFile`. A fault of the
package itself is an :class:`InternalError`.
:class:`UciEngine` is another's engine through a pipe, and fails with :class:`EngineError`; :func:`match` plays
engines, commands and players written in Python against each other. :func:`analyse_many` and :func:`solve_many` search
many positions at once, and :mod:`secateur.dask` does so on many machines. A subclass of :class:`Game` is a game of
your own. :func:`compare` has the procedures of the literature side by side. :mod:`secateur.aio` has the engine for
``await``. Log records come through :mod:`logging`, by loggers below ``secateur``, in the thread that waits for the
search; those of an analysis that nothing waits for come at its end.
"""

from secateur import _interpreter as _interpreter
from secateur._comparison import Comparison, compare
from secateur._matches import Clock, Match, Player, match
from secateur._native import (
    Analysis,
    BadFile,
    BadOption,
    BadPosition,
    Batch,
    Engine,
    EngineError,
    IllegalMove,
    InternalError,
    Limit,
    Node,
    Outcome,
    PlayResult,
    Position,
    Result,
    Score,
    Solution,
    Tree,
    UciEngine,
    __version__,
    analyse_many,
    games,
    solve_many,
)
from secateur.game import Game

__all__ = [
    "Analysis",
    "BadFile",
    "BadOption",
    "BadPosition",
    "Batch",
    "Clock",
    "Comparison",
    "Engine",
    "EngineError",
    "Game",
    "IllegalMove",
    "InternalError",
    "Limit",
    "Match",
    "Node",
    "Outcome",
    "PlayResult",
    "Player",
    "Position",
    "Result",
    "Score",
    "Solution",
    "Tree",
    "UciEngine",
    "__version__",
    "analyse_many",
    "compare",
    "games",
    "match",
    "solve_many",
]
