"""The Parquet files of the steps that need no model: `steps/units.parquet` and `steps/windows.parquet`.

Anyone can check them: the columns that the documentation names come first, the others behind. A book's units are one
row group, so that they are written as they are made and read again without the rest.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, cast, get_args

from lengthwise.builders.parts import to_arrow
from lengthwise.errors import InputError

from .records import LANGUAGES, Language, Unit, Window, WindowKey
from .units import SizedUnit

UNITS_FILE = "steps/units.parquet"
WINDOWS_FILE = "steps/windows.parquet"

# Column -> name of its pyarrow type.
UNIT_COLUMNS = {
    "book": "string",
    "language": "string",
    "unit": "int32",
    "title": "string",
    "n_tokens": "int32",
    "text": "string",
    "summary": "string",
    "summary_origin": "string",
    "chapter_start": "int32",
    "chapter_end": "int32",
    "flags": "list",
}
WINDOW_COLUMNS = {
    "scale": "string",
    "book": "string",
    "language": "string",
    "unit_start": "int32",
    "unit_end": "int32",
    "n_tokens": "int32",
}


def unit_row(made: SizedUnit) -> dict[str, Any]:
    """Return a unit as a row of `steps/units.parquet`."""
    unit = made.unit
    values = (unit.book, unit.language, unit.index, unit.title, made.n_tokens, unit.text, unit.summary,
              unit.summary_origin, made.chapter_start, made.chapter_end, list(made.flags))  # fmt: skip
    return dict(zip(UNIT_COLUMNS, values, strict=True))


def window_row(window: Window) -> dict[str, Any]:
    """Return a window as a row of `steps/windows.parquet`; both ends are included."""
    key = window.key
    values = (key.scale, key.book, window.language, key.unit_start, key.unit_end, window.n_tokens)
    return dict(zip(WINDOW_COLUMNS, values, strict=True))


def write_units(folder: Path, units: Iterable[SizedUnit]) -> int:
    """Write the units of all books into a build folder, a book at a time; return how many there are.

    Raises:
        InputError: a book's units do not stand together.
    """
    done: set[str] = set()

    def books() -> Iterator[list[dict[str, Any]]]:
        for book, group in groupby(units, key=lambda made: made.unit.book):
            if book in done:
                raise InputError(f"units: those of book {book!r} do not stand together; is its id used twice?")
            done.add(book)
            yield [unit_row(made) for made in group]

    return _write(folder / UNITS_FILE, UNIT_COLUMNS, books())


def read_units(folder: Path, book: str | None = None) -> Iterator[SizedUnit]:
    """Yield the units of a build folder in order, of all books or of one.

    Raises:
        InputError: the file is missing or no such file, or there is no such book.
    """
    found = False
    for row in _read(folder / UNITS_FILE, UNIT_COLUMNS, book):
        found = True
        unit = Unit(row["book"], row["unit"], _language(row["language"]), row["title"], row["text"], row["summary"],
                    row["summary_origin"], "gap" in row["flags"])  # fmt: skip
        yield SizedUnit(unit, row["n_tokens"], row["chapter_start"], row["chapter_end"], tuple(row["flags"]))
    if book is not None and not found:
        raise InputError(f"{folder / UNITS_FILE}: it has no book {book!r}")


def write_windows(folder: Path, windows: Iterable[Window]) -> int:
    """Write windows into a build folder, sorted by their keys; return how many there are."""
    rows = [window_row(window) for window in sorted(windows, key=lambda window: window.key)]
    return _write(folder / WINDOWS_FILE, WINDOW_COLUMNS, [rows])


def read_windows(folder: Path) -> list[Window]:
    """Return the windows of a build folder, sorted by their keys.

    Raises:
        InputError: the file is missing or no such file.
    """
    return [
        Window(WindowKey(row["scale"], row["book"], row["unit_start"], row["unit_end"]), _language(row["language"]),
               row["n_tokens"])
        for row in _read(folder / WINDOWS_FILE, WINDOW_COLUMNS)
    ]  # fmt: skip


def _language(name: str) -> Language:
    if name not in get_args(Language):
        raise InputError(f"steps: language {name!r} is none of {', '.join(LANGUAGES)}; make the step again")
    return cast(Language, name)


def _schema(columns: dict[str, str]) -> Any:
    import pyarrow as pa

    kinds = {"string": pa.string(), "int32": pa.int32(), "list": pa.list_(pa.string())}
    return pa.schema([pa.field(name, kinds[kind]) for name, kind in columns.items()])


def _write(path: Path, columns: dict[str, str], groups: Iterable[list[dict[str, Any]]]) -> int:
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = _schema(columns)
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".tmp")
    count = 0
    try:
        with pq.ParquetWriter(str(unfinished), schema, compression="zstd") as writer:
            for rows in groups:
                arrays = [to_arrow([row[field.name] for row in rows], field.type) for field in schema]
                writer.write_table(pa.Table.from_arrays(arrays, schema=schema))
                count += len(rows)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
    return count


def _read(path: Path, columns: dict[str, str], book: str | None = None) -> Iterator[dict[str, Any]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    if not path.is_file():
        raise InputError(f"{path}: there is no such file; make that step first")
    try:
        file = pq.ParquetFile(str(path))
    except pa.ArrowInvalid as error:
        raise InputError(f"{path}: no Parquet file ({error}); make that step again") from error
    with file:
        missing = [name for name in columns if name not in file.schema_arrow.names]
        if missing:
            raise InputError(f"{path}: column {missing[0]!r} is missing; make that step again")
        for number in range(file.num_row_groups):
            statistics = file.metadata.row_group(number).column(0).statistics
            if book is not None and statistics is not None and statistics.has_min_max and statistics.min != book:
                continue
            for batch in file.iter_batches(row_groups=[number], columns=list(columns)):
                rows = batch.to_pylist()
                yield from rows if book is None else (row for row in rows if row["book"] == book)
