import pytest

from lengthwise.builders.longnovel.storyworld.counting import NovelTokens
from lengthwise.builders.tokens import Tokenizer, load_tokenizer

UNITS = (
    "On the 3rd of May it rained.\n“Who is there?” said Ada.",
    "“Nobody,” said the wind…\n1872 was a dry year after that; the wells were low.",
    "一八七二年三月，河水涨了。\n“你来了？”林木说。",
    "Then the river fell again.",
)


class Whole:
    """A tokenizer that may join anything."""

    name = "whole"
    splits_at_spaces = False
    splits_behind_lines = False

    def count(self, text: str) -> int:
        return len(text) + 7


@pytest.fixture(params=["qwen3", "qwen3.6", "whole"])
def tokenizer(request: pytest.FixtureRequest) -> Tokenizer:
    if request.param == "whole":
        return Whole()  # type: ignore[return-value]
    return load_tokenizer(request.param)


def test_a_stretch_has_the_tokens_that_its_text_has(tokenizer: Tokenizer) -> None:
    novel = NovelTokens(UNITS, tokenizer)
    size = len(novel.article)
    for start in range(0, size - 1, 7):
        for end in range(start + 1, size + 1, 11):
            assert novel.between(start, end) == tokenizer.count(novel.article[start:end])


@pytest.mark.parametrize("behind", ["\n\nSummary:\nIt rained.", "\n\n概述：\n下雨了。", "\nIt rained.", "", "\n\n  x"])
@pytest.mark.parametrize("before", ["Is it so?\n\nText:\n", ""])
def test_a_prompt_has_the_tokens_that_it_has(tokenizer: Tokenizer, before: str, behind: str) -> None:
    novel = NovelTokens(UNITS, tokenizer)
    for _ in range(2):
        assert novel.of_prompt(before, behind) == tokenizer.count(before + novel.article + behind)


def test_one_unit_alone(tokenizer: Tokenizer) -> None:
    novel = NovelTokens(UNITS[:1], tokenizer)
    assert novel.of_prompt("A\n", "\n\nB") == tokenizer.count(f"A\n{UNITS[0]}\n\nB")
    assert (novel.unit_at(0), novel.unit_at(len(UNITS[0]) - 1)) == (0, 0)
