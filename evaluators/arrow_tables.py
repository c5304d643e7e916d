"""Tables of Arrow without what pyarrow brings along for others.

`pyarrow.parquet.read_table` imports `pyarrow.dataset`, and `pyarrow.array` of Python values looks for pandas: a third
of a second and 40 MB of a run that needs neither.
"""

from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa


def read_table(path: Path, columns: Sequence[str] | None = None) -> "pa.Table":
    """Return a Parquet file, or the named columns of it.

    Args:
        path: of the file.
        columns: names, each of a column that is there; None for all.

    Raises:
        OSError, pyarrow.ArrowInvalid: no such file, or not Parquet.
    """
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        return file.read(columns=None if columns is None else list(columns))


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
