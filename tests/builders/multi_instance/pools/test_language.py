"""Paragraphs in four languages."""

import re
from collections import Counter
from pathlib import Path
from statistics import fmean

import pytest

from lengthwise.builders.multi_instance.pools.generated.language import generate
from lengthwise.builders.multi_instance.pools.pool import Instance, text_length

# Appendix A, per language (the paper's 55.8 words count a Chinese paragraph as a few): words, characters for Chinese.
MEANS = {"english": 70.6, "chinese": 251, "persian": 83.6, "spanish": 67.2}
SHARES = {"english": 618, "chinese": 641, "persian": 637, "spanish": 604}
COMMON = {
    "english": {"the", "of", "and", "in", "a", "was", "to", "is"},
    "spanish": {"de", "la", "el", "en", "y", "los", "un", "una", "se", "que"},
}


@pytest.fixture(scope="module")
def pool() -> list[Instance]:
    return generate(5000, 1)


def texts(pool: list[Instance], label: str) -> list[str]:
    return [one.text for one in pool if one.label == label]


@pytest.mark.parametrize("size", [2500, 5000])
@pytest.mark.parametrize("label", MEANS)
def test_lengths_are_the_papers(pool: list[Instance], label: str, size: int) -> None:
    lengths = [text_length(text) for text in texts(pool[:size], label)]
    assert fmean(lengths) == pytest.approx(MEANS[label], rel=0.15)
    assert max(lengths) > 2.5 * min(lengths)


@pytest.mark.parametrize("size", [2500, 5000])
def test_languages_are_balanced_as_in_the_paper(pool: list[Instance], size: int) -> None:
    counts = Counter(one.label for one in pool[:size])
    assert counts.keys() == SHARES.keys()
    for label, count in counts.items():
        assert count / size == pytest.approx(SHARES[label] / 2500, rel=0.12)


def share(pattern: str, text: str) -> float:
    return len(re.findall(pattern, text)) / len(re.findall(r"\w", text))


def test_chinese_is_in_han_characters(pool: list[Instance]) -> None:
    for text in texts(pool, "chinese"):
        assert share("[\u4e00-\u9fff]", text) > 0.6, text
        assert text[-1] == "。" and not re.search("[\u0600-\u06ff]", text), text


def test_persian_is_in_its_own_letters(pool: list[Instance]) -> None:
    for text in texts(pool, "persian"):
        assert share("[\u0600-\u06ff]", text) > 0.7, text
        # Arabic yeh and kaf are other characters; digits are Persian.
        assert not re.search("[\u064a\u06430-9\u4e00-\u9fff]", text), text
    joined = " ".join(texts(pool, "persian"))
    assert all(letter in joined for letter in "پچژگ\u200c")


@pytest.mark.parametrize("label", COMMON)
def test_latin_texts_are_full_of_their_own_small_words(pool: list[Instance], label: str) -> None:
    (other,) = COMMON.keys() - {label}
    for text in texts(pool, label):
        words = Counter(re.findall(r"\w+", text.lower()))
        ours, theirs = (sum(words[word] for word in COMMON[name]) for name in (label, other))
        assert ours > 2 * theirs and ours >= 2, text
        assert not re.search("[\u0600-\u06ff\u4e00-\u9fff]", text), text


def test_spanish_contracts_its_articles(pool: list[Instance]) -> None:
    for text in texts(pool, "spanish"):
        assert not re.search(r"\b(de|a) el\b", text), text
        assert not re.search(r"\by (h?i(?!e))", text), text


def test_no_sentence_comes_twice_in_a_paragraph(pool: list[Instance]) -> None:
    for one in pool:
        sentences = [part for part in re.split(r"(?<=[.。])\s*(?=\S)", one.text) if len(part) > 25]
        assert len(sentences) == len(set(sentences)), one.text


@pytest.mark.shared
def test_nothing_is_taken_from_the_authors_pool(pool: list[Instance], shared_dir: Path) -> None:
    theirs = (shared_dir / "data/mip/pools/language/2500_language_text.txt").read_text("utf-8").split("\n")
    known = {tuple(words[at : at + 10]) for words in map(str.split, theirs) for at in range(len(words) - 9)}
    for one in pool:
        words = one.text.split()
        assert not known & {tuple(words[at : at + 10]) for at in range(len(words) - 9)}, one.text
