from collections.abc import Callable
from typing import Any

import pytest

from lengthwise.contracts import OverlengthError, Reply, ReplyError, Usage
from lengthwise.evaluators.benchmarks import PREDICATELONGBENCH
from lengthwise.evaluators.budgets import apply_budget
from lengthwise.evaluators.contracts import Outcome
from lengthwise.evaluators.outcomes import decide

RIGHT = "<answer>ba ca da ea za</answer>"
MakeRow = Callable[..., dict[str, Any]]


def outcome_of(row: MakeRow, *replies: Reply, error: ReplyError | None = None) -> Outcome:
    return decide(PREDICATELONGBENCH, row("lex-locate", 0), replies, error)


@pytest.mark.parametrize("finish", ["stop", "length", "content_filter", "other"])
def test_a_parsed_answer_counts_whatever_the_finish_reason(row: MakeRow, finish: Any):
    assert outcome_of(row, Reply(RIGHT, finish_reason=finish)).kind == "correct"


def test_a_wrong_answer(row: MakeRow):
    outcome = outcome_of(row, Reply("<answer>ba xx</answer>"))
    assert outcome.kind == "wrong"
    assert outcome.answer == ["ba", "xx"]
    assert outcome.details["first_word_right"] is True
    assert outcome.details["length_error"] == -3


def test_a_superset_is_wrong(row: MakeRow):
    assert outcome_of(row, Reply("<answer>qa ba ca da ea za fa</answer>")).kind == "wrong"


def test_no_reply_after_all_retries(row: MakeRow):
    outcome = outcome_of(row, error=ReplyError("HTTP 500"))
    assert (outcome.kind, outcome.message, outcome.calls) == ("error", "HTTP 500", 0)


def test_an_error_after_a_first_reply_is_an_error_and_keeps_what_was_spent(row: MakeRow):
    outcome = outcome_of(row, Reply("?", usage=Usage(output=7)), error=ReplyError("reset"))
    assert (outcome.kind, outcome.usage.output) == ("error", 7)


def test_a_prompt_that_does_not_fit(row: MakeRow):
    assert outcome_of(row, error=OverlengthError("too long")).kind == "overlength"


@pytest.mark.parametrize("text", [None, "", " \n", "<think>so be it</think>\n"])
def test_nothing_said(row: MakeRow, text: str | None):
    assert outcome_of(row, Reply(text)).kind == "empty"


@pytest.mark.parametrize("text", [None, "", "<think>and then", "so I list: ba ca da <answer>ba ca"])
def test_cut_by_length_before_an_answer(row: MakeRow, text: str | None):
    reply = Reply(text, reasoning=f"long {RIGHT}", finish_reason="length")
    assert outcome_of(row, reply).kind == "truncated_output"


def test_an_answer_in_the_separate_reasoning_is_not_scored(row: MakeRow):
    assert outcome_of(row, Reply(None, reasoning=RIGHT)).kind == "empty"


@pytest.mark.parametrize("text", [None, "I may not"])
def test_content_filter(row: MakeRow, text: str | None):
    assert outcome_of(row, Reply(text, finish_reason="content_filter")).kind == "refused"


def test_a_refusal_in_words(row: MakeRow):
    outcome = outcome_of(row, Reply("I'm sorry, but I can't assist with that."))
    assert outcome.kind == "refused"


def test_a_refusal_beside_an_answer_does_not_count(row: MakeRow):
    assert outcome_of(row, Reply(f"I cannot process all of it, but: {RIGHT}")).kind == "correct"


def test_unparsed_says_why(row: MakeRow):
    outcome = outcome_of(row, Reply("The run is ba ca da ea za."))
    assert (outcome.kind, outcome.message) == ("unparsed", "the reply has no <answer> block")


def test_the_last_of_several_replies_is_scored_and_all_are_counted(row: MakeRow):
    replies = [Reply("?", usage=Usage(output=5), cost=0.1), Reply(RIGHT, usage=Usage(output=6), cost=0.2)]
    outcome = outcome_of(row, *replies)
    assert (outcome.kind, outcome.calls, outcome.usage.output) == ("correct", 2, 11)
    assert outcome.cost == pytest.approx(0.3)


