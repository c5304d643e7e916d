from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lengthwise.builders.longnovel.records import Unit
from lengthwise.builders.longnovel.units import SizedUnit, make_units, split_text
from lengthwise.errors import InputError


def words(text: str) -> int:
    return len(text.split())


def paragraph(length: int, sentence: int = 10) -> str:
    """As many words, in sentences of ten."""
    return " ".join("Word" + "." * ((n + 1) % sentence == 0 or n == length - 1) for n in range(length))


def chapters(*lengths: int, summaries: Sequence[int] = (), book: str = "b") -> list[Unit]:
    return [
        Unit(book, n, "en", f"c{n}", paragraph(length), "It says." if n in summaries else "")
        for n, length in enumerate(lengths, 1)
    ]


def made(found: list[Unit]) -> list[SizedUnit]:
    return list(make_units(found, words, least=20, most=60))


def shapes(found: list[Unit]) -> list[tuple[int, int, int, tuple[str, ...]]]:
    return [(one.n_tokens, one.chapter_start, one.chapter_end, one.flags) for one in made(found)]


def test_a_chapter_in_range_is_a_unit() -> None:
    assert shapes(chapters(20, 60)) == [(20, 1, 1, ()), (60, 2, 2, ())]


def test_a_chapter_with_a_summary_is_never_split_nor_joined() -> None:
    found = chapters(5, 70, 5, 30, summaries=(1, 2, 3))
    assert shapes(found) == [(5, 1, 1, ("short",)), (70, 2, 2, ("long",)), (5, 3, 3, ("short",)), (30, 4, 4, ())]


def test_short_chapters_take_in_what_follows() -> None:
    assert shapes(chapters(5, 5, 12, 30)) == [(22, 1, 3, ("packed",)), (30, 4, 4, ())]


def test_a_short_chapter_that_cannot_go_forwards_joins_the_unit_before() -> None:
    assert shapes(chapters(30, 5, 58)) == [(35, 1, 2, ("packed",)), (58, 3, 3, ())]
    assert shapes(chapters(30, 5)) == [(35, 1, 2, ("packed",))]


def test_nothing_is_packed_over_a_gap_and_a_gap_stays_in_front_of_its_chapter() -> None:
    first, second, third = chapters(30, 5, 70)
    assert shapes([first, replace(second, gap=True), replace(third, gap=True)]) == [
        (30, 1, 1, ()), (5, 2, 2, ("short", "gap")), (40, 3, 3, ("split", "gap")), (30, 3, 3, ("split",))
    ]  # fmt: skip
    assert shapes([first, replace(second, gap=True), replace(third, text=paragraph(58))]) == [
        (30, 1, 1, ()), (35, 2, 3, ("split", "packed", "gap")), (28, 3, 3, ("split",))
    ]  # fmt: skip


def test_a_short_chapter_between_full_ones_is_shared_out_with_one_of_them() -> None:
    assert shapes(chapters(58, 5, 58)) == [
        (30, 1, 1, ("split",)), (33, 1, 2, ("split", "packed")), (58, 3, 3, ())
    ]  # fmt: skip
    assert shapes(chapters(5, 58)) == [(35, 1, 2, ("split", "packed")), (28, 2, 2, ("split",))]
    assert [one.unit.title for one in made(chapters(5, 58))] == ["c1 / c2", "c2"]


def test_a_short_chapter_among_summaries_stays() -> None:
    assert shapes(chapters(30, 5, 30, summaries=(1, 3)))[1] == (5, 2, 2, ("short",))


def test_no_unit_holds_two_books() -> None:
    units = made([*chapters(30, 5), *chapters(5, 30, book="c")])
    assert [(one.unit.book, one.unit.index, one.n_tokens) for one in units] == [("b", 1, 35), ("c", 1, 35)]


def test_titles_and_texts_of_joined_and_split_chapters() -> None:
    short = [Unit("b", 1, "en", "I", "One two."), Unit("b", 2, "en", "", "Three."), Unit("b", 3, "en", "III", "Four.")]
    (unit,) = made(short)
    assert (unit.unit.title, unit.unit.text) == ("I / III", "One two.\n\nThree.\n\nFour.")
    long = Unit("b", 1, "en", "I", f"{paragraph(40)}\n\n{paragraph(50)}")
    assert [(one.unit.title, one.n_tokens) for one in made([long])] == [("I (1/2)", 40), ("I (2/2)", 50)]


