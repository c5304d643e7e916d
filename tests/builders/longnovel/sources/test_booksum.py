import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from lengthwise.builders.longnovel.records import Unit
from lengthwise.builders.longnovel.sources.booksum import (
    ChapterRow,
    booksum_books,
    chapter_place,
    cleaned_row,
    single_row,
)
from lengthwise.errors import InputError


def cleaned(chapter: str, text: str, aggregate: bool = False, **summaries: str | None) -> dict[str, Any]:
    return {
        "bid": "1232",
        "book_title": "The Tale",
        "chapter_id": f"The Tale.{chapter}",
        "text": text,
        "summary": [{"source": guide, "text": text, "analysis": "A."} for guide, text in summaries.items()],
        "is_aggregate": aggregate,
    }


def single(book_id: str, text: str, guide: str, summary: str, aggregate: Any = False) -> dict[str, Any]:
    return {
        "bid": 1232,
        "is_aggregate": aggregate,
        "source": guide,
        "chapter_path": "all_chapterized_books/1232-chapters/10.txt",
        "summary_path": f"finished_summaries/{guide}/The Tale/section_0_part_0.txt",
        "book_id": book_id,
        "summary_id": "chapter x",
        "content": None,
        "summary": '{"name": "Chapter X", "url": "http://", "summary": "..."}',
        "chapter": text,
        "chapter_length": 2.0,
        "summary_name": "Chapter X",
        "summary_url": "http://",
        "summary_text": summary,
        "summary_analysis": "",
        "summary_length": 2.0,
        "analysis_length": 0.0,
    }


def units(*rows: ChapterRow) -> list[tuple[Unit, ...]]:
    return [book.units for book in booksum_books(rows, "test")]


def shapes(*rows: dict[str, Any]) -> list[tuple[str, str, str]]:
    (found,) = units(*map(cleaned_row, rows))
    assert [unit.index for unit in found] == list(range(1, len(found) + 1))
    return [(unit.title, unit.summary, unit.summary_origin) for unit in found]


def test_a_cleaned_row() -> None:
    row = cleaned_row(cleaned("chapter x", " It was.\n", shmoop="It is.", novelguide=None))
    assert row == ChapterRow(
        "1232", "The Tale", "chapter x", "It was.", {"shmoop": "It is.", "novelguide": ""}, aggregate=False
    )


def test_a_single_row_and_one_read_from_csv() -> None:
    row = single("Dr. Tale.act i.scene i", "It was.", "shmoop", "It is.")
    assert single_row(row) == ChapterRow(
        "1232", "Dr. Tale", "act i.scene i", "It was.", {"shmoop": "It is."}, aggregate=False
    )
    assert single_row(row | {"bid": "1232", "is_aggregate": "True"}).aggregate


def test_a_missing_column_is_named() -> None:
    with pytest.raises(InputError, match="no column 'is_aggregate'"):
        cleaned_row({key: value for key, value in cleaned("chapter 1", "").items() if key != "is_aggregate"})


def test_the_guide_that_covers_most_chapters_and_the_next_for_the_rest() -> None:
    assert shapes(
        cleaned("chapter 2", "Two.", b="b2", a="a2"),
        cleaned("chapter 1", "One.", a="a1"),
        cleaned("chapter 3", "Three.", b="b3", c="c3 at length"),
        cleaned("chapter 4", "Four.", b="b4"),
    ) == [
        ("chapter 1", "a1", "human:a"), ("chapter 2", "b2", "human:b"), ("chapter 3", "b3", "human:b"),
        ("chapter 4", "b4", "human:b")
    ]  # fmt: skip


def test_guides_that_cover_as_much_are_ranked_by_length_then_name() -> None:
    assert shapes(cleaned("chapter 1", "One.", b="short", c="longer one"))[0][2] == "human:c"
    assert shapes(cleaned("chapter 1", "One.", c="same", b="size"))[0][2] == "human:b"


