"""Tests for `judging_longnovel.py`."""

import pytest

from lengthwise.evaluators.judging_longnovel import judge_consistency

FAITHFUL = {"hallucinated": 0, "injections": []}
WRONG = {
    "hallucinated": 1,
    "injections": [
        {
            "type": "entity",
            "subtype": "T1",
            "hallucinated": "Bob shot the captain.",
            "original": "Al shot the captain.",
        },
        {"type": "event", "subtype": "T1", "hallucinated": "Eve burned the barn.", "original": "Eve built the barn."},
    ],
}


@pytest.mark.parametrize(("score", "faithful"), [(0, False), (2, False), (3, True), (5, True)])
def test_the_class_of_the_score_decides(score, faithful):
    reply = f'{{"score": {score}, "reason": ""}}'
    assert judge_consistency(FAITHFUL, reply).correct is faithful
    assert judge_consistency(WRONG, reply).correct is not faithful
    assert judge_consistency(WRONG, reply).answer == score


def test_a_reply_without_a_score_says_why_and_keeps_what_it_reports():
    found = judge_consistency(WRONG, "Entity Hallucination: Bob shot Ed, a captain; it was Al")
    assert not found.parsed and found.reason
    assert found.details == {"gold": 1, "types": ["entity"], "hits": [True, False]}


def test_a_fault_is_hit_by_a_point_of_its_type_that_quotes_it():
    reply = '{"reason": "Event Hallucination: Bob shot Ed, a captain", "score": 1}'
    assert judge_consistency(WRONG, reply).details["hits"] == [False, False]


def test_a_row_without_columns_for_faults_is_judged_all_the_same():
    assert judge_consistency({"hallucinated": 1}, '{"score": 1}').details["hits"] == []


def test_a_row_of_ready_prompts_has_its_class_from_its_gold_reply():
    row = {"id": "s-1", "answer_text": '{"score": 2, "reason": "Event: he fell", "hallucination_types": ["Event"]}'}
    found = judge_consistency(row, '{"score": 1}')
    assert found.correct and found.details == {"gold": 1, "types": [], "hits": []}
    with pytest.raises(ValueError, match="s-1"):
        judge_consistency({"id": "s-1", "answer_text": "good"}, '{"score": 1}')


def test_faults_of_a_models_own_summary_are_those_that_its_arbiter_named():
    row = {"hallucinated": 1, "injections": [], "types": ["event"], "reason": "Event: he never fell off the roof"}
    reply = '{"reason": "Event Hallucination: he never fell off a roof", "score": 1}'
    assert judge_consistency(row, reply).details["hits"] == [True]
