import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lengthwise.builders import checks
from lengthwise.builders.benchmarks import validate
from lengthwise.builders.predicate.build import build_predicate
from lengthwise.builders.predicate.schema import SCHEMA
from lengthwise.builders.predicate.settings import Settings
from lengthwise.builders.predicate.validate import is_right
from lengthwise.errors import InputError

CELL = "lex-scattered/4k-00000-of-00001.parquet"
Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("validate") / "plb"
    build_predicate(folder, ["unary-all", "lex-scattered"], splits=("4k",), settings=Settings(examples=2))
    return folder


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "plb"))


def problems(folder: Path) -> list[str]:
    return [problem for report in validate(folder) for problem in report.problems]


def rewrite(folder: Path, change: Callable[[Rows], object], schema: Any = SCHEMA, **written: Any) -> None:
    """Write one cell's rows again after a change; everything else stays as it was built."""
    rows = pq.read_table(folder / CELL).to_pylist()
    change(rows)
    table = pa.Table.from_pylist(rows, schema)
    pq.write_table(table, folder / CELL, **{"write_page_index": True, **written})


def test_a_sound_folder_has_no_problem(whole: Path) -> None:
    reports = validate(whole)
    assert [report.cell for report in reports] == [("unary-all", "4k"), ("lex-scattered", "4k"), ("", "")]
    assert [report.rows for report in reports] == [2, 2, 4]
    assert reports[-1].digest == json.loads((whole / "build.json").read_text("utf-8"))["digest"]
    assert problems(whole) == []


def test_everything_built_is_sound(built: Path) -> None:
    assert problems(built) == []


def test_two_workers_find_the_same(folder: Path) -> None:
    rewrite(folder, lambda rows: rows[0].update(n_tokens=4000))
    assert [r.problems for r in validate(folder, workers=2)] == [r.problems for r in validate(folder)]
    assert problems(folder)


def test_rows_that_were_only_written_anew_are_sound(folder: Path) -> None:
    rewrite(folder, lambda rows: None)
    assert problems(folder) == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda rows: rows[0].update(answer_text="a b c d e"), "answer_text is 'a b c d e' in the row"),
        (lambda rows: rows[1].update(n_tokens=rows[1]["n_tokens"] - 1), "n_tokens is"),
        (lambda rows: rows[1].update(tokenizer="qwen3.6"), "tokenizer is 'qwen3.6'"),
        (lambda rows: rows[0].update(axis="nonsense"), "the content digest is not the one in build.json"),
        (lambda rows: rows.reverse(), "the content digest is not the one in build.json"),
        (lambda rows: rows.append(rows[0]), "3 rows where build.json says 2"),
        (lambda rows: rows.pop(), "1 rows where build.json says 2"),
        (lambda rows: rows[0].update(question=None), "nothing in question"),
        (lambda rows: rows[0].update(question="Which\ufffd?"), "question holds U+FFFD"),
        (lambda rows: rows[0]["decoys"][0].update(start=0), "decoy"),
        (lambda rows: rows[0].update(prompt="Words: a"), "does not end with an empty line and the question"),
        (lambda rows: rows[0].update(predicates=[]), "predicates is"),
    ],
)
def test_damaged_rows_are_reported(folder: Path, change: Callable[[Rows], object], message: str) -> None:
    rewrite(folder, change)
    found = problems(folder)
    assert any(message in problem for problem in found), found
    assert any("digest" in problem for problem in found)


def drop_a_column(folder: Path) -> None:
    table = pq.read_table(folder / CELL).drop_columns(["prompt"])
    pq.write_table(table, folder / CELL, write_page_index=True)


