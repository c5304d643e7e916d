"""The rows of a run by their ids, held as columns: of a hundred thousand, dictionaries would take 300 MB."""

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from lengthwise.evaluators.arrow_tables import values_of

if TYPE_CHECKING:
    import pyarrow as pa

# Rows at hand with what was read of them: who asks for a row again does so soon.
_AT_HAND = 256


class Row(Mapping[str, Any]):
    """One row; a value is read from its column when it is asked for, and kept as long as the row."""

    __slots__ = ("_columns", "_number", "_values")

    def __init__(self, columns: "Mapping[str, pa.ChunkedArray]", number: int) -> None:
        self._columns = columns
        self._number = number
        self._values: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        """Return the value in a column."""
        try:
            return self._values[name]
        except KeyError:
            value = self._values[name] = self._columns[name][self._number].as_py()
            return value

    def __contains__(self, name: object) -> bool:
        """Return whether there is such a column."""
        return name in self._columns

    def __iter__(self) -> Iterator[str]:
        """Yield the names of the columns."""
        return iter(self._columns)

    def __len__(self) -> int:
        """Return the number of columns."""
        return len(self._columns)

    def __repr__(self) -> str:
        """Return the row as a dictionary would show it."""
        return repr(dict(self))


class RowTable(Mapping[str, Row]):
    """The rows of a table by `id`, in its order.

    Args:
        table: short columns, with `id`, `config` and `split`; each id is there once.

    Attributes:
        table: the same.
        numbers: the number of each row, from 0, by its id.
    """

    def __init__(self, table: "pa.Table") -> None:
        self.table = table
        self._columns = {name: table[name] for name in table.column_names}
        self.numbers = {row_id: number for number, row_id in enumerate(values_of(table["id"]))}
        self._at_hand: OrderedDict[int, Row] = OrderedDict()

    def __getitem__(self, row_id: str) -> Row:
        """Return a row."""
        return self.row(self.numbers[row_id])

    def __contains__(self, row_id: object) -> bool:
        """Return whether there is a row with that id."""
        return row_id in self.numbers

    def __iter__(self) -> Iterator[str]:
        """Yield the ids."""
        return iter(self.numbers)

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.numbers)

    def row(self, number: int) -> Row:
        """Return a row by its number."""
        row = self._at_hand.pop(number, None) or Row(self._columns, number)
        self._at_hand[number] = row
        if len(self._at_hand) > _AT_HAND:
            self._at_hand.popitem(last=False)
        return row

    def cells(self) -> Iterator[tuple[str, str]]:
        """Yield config and split of each row."""
        return zip(values_of(self._columns["config"]), values_of(self._columns["split"]), strict=True)
