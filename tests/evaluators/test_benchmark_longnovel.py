"""Tests for `benchmark_longnovel.py` and `references_longnovel.py`."""

import pytest

from lengthwise.evaluators.benchmark_longnovel import LONGNOVEL, STORYWORLD, compose_prompt
from lengthwise.evaluators.benchmarks import find_benchmark
from lengthwise.evaluators.contracts import Example

ROW = {"id": "x", "language": "zh", "question": "问", "article": "文章", "summary": "概述一", "book": "b"}


def test_generated_novels_never_stand_under_the_name_of_the_paper():
    assert find_benchmark("storyworld") is STORYWORLD
    assert "LongNovel" not in STORYWORLD.layout.name + STORYWORLD.layout.title


def test_the_prompt_of_a_row_ends_with_its_summary():
    prompt = compose_prompt(ROW)
    assert prompt.startswith("问") and prompt.endswith("概述一") and "文章" in prompt


@pytest.mark.parametrize(
    ("config", "row", "caption"),
    [
        ("8k", "s", "8k tokens"),
        ("200k", "xl", "200k tokens"),
        ("m-zh", "m", "32k tokens, Chinese"),
        ("odd", None, None),
    ],
)
def test_other_lengths_have_a_place(config, row, caption):
    place = LONGNOVEL.layout.place(config)
    assert (place and place.row, place and place.caption) == (row, caption)


@pytest.mark.parametrize(("name", "right"), [("gold", {0, 1}), ("faithful", {0}), ("hallucinated", {1})])
def test_references_answer_as_they_say(name, right):
    for gold in (0, 1):
        answer = '{"reason": "", "score": 2, "hallucination_types": []}' if gold else '{"reason": "", "score": 4}'
        example = Example("x", "", {"hallucinated": gold, "injections": [], "answer_text": answer})
        text = LONGNOVEL.references[name].answer(example, 0, "")
        assert LONGNOVEL.judge(example.columns, text, lambda: None).correct is (gold in right)


def test_the_coin_falls_on_both_sides():
    texts = {LONGNOVEL.references["random"].answer(Example(str(n), "", {}), 0, "") for n in range(20)}
    assert len(texts) == 2
