"""Files of a job-level search: the results of its jobs, and the certificate."""

import fcntl
import json
import logging
import os
from collections.abc import Iterator
from typing import Any

from secateurs import BadFile
from secateurs._native import Position, _rules

# The version of the file.
VERSION = 2


class Checkpoint:
    """The results of the finished jobs, lines of JSON: ``[position, lower, upper, nodes, children]``.

    They follow from the rules: the options that weigh evaluations and name files do not matter.

    The bounds are scores for the side to move in the position. ``children``, if the limit of nodes ended the job, has
    for each move the position after it, whether the same side is to move there, and for the side to move before it the
    bounds by the rules and an estimate.
    """

    def __init__(self, path: str | None, position: Position) -> None:
        """Opens a file, or creates it; without a path there is none.

        :raises BadFile: it is damaged, that of another position, or in use.
        """
        self.path = path
        self.lines: list[bytes] = []
        if self.path is None:
            return
        header = {
            "dask.solve": VERSION, "game": position.game, "rules": _rules(position), "position": position.text,
        }  # fmt: skip
        self.file = open(self.path, "a+b", buffering=0)  # noqa: SIM115
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.file.close()
            raise BadFile(f'"{self.path}" is already being written') from None
        self.file.seek(0)
        *lines, cut = self.file.read().split(b"\n")
        if not lines and not written(header).startswith(cut):
            raise self.bad("is not a checkpoint of dask.solve")
        if lines:
            self.check(lines[0], header)
        if cut:
            logging.getLogger("secateurs").warning('"%s": the last line was cut off and is removed', self.path)
            self.file.truncate(self.file.tell() - len(cut))
        self.size = self.file.seek(0, os.SEEK_END)
        if not lines:
            self.add(header)
        self.lines = lines[1:]

    def check(self, line: bytes, header: dict[str, Any]) -> None:
        """Checks that a file begins with a header.

        :raises BadFile: it does not; the file is unchanged.
        """
        try:
            found = json.loads(line)
        except ValueError:
            found = None
        if not isinstance(found, dict) or "dask.solve" not in found:
            raise self.bad("is not a checkpoint of dask.solve")
        for name, value in header.items():
            if found.get(name) != value:
                raise self.bad(f"is of another search: it has {name} {found.get(name)!r}, not {value!r}")

    def bad(self, reason: str) -> BadFile:
        """Closes the file and returns the error for it."""
        self.close()
        return BadFile(f'"{self.path}" {reason}')

    def parsed(self, number: int, line: bytes) -> Any:
        """Parses a line."""
        try:
            return json.loads(line)
        except ValueError:
            raise self.bad(f"is damaged: line {number} is not JSON") from None

    def results(self) -> Iterator[tuple[int, Any]]:
        """Iterates over the results that the file has, with the numbers of their lines."""
        lines, self.lines = self.lines, []
        return ((number, self.parsed(number, line)) for number, line in enumerate(lines, 2))

    def add(self, row: Any) -> None:
        """Appends a line; it is on the disk when this returns.

        :raises OSError: it cannot be written; the file is then as before.
        """
        if self.path is None:
            return
        line = written(row)
        try:
            if self.file.write(line) != len(line):
                raise OSError(f'"{self.path}": there is no space left')
            os.fsync(self.file.fileno())
        except OSError:
            self.file.truncate(self.size)
            raise
        self.size += len(line)

    def close(self) -> None:
        """Closes the file."""
        if self.path is not None:
            self.file.close()


def written(row: Any) -> bytes:
    """Returns a line of a file."""
    return json.dumps(row, separators=(",", ":")).encode() + b"\n"