def test_all_sequences_asked_an_extra_one_is_wrong(row: MakeRow):
    columns = row("unary-all", 0)
    both = decide(PREDICATELONGBENCH, columns, [Reply(f"{RIGHT}\n<answer>fa ha</answer>")])
    assert (both.kind, both.details["extra"], both.details["missing"]) == ("wrong", 1, 0)
    assert decide(PREDICATELONGBENCH, columns, [Reply(RIGHT)]).kind == "correct"


def test_no_sequence_is_right_where_there_is_none(row: MakeRow):
    columns = row("unary-all", 0, answers=[], answer=[])
    assert decide(PREDICATELONGBENCH, columns, [Reply("<answer></answer>")]).kind == "correct"


@pytest.mark.parametrize(("answer", "words"), [("fa ha ga ia ya", 5), ("fa ga ha ia ya", 5)])
def test_decoy_given_as_it_stands_or_mended(row: MakeRow, answer: str, words: int):
    columns = row("lex-scattered", 0)
    outcome = decide(
        PREDICATELONGBENCH, columns, [Reply(f"<answer>{answer}</answer>")], prompt_of=lambda: columns["prompt"]
    )
    assert outcome.details["decoy_hit"] == {"index": 0, "kind": "near-sorted", "words": words}


def test_near_miss_words_given(row: MakeRow):
    near = [{"start": start, "length": 1, "kind": "near-miss"} for start in (7, 9, 14)]
    columns = row("unary-decoys", 0, decoys=near)
    outcome = decide(
        PREDICATELONGBENCH, columns, [Reply("<answer>ia qa ma</answer>")], prompt_of=lambda: columns["prompt"]
    )
    assert outcome.details["decoy_hit"] == {"index": 1, "kind": "near-miss", "words": 2}


def test_decoys_in_several_lists_are_found_by_flat_index(row: MakeRow):
    shown = "List 1: qa ba ca\nList 2: da ea"
    columns = row(
        "lex-lists",
        0,
        prompt=f"{shown}\n\nFind",
        list_span=[0, len(shown)],
        n_words=5,
        decoys=[{"start": 1, "length": 4, "kind": "boundary-run"}],
    )
    reply = Reply("<answer>ba ca da ea</answer>")
    outcome = decide(PREDICATELONGBENCH, columns, [reply], prompt_of=lambda: columns["prompt"])
    assert outcome.details["decoy_hit"]["kind"] == "boundary-run"


def test_without_the_prompt_decoys_are_not_looked_up(row: MakeRow):
    details = outcome_of(row, Reply("<answer>fa ha ga ia ya</answer>")).details
    assert (details["decoy_hit"], details["decoy_looked_up"]) == (None, False)


def test_a_prompt_that_is_not_the_rows_is_not_used(row: MakeRow):
    columns = row("lex-locate", 0)
    outcome = decide(PREDICATELONGBENCH, columns, [Reply("<answer>fa</answer>")], prompt_of=lambda: "Words: fa")
    assert outcome.details["decoy_looked_up"] is False


def test_budget_makes_longer_replies_truncated(row: MakeRow):
    outcome = outcome_of(row, Reply(RIGHT, usage=Usage(output=16_001)))
    assert apply_budget(outcome, 16_001) is outcome
    assert apply_budget(outcome, 16_000).kind == "truncated_output"


def test_budget_leaves_errors_and_unknown_usage_alone(row: MakeRow):
    unknown = outcome_of(row, Reply(RIGHT))
    failed = outcome_of(row, Reply("?", usage=Usage(output=99)), error=ReplyError("reset"))
    assert apply_budget(unknown, 1) is unknown
    assert apply_budget(failed, 1) is failed


def test_budget_looks_at_the_scored_reply_only(row: MakeRow):
    outcome = outcome_of(row, Reply("?", usage=Usage(output=90)), Reply(RIGHT, usage=Usage(output=90)))
    assert apply_budget(outcome, 100).kind == "correct"
