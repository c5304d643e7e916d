"""Rows of a run by their number, prompts included, in any order: cheap where that is nearly the order of the files."""

from array import array
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from lengthwise.errors import InputError
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
        self._configs = examples["config"]
        self._splits = examples["split"]
        # Where each row stands, -1 until it is looked for: its place among all rows of its cell.
        self._places = array("q", [-1]) * len(examples)
        self._of_cell: dict[tuple[str, str], array[int]] = {}
        self._cells: dict[Cell, list[_Group]] = {}
        self._open: OrderedDict[Path, _OpenFile] = OrderedDict()
        self._second = ThreadPoolExecutor(1, "lengthwise-rows")

    def read(self, number: int) -> Example:
        """Return a row by its number among the examples.

        Raises:
            InputError: the data holds it no more.
        """
        cell = Cell(self._configs[number].as_py(), self._splits[number].as_py())
        if cell not in self._cells:
            self._find(cell)
        place = int(self._places[number])
        if place < 0:
            raise InputError(
                f"{self._data.source}: {cell} holds no row {self._ids[number].as_py()} any more; the data has changed"
            )
        group = next(group for group in reversed(self._cells[cell]) if group.first <= place)
        return self._data.example(self._file(group.path).row(group.number, place - group.first), cell)

    def _file(self, path: Path) -> "_OpenFile":
        file = self._open.get(path)
        if file is None:
            if len(self._open) >= _OPEN:
                self._open.popitem(last=False)[1].close()
            file = self._open[path] = _OpenFile(path, self._second)
        self._open.move_to_end(path)
        return file

    def _find(self, cell: Cell) -> None:
        """Look up where all the rows of a cell stand."""
        import pyarrow.parquet as pq

        groups: list[_Group] = []
        places: dict[str, int] = {}
        first = 0
        for path in self._data.files(cell):
            with pq.ParquetFile(path) as file:
                for number in range(file.num_row_groups):
                    groups.append(_Group(path, number, first))
                    ids = file.read_row_group(number, columns=["id"])["id"].to_pylist()
                    places.update(zip(ids, range(first, first + len(ids)), strict=True))
                    first += len(ids)
        for row in self._rows_of(cell):
            self._places[row] = places.get(self._ids[row].as_py(), -1)
        self._cells[cell] = groups

    def _rows_of(self, cell: Cell) -> Sequence[int]:
        """Return which of the examples are of a cell."""
        if not self._of_cell:
            names = zip(self._configs.to_pylist(), self._splits.to_pylist(), strict=True)
            for row, name in enumerate(names):
                self._of_cell.setdefault(name, array("q")).append(row)
        return self._of_cell.pop((cell.config, cell.split))

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
