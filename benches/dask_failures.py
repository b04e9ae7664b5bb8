"""Failures of a cluster, tried: what `secateurs.dask` loses, and what it counts twice.

python3 benches/dask_failures.py [--kills 30] [--seed 1] [TRIAL...]

Each trial runs a match, games of self-play and a job-level search on worker processes of this machine, while

- `kill`: workers are killed (SIGKILL) at random times, again and again;
- `scheduler`: the scheduler is killed, and another one begins at its address, with new workers;
- `pause`: a worker is stopped (SIGSTOP) while it works, until all else is done, and then goes on;
- `version`: a worker with another version joins;
- `disk`: no file may grow beyond a few kilobytes.

The result of each is compared with that of one machine without failures: records without times, files byte for byte. A
table follows: trials, failures, what differs.
"""

import argparse
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

warnings.simplefilter("ignore")

import distributed  # noqa: E402
import secateurs  # noqa: E402
from secateurs import Engine, Player, Position, dask  # noqa: E402
from secateurs.dask import _match, _selfplay  # noqa: E402

BOARD = Position("kalah", houses=4, seeds=4)
PLAYERS = {"more": Player(Engine(hash=1), nodes=20_000), "less": Player(Engine(hash=1), nodes=5_000)}
MATCH: dict[str, Any] = {"rounds": 24, "random_nodes": 500}
GAMES: dict[str, Any] = {"nodes": 2_000, "positions": 9_000}
HARD = Position("kalah", houses=5, seeds=4)

# The address of a scheduler, and the commands that begin it and a worker.
ADDRESS = "tcp://127.0.0.1:18786"
BEGIN = ("dask_scheduler", "--port", "18786", "--no-dashboard")
WORKER = ("dask_worker", ADDRESS, "--nthreads", "1", "--no-dashboard", "--no-nanny")

# The target time of a job, seconds: more than one of them end between two kills.
_match.TASK = _selfplay.TASK = 2.0


class Row(NamedTuple):
    """A line of the table."""

    trial: str
    work: str
    failures: int
    seconds: float
    verdict: str


def match(path: Path, client: Any, seed: int) -> None:
    """Plays a match to the end of its record."""
    dask.match(PLAYERS, BOARD, record=path, seed=seed, progress=False, client=client, **MATCH)


def selfplay(path: Path, client: Any, seed: int) -> None:
    """Plays games to the end of their file."""
    dask.selfplay(path, "connect4", seed=seed, client=client, **GAMES)


def solve(path: Path, client: Any, seed: int) -> None:
    """Searches until a value is known."""
    found = dask.solve(HARD.play(HARD.legal_moves[seed % 5]), job=20_000, hash=4, checkpoint=path, client=client)
    if found.proven != "exact":
        raise RuntimeError(found)


WORKS: dict[str, Callable[[Path, Any, int], None]] = {"match": match, "selfplay": selfplay, "solve": solve}


def compare(work: str, path: Path, seed: int) -> str:
    """Compares a file with that of one machine without failures."""
    with tempfile.TemporaryDirectory() as folder:
        other = Path(folder) / "other"
        if work == "match":
            secateurs.match(PLAYERS, BOARD, record=other, seed=seed, progress=False, **MATCH)
            same = [without_times(path), without_times(other)]
            return "the same record" if same[0] == same[1] else "ANOTHER RECORD"
        if work == "selfplay":
            words = [
                *["selfplay", "--game", "connect4", "--nodes", "2000", "--positions", "9000", "--seed"],
                str(seed),
                str(other),
            ]
            subprocess.run([sys.executable, "-m", "secateurs", *words], check=True, capture_output=True)
            return "the same file" if path.read_bytes() == other.read_bytes() else "ANOTHER FILE"
        position = HARD.play(HARD.legal_moves[seed % 5])
        expected = Engine(hash=64).solve(position, moves="none").value
        with distributed.Client(processes=False, n_workers=1, dashboard_address=":0") as client:
            found = dask.solve(position, checkpoint=path, client=client)
        texts = [json.loads(line)[0] for line in path.read_text().splitlines()[1:]]
        return f"the same value, {len(texts)} results" if found.value == expected else "ANOTHER VALUE"


def without_times(path: Path) -> list[Any]:
    """Returns a record of a match without times."""
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    for row in rows[1:]:
        del row["started"]
        row["moves"] = [[move[0], *move[2:]] for move in row["moves"]]
    return rows


@contextmanager
def cluster(workers: int = 2) -> Iterator[Any]:
    """Starts worker processes, and connects to them."""
    with (
        distributed.LocalCluster(
            n_workers=workers, threads_per_worker=1, dashboard_address=":0", silence_logs=50
        ) as made,
        distributed.Client(made) as client,
    ):
        yield client


def pids(client: Any) -> list[int]:
    """Returns the processes of the workers."""
    return list(client.run(os.getpid, on_error="ignore").values())


