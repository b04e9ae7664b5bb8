"""Displays of batches and of the progress of long work. Imported at the first use."""

import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from html import escape
from importlib import import_module
from typing import TYPE_CHECKING, Any

from secateurs import _tables
from secateurs._display import span
from secateurs._extras import needed
from secateurs._native import Batch
from secateurs._results import Solution

if TYPE_CHECKING:
    import polars
    from pandas import DataFrame

# Of a longer batch, only this many first and last rows are shown.
FIRST, LAST = 6, 4

# The longest text shown in a cell.
WIDTH = 32

# Without tqdm, the minimum time between two lines, seconds.
PAUSE = 5.0

# Columns aligned at the right.
NUMBERS = {"score", "distance", "depth", "nodes", "time_us", "multipv"}


class Progress:
    """A progress bar on stderr, by tqdm if it is installed, otherwise occasional lines."""

    def __init__(self, total: int, things: str) -> None:
        """Starts a bar for a number of things."""
        self.things = things
        self.began = self.reported = time.monotonic()
        self.bar: Any = None
        with suppress(ImportError):
            self.bar = import_module("tqdm.auto").tqdm(total=total, unit=f" {things}")

    def __call__(self, done: int, total: int) -> None:
        """Reports how many are done, and how many there are."""
        if self.bar is not None:
            self.bar.update(done - self.bar.n)
            return
        now = time.monotonic()
        if now - self.reported >= PAUSE or (done == total and self.reported > self.began):
            self.reported = now
            print(
                f"secateurs: {done:,} of {total:,} {self.things}, {now - self.began:.0f} s", file=sys.stderr, flush=True
            )

    def close(self) -> None:
        """Closes the bar."""
        if self.bar is not None:
            self.bar.close()


class Solving:
    """Lines on stderr with what is known of a value."""

    def __init__(self) -> None:
        """Notes the time of the start."""
        self.began = time.monotonic()

    def __call__(self, known: Solution[Any]) -> None:
        """Reports the bounds of the value."""
        seconds = time.monotonic() - self.began
        value = f"value {span(known.lower, known.upper)}, {known.nodes:,} nodes, {seconds:.1f} s"
        print(f"secateurs: {value}", file=sys.stderr, flush=True)

    def close(self) -> None:
        """Does nothing: each line is complete."""


class Counting:
    """Lines on stderr with the size of a file that a search writes."""

    def __init__(self, things: str) -> None:
        """Notes the time of the start; ``things`` is what is counted."""
        self.things = things
        self.began = self.reported = time.monotonic()

    def __call__(self, count: int) -> None:
        """Reports the number of things."""
        now = time.monotonic()
        if now - self.reported >= PAUSE:
            self.reported = now
            known = f"{count:,} {self.things}" if count else "searching for the value"
            print(f"secateurs: {known}, {now - self.began:.0f} s", file=sys.stderr, flush=True)

    def close(self) -> None:
        """Does nothing: each line is complete."""


def rows(batch: Batch) -> Iterator[dict[str, Any]]:
    """Returns the rows of a batch."""
    return (batch[index] for index in range(len(batch)))


def to_pandas(batch: Batch) -> "DataFrame":
    """Returns a frame that shares the memory."""
    with needed("to_pandas", "pandas"):
        pandas, pyarrow = import_module("pandas"), import_module("pyarrow")
    frame: DataFrame = pyarrow.table(batch).to_pandas(types_mapper=pandas.ArrowDtype)
    return frame


def to_polars(batch: Batch) -> "polars.DataFrame":
    """Returns a frame that shares the memory."""
    with needed("to_polars", "polars"):
        frame: polars.DataFrame = import_module("polars").DataFrame(batch)
    return frame


def to_dict(batch: Batch) -> dict[str, list[Any]]:
    """Returns the columns by name."""
    return {name: batch[name] for name in batch.columns}


def shown(value: object) -> str:
    """Formats a cell."""
    if value is None:
        return "-"
    text = " ".join(map(str, value)) if isinstance(value, list) else str(value)
    text = text.replace("\n", " ")
    return text if len(text) <= WIDTH else text[: WIDTH - 3] + "..."


def table(batch: Batch) -> tuple[list[str], list[list[str]]]:
    """Returns the columns and the rows to show; a row without cells stands for the omitted ones."""
    count = len(batch)
    indices = range(count) if count <= FIRST + LAST else [*range(FIRST), None, *range(count - LAST, count)]
    picked = [None if index is None else batch[index] for index in indices]
    rows = [row for row in picked if row is not None]
    # Omit columns without information in the rows shown.
    without = {
        "error": batch.errors == 0,
        "input": all(row["input"] == row["position"] for row in rows),
        "history": not any(row["history"] for row in rows),
        "distance": all(row["distance"] is None for row in rows),
    }
    columns = [name for name in batch.columns if not without.get(name, False)]
    return columns, [[] if row is None else [shown(row[name]) for name in columns] for row in picked]


def title(batch: Batch) -> str:
    """Returns the number of rows and of errors."""
    count, errors = len(batch), batch.errors
    words = f"Batch of {count:,} row{'' if count == 1 else 's'}"
    return f"{words}, {errors:,} with an error" if errors else words


def text(batch: Batch) -> str:
    """Formats a batch for a terminal."""
    columns, cells = table(batch)
    return "\n".join([title(batch), *(_tables.text([columns, *cells], numbers(columns)) if cells else ())])


def html(batch: Batch) -> str:
    """Formats a batch for a notebook."""
    columns, cells = table(batch)
    return f"<b>{escape(title(batch))}</b>{_tables.html(columns, cells, numbers(columns))}"


def numbers(columns: list[str]) -> set[int]:
    """Returns the places of the columns of numbers."""
    return {at for at, name in enumerate(columns) if name in NUMBERS}
