import json
from pathlib import Path
from typing import Any

import pytest

from lengthwise.builders.benchmarks import validate
from lengthwise.builders.hub_folder import parquet_files, read_build
from lengthwise.builders.longnovel.export import read_rows
from lengthwise.builders.longnovel.published import import_published, read_record
from lengthwise.errors import InputError

EN = "In year {n} the {book} captain walked down to the harbour, counted every boat that he saw there, and went home. "
ZH = "第{n}年，{book}的船长走到码头，把他看见的每一条船都数了一遍，然后就回家去了。"


def record(name: str, language: str, score: int, book: str, **other: Any) -> dict[str, Any]:
    """A record of the authors' format, of about 15,000 tokens."""
    line, lines, summary = (EN, 600, "The captain counted boats.") if language == "en" else (ZH, 520, "船长数船。")
    text = "".join(line.format(n=n, book=book) for n in range(lines))
    types = {"hallucination_types": ["Timeline Disruption", "数字幻觉"]} if score < 3 else {}
    output = json.dumps({"reason": "Timeline: he went first", "score": score, **types}, ensure_ascii=False)
    made = {"id": name, "language": language, "article": text, "summary": summary, "output": output}
    return {**made, "instruction": "Judge.", "input": "...", **other}


def lay_down(folder: Path, **files: list[dict[str, Any]]) -> Path:
    folder.mkdir()
    for name, records in files.items():
        lines = "\n".join(json.dumps(one, ensure_ascii=False) for one in records)
        (folder / f"{name}.jsonl").write_text(lines, "utf-8")
    (folder / "readme.json").write_text("{}")
    return folder


def test_the_authors_rows_become_ours_and_hold(tmp_path: Path) -> None:
    test = [record("1", "en", 5, "old"), record("2", "en", 1, "old"), record("1", "zh", 2, "老")]
    copy = lay_down(tmp_path / "copy", train_16k=[record("1", "en", 4, "young")], test_16k=test)
    built = import_published(tmp_path / "out", str(copy))
    rows = list(read_rows(parquet_files(tmp_path / "out", ("s", "test"))))
    assert [(row["language"], row["score"], row["hallucinated"]) for row in rows] == [
        ("en", 5, 0),
        ("en", 1, 1),
        ("zh", 2, 1),
    ]
    assert rows[1]["types"] == ["numerical", "temporal"]
    assert {row["origin"] for row in rows} == {"published"}
    reports = validate(tmp_path / "out")
    assert [line for report in reports for line in report.problems] == []
    assert reports[-1].digest == built.digest
    build = read_build(tmp_path / "out")
    assert set(build["configs"]) == {"s", "s-prompt"} and set(build["views"]) == {"s-en", "s-zh"}
    assert build["redistributable"] is False


def test_the_papers_own_slip_is_found_by_its_text(tmp_path: Path) -> None:
    line = "He waited for her in the memory, as he had done every day of every year since she had gone. " * 3
    one, other = record("1", "en", 5, "old"), record("2", "en", 5, "young")
    one["article"], other["article"] = f"{one['article']}\n{line}", f"{other['article']}\n{line}"
    import_published(tmp_path / "out", str(lay_down(tmp_path / "copy", train=[one], valid=[other])))
    problems = [line for report in validate(tmp_path / "out") for line in report.problems]
    assert len(problems) == 1 and "a book (train) and a book (validation) share a paragraph: He waited" in problems[0]


def test_texts_of_no_length_that_was_asked_for_are_counted(tmp_path: Path) -> None:
    copy = lay_down(
        tmp_path / "copy", test=[record("1", "en", 5, "old"), record("2", "en", 5, "old", article="Short.")]
    )
    built = import_published(tmp_path / "out", str(copy))
    assert built.missing == ("records of no length that was asked for, left out: 1",)


def test_an_id_that_comes_twice_is_numbered(tmp_path: Path) -> None:
    copy = lay_down(tmp_path / "copy", test=[record("1", "en", 5, "old")] * 2)
    import_published(tmp_path / "out", str(copy))
    rows = read_rows(parquet_files(tmp_path / "out", ("s", "test")))
    assert [row["id"] for row in rows] == ["s-published-1", "s-published-1-2"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"summary": ""}, "nothing in summary"),
        ({"language": "fr"}, "language 'fr' is none of"),
        ({"output": "I cannot say."}, "the gold reply has no score"),
    ],
)
def test_what_is_not_the_authors_format(change: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_record({"language": "en", "article": "a", "summary": "b", "output": '{"score": 3}', **change}, "row 1")


def test_a_folder_without_any(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="it holds no text of s, m, l, xl"):
        import_published(tmp_path / "out", str(lay_down(tmp_path / "copy")))
