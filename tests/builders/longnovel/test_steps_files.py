from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lengthwise.builders.longnovel.records import Unit, Window, WindowKey
from lengthwise.builders.longnovel.steps_files import (
    UNITS_FILE,
    WINDOWS_FILE,
    read_units,
    read_windows,
    write_units,
    write_windows,
)
from lengthwise.builders.longnovel.units import SizedUnit
from lengthwise.errors import InputError

UNITS = [
    SizedUnit(Unit("b", 1, "en", "I", "One.\n\nTwo.", "They count.", "human:me"), 7, 1, 1, ("short",)),
    SizedUnit(Unit("b", 2, "en", "", "Three.", gap=True), 3, 2, 4, ("short", "packed", "gap")),
    SizedUnit(Unit("a", 1, "zh", "第一回", "一。"), 2, 1, 1),
]
WINDOWS = [Window(WindowKey("s", "b", 2, 3), "en", 9), Window(WindowKey("s", "b", 1, 2), "en", 8)]


def test_units_come_back_as_they_were(tmp_path: Path) -> None:
    assert write_units(tmp_path, iter(UNITS)) == 3
    assert list(read_units(tmp_path)) == UNITS
    assert list(read_units(tmp_path, "a")) == UNITS[2:]


def test_the_named_columns_come_first_and_a_book_is_a_row_group(tmp_path: Path) -> None:
    write_units(tmp_path, UNITS)
    write_windows(tmp_path, WINDOWS)
    with pq.ParquetFile(tmp_path / UNITS_FILE) as file:
        assert file.schema_arrow.names[:7] == ["book", "language", "unit", "title", "n_tokens", "text", "summary"]
        assert file.num_row_groups == 2
    assert pq.read_schema(tmp_path / WINDOWS_FILE).names == [
        "scale", "book", "language", "unit_start", "unit_end", "n_tokens"
    ]  # fmt: skip


def test_windows_are_sorted(tmp_path: Path) -> None:
    assert write_windows(tmp_path, WINDOWS) == 2
    assert read_windows(tmp_path) == WINDOWS[::-1]


def test_no_windows_at_all(tmp_path: Path) -> None:
    assert write_windows(tmp_path, []) == 0
    assert read_windows(tmp_path) == []


def test_a_book_in_two_places_is_refused_and_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'b' do not stand together"):
        write_units(tmp_path, [UNITS[0], UNITS[2], UNITS[1]])
    assert not list((tmp_path / "steps").iterdir())


def test_a_missing_book_and_a_missing_file(tmp_path: Path) -> None:
    write_units(tmp_path, UNITS)
    with pytest.raises(InputError, match="no book 'c'"):
        list(read_units(tmp_path, "c"))
    with pytest.raises(InputError, match=r"windows\.parquet: there is no such file"):
        read_windows(tmp_path)


def test_another_file_under_the_name_is_refused(tmp_path: Path) -> None:
    (tmp_path / "steps").mkdir()
    pq.write_table(pa.table({"scale": ["s"]}), tmp_path / WINDOWS_FILE)
    with pytest.raises(InputError, match="column 'book' is missing"):
        read_windows(tmp_path)
    (tmp_path / UNITS_FILE).write_text("no Parquet")
    with pytest.raises(InputError, match="no Parquet file"):
        list(read_units(tmp_path))
