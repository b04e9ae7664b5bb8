"""Displays of comparisons. Imported at the first use."""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from typing import Any

from secateurs import _tables
from secateurs._native import Position, Score

Row = dict[str, Any]

# The heads of the columns of numbers, and the keys in the rows.
NUMBERS = {
    "nodes": "nodes",
    "terminal": "terminal",
    "cut-offs": "cutoffs",
    "hits": "hits",
    "PV": "pv",
    "cut": "cut",
    "all": "all",
}

HEADS = ["procedure", "value", "move", *NUMBERS, "time", "share"]

# All columns but the first are aligned at the right.
RIGHT = range(1, len(HEADS))


def cells_of(row: Row) -> list[str]:
    """Returns the cells of a row."""
    numbers = ("-" if row[name] is None else f"{row[name]:,}" for name in NUMBERS.values())
    time = f"{row['time_us'] / 1e6:.3f} s"
    return [row["procedure"], value(row), readable(row), *numbers, time, share(row["share"])]


def readable(row: Row) -> str:
    """Returns the move as people write it, where the subject is a FEN."""
    move: str = row["move"] or "-"
    try:
        return Position.parse(row["subject"]).san(move) if "/" in row["subject"] else move
    except ValueError:
        return move


def share(part: float | None) -> str:
    """Formats a share with as many decimal places as it needs."""
    if part is None:
        return "-"
    return f"{part:.0%}" if part >= 0.1 else f"{part:.1%}" if part >= 0.01 else f"{part:.3%}"


def value(row: Row) -> str:
    """Formats a value in units, or the reason why it is missing; marks one that differs from the others."""
    if row["value"] is None:
        return row["given_up"] or "-"
    sign = {"lower": "\u2265 ", "upper": "\u2264 "}.get(row["bound"], "")
    return f"{sign}{Score(row['value'], 1)}{' !' if row['agrees'] is False else ''}"


def title(row: Row) -> str:
    """Returns the subject and the depth."""
    together = f", {row['runs']} trees together" if row["runs"] > 1 else ""
    return f"{row['subject']}{together}, depth {row['depth']}"


def tables(rows: Sequence[Row]) -> Iterator[tuple[str, list[list[str]]]]:
    """Returns title and cells for each subject and depth."""
    for _, group in groupby(rows, key=lambda row: (row["subject"], row["depth"])):
        together = list(group)
        yield title(together[0]), [cells_of(row) for row in together]


def text(rows: Sequence[Row]) -> str:
    """Formats a comparison for a terminal."""
    blocks = (
        "\n".join([name, *(f"  {line}" for line in _tables.text([HEADS, *cells], RIGHT))])
        for name, cells in tables(rows)
    )
    return "\n\n".join(blocks) or "Comparison of nothing"


def html(rows: Sequence[Row]) -> str:
    """Formats a comparison for a notebook."""
    return "".join(f"<b>{escape(name)}</b>{_tables.html(HEADS, cells, RIGHT)}" for name, cells in tables(rows))
