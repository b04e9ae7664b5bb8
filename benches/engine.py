"""An engine process and its lines, shared by the measurements."""

import os
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from threading import Thread


class Engine:
    """A process that reads and writes lines."""

    def __init__(self, *command: str) -> None:
        """Starts the process."""
        # Options that it does not know are tried on purpose.
        quiet = os.environ | {"SECATEURS_LOG": "error"}
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=quiet)

    def __enter__(self) -> "Engine":
        """The engine."""
        return self

    def __exit__(self, *_: object) -> None:
        """Ends its input and waits for its end."""
        self.process.communicate(timeout=60)

    def say(self, *lines: str) -> None:
        """Writes lines at once."""
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{line}\n" for line in lines).encode())
        self.process.stdin.flush()

    def hear(self, start: str) -> str:
        """The next line with this beginning; earlier lines are dropped."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith(start.encode()):
                return line.decode().rstrip()
        raise EOFError(f"the process ended without {start!r}")

    def ask(self, line: str, answer: str) -> float:
        """Milliseconds from a line to its reply."""
        began = time.perf_counter()
        self.say(line)
        self.hear(answer)
        return (time.perf_counter() - began) * 1000

    def use(self, options: Iterable[tuple[str, object]]) -> None:
        """Sets options; the engine refuses unknown ones with a message."""
        self.say(*(f"setoption name {name} value {value}" for name, value in options))

    def busy(self) -> float:
        """Milliseconds of processor time of all threads; 0 where the system does not report it."""
        # The clock of a process, as clock_getcpuclockid(3) has it.
        return time.clock_gettime((~self.process.pid << 3) | 2) * 1000 if sys.platform == "linux" else 0.0

    def memory(self, field: str) -> float:
        """A field of the process's status in MiB: VmRSS, or VmHWM for its maximum. Linux only."""
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(int(line.split()[1]) / 1024 for line in status if line.startswith(field))


def cores() -> int:
    """The processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def percentile(times: list[float], percent: int) -> float:
    """The value below which this percentage lies."""
    return sorted(times)[min(len(times) * percent // 100, len(times) - 1)]


def summary(times: list[float]) -> str:
    """Median, 99th percentile and the longest."""
    return f"{statistics.median(times):9.3f} {percentile(times, 99):9.3f} {max(times):9.3f}"


def interrupts(endless: Callable[[], object]) -> str:
    """From the signal of Ctrl-C to `KeyboardInterrupt` in the main thread, of endless work there, a hundred times."""
    times = []
    for _ in range(100):
        sent: list[float] = []

        def interrupt(sent: list[float] = sent) -> None:
            time.sleep(0.05)
            sent.append(time.perf_counter())
            os.kill(os.getpid(), signal.SIGINT)

        sender = Thread(target=interrupt)
        sender.start()
        try:
            endless()
        except KeyboardInterrupt:
            times.append((time.perf_counter() - sent[0]) * 1000)
        sender.join()
    soon = sum(taken <= 50 for taken in times)
    return f"Ctrl-C, ms: median, 99th percentile, longest: {summary(times)}; {soon} of {len(times)} within 50 ms"
