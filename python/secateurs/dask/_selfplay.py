"""Games for networks, which the workers of Dask play."""

import os
from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING, Any

import distributed

from secateurs import _native
from secateurs._arguments import spelled, whole
from secateurs._matches.play import is_start, named_game
from secateurs._native import Position
from secateurs.dask._workers import completed, current, listener_of

if TYPE_CHECKING:
    from secateurs._native import _AnyPosition

# The target time of a job, seconds.
TASK = 10.0


@spelled
def selfplay(
    path: str | os.PathLike[str],
    position: "_AnyPosition | None" = None,
    *,
    positions: int = 1_000_000,
    nodes: int = 5_000,
    random_plies: int = 8,
    balance: int = 400,
    win: int = 1_200,
    draw_ply: int = 70,
    longest: int = 400,
    seed: int = 1,
    client: distributed.Client | None = None,
    progress: bool | Callable[[int, int], object] | None = None,
) -> int:
    """Plays games of the engine against itself on the workers of Dask, as ``secateurs selfplay`` does on one machine.

    Each game depends on the arguments and its number alone, and the games are appended in the order of their numbers.
    The file is therefore the same for any workers, and that of ``secateurs selfplay``: either continues what the other
    has begun. Games that are not yet in the file when the call ends are lost, a few jobs of ten seconds.

    >>> import distributed, tempfile
    >>> with (
    ...     tempfile.TemporaryDirectory() as folder,
    ...     distributed.Client(processes=False, dashboard_address=":0") as client,
    ... ):
    ...     dask.selfplay(f"{folder}/games.ssp", "connect4", positions=60, nodes=50, client=client) >= 60
    True

    :param path: the file, which ``secateurs tune --positions`` and ``secateurs train`` read.
    :param position: the start of a game with its options, or its name; ``None``: Kalah.
    :param positions: the number of positions in the file after which the call ends.
    :param nodes: the node limit of each search.
    :param random_plies: the number of random moves before each game; every second game has one more.
    :param balance: openings with a score above this are rejected, centi-units.
    :param win: the score that wins a game if it lasts four plies, centi-units.
    :param draw_ply: the plies after which a game is drawn whose score has been within 8 centi-units for twelve plies.
    :param longest: the plies after which every game is drawn.
    :param seed: the seed of the openings.
    :param client: the client of the scheduler; ``None``: the current one.
    :param progress: displays the number of positions; or a function that is called with it and ``positions``.
    :returns: the number of positions in the file.
    :raises ValueError: an argument is out of range, or no opening is balanced.
    :raises BadFile: the file is another one, or has games of other arguments.
    :raises OSError: the file cannot be written; the games before are in it.
    :raises RuntimeError: a worker has another version of Secateurs.
    :raises ConnectionError: the scheduler was lost; the same call continues the file.
    """
    client = current(client)
    found = Position() if position is None else _native._meant(position) or named_game(position)
    if found.state is not None:
        raise ValueError(
            "position is the start of a registered game, and this one is in Python: use secateurs selfplay"
        )
    if not is_start(found):
        raise ValueError("position is the start of a registered game: the games have openings of their own")
    plan = (
        whole("nodes", nodes, 1, 2**63),
        whole("random_plies", random_plies, 0, 10_000),
        whole("balance", balance, 0, 32_000),
        whole("win", win, 1, 32_000),
        whole("draw_ply", draw_ply, 0, 65_535),
        whole("longest", longest, 16, 65_535),
        whole("seed", seed, 0, 2**64 - 1),
    )
    most = whole("positions", positions, 0, 2**63)
    listener, close = listener_of(progress, most, "positions")
    file = _native._GamesFile(path, found, plan)
    following, played, spent = file.next, 0, 0.0

    def supply() -> tuple[Any, ...] | None:
        nonlocal following
        size = min(max(1, int(TASK * played / spent)), played) if played else 1
        first, following = following, following + size
        return found, plan, first, following

    try:
        with closing(completed(client, _native._selfplay, supply, in_order=True)) as jobs:
            while file.positions < most:
                (*_, first, end), games, seconds = next(jobs)
                played, spent = played + end - first, spent + seconds
                for number, game in enumerate(games, first):
                    if file.positions < most:
                        file.add(number, game)
                listener(file.positions, most)
    finally:
        close()
    return file.positions
