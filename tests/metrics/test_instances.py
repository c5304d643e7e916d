import csv
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lengthwise.errors import InputError
from lengthwise.metrics.instance_replies import diagnose_reply
from lengthwise.metrics.instance_summary import InstanceSummary, summarise_instances
from lengthwise.metrics.instances import (
    Diagnosis,
    InstanceCounts,
    aggregate,
    diagnose,
    diagnose_aggregate,
    number_of,
    same_answer,
)

PARITY = {"odd": 1, "even": 0}
GOLD = {"1": 1, "2": 0, "3": 1}
RIGHT = {"1": 1, "2": 0, "3": 1, "odd": 2, "even": 1, "reasoning": "by last digit"}


@pytest.mark.parametrize(
    ("changes", "own", "by_gold"),
    [
        ({}, None, None),
        ({"odd": 3}, "aggregation", "aggregation"),
        ({"odd": None}, "aggregation", "aggregation"),
        # An honest count of wrong parts.
        ({"2": 1, "odd": 3, "even": 0}, "individual", "combined"),
        # The gold count, which is not that of the parts.
        ({"2": 1}, "combined", "individual"),
        ({"2": 1, "odd": 9}, "combined", "combined"),
        # Two errors that cancel out.
        ({"1": 0, "2": 1}, "individual", "individual"),
        ({"4": 0}, "key", "key"),
        ({"note": "?"}, "key", "key"),
        # true is no label, although it equals 1 in Python.
        ({"1": True, "odd": 1}, "individual", "combined"),
        # Strings and numbers say the same.
        ({"1": "1", "3": "1.0", "odd": "2"}, None, None),
    ],
)
def test_taxonomy(changes: dict[str, Any], own: str | None, by_gold: str | None) -> None:
    found = diagnose(RIGHT | changes, GOLD, PARITY)
    assert (found.failure, found.failure_by_gold) == (own, by_gold)


def test_a_missing_summary_is_an_aggregation_error() -> None:
    answers = {key: value for key, value in RIGHT.items() if key != "even"}
    assert diagnose(answers, GOLD, PARITY).failure == "aggregation"


def test_an_omission_is_a_key_mistake_with_its_size() -> None:
    found = diagnose({"1": 1, "odd": 1, "even": 0}, GOLD, PARITY)
    assert found.failure == "key"
    assert found.instances == InstanceCounts(right=1, wrong=0, missing=2, extra=0)
    assert found.error == -1


def test_keys_that_begin_at_zero_are_a_key_mistake() -> None:
    found = diagnose({"0": 1, "1": 0, "2": 1, "odd": 2, "even": 1}, GOLD, PARITY)
    assert found.failure == "key"
    assert found.instances == InstanceCounts(right=0, wrong=2, missing=1, extra=1)


def test_nothing_read_and_nothing_asked() -> None:
    assert diagnose(None, GOLD, PARITY).failure == "parse"
    assert diagnose(None, GOLD, PARITY, overlong=True).failure == "overlong"
    assert diagnose_aggregate(5, 5, overlong=True).failure == "overlong"


@pytest.mark.parametrize(
    ("gold", "aggregation", "wrong"),
    [
        ({"1": 1, "2": 0, "odd": 2}, {"odd": 1}, "its own instances give 1"),
        ({"1": 1, "3": 0}, {"odd": 1}, '"1" to "n"'),
        ({"1": "tech"}, {"total": "sum"}, "needs numbers"),
        ({"1": 1}, {}, "is empty"),
    ],
)
def test_a_gold_that_cannot_be(gold: dict[str, Any], aggregation: dict[str, Any], wrong: str) -> None:
    with pytest.raises(InputError, match=wrong):
        diagnose({}, gold, aggregation)


def test_an_aggregate_that_is_no_number_is_refused() -> None:
    with pytest.raises(InputError, match="no number"):
        diagnose_aggregate(5, "five")


def test_sums_are_exact() -> None:
    answers = {"1": "0.1", "2": "0.2", "3": "-12345678901234567890.0000001"}
    assert aggregate(answers, {"sum": "sum"}) == {"sum": Decimal("-12345678901234567889.7000001")}


def test_the_sum_over_words_is_none() -> None:
    assert aggregate({"1": "tech", "2": 1}, {"sum": "sum"}) == {"sum": None}


@pytest.mark.parametrize("text", ["1e999999", "9" * 1000, "NaN", "inf", "", "1,00", "12a", "0x1", "1_000e5000"])
def test_what_is_no_number(text: str) -> None:
    assert number_of(text) is None


@pytest.mark.parametrize(("text", "value"), [("１２，０００", 12000), ("−42", -42), (" 5.0 ", 5), ("+3", 3)])
def test_numbers_as_models_write_them(text: str, value: int) -> None:
    assert number_of(text) == value


def test_a_number_beyond_pythons_digits_is_wrong_and_no_crash() -> None:
    assert not same_answer(10**5000, 1)


@given(st.lists(st.integers(0, 4), min_size=1, max_size=30), st.lists(st.integers(0, 4), min_size=30, max_size=30))
def test_a_self_consistent_table_is_right_or_individual(gold: list[int], answered: list[int]) -> None:
    """By the own reading a reply that adds up honestly never makes an aggregation error."""
    labels = {name: label for label, name in enumerate(("business", "entertainment", "politics", "sport", "tech"))}
    table = {str(i): answer for i, answer in enumerate(answered[: len(gold)], 1)}
    found = diagnose(
        table | dict(aggregate(table, labels)), {str(i): label for i, label in enumerate(gold, 1)}, labels
    )
    assert found.failure == (None if answered[: len(gold)] == gold else "individual")
    assert found.instances is not None
    assert found.instances.right + found.instances.wrong == len(gold)