def test_paragraphs_that_share_out_badly_are_cut_at_sentences() -> None:
    long = Unit("b", 1, "en", "I", "\n\n".join(map(paragraph, (58, 5))))
    assert [one.n_tokens for one in made([long])] == [30, 33]


def test_a_part_that_is_too_short_is_packed() -> None:
    # One sentence of 59 words cannot be shared out: the short part before it stays, the one behind it goes on.
    end = "word " * 58 + "end."
    found = made([Unit("b", 1, "en", "I", f"{end}\n\n{paragraph(5)}"), Unit("b", 2, "en", "II", paragraph(30))])
    assert [(one.n_tokens, one.flags) for one in found] == [(59, ("split",)), (35, ("split", "packed"))]
    found = made([Unit("b", 1, "en", "I", f"{paragraph(5)}\n\n{end}")])
    assert [(one.n_tokens, one.flags) for one in found] == [(5, ("short", "split")), (59, ("split",))]


def test_even_parts_between_paragraphs() -> None:
    text = "\n\n".join(paragraph(10) for _ in range(13))
    spans = split_text(text, "en", words, least=20, most=60)
    assert [words(text[start:end]) for start, end in spans] == [40, 50, 40]


def test_lines_then_sentences_where_there_are_no_paragraphs() -> None:
    verse = "Blank.\n\n" + "\n".join(["word word word word word"] * 26)
    spans = split_text(verse, "en", words, least=20, most=60)
    assert [words(verse[start:end]) for start, end in spans] == [46, 40, 45]
    text = "话说天下大势。" * 10
    spans = split_text(text, "zh", len, least=10, most=30)
    assert [text[start:end] for start, end in spans] == ["话说天下大势。" * n for n in (3, 4, 3)]


def test_one_endless_sentence_is_a_unit_that_is_too_long() -> None:
    endless = "word " * 99 + "end."
    assert shapes([Unit("b", 1, "en", "", endless)]) == [(100, 1, 1, ("long", "split"))]


def test_a_range_that_could_not_split_is_refused() -> None:
    with pytest.raises(InputError, match="20 to 39"):
        list(make_units([], words, least=20, most=39))


CHAPTERS = st.lists(
    st.tuples(st.lists(st.integers(1, 80), min_size=1, max_size=6), st.booleans(), st.sampled_from("bc")), max_size=12
)


@given(CHAPTERS)
def test_units_hold_every_word_once_in_order(drawn: list[tuple[list[int], bool, str]]) -> None:
    numbers = {"b": 0, "c": 0}
    source = []
    for lengths, summary, book in sorted(drawn, key=lambda one: one[2]):
        numbers[book] += 1
        text = "\n\n".join(map(paragraph, lengths))
        source.append(Unit(book, numbers[book], "en", "", text, "So." if summary else ""))
    units = made(source)
    for book in "bc":
        mine = [one for one in units if one.unit.book == book]
        assert [one.unit.index for one in mine] == list(range(1, len(mine) + 1))
        assert (
            " ".join(one.unit.text for one in mine).split()
            == " ".join(one.text for one in source if one.book == book).split()
        )
        assert [one.unit.summary for one in mine if one.unit.summary] == ["So."] * sum(
            bool(one.summary) for one in source if one.book == book
        )
        for one, other in pairwise(mine):
            assert one.chapter_end in (other.chapter_start, other.chapter_start - 1)
    for one in units:
        assert one.n_tokens == words(one.unit.text)
        # Paragraphs have sentences of ten words: only a summary keeps a unit too long.
        assert one.n_tokens <= 60 or one.unit.summary
        assert (one.n_tokens < 20) == ("short" in one.flags)
        if "short" in one.flags and not one.unit.summary:
            beside = {one.unit.index - 1, one.unit.index + 1}
            assert all(
                other.unit.summary
                for other in units
                if other.unit.book == one.unit.book and other.unit.index in beside
            )
