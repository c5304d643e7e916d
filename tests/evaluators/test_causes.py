"""The causes of section 4.9: each fault is planted alone, and found as that and nothing else."""

from typing import Any

import pytest

from lengthwise.contracts import Reply, Usage
from lengthwise.evaluators.causes import (
    CAUSES,
    COPIED_WORDS,
    REPEATED_CHARACTERS,
    REPEATED_LINES,
    CauseCounts,
    CauseTally,
    described,
    examine_predicate,
)
from lengthwise.evaluators.contracts import Outcome
from lengthwise.evaluators.judging import no_prompt

WORDS = [f"{a}{b}{c}" for a in "qrst" for b in "abcdefghij" for c in "uvwxy"]
TARGET = WORDS[100:105]
SAID = " ".join(TARGET)
PROMPT = f"Words: {' '.join(WORDS)}\n\nFind it."
WRONG = "<answer>no idea</answer>"


def row(**changes: Any) -> dict[str, Any]:
    return {
        "answers": [TARGET],
        "list_span": [0, PROMPT.index("\n")],
        "n_words": len(WORDS),
        **changes,
    }


def traces_of(reply: Reply, answer: Any = None, prompt: str | None = PROMPT, **changes: Any):
    return examine_predicate(row(**changes), reply, answer, 16_000, lambda: prompt)


def causes(reply: Reply, answer: Any = None, prompt: str | None = PROMPT, **changes: Any) -> list[str]:
    found: list[str] = described(traces_of(reply, answer, prompt, **changes))["causes"]
    return found


def test_a_plain_wrong_answer_shows_no_cause():
    assert causes(Reply(WRONG), ["no", "idea"]) == []


def test_a_reply_cut_by_length():
    assert causes(Reply("well, I", finish_reason="length")) == ["budget_spent"]


@pytest.mark.parametrize(("used", "expected"), [(16_000, ["budget_spent"]), (15_999, []), (None, [])])
def test_all_tokens_used_is_a_budget_spent_whatever_the_server_says(used: int | None, expected: list[str]):
    assert causes(Reply("well", usage=Usage(output=used))) == expected


def test_a_budget_spent_on_hidden_reasoning():
    assert causes(Reply(None, finish_reason="length")) == ["budget_spent"]


def test_the_same_line_again_and_again():
    assert causes(Reply("Look again.\n" * (REPEATED_LINES + 1) + WRONG)) == ["looped"]


def test_a_few_lines_alike_are_no_loop():
    assert causes(Reply("---\n" * REPEATED_LINES + WRONG)) == []


def test_a_loop_without_line_breaks_in_the_separate_reasoning():
    assert causes(Reply(WRONG, "Hm. " + "no, wait, " * 60)) == ["looped"]


def test_a_loop_before_the_end_of_inline_reasoning():
    assert causes(Reply(f"<think>Hm. {'no, wait, ' * 60}\n</think>{WRONG}")) == ["looped"]


def test_a_flood_of_blanks_is_a_loop():
    assert causes(Reply("{" + "\n" * (REPEATED_CHARACTERS + 1))) == ["looped"]


def test_a_loop_at_the_target():
    found = causes(Reply("", f"So. {f'{SAID} or not? ' * 60}", "length"))
    assert found == ["budget_spent", "looped", "looped_at_target", "target_lost"]


def test_a_list_copied_out():
    assert causes(Reply(f"I go: {' '.join(WORDS[:COPIED_WORDS])}. {WRONG}")) == ["copied"]


def test_a_list_copied_out_with_numbers_and_commas():
    listed = ", ".join(f"{place}. {word}" for place, word in enumerate(WORDS[:COPIED_WORDS]))
    assert causes(Reply("", listed)) == ["copied"]


def test_a_word_less_than_a_copy():
    assert causes(Reply(" ".join(WORDS[: COPIED_WORDS - 1]) + " and then nothing")) == []


def test_a_copied_list_that_comes_by_the_target_has_not_met_with_it():
    assert causes(Reply(f"I go: {' '.join(WORDS)}. {WRONG}")) == ["copied"]


def test_the_target_in_the_reasoning_only():
    assert causes(Reply(f"<think>{SAID}? No.</think>{WRONG}"), ["no", "idea"]) == ["target_lost"]


def test_most_of_the_target_is_enough():
    assert causes(Reply(WRONG, f"is it {' '.join(TARGET[:3])}?"), ["no"]) == ["target_lost"]
    assert causes(Reply(WRONG, f"is it {' '.join(TARGET[:2])}?"), ["no"]) == []


def test_the_target_with_a_word_too_many_in_the_answer_is_not_lost():
    assert causes(Reply(f"<answer>{SAID} more</answer>", SAID), [*TARGET, "more"]) == []


def test_one_of_several_answers_can_hold_the_target():
    assert causes(Reply(SAID), [["no"], TARGET]) == []


def test_a_question_without_an_answer_has_no_target_to_lose():
    assert causes(Reply(WRONG, SAID), [["no"]], answers=[]) == []


def test_gone_data_leave_open_what_only_the_list_can_tell():
    said = described(traces_of(Reply(f"{SAID}? {'then again ' * 30}"), None, None))
    assert said["causes_not_looked_up"] == ["copied", "target_lost"]
    assert said["traces"]["copied"] is None


def test_a_short_reply_needs_no_prompt():
    asked: list[None] = []
    reply = Reply(" ".join(WORDS[: COPIED_WORDS - 1]))
    examine_predicate(row(), reply, None, None, lambda: asked.append(None))
    assert not asked
    assert described(examine_predicate(row(), reply, None, None, no_prompt))["causes_not_looked_up"] == []


def test_a_prompt_of_something_else_is_not_used():
    assert traces_of(Reply(" ".join(WORDS)), None, "Words: a b\n\nFind it.").copied is None


def outcome(details: dict[str, Any]) -> Outcome:
    return Outcome("x", 0, "wrong", details=details)


def test_counts():
    replies = [Reply(WRONG), Reply("x", finish_reason="length"), Reply(f"{SAID}? {'then again ' * 30}")]
    tally = CauseTally()
    for one in [outcome({}), *(outcome(described(traces_of(reply, None, None))) for reply in replies)]:
        tally.add(one)
    none = {cause.name: 0 for cause in CAUSES}
    assert tally.counts() == CauseCounts(3, none | {"budget_spent": 1}, {"copied": 1, "target_lost": 1}, 2)


def test_names_and_titles_are_distinct():
    assert len({cause.name for cause in CAUSES}) == len({cause.title for cause in CAUSES}) == len(CAUSES)
