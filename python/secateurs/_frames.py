"""Results that are tables: as frames of pandas and polars, and as JSON."""

import json
from importlib import import_module
from typing import TYPE_CHECKING, Any

from secateurs._extras import needed

if TYPE_CHECKING:
    import polars
    from pandas import DataFrame


class Table:
    """A result with rows."""

    __slots__ = ()

    def _table(self) -> list[dict[str, Any]]:
        """Returns the rows, each with the same keys."""
        raise NotImplementedError

    def to_pandas(self) -> "DataFrame":
        """Returns the rows as a frame of pandas.

        :raises ImportError: pandas is not installed.
        """
        with needed("to_pandas", "pandas"):
            frame: DataFrame = import_module("pandas").DataFrame(self._table())
        return frame

    def to_polars(self) -> "polars.DataFrame":
        """Returns the rows as a frame of polars.

        :raises ImportError: polars is not installed.
        """
        with needed("to_polars", "polars"):
            frame: polars.DataFrame = import_module("polars").DataFrame(self._table())
        return frame

    def to_dict(self) -> dict[str, Any]:
        """Returns the columns by name as lists, which ``json.dumps`` accepts."""
        rows = self._table()
        return {name: [row[name] for row in rows] for name in next(iter(rows), {})}

    def to_json(self) -> str:
        """Returns :meth:`to_dict` as JSON."""
        return json.dumps(self.to_dict())
