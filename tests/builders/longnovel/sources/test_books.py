import json
from pathlib import Path
from typing import Any

import pytest

from lengthwise.builders.longnovel.sources.books import BookOptions, read_books, unit_of_row
from lengthwise.errors import InputError

PAGE = "She walked on. Then she sat down."


def write(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return path


def chapter(unit: int, **more: Any) -> dict[str, Any]:
    return {"book_id": "tale", "title": "A Tale", "author": "N. N.", "lang": "en", "unit": unit,
            "heading": f"Book {unit}: ", "text": PAGE, "n_tokens": 9, **more}  # fmt: skip


def test_a_row_with_a_summary() -> None:
    row = chapter(1, summary="She sits. ", summary_origin="human:the author")
    unit = unit_of_row(row, "line 1", "file", BookOptions())
    assert (unit.book, unit.index, unit.title, unit.text) == ("tale", 1, "Book 1", PAGE)
    assert (unit.summary, unit.summary_origin) == ("She sits.", "human:the author")


def test_a_row_with_nothing_but_text() -> None:
    unit = unit_of_row({"text": "话说天下大势。"}, "line 1", "My Book", BookOptions())
    assert (unit.book, unit.language, unit.title, unit.summary, unit.summary_origin) == ("my_book", "zh", "", "", "")


def test_traditional_chinese_is_chinese() -> None:
    assert unit_of_row(chapter(1, lang="zh-Hant"), "line 1", "", BookOptions()).language == "zh"


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"text": " "}, "line 1: text is missing or empty"),
        ({"text": ["a"]}, "line 1: text is list, not text"),
        ({"lang": "fr"}, "language 'fr'"),
        ({"unit": "one"}, "unit 'one' is no whole number"),
        ({"summary": "It is."}, "summary_origin '' does not say who wrote the summary"),
        ({"summary": "It is.", "summary_origin": "me"}, "summary_origin 'me'"),
    ],
)
def test_rows_that_are_refused(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        unit_of_row(chapter(1) | changed, "line 1", "", BookOptions())


def test_units_are_put_in_order_and_numbered_from_1(tmp_path: Path) -> None:
    path = write(tmp_path / "tale.jsonl", chapter(7, heading="Seven"), chapter(3, heading="Three"))
    (book,) = read_books(path, BookOptions())
    assert [(unit.index, unit.title) for unit in book.units] == [(1, "Three"), (2, "Seven")]
    assert "not numbered from 1 without gaps" in book.damage[0]
    assert [unit.gap for unit in book.units] == [False, True]


def test_the_chapter_behind_missing_numbers_is_marked(tmp_path: Path) -> None:
    (tmp_path / "tale.txt").write_text("".join(f"CHAPTER {n}\n\n{PAGE}\n\n" for n in (1, 2, 4, 5, 1, 2)), "utf-8")
    (book,) = read_books(tmp_path / "tale.txt", BookOptions())
    assert [unit.gap for unit in book.units] == [False, False, True, False, False, False]
    assert any("numbers 3 to 3 are missing before unit 3" in line for line in book.damage)


def test_summaries_from_the_file_beside(tmp_path: Path) -> None:
    (tmp_path / "tale.txt").write_text(f"Chapter 1\n\n{PAGE}\n\nChapter 2\n\n{PAGE}\n")
    write(tmp_path / "tale.summaries.jsonl", {"unit": 2, "summary": "She sits.", "summary_origin": "human:me"})
    (book,) = read_books(tmp_path / "tale.txt", BookOptions())
    assert [(unit.title, unit.summary, unit.summary_origin) for unit in book.units] == [
        ("Chapter 1", "", ""), ("Chapter 2", "She sits.", "human:me")
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"unit": 3, "summary": "She sits.", "summary_origin": "human:me"}, "line 1: unit 3; tale has units 1 to 1"),
        ({"unit": 1, "summary": "", "summary_origin": "human:me"}, "summary is missing"),
        ({"unit": 1, "summary": "She sits."}, "does not say who wrote"),
    ],
)
def test_summaries_that_are_refused(tmp_path: Path, row: dict[str, Any], message: str) -> None:
    write(tmp_path / "tale.jsonl", chapter(1))
    write(tmp_path / "tale.summaries.jsonl", row)
    with pytest.raises(InputError, match=message):
        list(read_books(tmp_path / "tale.jsonl", BookOptions()))


def test_headings_as_summaries_only_in_books_without_any(tmp_path: Path) -> None:
    rows = [
        chapter(1, lang="zh", heading="第一回 山雨欲来 大风满楼", text="话说从前。"),
        chapter(2, lang="zh", heading="第二回", text="次日。"),
    ]
    path = write(tmp_path / "tale.jsonl", *rows)
    (book,) = read_books(path, BookOptions(headings_as_summaries=True))
    assert [(unit.summary, unit.summary_origin) for unit in book.units] == [("山雨欲来 大风满楼", "heading"), ("", "")]
    assert not any(unit.summary for book in read_books(path, BookOptions()) for unit in book.units)
    write(path, rows[0], rows[1] | {"summary": "次日之事。", "summary_origin": "human:me"})
    (book,) = read_books(path, BookOptions(headings_as_summaries=True))
    assert [unit.summary_origin for unit in book.units] == ["", "human:me"]


def test_plain_text_in_gb18030(tmp_path: Path) -> None:
    text = "第一回 山雨欲来 大风满楼\n　　话说从前，有一个人在山上。\n第二回 柳暗花明\n　　次日，他来了"
    (tmp_path / "老残游记.txt").write_bytes(text.encode("gb18030"))
    (book,) = read_books(tmp_path / "老残游记.txt", BookOptions())
    assert [(unit.book, unit.language, unit.text) for unit in book.units] == [
        ("老残游记", "zh", "话说从前，有一个人在山上。"), ("老残游记", "zh", "次日，他来了")
    ]  # fmt: skip
    assert any("read as gb18030" in line for line in book.damage)
    assert any("unit 2" in line and "cut?" in line for line in book.damage)


@pytest.mark.parametrize(("line", "message"), [("{", "line 2: no JSON"), ("[1]", "line 2: list where an object")])
def test_lines_that_are_no_rows(tmp_path: Path, line: str, message: str) -> None:
    path = write(tmp_path / "tale.jsonl", chapter(1))
    path.write_text(path.read_text() + line)
    with pytest.raises(InputError, match=message):
        list(read_books(path, BookOptions()))


def test_an_empty_book(tmp_path: Path) -> None:
    (tmp_path / "tale.txt").write_text("\n\n")
    with pytest.raises(InputError, match=r"tale\.txt: it has no text"):
        list(read_books(tmp_path / "tale.txt", BookOptions()))
