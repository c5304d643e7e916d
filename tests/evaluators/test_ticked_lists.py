"""Tests for `ticked_lists.py`."""

from pathlib import Path

import pytest

from lengthwise.errors import InputError
from lengthwise.evaluators.ticked_lists import ticked_lines


@pytest.mark.parametrize("text", ["key,tag,run\nr-1,none\n", "\ufeffkey;tag;run\r\nr-1;none\r\n"])
def test_lines_of_either_kind_of_spreadsheet(text: str, tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text(text, "utf-8")
    assert list(ticked_lines("--x", tmp_path / "list.csv", ("key", "tag"), "we do")) == [
        {"key": "r-1", "tag": "none", "run": ""}
    ]


def test_a_file_without_the_columns_is_refused(tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text("key\n", "utf-8")
    with pytest.raises(InputError, match=r"--x .*: has no columns key and tag; we do"):
        ticked_lines("--x", tmp_path / "list.csv", ("key", "tag"), "we do")
    with pytest.raises(InputError, match=r"--x .*: cannot be read"):
        ticked_lines("--x", tmp_path / "none.csv", ("key", "tag"), "we do")