def summary(diagnoses: list[Diagnosis], seeds: list[int] | None = None) -> InstanceSummary:
    return summarise_instances(diagnoses, seeds)


def test_mean_and_sample_deviation_are_those_of_seeds() -> None:
    """The paper's 0.3 and 0.6: one invalid reply of 77 in one of five seeds, to a tenth of a per cent."""
    diagnoses = [
        diagnose_aggregate(None if (seed, cell) == (1, 0) else 5, 5) for seed in range(5) for cell in range(77)
    ]
    found = summary(diagnoses, [seed for seed in range(5) for _ in range(77)])
    assert found.invalid_rate is not None and found.invalid_rate_sd is not None
    assert (round(100 * found.invalid_rate, 1), round(100 * found.invalid_rate_sd, 1)) == (0.3, 0.6)
    assert found.n_seeds == 5


def test_seeds_of_unequal_size_weigh_the_same() -> None:
    right, wrong = diagnose_aggregate(5, 5), diagnose_aggregate(6, 5)
    assert summary([right, wrong, wrong, wrong], [1, 2, 2, 2]).success_rate == 0.5


def test_one_seed_has_no_deviation() -> None:
    found = summary([diagnose_aggregate(5, 5)])
    assert (found.success_rate, found.success_rate_sd) == (1.0, None)


def test_errors_of_aggregates() -> None:
    found = summary([diagnose_aggregate(*pair) for pair in ((6, 4), (2, 4), (3, 0), (None, 7))])
    assert (found.signed_error, found.absolute_error) == (1.0, 7 / 3)
    assert (found.relative_error, found.n_reported, found.n_relative) == (0.5, 3, 2)


def test_wrong_experiments_and_wrong_instances() -> None:
    tables: list[dict[str, Any] | None] = [
        RIGHT,
        RIGHT | {"1": 0, "2": 1},
        RIGHT | {"2": 1},
        {"1": 0, "odd": 0, "even": 1},
        None,
    ]
    found = summary([diagnose(table, GOLD, PARITY) for table in tables])
    assert found.wrong_experiment_share == 2 / 5
    assert found.wrong_instances_per_failed_experiment == 1.5
    assert found.omission_share == 1 / 5
    assert found.per_instance_accuracy == pytest.approx((1 + 1 / 3 + 2 / 3 + 0 + 0) / 5)
    assert found.answered_per_instance_accuracy == pytest.approx((1 + 1 / 3 + 2 / 3 + 0) / 4)
    assert found.failures == {
        "parse": 1, "overlong": 0, "key": 1, "individual": 1, "aggregation": 0, "combined": 1,
    }  # fmt: skip


def test_aggregates_alone_say_nothing_about_instances() -> None:
    found = summary([diagnose_aggregate(5, 5), diagnose_aggregate(None, 5)])
    assert found.per_instance_accuracy is None
    assert found.wrong_experiment_share is None
    assert found.omission_share is None


def test_of_no_experiments_everything_is_none() -> None:
    found = summary([])
    assert (found.n, found.success_rate, found.signed_error, found.per_instance_accuracy) == (0, None, None, None)


def test_seeds_must_be_as_many_as_experiments() -> None:
    with pytest.raises(InputError, match="give one for each"):
        summary([diagnose_aggregate(5, 5)], [1, 2])


def test_a_reply_with_a_table() -> None:
    reply = '<think>{"1": 0}</think>```json\n{"1": 1, "2": 0, "3": 1, "odd": 2, "even": 1, "reasoning": "r"}\n```'
    assert diagnose_reply(reply, '{"1": 1, "2": 0, "3": 1}', aggregation=PARITY).failure is None


def test_a_decimal_gold_table_stays_exact() -> None:
    gold = '{"1": 0.1, "2": 0.2}'
    reply = '{"1": "0.1", "2": "0.2", "sum": "0.3"}'
    assert diagnose_reply(reply, gold, aggregation={"sum": "sum"}).failure is None


def test_refusals_are_parse_failures() -> None:
    reply = "I cannot process that many items at once; please send them in batches."
    assert diagnose_reply(reply, GOLD, aggregation=PARITY).failure == "parse"
    assert diagnose_reply(reply, "5").failure == "parse"


@pytest.mark.parametrize(
    ("gold", "options", "wrong"),
    [
        ('{"1": 1}', {}, "aggregation"),
        ('{"1": ', {"aggregation": PARITY}, "no JSON table"),
        ("3.5", {}, "whole number"),
        ("3", {"answer_type": "float"}, "answer_type"),
    ],
)
def test_options_that_do_not_fit_the_gold(gold: str, options: dict[str, Any], wrong: str) -> None:
    with pytest.raises(InputError, match=wrong):
        diagnose_reply("", gold, **options)


@pytest.mark.shared
def test_the_printed_rates_are_means_of_seventy_sevenths(shared_dir: Path) -> None:
    """Every mean of Table 2 is a mean of five rates over 77 or more experiments: our arithmetic can print it."""
    with (shared_dir / "reference" / "mip_table_2.tsv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    possible = {round(100 * total / (5 * 77), 1) for total in range(5 * 77 + 1)}
    assert {float(row["success_mean"]) for row in rows} <= possible
    assert {float(row["invalid_mean"]) for row in rows} <= possible
