import errno
import json
import os
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lengthwise.builders import hub_folder
from lengthwise.builders.digest import content_digest, row_digest
from lengthwise.builders.hub_folder import claim_folder, parquet_files, read_build, write_split, write_text
from lengthwise.builders.parts import DIGEST_COLUMN
from lengthwise.errors import InputError

CELL = ("lex-locate", "4k")
PLAN = {"benchmark": "demo", "cells": [["lex-locate", "4k", "4096 tokens"]]}


def row(number: int, size: int) -> dict[str, Any]:
    return {"id": f"r{number}", "n_tokens": number, "prompt": chr(97 + number % 26) * size}


def tables(rows: list[dict[str, Any]], each: int = 3) -> list[Any]:
    """Return the rows as parts of a build hold them."""
    marked = [{**one, DIGEST_COLUMN: row_digest(one)} for one in rows]
    schema = pa.schema(
        [("id", pa.string()), ("n_tokens", pa.int32()), ("prompt", pa.large_string()), (DIGEST_COLUMN, pa.string())]
    )
    return [pa.Table.from_pylist(marked[start : start + each], schema) for start in range(0, len(rows), each)]


def written(folder: Path, rows: list[dict[str, Any]]) -> hub_folder.SplitFacts:
    parts = tables(rows)
    return write_split(folder, CELL, parts, sum(part.nbytes for part in parts))


def read(folder: Path) -> list[dict[str, Any]]:
    return [one for path in parquet_files(folder, CELL) for one in pq.read_table(path).to_pylist()]


ROWS = [row(number, 1000) for number in range(10)]


def test_a_split_is_read_back_in_order(tmp_path: Path) -> None:
    facts = written(tmp_path, ROWS)
    assert read(tmp_path) == ROWS
    assert (facts.rows, facts.n_tokens) == (10, tuple(range(10)))
    assert facts.digest == content_digest(map(row_digest, ROWS))
    assert facts.download_size == sum(path.stat().st_size for path in parquet_files(tmp_path, CELL))


def test_files_are_named_as_the_hub_wants_them(tmp_path: Path) -> None:
    written(tmp_path, ROWS)
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["4k-00000-of-00001.parquet"]


def test_row_groups_stay_small_and_have_a_page_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub_folder, "ROW_GROUP_BYTES", 3_500)
    written(tmp_path, ROWS)
    meta = pq.ParquetFile(parquet_files(tmp_path, CELL)[0]).metadata
    groups = [meta.row_group(number) for number in range(meta.num_row_groups)]
    assert [group.num_rows for group in groups] == [3, 3, 3, 1]
    assert all(group.total_byte_size < 3_500 for group in groups)
    assert all(
        group.column(c).has_offset_index and group.column(c).has_column_index for group in groups for c in range(3)
    )
    assert {group.column(c).compression for group in groups for c in range(3)} == {"ZSTD"}


def test_a_row_larger_than_a_group_is_a_group_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub_folder, "ROW_GROUP_BYTES", 500)
    written(tmp_path, ROWS[:3])
    assert pq.ParquetFile(parquet_files(tmp_path, CELL)[0]).metadata.num_row_groups == 3


@pytest.mark.parametrize("limit", [3_000, 5_000, 11_000])
def test_shards_stay_small_and_keep_the_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: int) -> None:
    monkeypatch.setattr(hub_folder, "ROW_GROUP_BYTES", 1_500)
    monkeypatch.setattr(hub_folder, "SHARD_BYTES", limit)
    facts = written(tmp_path, ROWS)
    files = parquet_files(tmp_path, CELL)
    assert len(files) > 1 or limit == 11_000
    assert [path.name for path in files] == [f"4k-{n:05d}-of-{len(files):05d}.parquet" for n in range(len(files))]
    sizes = [pq.read_table(path).nbytes for path in files]
    assert max(sizes[:-1], default=0) <= limit
    # What the others could not take for want of a whole row group is in the last one.
    assert sizes[-1] <= limit + len(files) * 1_500
    assert read(tmp_path) == ROWS and facts.rows == 10


def test_more_shards_than_row_groups_leave_readable_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub_folder, "SHARD_BYTES", 3_000)
    written(tmp_path, ROWS)
    assert read(tmp_path) == ROWS
    last = pq.ParquetFile(parquet_files(tmp_path, CELL)[-1])
    assert last.metadata.num_row_groups == 0 and last.schema_arrow.names == ["id", "n_tokens", "prompt"]


def test_a_full_disk_leaves_no_half_split(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Any, table: Any, row_group_size: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(pq.ParquetWriter, "write_table", full)
    with pytest.raises(OSError, match="No space left"):
        written(tmp_path, ROWS)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_a_small_file_is_there_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Path, text: str, encoding: str) -> None:
        self.touch()
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    write_text(tmp_path / "README.md", "old")
    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(OSError, match="No space left"):
        write_text(tmp_path / "README.md", "new")
    assert [path.name for path in tmp_path.iterdir()] == ["README.md"]
    assert (tmp_path / "README.md").read_text("utf-8") == "old"


@pytest.mark.parametrize("exists", [True, False])
def test_a_new_or_empty_folder_is_claimed(tmp_path: Path, exists: bool) -> None:
    folder = tmp_path / "out"
    if exists:
        folder.mkdir()
    assert claim_folder(folder, PLAN) is False
    assert claim_folder(folder, PLAN) is False  # an unfinished build of the same plan goes on


def test_a_build_that_was_killed_before_its_plan_was_written_goes_on(tmp_path: Path) -> None:
    (tmp_path / ".parts").mkdir()
    (tmp_path / ".parts" / "plan.json.77.tmp").write_text("{", encoding="utf-8")
    assert claim_folder(tmp_path, PLAN) is False


def test_a_finished_build_of_the_same_plan_is_recognised(tmp_path: Path) -> None:
    write_text(tmp_path / "build.json", json.dumps({"configs": {}, "plan": PLAN}))
    assert claim_folder(tmp_path, PLAN) is True


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("build.json", json.dumps({"configs": {}, "plan": {}}), "holds another build: choose another folder"),
        ("build.json", "{", "is damaged"),
        ("build.json", "[]", "is damaged"),
        (".parts/plan.json", "{}", "holds the unfinished build of other parameters"),
        ("notes.txt", "mine", "is not an empty folder: choose another"),
    ],
)
def test_a_folder_of_something_else_is_left_alone(tmp_path: Path, name: str, content: str, message: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        claim_folder(tmp_path, PLAN)
    assert path.read_text("utf-8") == content


def test_a_file_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").touch()
    with pytest.raises(InputError, match="is not an empty folder"):
        claim_folder(tmp_path / "out", PLAN)


def test_a_missing_folder_is_no_build(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no folder"):
        read_build(tmp_path / "missing")


@pytest.mark.parametrize(("parts", "hint"), [(False, "no finished build$"), (True, "the build was stopped: give its")])
def test_a_folder_without_build_json_is_no_build(tmp_path: Path, parts: bool, hint: str) -> None:
    if parts:
        (tmp_path / ".parts").mkdir()
    with pytest.raises(InputError, match=hint):
        read_build(tmp_path)
