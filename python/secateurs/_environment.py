"""Environments of PettingZoo, which is imported when one is made."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pettingzoo import AECEnv as _AECEnv

    from secateurs._native import _AnyPosition, _Option


def env(game: "_AnyPosition" = "kalah", *, render_mode: str | None = None, **options: "_Option") -> "_AECEnv":
    """Returns a game as an environment of PettingZoo, in which agents take turns (AEC), with masks of legal actions.

    :mod:`secateurs.pettingzoo` has the class. ``secateurs.env("kalah", houses=4)`` has the options of a
    :class:`Position`.

    :param game: one of the names of :func:`games`, or a position to start from: also a ``chess.Board``, a FEN
        or a state of a :class:`Game`.
    :param render_mode: ``human``, ``ansi``, ``svg``, or ``None``.
    :param options: the options of the game.
    :raises ImportError: PettingZoo is missing: ``pip install 'secateurs[pettingzoo]'``.
    :raises ValueError: there is no such game, option or mode.
    """
    from secateurs.pettingzoo import env

    return env(game, render_mode=render_mode, **options)
