"""Job-level search: the value of one hard position, by bounded exact searches on the workers of Dask."""

import os
import tempfile
import time as clock
from collections.abc import Callable
from contextlib import closing
from itertools import chain, repeat
from math import inf
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import distributed

from secateurs import _native
from secateurs._arguments import path as text_of
from secateurs._arguments import plain_bool, whole, wrong_type
from secateurs._batch import Solving
from secateurs._matches.play import named_game
from secateurs._native import Engine, Position
from secateurs._results import Solution
from secateurs.dask._checkpoint import Checkpoint
from secateurs.dask._exchange import Exchange
from secateurs.dask._tree import Tree
from secateurs.dask._workers import completed, current, go_on

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from secateurs._native import _AnyLimit, _AnyPosition, _Limits

# The games whose values depend on positions alone and are comparable at any depth.
GAMES = ("kalah", "othello", "connect4")

# The nodes of the search that guesses the value.
GUESS = 100_000

# The node limit of the first jobs, and the number of jobs of each thread after which it may be larger: the tree chooses
# better than the search in a job, and as long as large jobs are few, threads wait for a position to search. In games of
# distances the estimates say little of the effort, and jobs are larger.
FIRST, FIRST_OF_DISTANCES, JOBS = 150_000, 1_000_000, 64


def solve(
    position: "_AnyPosition",
    limit: "_AnyLimit | None" = None,
    *,
    job: int = 2_000_000,
    hash: int = 64,
    guess: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    certificate: str | os.PathLike[str] | None = None,
    client: distributed.Client | None = None,
    progress: bool | Callable[[Solution], object] | None = None,
    **limits: "Unpack[_Limits]",
) -> Solution:
    """Searches for the value of one position on the workers of Dask.

    This is job-level search (Wu et al. 2013, "Job-level proof number search"). The call keeps a tree of positions, and
    searches it best first. Each job is an exact search of one position of the tree on one thread of a worker, with a
    limit of nodes, for whether its value is at least a bound. A position whose job reaches the limit gets its moves as
    children. Each worker keeps its table from job to job. All bounds are proven, whatever the workers and
    their order; which positions are searched depends on their speed.

    :param position: a position of Kalah, Othello or Connect Four.
    :param limit: nodes and time of this call, which then returns the bounds so far; or keywords of them.
    :param job: the node limit of a job. It begins with 150,000, in Connect Four with a million, and grows with the
        nodes so far. Several workers exchange 16 bytes for each 64 nodes, at most 8 MiB for each job.
    :param hash: the size of the table of each worker, MiB; the threads of a worker share it.
    :param guess: the first guess of the value in games of margins, units; ``None``: that of a short search.
    :param checkpoint: a file with a line of JSON for each finished job, written to the disk at once. The same call
        continues from it, also with other values of ``job``, ``hash`` and ``guess``. A job that runs when the time of
        the call ends is lost.
    :param certificate: a file for a proof of the value, which ``secateurs check`` verifies. A worker makes it once the
        value is known, with its own table; it is for small games, as that of :meth:`Engine.certify`.
    :param client: the client of the scheduler; ``None``: the current one.
    :param progress: shows each improvement of the bounds, or is a function that is called with the solution so far.
    :returns: the solution; ``value`` is a bound if a limit ended the search. ``time`` is that of this call, ``nodes``
        includes those of the checkpoint.
    :raises ValueError: the game is another one, an argument is out of range, or two results contradict each other.
    :raises BadFile: the checkpoint is that of another position, or is damaged; the certificate would replace another
        file.
    :raises OSError: a file cannot be written; all jobs before are in the checkpoint.
    :raises RuntimeError: a worker has another version of Secateurs.
    :raises ConnectionError: the scheduler was lost; the same call with a ``checkpoint`` continues.
    """
    client = current(client)
    found = _native._meant(position) or named_game(position)
    if found.game not in GAMES:
        raise ValueError(f"dask.solve solves {', '.join(GAMES)}, not {found.game}; Engine.solve takes every game")
    whole("job", job, 1, 2**63)
    whole("hash", hash, 1, 2**40)
    progress = plain_bool(progress)
    if not (progress is None or isinstance(progress, bool) or callable(progress)):
        raise wrong_type("progress", "a bool or a function of a Solution", progress)
    report = Solving() if progress is True else progress or (lambda solution: None)
    files = {"checkpoint": checkpoint, "certificate": certificate}
    paths = [None if path is None else text_of(name, path) for name, path in files.items()]
    most, seconds = _native._solve_arguments(found.game, limit, limits, *paths)
    began = clock.monotonic()
    deadline = inf if seconds is None else began + seconds
    engine = Engine(hash=1)
    units = None if guess is None else whole("guess", guess, -288, 288)
    first = engine.analyse(found, nodes=GUESS).score.cp if units is None else 100 * units
    return Search(client, found, job, hash, first, most, deadline, began, report).run(*paths)