def tear(folder: Path) -> None:
    data = (folder / CELL).read_bytes()
    (folder / CELL).write_bytes(data[: len(data) // 2])


def flip_a_byte(folder: Path) -> None:
    data = bytearray((folder / CELL).read_bytes())
    data[len(data) // 3] ^= 0xFF
    (folder / CELL).write_bytes(bytes(data))


def edit(name: str, old: str, new: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        text = (folder / name).read_text("utf-8")
        assert old in text
        (folder / name).write_text(text.replace(old, new), encoding="utf-8")

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda folder: (folder / CELL).unlink(), "the files are not those that build.json lists"),
        (
            lambda folder: shutil.copy(folder / CELL, folder / CELL.replace("00000-of", "00001-of")),
            "the files are not",
        ),
        (tear, "cannot be read"),
        (lambda folder: (folder / CELL).write_bytes(b""), "cannot be read"),
        (flip_a_byte, "cannot be read|the content digest is not"),
        (drop_a_column, "the columns or types are not those of the schema"),
        (lambda folder: rewrite(folder, lambda rows: None, write_page_index=False), "has no page index"),
        (edit("build.json", '"rows": 2', '"rows": 3'), "README.md: the numbers of rows"),
        (lambda folder: (folder / "README.md").unlink(), "README.md does not carry the digest"),
        (edit("README.md", "path: lex-scattered/4k", "path: lex-scattered/8k"), "the configs and their files are not"),
        (edit("README.md", "config_name: unary-all", "config_name: unary"), "the configs and their files are not"),
        (edit("README.md", "num_examples: 2", "num_examples: 3"), "the numbers of rows are not"),
        (
            edit("README.md", "scattered (content", "scattered # (content"),
            "description of lex-scattered does not carry",
        ),
        (edit("README.md", "---\n", "--\n"), "no front matter"),
        (edit("README.md", "configs:", "configs: ["), "no front matter"),
        (edit("build.json", '"rows": 2', '"rows": 3'), "2 rows where build.json says 3"),
    ],
)
def test_damaged_files_are_reported(folder: Path, change: Callable[[Path], object], message: str) -> None:
    change(folder)
    found = problems(folder)
    assert any(part in problem for problem in found for part in message.split("|")), found


def test_the_prose_of_a_card_may_be_edited(folder: Path) -> None:
    edit("README.md", "Find them.", "Can you find them?")(folder)
    assert problems(folder) == []


def test_an_edited_digest_is_reported(folder: Path) -> None:
    build = json.loads((folder / "build.json").read_text("utf-8"))
    edit("build.json", build["digest"], "0" * 64)(folder)
    assert "the digest of the data set is not the one in build.json" in problems(folder)


def test_a_readme_without_the_digest_is_reported(folder: Path) -> None:
    build = json.loads((folder / "build.json").read_text("utf-8"))
    edit("README.md", f"`{build['digest']}`", "")(folder)
    assert problems(folder) == ["README.md does not carry the digest of the data set"]


def test_row_groups_and_cells_that_are_too_large_are_reported(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "ROW_GROUP_BYTES", 5_000)
    monkeypatch.setattr(checks, "CELL_BYTES", 5_000)
    found = problems(folder)
    assert any("row group 0 holds" in problem for problem in found)
    assert any("prompt is longer than" in problem for problem in found)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "is damaged"),
        ('{"configs": {}}', "unknown benchmark"),
        ('{"benchmark": "mip", "configs": {}}', "unknown bench"),
    ],
)
def test_what_is_no_build_of_ours_is_refused(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "build.json").write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        validate(tmp_path)


ONE = {"quantifier": "exists", "answer": ["a", "b"], "answers": [["a", "b"]]}
ALL = {"quantifier": "all", "answer": ["a", "b"], "answers": [["a", "b"], ["c", "d"]]}


@pytest.mark.parametrize(
    ("row", "reply", "right"),
    [
        (ONE, "<answer>a b</answer>", True),
        (ONE, "<answer>b a</answer>", False),
        (ONE, "<answer>a b c</answer>", False),
        (ONE, "<answer></answer>", False),
        (ONE, "", False),
        (ALL, "<answer>a b</answer>\n<answer>c d</answer>", True),
        (ALL, "<answer>c d</answer>\n<answer>a b</answer>", True),
        (ALL, "<answer>a b</answer>", False),
        (ALL, "<answer>a b</answer>\n<answer>c d</answer>\n<answer>e f</answer>", False),
    ],
)
def test_what_is_right(row: dict[str, Any], reply: str, right: bool) -> None:
    assert is_right(row, reply) is right
