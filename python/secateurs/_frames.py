"""What results share: the errors for attributes that do not exist, JSON, and frames of pandas and polars."""

import json
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

from secateurs._extras import needed

if TYPE_CHECKING:
    import polars
    from pandas import DataFrame


# The types of columns in which every value may be missing, and of the items of lists; the others are texts.
WHOLE = ("lead", "margin", "mate", "value", "ply", "player", "score", "best_score", "loss", "depth", "nodes", "time_us")
REAL = ("share", "win_percent", "best_win_percent", "accuracy")
NUMBERS = dict.fromkeys(WHOLE, "Int64") | dict.fromkeys(REAL, "Float64") | {"agrees": "Boolean"}
LISTS = {"pv": "String", "pv_san": "String", "wdl": "Int64", "window": "Int64"}


class Hinted:
    """A class whose error for an attribute that does not exist may name what there is instead."""

    __slots__ = ()

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            """Raises the error."""
            from secateurs._attributes import missing

            missing(self, name)


class Record:
    """A result that is a ``dict``, and so JSON."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """Returns the result as a ``dict`` that ``json.dumps`` accepts."""
        raise NotImplementedError

    def to_json(self) -> str:
        """Returns :meth:`to_dict` as JSON."""
        return json.dumps(self.to_dict())


class Table(Record):
    """A result with rows."""

    __slots__ = ()

    # The columns, for a table that may have no rows.
    _columns: ClassVar[tuple[str, ...]] = ()

    def _table(self) -> list[dict[str, Any]]:
        """Returns the rows, each with the same keys."""
        raise NotImplementedError

    def to_pandas(self) -> "DataFrame":
        """Returns the rows as a frame of pandas.

        :raises ImportError: pandas is not installed.
        """
        with needed("to_pandas", "pandas"):
            frame: DataFrame = import_module("pandas").DataFrame(self._table(), columns=self._columns or None)
        return frame

    def to_polars(self) -> "polars.DataFrame":
        """Returns the rows as a frame of polars.

        :raises ImportError: polars is not installed.
        """
        with needed("to_polars", "polars"):
            types = import_module("polars")
        rows = self._table()
        frame: polars.DataFrame = types.DataFrame(rows, schema=None if rows else self._columns)
        empty = [name for name, kind in frame.schema.items() if kind in (types.Null, types.List(types.Null))]
        items = {name: getattr(types, LISTS[name] if name in LISTS else NUMBERS.get(name, "String")) for name in empty}
        # Columns have the same types whatever the values, so that frames can be put together.
        return frame.cast({name: types.List(kind) if name in LISTS else kind for name, kind in items.items()})

    def to_dict(self) -> dict[str, Any]:
        """Returns the columns by name as lists, which ``json.dumps`` accepts."""
        rows = self._table()
        return {name: [row[name] for row in rows] for name in next(iter(rows), {})}
