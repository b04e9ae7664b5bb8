"""What a comparison has come to."""

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from secateur import _native
from secateur._arguments import wrong_type

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame


class Procedure(NamedTuple):
    """A procedure of the literature: its name, what it does, where it is from."""

    name: str
    about: str
    source: str


class Comparison(Sequence[dict[str, Any]]):
    """What :func:`compare` found: a row for each procedure on each position and depth.

    A row is a ``dict``: ``subject`` (the position or the tree), ``depth`` (plies), ``procedure``, ``value``
    (centi-units for the side to move), ``bound`` ("exact", "lower", "upper"), ``move``, ``nodes``, ``terminal``,
    ``cutoffs``, ``hits`` (positions that a table answered), ``pv``, ``cut`` and ``all`` (inner positions with a value
    within, above, below the window), ``searches``, ``time_us``, ``share`` (of the nodes of minimax, or else of
    alpha-beta), ``agrees`` (with the other procedures that look as far), ``runs`` (trees in the row), ``given_up`` (why
    there is no value). What is not known is ``None``, and so is a count that a procedure does not take: ``hits`` of one
    without a table, ``cutoffs`` of one that cuts nothing off.

    >>> found = secateur.compare(depth=2, procedures=["negamax", "alpha-beta"], game="nim", theory=False)
    >>> len(found), found[1]["procedure"], found["agrees"]
    (2, 'alpha-beta', [True, True])
    """

    def __init__(self, rows: Sequence[dict[str, Any]]) -> None:
        """Of these rows."""
        self._rows = list(rows)

    @staticmethod
    def procedures() -> list[Procedure]:
        """The procedures there are, but for "secateur".

        >>> [row.name for row in secateur.Comparison.procedures()][:4]
        ['minimax', 'negamax', 'branch-and-bound', 'alpha-beta']
        """
        return [Procedure(*row) for row in _native._procedures()]

    @property
    def rows(self) -> list[dict[str, Any]]:
        """All rows, in the order in which they were compared."""
        return [dict(row) for row in self._rows]

    @property
    def agree(self) -> bool:
        """Whether no procedure differs from the others in value."""
        return all(row["agrees"] is not False for row in self._rows)

    def __getitem__(self, key: Any) -> Any:
        """A row by its number, rows by a slice, a column by its name."""
        if isinstance(key, str):
            return [row[key] for row in self._rows]
        return Comparison(self._rows[key]) if isinstance(key, slice) else dict(self._rows[key])

    def __len__(self) -> int:
        """The number of rows."""
        return len(self._rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The rows."""
        return iter(self.rows)

    def __eq__(self, other: object) -> bool:
        """Whether the rows are the same, times included."""
        return self._rows == other._rows if isinstance(other, Comparison) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def to_pandas(self) -> "DataFrame":
        """A frame with a row for each row.

        :raises ImportError: pandas is not installed.
        """
        try:
            pandas = import_module("pandas")
        except ImportError as error:
            raise ImportError("to_pandas needs pandas: pip install secateur[pandas]") from error
        frame: DataFrame = pandas.DataFrame(self._rows)
        return frame

    def plot(self, column: str = "nodes") -> "Figure":
        """A drawing of a column of numbers, summed over the subjects: by procedure; against the depth if there are
        several.

        :param column: such as "nodes", "terminal" or "time_us".
        :raises ImportError: matplotlib is not installed.
        :raises ValueError: there is no such column, or it has no numbers.
        """
        try:
            from secateur._comparison.plot import figure
        except ImportError as error:
            raise ImportError("plot needs matplotlib: pip install secateur[plot]") from error
        if not isinstance(column, str):
            raise wrong_type("column", "a str", column)
        return figure(self, column)

    def __repr__(self) -> str:
        """For a terminal."""
        from secateur._comparison.display import text

        return text(self._rows)

    def _repr_html_(self) -> str:
        from secateur._comparison.display import html

        return html(self._rows)
