import pytest
from hypothesis import given
from hypothesis import strategies as st

from lengthwise.builders.longnovel.text import (
    count_words,
    line_spans,
    paragraph_spans,
    paragraphs,
    sentence_spans,
    sentences,
)
from lengthwise.errors import InputError

TEXTS = st.text(alphabet="aB.!?…。！？”“\"'，\n \t一Mr", max_size=80)


def test_chinese_words_are_characters_but_white_space() -> None:
    assert count_words("第一回\u3000宴桃园\n豪杰。", "zh") == 9


def test_blank_lines_with_spaces_part_paragraphs() -> None:
    assert paragraphs("One\nstill one.\n  \n\nTwo.") == ["One\nstill one.", "Two."]


def test_lines_are_paragraphs_where_none_is_blank() -> None:
    assert paragraphs("\n\n一。\n二。\n\n") == ["一。", "二。"]


@pytest.mark.parametrize(
    "text",
    [
        "Dr. J. R. Smith met Mrs. Pocket at No. 4.",
        "“What!” said he, “is it you?” asked she.",
        "He paused ... and went on.",
        "It cost 3.50 in all.",
        "Of man’s first disobedience,\nand the fruit",
    ],
)
def test_one_english_sentence(text: str) -> None:
    assert sentences(text + "\n\nEnd.", "en") == [text, "End."]


def test_english_sentences() -> None:
    text = "It was I. No. He ran! “Stop!” “Why?” Then… Nothing.\n\nA heading\n\nThe end."
    assert sentences(text, "en") == [
        "It was I.", "No.", "He ran!", "“Stop!”", "“Why?”", "Then…", "Nothing.", "A heading", "The end."
    ]  # fmt: skip


def test_chinese_sentences() -> None:
    text = "他问：「走不走？」說著，去了……又回。『你们！』，其人曰\n次日。"
    assert sentences(text, "zh") == ["他问：「走不走？」", "說著，去了……", "又回。", "『你们！』，其人曰", "次日。"]


@pytest.mark.parametrize("language", ["en", "zh"])
@given(text=TEXTS)
def test_only_white_space_is_between_sentences(language: str, text: str) -> None:
    for spans in (sentence_spans(text, language), paragraph_spans(text), line_spans(text)):
        kept = "".join(text[start:end] for start, end in spans)
        assert "".join(kept.split()) == "".join(text.split())
        assert all(text[start:end].strip() == text[start:end] != "" for start, end in spans)


def test_unknown_language() -> None:
    with pytest.raises(InputError, match="unknown language 'fr'"):
        sentences("Bonjour.", "fr")
