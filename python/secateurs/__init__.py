"""Secateurs: alpha-beta search for two-player games of perfect information.

>>> import secateurs
>>> position = secateurs.Position("kalah", houses=3, seeds=2)
>>> engine = secateurs.Engine(hash=16)
>>> result = engine.analyse(position, depth=30)
>>> print(result.score)  # for the side to move: South wins by 4 seeds
+4.00 proven
>>> position.play(result.best_move).history == [result.best_move]
True

A :class:`Score` is a value in centi-units (100 is one seed) for one of the players. Depths are in plies, times in
seconds, table sizes in MiB; the values of :class:`Solution` are in the game's own units (seeds). Errors are subclasses
of ``ValueError``: :class:`IllegalMove`, :class:`BadPosition`, :class:`BadOption`, :class:`BadFile`. A fault of the
package itself raises :class:`InternalError`. :class:`UciEngine` is an external engine and raises :class:`EngineError`;
:func:`match` plays engines, commands and players written in Python against each other. :func:`analyse_many` and
:func:`solve_many` search many positions at once, :mod:`secateurs.dask` on many machines. :func:`annotate` annotates the
games of a file, and :class:`Book` is an opening book. Subclasses of :class:`Game` are games written in Python.
A :class:`Network` is an evaluation learned from games, with its weights as arrays, :class:`TrainingData` the positions
of such games, and :mod:`secateurs.torch` trains with PyTorch. :func:`compare` compares procedures of the literature.
:mod:`secateurs.chess` converts boards of python-chess, and :mod:`secateurs.aio` is the interface for ``await``.
:func:`env` is an environment of PettingZoo, :mod:`secateurs.openspiel` a bot of OpenSpiel, and :mod:`secateurs.kaggle`
an agent of Kaggle's simulations.
:class:`BoardWidget` is a board to play on in a notebook. Log records go to :mod:`logging`, to loggers below
``secateurs``, in the thread that waits for the search; the records of an analysis for which no thread waits are emitted
at its end.
"""

import sys
from importlib import import_module
from typing import TYPE_CHECKING

from secateurs import _cpu as _cpu  # before the extension module
from secateurs import _interpreter as _interpreter
from secateurs._annotation import AnnotatedGame, AnnotatedMove, annotate
from secateurs._comparison import Comparison, compare
from secateurs._environment import env
from secateurs._errors import BadFile, BadOption, BadPosition, EngineError, IllegalMove
from secateurs._matches import Clock, Match, Player, match
from secateurs._native import (
    Analysis,
    Batch,
    Book,
    Engine,
    InternalError,
    Limit,
    Node,
    Outcome,
    Position,
    Result,
    Score,
    Tree,
    UciEngine,
    __version__,
    analyse_many,
    games,
    solve_many,
)
from secateurs._network import Examples, Network, TrainingData
from secateurs._results import PlayResult, Solution
from secateurs.game import Game

__all__ = [
    "Analysis",
    "AnnotatedGame",
    "AnnotatedMove",
    "BadFile",
    "BadOption",
    "BadPosition",
    "Batch",
    "Book",
    "Clock",
    "Comparison",
    "Engine",
    "EngineError",
    "Examples",
    "Game",
    "IllegalMove",
    "InternalError",
    "Limit",
    "Match",
    "Network",
    "Node",
    "Outcome",
    "PlayResult",
    "Player",
    "Position",
    "Result",
    "Score",
    "Solution",
    "TrainingData",
    "Tree",
    "UciEngine",
    "__version__",
    "analyse_many",
    "annotate",
    "compare",
    "env",
    "games",
    "match",
    "solve_many",
]

if TYPE_CHECKING:
    from secateurs.widget import BoardWidget as BoardWidget
else:

    def __getattr__(name: str) -> object:
        """Imports a module of the package at its first use: some need packages that are not installed with this one."""
        if name in ("aio", "chess", "dask", "kaggle", "openspiel", "pettingzoo", "torch", "widget"):
            return import_module(f"secateurs.{name}")
        if name == "BoardWidget":
            from secateurs.widget import BoardWidget

            return BoardWidget
        from secateurs._attributes import missing

        return missing(sys.modules[__name__], name)
