"""The entries of their tables that the workers of a job-level search get from each other."""

from contextlib import suppress

import distributed

from secateurs.dask._workers import LOST

# The number of entries, of 16 bytes, that a job gets from the tables of other workers is at most this, and at most this
# part of its nodes: several are stored in the time of a node.
MOST, PART = 1 << 19, 64


class Exchange:
    """The entries of the last jobs, and which worker has which of them.

    ``worker`` is the address of the worker for the next job, ``None`` if any will do.
    """

    def __init__(self, client: distributed.Client) -> None:
        """Begins without entries."""
        self.client = client
        self.worker: str | None = None
        # The number of the last jobs whose entries are kept.
        self.last = 2
        # The number of threads, and of those of other workers.
        self.threads, self.others = 1, 0
        self.finished = 0
        # The last jobs by number, each with its worker; the workers whose jobs have finished; and for each of them the
        # number of jobs that had finished when it got its last one.
        self.entries: dict[int, tuple[str, bytes]] = {}
        self.free: list[str] = []
        self.sent: dict[str, int] = {}
        self.count_workers()

    def add(self, worker: str, entries: bytes) -> None:
        """Adds the entries of a finished job."""
        self.finished += 1
        self.free.append(worker)
        self.entries[self.finished] = worker, entries
        while len(self.entries) > self.last:
            del self.entries[min(self.entries)]
        if self.finished % self.last == 0:
            self.count_workers()

    def entries_for_next(self) -> list[bytes]:
        """Chooses the worker for the next job, and returns the entries of other workers that it does not have."""
        self.worker, has = None, 0
        if self.free:
            self.worker = self.free.pop()
            has, self.sent[self.worker] = self.sent.get(self.worker, 0), self.finished
        return [found for number, (worker, found) in self.entries.items() if number > has and worker != self.worker]

    def count_workers(self) -> None:
        """Counts the threads of the workers."""
        with suppress(*LOST):
            threads = self.client.nthreads()
            self.threads = max(1, sum(threads.values()))
            self.last = 2 * self.threads
            self.others = self.threads - self.threads // max(1, len(threads))

    def share(self, limit: float) -> int:
        """Returns the number of entries that a job with a node limit returns."""
        return min(MOST, int(limit) // PART) // self.others if self.others else 0
