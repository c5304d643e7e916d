"""Rows of a run by their number, prompts included, in any order: cheap where that is nearly the order of the files."""

from array import array
from bisect import bisect_right
from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from operator import attrgetter
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from lengthwise.errors import InputError
from lengthwise.evaluators.arrow_tables import read_table, values_of
from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.examples import Cell, Data

if TYPE_CHECKING:
    import pyarrow as pa

# Files that are open at the same time, each with a few rows at hand. At 128K tokens a prompt has about 0.5 MB: so many
# rows are decoded at a time as have `_BYTES`, within bounds.
_OPEN = 16
_BYTES = 1_000_000
_LEAST, _MOST = 2, 500


class RowReader:
    """Reads single rows; use it as a context manager.

    Args:
        data: where they are.
        examples: short columns of the rows that may be asked for, with `id`, `config` and `split`.
    """

    def __init__(self, data: Data, examples: "pa.Table") -> None:
        self._data = data
        self._ids = examples["id"]
        # The cells, and the number among them of each row's.
        numbers: dict[tuple[str, str], int] = {}
        names = zip(values_of(examples["config"]), values_of(examples["split"]), strict=True)
        self._cell_of = array("l", (numbers.setdefault(name, len(numbers)) for name in names))
        self._cells = [Cell(*name) for name in numbers]
        # Where each row stands, -1 until it is looked for: its place among all rows of its cell.
        self._places = array("q", [-1]) * len(examples)
        self._groups: dict[int, list[_Group]] = {}
        self._open: OrderedDict[Path, _OpenFile] = OrderedDict()
        self._second = ThreadPoolExecutor(1, "lengthwise-rows")

    def read(self, number: int) -> Example:
        """Return a row by its number among the examples.

        Raises:
            InputError: the data holds it no more.
        """
        of_cell = self._cell_of[number]
        cell = self._cells[of_cell]
        if of_cell not in self._groups:
            self._find(of_cell)
        place = self._places[number]
        if place < 0:
            raise InputError(
                f"{self._data.source}: {cell} holds no row {self._ids[number].as_py()} any more; the data has changed"
            )
        groups = self._groups[of_cell]
        group = groups[bisect_right(groups, place, key=attrgetter("first")) - 1]
        return self._data.example(self._file(group.path).row(group.number, place - group.first), cell)

    def _file(self, path: Path) -> "_OpenFile":
        file = self._open.get(path)
        if file is None:
            if len(self._open) >= _OPEN:
                self._open.popitem(last=False)[1].close()
            file = self._open[path] = _OpenFile(path, self._second)
        self._open.move_to_end(path)
        return file

    def _find(self, of_cell: int) -> None:
        """Look up where all the rows of a cell stand."""
        import pyarrow.parquet as pq

        groups: list[_Group] = []
        first = 0
        for path in self._data.files(self._cells[of_cell]):
            with pq.ParquetFile(path) as file:
                for number in range(file.num_row_groups):
                    groups.append(_Group(path, number, first))
                    first += file.metadata.row_group(number).num_rows
        rows = deque(row for row, number in enumerate(self._cell_of) if number == of_cell)
        # Mostly they are in the order of the files; the ids of the others are looked up.
        for place, row_id in enumerate(self._ids_in_files(groups)):
            if rows and self._ids[rows[0]].as_py() == row_id:
                self._places[rows.popleft()] = place
        if rows:
            places = {row_id: place for place, row_id in enumerate(self._ids_in_files(groups))}
            for row in rows:
                self._places[row] = places.get(self._ids[row].as_py(), -1)
        self._groups[of_cell] = groups

    def _ids_in_files(self, groups: Iterable["_Group"]) -> Iterator[str]:
        """Yield the id of every row of some files."""
        for path in dict.fromkeys(group.path for group in groups):
            yield from values_of(read_table(path, ["id"])["id"])

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close all files."""
        for file in self._open.values():
            file.close()
        self._open.clear()
        self._second.shutdown()


class _Group:
    """A group of rows of a file, and the place of its first row among all rows of the cell."""

    def __init__(self, path: Path, number: int, first: int) -> None:
        self.path = path
        self.number = number
        self.first = first


class _OpenFile:
    """A file with the few rows at hand that were decoded last: going on from there costs little, going back more.

    The rows behind them are decoded meanwhile, by the second thread.
    """

    def __init__(self, path: Path, second: ThreadPoolExecutor) -> None:
        import pyarrow.parquet as pq

        self._file = pq.ParquetFile(path)
        self._second = second
        self._group = -1
        self._batches: Iterator[Any] = iter(())
        self._ahead: Future[Any] | None = None
        self._batch: Any = None
        self._rows: list[dict[str, Any] | None] = []
        self._start = 0
        self._end = 0

    def row(self, group: int, place: int) -> dict[str, Any]:
        if group != self._group or place < self._start:
            self._wait()
            self._group, self._start, self._end = group, 0, 0
            about = self._file.metadata.row_group(group)
            size = max(_LEAST, min(_MOST, _BYTES * about.num_rows // max(1, about.total_byte_size)))
            self._batches = self._file.iter_batches(batch_size=size, row_groups=[group])
            self._decode_ahead()
        while place >= self._end:
            assert self._ahead is not None
            self._batch = self._ahead.result()
            self._decode_ahead()
            self._start, self._end = self._end, self._end + len(self._batch)
            # Short rows are taken out together, which is quicker; of long ones that would be many prompts.
            short = len(self._batch) > _LEAST
            self._rows = self._batch.to_pylist() if short else []
        at = place - self._start
        if self._rows:
            row, self._rows[at] = self._rows[at], None
            if row is not None:
                return row
        rows: list[dict[str, Any]] = self._batch.slice(at, 1).to_pylist()
        return rows[0]

    def _decode_ahead(self) -> None:
        self._ahead = self._second.submit(next, self._batches, None)

    def _wait(self) -> None:
        if self._ahead is not None:
            self._ahead.result()

    def close(self) -> None:
        self._wait()
        self._batches, self._batch, self._rows, self._ahead = iter(()), None, [], None
        self._file.close()
