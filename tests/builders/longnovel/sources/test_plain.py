import json
from pathlib import Path

import pytest

from lengthwise.builders.longnovel.sources.encoding import decode
from lengthwise.builders.longnovel.sources.plain import Chapter, chapters

PAGE = "She walked on, and on, and on.\n\nThen she sat down."


def test_volumes_lead_the_titles_of_their_first_chapters() -> None:
    found, notes = chapters(
        f"PART ONE\n\nCHAPTER I\n\n{PAGE}\n\nCHAPTER II\n\n{PAGE}\n\nPART TWO\n\nCHAPTER I\n\n{PAGE}\n"
    )
    assert [chapter.title for chapter in found] == ["PART ONE, CHAPTER I", "CHAPTER II", "PART TWO, CHAPTER I"]
    assert found[0].text == PAGE
    assert notes == []


def test_a_table_of_contents_is_left_out() -> None:
    contents = "CONTENTS\n\nCHAPTER I. Morning\n\nCHAPTER II. Noon\n\nCHAPTER III. Night\n\nEPILOGUE\n\n"
    body = "".join(
        f"CHAPTER {n}. {name}\n\n{PAGE}\n\n" for n, name in (("I", "Morning"), ("II", "Noon"), ("III", "Night"))
    )
    found, notes = chapters(f"A TALE\n\n{contents}{body}EPILOGUE\n\n{PAGE}")
    assert [chapter.title for chapter in found] == [
        "CHAPTER I: Morning", "CHAPTER II: Noon", "CHAPTER III: Night", "EPILOGUE"
    ]  # fmt: skip
    assert any("table of contents of 4 lines" in note for note in notes)


def test_the_pages_of_project_gutenberg_are_left_out() -> None:
    text = (
        "The Project Gutenberg eBook of A Tale\n\n*** START OF THE PROJECT GUTENBERG EBOOK A TALE ***\n\n"
        f"CHAPTER I\n\n{PAGE}\n\n*** END OF THE PROJECT GUTENBERG EBOOK A TALE ***\n\nLicence"
    )
    assert chapters(text) == ([Chapter("CHAPTER I", PAGE)], [])


def test_what_stands_before_the_first_heading() -> None:
    short = chapters(f"A TALE\nby Nobody\n\nCHAPTER I\n\n{PAGE}")
    assert ([c.title for c in short[0]], short[1]) == (
        ["CHAPTER I"], ["16 characters before the first heading are left out"]
    )  # fmt: skip
    long, notes = chapters(f"{PAGE * 30}\n\nCHAPTER I\n\n{PAGE}")
    assert [chapter.title for chapter in long] == ["", "CHAPTER I"] and notes == []


def test_no_heading_at_all() -> None:
    assert chapters(f"\n\n{PAGE}\n") == (
        [Chapter("", PAGE)],
        ["no chapter heading was found; the whole is one chapter"],
    )


def test_chinese_chapters_lose_their_indents() -> None:
    text = "第一回 山雨欲来 大风满楼\n　　话说从前。\n　　有一个人。\n\n第二回 柳暗花明 又是一村\n　　次日。"
    assert chapters(text)[0] == [
        Chapter("第一回 山雨欲来 大风满楼", "话说从前。\n有一个人。"), Chapter("第二回 柳暗花明 又是一村", "次日。")
    ]  # fmt: skip


@pytest.mark.shared
@pytest.mark.parametrize(
    ("book", "encoding"),
    [
        ("novels_en/great_expectations", "utf-8"),
        ("novels_en/pride_and_prejudice", "cp1252"),
        ("novels_zh/sanguoyanyi", "gb18030"),
        ("novels_zh/xiyouji", "utf-8"),
        ("novels_zh/laocanyouji", "big5"),
        ("epics_en/paradise_lost", "utf-8"),
    ],
)
def test_real_books_as_plain_text(shared_dir: Path, book: str, encoding: str) -> None:
    lines = (shared_dir / "data" / f"{book}.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    data = "\n\n".join(f"{row['heading']}\n\n{row['text']}" for row in rows).encode(encoding, errors="replace")
    text, found_encoding = decode(data)
    found, notes = chapters(text)
    assert (found_encoding, notes) == (encoding, [])
    assert [chapter.title for chapter in found] == [row["heading"] for row in rows]
    wanted = [row["text"].encode(encoding, errors="replace").decode(encoding) for row in rows]
    assert [chapter.text for chapter in found] == [text.strip() for text in wanted]