def test_aggregates_and_rows_without_text_or_summary_are_dropped() -> None:
    assert shapes(
        cleaned("chapters 1-2", "One. Two.", aggregate=True, a="a"),
        cleaned("chapter 1", "One.", a="a1"),
        cleaned("chapter 2", "", a="a2"),
        cleaned("chapter 3", "Three.", a=""),
    ) == [("chapter 1", "a1", "human:a")]


def test_what_is_dropped_and_what_is_missing_in_between_is_told() -> None:
    rows = [
        cleaned("chapter 1", "One.", a="a1"),
        cleaned("chapters 2-3", "Two. Three.", aggregate=True, a="a23"),
        cleaned("chapter 4", "Four.", a="a4"),
        cleaned("chapter 5", "Five.", a=""),
        cleaned("chapter 6", "", a="a6"),
    ]
    (book,) = booksum_books(map(cleaned_row, rows), "train")
    assert [line.removeprefix("the_tale_1232: ") for line in book.damage[:4]] == [
        "1 rows of several chapters are left out",
        "1 rows without a summary are left out",
        "1 rows without text are left out",
        "chapters are missing before unit 2 (chapter 4); no window runs over such a place",
    ]


@pytest.mark.parametrize(
    ("names", "behind"),
    [
        (["chapter 1", "chapter 2", "chapter iv", "chapter 5", "chapter 9"], ["chapter iv", "chapter 9"]),
        (["book 1.chapter 1", "book 1.chapter 2", "book 2.chapter 1", "book 2.chapter 2"], []),
        # A count that goes on in the next volume.
        (["book 1.chapter 1", "book 1.chapter 2", "book 2.chapter 3"], []),
        (["book 1.chapter 1", "book 1.chapter 2", "book 2.chapter 2"], ["book 2.chapter 2"]),
        (["book 1.chapter 1", "book 3.chapter 1"], ["book 3.chapter 1"]),
        (["prologue", "letter 1", "letter 2", "chapter 1", "chapter 2", "epilogue"], []),
        (["prologue", "letter 1", "chapter 2"], ["chapter 2"]),
        (["act 4.scene 1", "act 5", "act 5.scene 1"], []),
    ],
)
def test_the_chapters_behind_missing_ones_are_marked(names: list[str], behind: list[str]) -> None:
    (found,) = units(*(cleaned_row(cleaned(name, f"Text of {name}.", a="a")) for name in names))
    assert [unit.title for unit in found if unit.gap] == behind


@pytest.mark.parametrize(
    "lost",
    [
        cleaned("part 1.chapter 2", "", a="a"),
        cleaned("part 1.chapter ii", "Two."),
        cleaned("part 1.chapters 2-3", "Two. Three.", aggregate=True, a="a"),
    ],
)
def test_a_row_that_is_left_out_tells_of_a_gap_that_no_number_tells(lost: dict[str, Any]) -> None:
    there = [cleaned(name, f"Text of {name}.", a="a") for name in ("part 1.chapter 1", "part 2.chapter 1")]
    (found,) = units(*map(cleaned_row, [*there, lost]))
    assert [unit.gap for unit in found] == [False, True]
    # Another guide's name for what is there is none.
    (found,) = units(
        *map(cleaned_row, [*there, cleaned("part 1.chapter 1", "", b="b"), cleaned("scene 1", "", b="b")])
    )
    assert not any(unit.gap for unit in found)


def test_one_chapter_under_two_spellings_of_its_number_and_title() -> None:
    rows = [
        single("The Tale.chapter x", "Ten.", "a", "a10"),
        single("The tale.chapter 10", "Ten.", "b", "b10"),
        single("the Tale.chapter ix", "Nine.", "b", "b9"),
    ]
    (found,) = units(*map(single_row, rows))
    assert [(unit.book, unit.title, unit.summary) for unit in found] == [
        ("the_tale_1232", "chapter ix", "b9"), ("the_tale_1232", "chapter x", "b10")
    ]  # fmt: skip