class Search:
    """A search for the value of a position."""

    def __init__(
        self,
        client: distributed.Client,
        position: Position,
        job: int,
        hash_size: int,
        guess: int,
        most: int | None,
        deadline: float,
        began: float,
        report: Callable[[Solution], object],
    ) -> None:
        """Begins with the root alone."""
        self.client, self.position, self.job, self.hash_size = client, position, job, hash_size
        self.deadline, self.began, self.report = deadline, began, report
        self.has_distances = position.game == "connect4"
        # The nodes that are left for the call, without those of the jobs that run.
        self.left = inf if most is None else most
        self.guess = guess
        self.tree = Tree(position.text, guess)
        self.spent = 0
        self.exchange = Exchange(client)
        self.shown = self.bounds

    @property
    def bounds(self) -> tuple[int, int]:
        """The bounds of the value."""
        return self.tree.root.lower, self.tree.root.upper

    def is_known(self) -> bool:
        """Returns whether the value is known."""
        lower, upper = self.bounds
        return lower == upper

    def solution(self) -> Solution:
        """Returns what is known."""
        return _native._solution(self.position, *self.bounds, self.spent, clock.monotonic() - self.began)

    def run(self, checkpoint: str | None, certificate: str | None) -> Solution:
        """Searches until the value is known or a limit is reached."""
        with closing(Checkpoint(checkpoint, self.position)) as file:
            for number, row in file.results():
                try:
                    text, lower, upper, nodes, children = row
                    self.tree.learn(text, lower, upper, children)
                    self.spent += nodes
                except (LookupError, TypeError, ValueError):
                    raise file.bad(f"is damaged: line {number} is no result of this search") from None
            self.aim()
            # None is chosen before a thread is free for it: later, more is known.
            found = completed(
                self.client, prove, self.supply, where=lambda: self.exchange.worker, ahead=1, deadline=self.deadline
            )
            with closing(found) as jobs:
                for (text, limit, *_), (worker, (lower, upper, nodes, entries, children)), _ in jobs:
                    self.exchange.add(worker, entries)
                    self.spent += nodes
                    self.left += limit - nodes
                    file.add([text, lower, upper, nodes, children])
                    self.tree.learn(text, lower, upper, children)
                    self.aim()
                    if self.is_known():
                        break
        if certificate is not None and self.is_known():
            arguments = (self.position, self.hash_size)
            with closing(completed(self.client, certify, chain([arguments], repeat(None)).__next__)) as jobs:
                _native._write_certificate(certificate, next(jobs).result)
        return self.solution()

    def aim(self) -> None:
        """Asks the next question if this one is answered."""
        lower, upper = self.bounds
        if (lower, upper) != self.shown:
            self.shown = lower, upper
            self.report(self.solution())
        if lower < upper and not lower < self.tree.target <= upper:
            self.tree.aim((outwards if self.has_distances else around)(self.guess, lower, upper))

    def supply(self) -> tuple[Any, ...] | None:
        """Returns the next job."""
        threads = self.exchange.threads
        first = FIRST_OF_DISTANCES if self.has_distances else FIRST
        limit = min(self.job, max(first, self.spent // (JOBS * threads)), self.left)
        node = None if limit <= 0 or self.is_known() else self.tree.best()
        if node is None:
            return None
        self.left -= limit
        game, options, question = self.position.game, self.position.options, self.tree.question(node)
        entries, share = self.exchange.entries_for_next(), self.exchange.share(limit)
        return node.text, limit, game, options, self.hash_size, question, entries, share


def around(guess: int, lower: int, upper: int) -> int:
    """Returns the next target: the guess, then margins away from it in growing steps, as ``Engine.solve`` does."""
    if lower >= guess:
        above = lower + (lower - guess) // 2
    elif upper < guess:
        above = upper - 1 - (guess - upper) // 2
    else:
        above = guess - 1
    return (above if lower <= above < upper else (lower + upper) // 2) + 1


def outwards(guess: int, lower: int, upper: int) -> int:
    """Returns the next target for distances: the result, that of the guess first, then the distance by halves."""
    if lower > 0 or upper < 0:
        return (lower + upper) // 2 + 1
    return 1 if lower == 0 or (guess > 0 and upper > 0) else 0


# The engine of this process, and what its table is for.
engines: dict[tuple[Any, ...], Engine] = {}
lock = Lock()


def engine_for(position: Position, hash_size: int) -> Engine:
    """Returns the engine for a game; all threads of the process share its table."""
    key = position.game, *sorted(position.options.items()), hash_size
    with lock:
        if key not in engines:
            engines.clear()
            engines[key] = Engine(hash=hash_size)
        return engines[key]


def prove(
    text: str,
    nodes: int,
    game: str,
    options: dict[str, Any],
    hash_size: int,
    at_least: int,
    entries: list[bytes],
    most: int,
) -> Any:
    """Runs a job on a worker. Returns its address and the result."""
    position = Position.parse(text, game, **options)
    engine = engine_for(position, hash_size)
    return distributed.get_worker().address, _native._prove(engine, position, at_least, nodes, entries, most, go_on)


def certify(position: Position, hash_size: int) -> bytes:
    """Makes a certificate on a worker."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "proof.jsonl"
        engine_for(position, hash_size).certify(path, position)
        return path.read_bytes()