def kill(work: str, folder: Path, kills: int, chance: random.Random) -> Row:
    """Kills workers at random times, and replaces them; the work begins anew with another seed until it was enough."""
    began, killed, seed, verdicts = time.monotonic(), 0, 0, []
    with ExitStack() as stack:
        stack.enter_context(process(*BEGIN))
        workers = [stack.enter_context(process(*WORKER)) for _ in range(2)]
        client = stack.enter_context(distributed.Client(ADDRESS, timeout=30))
        while killed < kills:
            seed += 1
            path, over = folder / f"{work}-{seed}", threading.Event()

            def hunt(over: threading.Event = over) -> None:
                nonlocal killed
                while killed < kills and not over.wait(chance.uniform(1, 6)):
                    number = chance.randrange(2)
                    workers[number].kill()
                    workers[number] = stack.enter_context(process(*WORKER))
                    killed += 1

            hunter = threading.Thread(target=hunt)
            hunter.start()
            try:
                WORKS[work](path, client, seed)
            finally:
                over.set()
                hunter.join()
            verdicts.append(compare(work, path, seed))
    return Row("kill", work, killed, time.monotonic() - began, summary(verdicts))


def pause(work: str, folder: Path, kills: int, chance: random.Random) -> Row:
    """Stops a worker while it works."""
    began, path = time.monotonic(), folder / f"{work}-paused"
    with cluster() as client:
        victim = pids(client)[0]
        timer = threading.Timer(2.0, os.kill, (victim, signal.SIGSTOP))
        timer.start()
        try:
            WORKS[work](path, client, 1)
        finally:
            timer.join()
            os.kill(victim, signal.SIGCONT)
        # Its late results must not be added.
        time.sleep(3)
        verdict = compare(work, path, 1)
    return Row("pause", work, 1, time.monotonic() - began, verdict)


@contextmanager
def process(*words: str) -> Iterator[subprocess.Popen[bytes]]:
    """Runs a command of Dask, and ends it."""
    command = [sys.executable, "-m", "distributed.cli." + words[0], *words[1:]]
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield running
    finally:
        running.kill()
        running.wait()


def scheduler(work: str, folder: Path, kills: int, chance: random.Random) -> Row:
    """Kills the scheduler once; another one begins two seconds later. Calls again after an error."""
    began, path = time.monotonic(), folder / f"{work}-scheduler"
    # What happened.
    errors: list[str] = []
    with ExitStack() as stack:
        first = stack.enter_context(process(*BEGIN))
        stack.enter_context(process(*WORKER))

        def restart() -> None:
            first.kill()
            errors.append(f"killed at {path.stat().st_size} bytes")
            time.sleep(2)
            stack.enter_context(process(*BEGIN))
            stack.enter_context(process(*WORKER))

        timer = threading.Timer(7.0, restart)
        timer.start()
        while True:
            try:
                with distributed.Client(ADDRESS, timeout=20) as client:
                    WORKS[work](path, client, 1)
                    break
            except (OSError, TimeoutError) as error:
                errors.append(f"{type(error).__name__}: {error}")
                if len(errors) > 4:
                    raise
        timer.join()
    seconds = time.monotonic() - began
    return Row("scheduler", work, 1, seconds, f"{'; '.join(errors)}, then {compare(work, path, 1)}")


def version(work: str, folder: Path, kills: int, chance: random.Random) -> Row:
    """Lets a worker with another version join."""
    began, path = time.monotonic(), folder / f"{work}-version"
    preload = folder / "another.py"
    preload.write_text("import secateurs\nsecateurs.__version__ = '0.0.1'\n")
    with cluster(1) as client:
        address = client.scheduler_info()["address"]
        with process("dask_worker", address, "--nthreads", "1", "--no-dashboard", "--preload", str(preload)):
            client.wait_for_workers(2)
            try:
                WORKS[work](path, client, 1)
                verdict = "NOT REFUSED"
            except RuntimeError as error:
                verdict = str(error)
    return Row("version", work, 1, time.monotonic() - began, verdict)


def disk(work: str, folder: Path, kills: int, chance: random.Random) -> Row:
    """Limits the size of files, and calls again without the limit."""
    began, path = time.monotonic(), folder / f"{work}-disk"
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with cluster() as client:
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (9_001, before[1]))
        try:
            WORKS[work](path, client, 1)
            verdict = "NO ERROR"
        except OSError as error:
            verdict = f"{type(error).__name__} at {path.stat().st_size} bytes"
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        WORKS[work](path, client, 1)
    return Row("disk", work, 1, time.monotonic() - began, f"{verdict}, then {compare(work, path, 1)}")


def summary(verdicts: list[str]) -> str:
    """Counts equal verdicts."""
    kinds = {verdict.split(",")[0] for verdict in verdicts}
    return ", ".join(f"{sum(each.split(',')[0] == kind for each in verdicts)} x {kind}" for kind in sorted(kinds))


TRIALS: dict[str, Callable[[str, Path, int, random.Random], Row]] = {
    "kill": kill,
    "scheduler": scheduler,
    "pause": pause,
    "version": version,
    "disk": disk,
}


def main() -> None:
    """Runs the trials."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trials", nargs="*", metavar="TRIAL", help=", ".join(TRIALS), default=[])
    parser.add_argument("--works", nargs="*", choices=WORKS, default=list(WORKS))
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print("| trial | work | failures | seconds | result |\n|---|---|---|---|---|", flush=True)
    for trial in given.trials or TRIALS:
        for work in given.works:
            with tempfile.TemporaryDirectory() as folder:
                row = TRIALS[trial](work, Path(folder), given.kills, random.Random(given.seed))
            print(f"| {row.trial} | {row.work} | {row.failures} | {row.seconds:.0f} | {row.verdict} |", flush=True)


if __name__ == "__main__":
    main()