def test_a_guide_that_numbers_each_volume_anew_adds_no_chapter_twice() -> None:
    rows = [
        *(cleaned(f"chapter {n}", f"Text {n}.", a=f"a{n}") for n in (1, 2, 3, 4)),
        cleaned("chapter i", "Text 3.", b="b3"),
        cleaned("chapter ii", "Text 4 of another edition.", b="b4"),
    ]
    assert [title for title, _, _ in shapes(*rows)] == [f"chapter {n}" for n in (1, 2, 3, 4)]
    (book,) = booksum_books(map(cleaned_row, rows), "train")
    assert (book.split, book.damage[0]) == (
        "train", "the_tale_1232: 2 rows of chapters under a number or with a text that is there already"
    )  # fmt: skip


def test_order_of_volumes_kinds_and_what_stands_before_and_behind() -> None:
    names = ["epilogue", "letter 1", "letter 2", "chapter 10", "chapter 9", "prologue"]
    rows = [cleaned(name, f"Text of {name}.", a="a") for name in names]
    assert [title for title, _, _ in shapes(*rows)] == [
        "prologue", "letter 1", "letter 2", "chapter 9", "chapter 10", "epilogue"
    ]  # fmt: skip
    rows = [
        cleaned(name, f"Text of {name}.", a="a")
        for name in ("book 2.chapter 1", "book 1.chapter 11", "book i.chapter 2")
    ]
    assert [title for title, _, _ in shapes(*rows)] == ["book i.chapter 2", "book 1.chapter 11", "book 2.chapter 1"]


def test_two_titles_under_one_id_are_two_books() -> None:
    rows = [single("Uncle.act i", "One.", "a", "a1"), single("The Gull.act i", "Two.", "a", "a2")]
    assert [found[0].book for found in units(*map(single_row, rows))] == ["uncle_1232", "the_gull_1232"]


def real(shared_dir: Path, name: str) -> Sequence[dict[str, Any]]:
    return [json.loads(line) for line in (shared_dir / name).read_text("utf-8").splitlines()]


@pytest.mark.shared
def test_the_iliad_in_either_shape(shared_dir: Path) -> None:
    rows = real(shared_dir, "data/epics_en/iliad_pope.jsonl")
    one = [cleaned(f"book {row['unit']}", row["text"], pope=row["summary"]) for row in rows]
    other = [single(f"The Tale.book {row['unit']}", row["text"], "pope", row["summary"]) for row in rows]
    (first,), (second,) = units(*map(cleaned_row, one)), units(*map(single_row, other[::-1]))
    assert first == second
    assert [(unit.text, unit.summary) for unit in first] == [(row["text"], row["summary"]) for row in rows]


@pytest.mark.shared
def test_places_follow_the_paths_of_booksums_own_chapters(shared_dir: Path) -> None:
    rows = real(shared_dir, "data/booksum_alignments/chapter_summary_aligned_test_split.jsonl")
    # Texts are not in that file: the path of a chapter stands for one.
    made = [
        single_row(single(row["book_id"], row["chapter_path"], row["source"], "It is.", row["is_aggregate"])
                   | {"bid": row["bid"]})
        for row in rows
    ]  # fmt: skip
    books = list(booksum_books(made, "test"))
    assert (len(books), sum(len(book.units) for book in books)) == (17, 545)
    for book in books:
        # One row calls the tenth file of a play "act 5", which has scenes of its own.
        paths = [int(Path(unit.text).stem) for unit in book.units if unit.title != "act 5"]
        assert paths == sorted(set(paths)), book.units[0].book


def test_places() -> None:
    assert chapter_place("book 1.chapter iv") == (("book", 1), ("chapter", 4))
    assert chapter_place("Part the Second.xii") == (("part", 2), ("", 12))
    assert chapter_place("epilogue") == (("epilogue", 0),)
