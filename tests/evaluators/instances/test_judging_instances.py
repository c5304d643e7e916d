import json

import pytest

from lengthwise.evaluators.judging_instances import judge_instances, ranges

ANSWERS = ["1", "0", "1", "1"]
ALONE = {"task": "parity", "setting": "aggregate", "answer": "3", "instance_answers": ANSWERS}
TABLE = {**ALONE, "setting": "instances"}
RIGHT = {"1": 1, "2": 0, "3": 1, "4": 1, "odd": 3, "even": 1}


def table(**changes):
    """The right table with changes; None leaves a key out."""
    changed = {**RIGHT, "reasoning": "r", **{name.removeprefix("_"): value for name, value in changes.items()}}
    return json.dumps({name: value for name, value in changed.items() if value is not None})


def test_the_right_aggregate():
    found = judge_instances(ALONE, '{"reasoning": "r", "answer": 3}')
    assert (found.parsed, found.correct, found.answer) == (True, True, "3")
    assert found.details["failure"] is None and found.details["error"] == "0"
    assert found.details["n_instances"] is found.details["right"] is None


def test_a_wrong_aggregate_says_by_how_much():
    found = judge_instances(ALONE, "The answer is 5.")
    assert not found.correct and found.details["failure"] == "wrong" and found.details["error"] == "2"


def test_an_exact_sum_keeps_its_digits():
    columns = {**ALONE, "task": "arithmetic", "answer": "-8439726.38918231"}
    found = judge_instances(columns, '{"answer": "-8439726.389182315"}')
    assert found.details["error"] == "-0.000000005"
    assert found.answer == "-8439726.389182315"


@pytest.mark.parametrize(
    ("reply", "failure", "by_gold"),
    [
        (table(), None, None),
        (table(_2=1), "combined", "individual"),
        (table(_2=1, odd=4, even=0), "individual", "combined"),
        (table(odd=4), "aggregation", "aggregation"),
        (table(even=None), "aggregation", "aggregation"),
        (table(_2=1, odd=9), "combined", "combined"),
        (table(_3=None), "key", "key"),
        (table(_5=0), "key", "key"),
    ],
)
def test_the_classes_of_failure_in_both_readings(reply, failure, by_gold):
    found = judge_instances(TABLE, reply)
    assert found.parsed and found.correct == (failure is None)
    assert (found.details["failure"], found.details["failure_by_gold"]) == (failure, by_gold)


def test_counts_and_the_reported_summary():
    found = judge_instances(TABLE, table(_1=0, _3=None, extra=7, odd="3"))
    counts = {name: found.details[name] for name in ("right", "wrong", "missing", "extra", "n_instances")}
    assert counts == {"right": 2, "wrong": 1, "missing": 1, "extra": 1, "n_instances": 4}
    assert found.details["omission"] and found.details["missing_at"] == "3"
    assert found.answer == {"odd": "3", "even": "1"}


@pytest.mark.parametrize("reply", ["I cannot say.", '{"1": 1, "2": 0, "3": ', "[1, 0, 1, 1]"])
def test_what_holds_no_table_is_unparsed_and_says_why(reply):
    found = judge_instances(TABLE, reply)
    assert not found.parsed and not found.correct and found.reason
    assert found.details["failure"] == "parse" and found.details["right"] is None


def test_a_stated_limit_is_kept_whether_it_parses_or_not():
    for reply in (table(reasoning="I will only list the first 100."), "I will only list the first 100."):
        assert judge_instances(TABLE, reply).details["stated_limit"]["kind"] == "first-only"
    assert judge_instances(TABLE, table()).details["stated_limit"] is None


def test_details_are_json():
    reply = '{"1": null, "2": true, "3": {"a": 1.50}, "4": [1], "odd": 1e3, "even": [2]}'
    found = [judge_instances(TABLE, reply).details, judge_instances(TABLE, reply).answer]
    assert json.loads(json.dumps(found)) == found


@pytest.mark.parametrize(("numbers", "text"), [([], ""), ([5], "5"), ([1, 2, 4, 6, 7, 8], "1-2, 4, 6-8")])
def test_ranges(numbers, text):
    assert ranges(numbers) == text
