"""The table that :func:`secateurs.compare` returns."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from secateurs import _native
from secateurs._arguments import wrong_type
from secateurs._extras import needed
from secateurs._frames import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Procedure(NamedTuple):
    """A procedure of the literature: its name, description and source."""

    name: str
    about: str
    source: str


class Comparison(Sequence[dict[str, Any]], Table):
    """The result of :func:`compare`: a row for each procedure on each position and depth.

    A row is a ``dict``: ``subject`` (the position or the tree), ``depth`` (plies), ``procedure``, ``value``
    (centi-units for the side to move), ``bound`` ("exact", "lower", "upper" or ``None``), ``move``, ``nodes``,
    ``terminal``, ``cutoffs``, ``hits`` (positions whose value came from a table), ``pv``, ``cut`` and ``all`` (inner
    positions with a value within, above, below the window), ``searches``, ``time_us``, ``share`` (of the nodes of
    minimax or, without it, of alpha-beta), ``agrees`` (with the other procedures of the same horizon), ``runs`` (trees
    in the row), ``given_up`` (the reason the search was abandoned). Unknown values are ``None``, as are counts that do
    not apply to a procedure: ``hits`` without a table, ``cutoffs`` without cut-offs.

    >>> found = secateurs.compare(depth=2, procedures=["negamax", "alpha-beta"], game="nim", theory=False)
    >>> len(found), found[1]["procedure"], found["agrees"]
    (2, 'alpha-beta', [True, True])
    """

    def __init__(self, rows: Sequence[dict[str, Any]]) -> None:
        """Creates a comparison from its rows."""
        self._rows = list(rows)

    @staticmethod
    def procedures() -> list[Procedure]:
        """Returns the procedures, except "secateurs".

        >>> [row.name for row in secateurs.Comparison.procedures()][:4]
        ['minimax', 'negamax', 'branch-and-bound', 'alpha-beta']
        """
        return [Procedure(*row) for row in _native._procedures()]

    @property
    def rows(self) -> list[dict[str, Any]]:
        """All rows, in the order of the comparison."""
        return [dict(row) for row in self._rows]

    @property
    def agree(self) -> bool:
        """Whether the values of all procedures agree."""
        return all(row["agrees"] is not False for row in self._rows)

    def __getitem__(self, key: Any) -> Any:
        """Returns a row by index, rows by slice, or a column by name."""
        if isinstance(key, str):
            return [row[key] for row in self._rows]
        return Comparison(self._rows[key]) if isinstance(key, slice) else dict(self._rows[key])

    def __len__(self) -> int:
        """Returns the number of rows."""
        return len(self._rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Iterates over the rows."""
        return iter(self.rows)

    def __eq__(self, other: object) -> bool:
        """Returns whether the rows are equal, including times."""
        return self._rows == other._rows if isinstance(other, Comparison) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def _table(self) -> list[dict[str, Any]]:
        return self._rows

    def plot(self, column: str = "nodes") -> "Figure":
        """Plots a column of numbers, summed over the subjects: by procedure, or by depth if there are several depths.

        :param column: for example "nodes", "terminal" or "time_us".
        :raises ImportError: matplotlib is not installed.
        :raises ValueError: the column does not exist or has no numbers.
        """
        with needed("plot", "plot"):
            from secateurs._comparison.plot import figure
        if not isinstance(column, str):
            raise wrong_type("column", "a str", column)
        return figure(self, column)

    def __repr__(self) -> str:
        """Formats the comparison for a terminal."""
        from secateurs._comparison.display import text

        return text(self._rows)

    def _repr_html_(self) -> str:
        from secateurs._comparison.display import html

        return html(self._rows)
