from fractions import Fraction

import pytest

from lengthwise.errors import InputError
from lengthwise.metrics.instance_filter import FilterRules, filter_instances, judge_success

# Table 6 of the paper, %: the tasks in its order, some models, the averages it prints.
TASKS = ["arithmetic", "language", "ner", "news", "parity", "bshift", "subjnum", "sentiment", "tweets", "voice", "wsd"]
REMOVED = ("bshift", "subjnum", "voice")
TABLE_6 = {
    "DeepSeek V3": ("98.3 99.2 95.8 97.6 100.0 92.7 88.3 99.3 99.6 89.5 99.4", 96.3, True),
    "Llama 3.3": ("93.7 99.5 93.6 98.4 100.0 90.9 87.4 99.7 99.5 86.9 99.2", 95.3, True),
    "Llama 4 Scout": ("93.4 97.9 93.9 97.2 100.0 86.9 87.3 99.0 99.5 88.7 99.1", 94.8, False),
    "Mistral NeMo": ("72.0 96.2 78.1 96.8 75.3 62.9 75.2 83.8 60.3 72.7 98.4", 79.2, False),
    "Grok 4 Fast": ("97.9 99.5 97.2 98.8 100.0 95.7 88.6 99.5 100.0 90.2 99.4", 97.0, True),
}


def solved(n, *wrong):
    """Return n instances, solved but for these places."""
    return [place not in wrong for place in range(n)]


def success(line):
    return {task: Fraction(share) / 100 for task, share in zip(TASKS, line.split(), strict=True)}


@pytest.mark.parametrize(("line", "mean", "kept"), TABLE_6.values(), ids=TABLE_6)
def test_models_of_table_6(line, mean, kept):
    verdict = judge_success(success(line), exempt=REMOVED)
    assert round(float(100 * verdict.mean), 1) == mean
    assert verdict.kept == kept


def test_no_model_of_table_6_would_be_left_without_the_exempt_tasks():
    assert judge_success(success(TABLE_6["Grok 4 Fast"][0])).too_low == ("subjnum",)


def test_the_reasons_are_told_apart():
    scout, nemo = (
        judge_success(success(TABLE_6[name][0]), exempt=REMOVED) for name in ("Llama 4 Scout", "Mistral NeMo")
    )
    assert (scout.low_mean, scout.too_low) == (True, ())
    assert (nemo.low_mean, nemo.too_low) == (True, ("arithmetic", "ner", "parity", "sentiment", "tweets"))


def test_a_good_average_does_not_save_a_poor_task():
    verdict = judge_success({"a": Fraction(1), "b": Fraction(1), "c": Fraction(9, 10)})
    assert (verdict.low_mean, verdict.too_low, verdict.kept) == (False, ("c",), False)


def test_instances_that_all_solve_are_retained():
    found = filter_instances({"x": {"t": solved(80, 3)}, "y": {"t": solved(80, 3, 7)}, "z": {"t": solved(80, 39)}})
    task = found.tasks["t"]
    assert found.retained == {"t": tuple(place for place in range(80) if place not in (3, 7, 39))}
    assert (task.agreement, task.highest, task.lowest) == (Fraction(77, 80), Fraction(79, 80), Fraction(78, 80))


def test_an_excluded_model_takes_no_instance_away():
    found = filter_instances({"good": {"t": solved(40, 1)}, "bad": {"t": solved(40, *range(20, 40))}})
    assert not found.models["bad"].kept
    assert len(found.retained["t"]) == 39
    assert found.tasks["t"].lowest == Fraction(39, 40)


def test_agreement_of_arithmetic_as_in_table_7():
    # 2,500 instances; each of five models fails 55 others.
    models = {str(m): {"arithmetic": solved(2500, *range(55 * m, 55 * m + 55))} for m in range(5)}
    task = filter_instances(models).tasks["arithmetic"]
    assert (len(task.solved), float(100 * task.agreement)) == (2225, 89.0)
    assert task.kept


def test_a_task_of_low_agreement_is_removed_though_every_model_is_good():
    models = {str(m): {"t": solved(100, *range(4 * m, 4 * m + 4)), "u": solved(100)} for m in range(4)}
    found = filter_instances(models)
    assert all(model.kept for model in found.models.values())
    assert (found.tasks["t"].agreement, found.tasks["t"].kept) == (Fraction(84, 100), False)
    assert list(found.retained) == ["u"]


@pytest.mark.parametrize(("wrong", "kept"), [(125, False), (124, True)])
def test_a_threshold_must_be_exceeded(wrong, kept):
    assert filter_instances({"m": {"t": solved(2500, *range(wrong))}}).models["m"].kept == kept


def test_a_decimal_threshold_means_what_it_says():
    rules = FilterRules(model_mean=0, task_least=89.6, agreement=0)
    assert not filter_instances({"m": {"t": solved(250, *range(26))}}, rules).models["m"].kept
    assert filter_instances({"m": {"t": solved(250, *range(25))}}, rules).models["m"].kept


def test_without_a_kept_model_nothing_is_retained():
    found = filter_instances({"m": {"t": solved(10, 1, 2, 3)}})
    assert (found.retained, found.tasks["t"].highest, found.tasks["t"].kept) == ({}, None, False)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "holds no model"),
        ({"a": {}}, "no task"),
        ({"a": {"t": []}}, "without instances"),
        ({"a": {"t": [True]}, "b": {"u": [True]}}, "only one of them has t, u"),
        ({"a": {"t": [True]}, "b": {"t": [True, True]}}, "1 instances for 'a' and 2 for 'b'"),
    ],
)
def test_what_does_not_compare_is_refused(given, message):
    with pytest.raises(InputError, match=message):
        filter_instances(given)


@pytest.mark.parametrize("value", [-1, 100, 95.1 + 100])
def test_a_threshold_out_of_range_is_refused(value):
    with pytest.raises(InputError, match="agreement="):
        FilterRules(agreement=value)
