"""Tests for `longnovel_patterns.py`: each pattern planted alone, and found as that and nothing else."""

import json

import pytest
from novel_run_cases import score_reply

from lengthwise.contracts import Reply, Usage
from lengthwise.evaluators.causes import described
from lengthwise.evaluators.judging import no_prompt
from lengthwise.evaluators.longnovel_patterns import NOVEL_CAUSES, examine_novel

LOOP = "They met and parted. " * 60
ZH_LOOP = "他们相遇，然后又分别。" * 60


def patterns(text: str | None, score: int | None, *, finish: str = "stop", reasoning: str | None = None) -> list[str]:
    reply = Reply(text, reasoning, finish, Usage(output=10))  # type: ignore[arg-type]
    traces = examine_novel({}, reply, score, 8192, no_prompt)
    json.dumps(described(traces, NOVEL_CAUSES))
    found: list[str] = described(traces, NOVEL_CAUSES)["causes"]
    return found


@pytest.mark.parametrize("text", [f"The text: {LOOP}", f"原文：{ZH_LOOP}"])
@pytest.mark.parametrize("finish", ["length", "stop"])
def test_repetition(text: str, finish: str):
    assert patterns(text, None, finish=finish) == ["repetition"]


def test_repetition_in_the_reasoning_that_leaves_no_answer():
    assert patterns(None, None, finish="length", reasoning=LOOP) == ["repetition"]


def test_a_loop_in_the_reasoning_before_an_answer_is_none():
    assert patterns(score_reply(5), 5, reasoning=LOOP) == []


@pytest.mark.parametrize("text", ["The novel tells of two friends.", "这部小说讲述了两个朋友的故事。"])
def test_a_summary_instead_of_a_judgement(text: str):
    assert patterns(text, None) == ["no_json"]


def test_an_empty_reply_shows_nothing():
    assert patterns("", None) == []


@pytest.mark.parametrize("name", ["Event Hallucination", "事件幻觉"])
def test_types_under_a_faithful_score(name: str):
    assert patterns(score_reply(3, "x", name), 3) == ["self_contradiction"]
    assert patterns(score_reply(2, "x", name), 2) == []


def test_words_that_are_no_type_contradict_nothing():
    assert patterns(score_reply(4, "x", "none", "无"), 4) == []


@pytest.mark.parametrize(
    "reason", ['Event: "he fell twice" should be "he fell twice"', "事件幻觉：“他摔倒了”应为“他摔倒了”"]
)
def test_a_correction_into_the_same(reason: str):
    assert patterns(score_reply(1, reason, "Event"), 1) == ["identical_correction"]


def test_a_plain_wrong_judgement_shows_nothing():
    assert patterns(score_reply(1, "Event: he never fell", "Event"), 1) == []
