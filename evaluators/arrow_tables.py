"""Tables of Arrow without what pyarrow brings along for others.

`pyarrow.parquet.read_table` imports `pyarrow.dataset`, and `pyarrow.array` of Python values looks for pandas: a third
of a second and 40 MB of a run that needs neither.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

# Rows decoded together.
_BATCH = 8192


def read_table(path: Path, columns: Sequence[str] | None = None) -> "pa.Table":
    """Return a Parquet file, or the named columns of it.

    Args:
        path: of the file.
        columns: names, each of a column that is there; None for all.

    Raises:
        OSError, pyarrow.ArrowInvalid: no such file, or not Parquet.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        names = file.schema_arrow.names if columns is None else list(columns)
        schema = pa.schema([file.schema_arrow.field(name) for name in names])
        # All at once, in threads, takes several times the memory of what is read.
        batches = file.iter_batches(_BATCH, columns=names, use_threads=False)
        return pa.Table.from_batches(list(batches), schema)


def values_of(column: "pa.ChunkedArray") -> Iterator[Any]:
    """Yield the values of a column, of which few are in memory."""
    for first in range(0, len(column), _BATCH):
        yield from column.slice(first, _BATCH).to_pylist()


def column_names(path: Path) -> list[str]:
    """Return the names of the columns of a Parquet file, in order.

    Raises:
        OSError, pyarrow.ArrowInvalid: no such file, or not Parquet.
    """
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        return list(file.schema_arrow.names)


def repeated(text: str, count: int) -> "pa.Array":
    """Return a column of strings that holds one text, not an empty one, on every row.

    >>> repeated("4k", 3).to_pylist()
    ['4k', '4k', '4k']
    """
    import pyarrow as pa

    encoded = text.encode()
    ends = array("i", range(0, (count + 1) * len(encoded), len(encoded)))
    return pa.Array.from_buffers(pa.string(), count, [None, pa.py_buffer(ends), pa.py_buffer(encoded * count)])


def release_memory() -> None:
    """Give what pyarrow holds for later back to the system: after a start with whole columns that is much."""
    import pyarrow as pa

    pa.default_memory_pool().release_unused()


def strings(values: Sequence[str | None]) -> "pa.Array":
    """Return a column of strings.

    >>> strings(["a", None, ""]).to_pylist()
    ['a', None, '']
    """
    import pyarrow as pa

    encoded = [b"" if value is None else value.encode() for value in values]
    buffers = [_known(values), _ends(map(len, encoded)), pa.py_buffer(b"".join(encoded))]
    return pa.Array.from_buffers(pa.string(), len(values), buffers)


def numbers(values: Sequence[float | None], type: "pa.DataType") -> "pa.Array":
    """Return a column of numbers of a type: int32, int64 or float64.

    Raises:
        OverflowError: a number has no room there.
    """
    import pyarrow as pa

    code = {pa.int32(): "i", pa.int64(): "q", pa.float64(): "d"}[type]
    held = array(code, [0 if value is None else value for value in values])
    return pa.Array.from_buffers(type, len(values), [_known(values), pa.py_buffer(held)])


def lists_of_strings(values: Sequence[Sequence[str] | None]) -> "pa.Array":
    """Return a column of lists of strings.

    >>> lists_of_strings([["a", "b"], None, []]).to_pylist()
    [['a', 'b'], None, []]
    """
    import pyarrow as pa

    inner = strings([one for value in values for one in value or ()])
    buffers = [_known(values), _ends(len(value or ()) for value in values)]
    return pa.Array.from_buffers(pa.list_(pa.string()), len(values), buffers, children=[inner])


def _ends(lengths: Iterable[int]) -> "pa.Buffer":
    """Return where each value begins, and where the last ends."""
    import pyarrow as pa

    return pa.py_buffer(array("i", accumulate(lengths, initial=0)))


def _known(values: Sequence[object]) -> "pa.Buffer | None":
    """Return a bit for each value that is there; None where all are."""
    import numpy as np
    import pyarrow as pa

    if None not in values:
        return None
    known = np.fromiter((value is not None for value in values), np.bool_, len(values))
    return pa.py_buffer(np.packbits(known, bitorder="little"))
