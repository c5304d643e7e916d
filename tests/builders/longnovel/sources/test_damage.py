import pytest

from lengthwise.builders.longnovel.records import Language, Unit
from lengthwise.builders.longnovel.sources.damage import damage, with_gaps


def lines(*texts: str, language: Language = "en", titles: tuple[str, ...] = ()) -> list[str]:
    named = titles or tuple("" for _ in texts)
    return damage([Unit("b", n, language, named[n - 1], text) for n, text in enumerate(texts, 1)])


def test_sound_text() -> None:
    assert lines("It ends.", "“It does.”", "And so—", language="en") == []


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("He s\ufffdid n\ufffd.", "could not be decoded (U+FFFD): 2"),
        ("It breaks off in the", "ends without an end mark (…s off in the): cut?"),
        (" ", "it has no text"),
        ("A sign \ue123.", "private use area): 1"),
    ],
)
def test_damaged_text(text: str, line: str) -> None:
    (found,) = lines(text)
    assert line in found


def test_lost_chinese_characters() -> None:
    (line,) = lines("他问：“为何？”那人名叫张?，字?之。", language="zh")
    assert "question marks between Chinese characters: 1" in line or "characters: 2" in line
    assert lines("他问：“为何?你说?”", language="zh") == []


def test_a_chinese_chapter_far_shorter_than_the_others() -> None:
    usual = "话说天下大势。" * 20
    (line,) = lines(usual, usual, usual, usual, "次日。", language="zh")
    assert line.startswith("b unit 5") and "3 characters where 140 are usual" in line


def test_gaps_and_repeats_in_the_numbers() -> None:
    assert lines("A.", "B.", "C.", titles=("第一回 甲", "第四回 乙", "第四回 丙")) == [
        "b: numbers 2 to 3 are missing before unit 2 (第四回 乙)", "b: unit 3 (第四回 丙) comes after number 4"
    ]  # fmt: skip
    assert lines("A.", "B.", "C.", titles=("Part I, Chapter 1", "Chapter 2", "Chapter 1")) == []


def gaps(*titles: str) -> list[str]:
    return [
        unit.title
        for unit in with_gaps([Unit("b", n, "en", title, "It ends.") for n, title in enumerate(titles, 1)])
        if unit.gap
    ]


def test_each_kind_of_heading_counts_for_itself() -> None:
    # Chapters that are counted through, in parts with a text of their own.
    assert gaps("Part 1", "Chapter 1", "Chapter 2", "Part 2", "Chapter 3", "Chapter 4") == []
    assert gaps("Part 1", "Chapter 1", "Part 3", "Chapter 4") == ["Part 3", "Chapter 4"]
    assert gaps("第一卷", "第一回", "第二回", "卷二", "第三回", "第五回") == ["第五回"]
