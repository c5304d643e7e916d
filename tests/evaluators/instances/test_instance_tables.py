from dataclasses import replace
from decimal import Decimal

import pytest

from lengthwise.evaluators.contracts import Outcome
from lengthwise.evaluators.instance_experiments import Experiment, diagnosis_of, experiments_of, summary_of
from lengthwise.evaluators.instance_figures import instance_figures
from lengthwise.evaluators.instance_tables import instance_tables, spread
from lengthwise.evaluators.results import Results
from lengthwise.metrics.instances import InstanceCounts

SIZES = (2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000)
CELLS = [(f"task{number}", size) for number in range(7) for size in SIZES] + [("category", size) for size in SIZES[:7]]
WRONG = {"failure": "wrong", "failure_by_gold": "wrong", "error": "1", "right": None}


def row(task, size, seed, setting="aggregate", paper=True, variant=""):
    config = "-".join(part for part in (task, variant) if part)
    name = f"random_{size}_seed{seed}"
    return {
        "id": f"{config}-{name}",
        "config": config,
        "split": f"n{size}",
        "task": task,
        "setting": setting,
        "noise": "none",
        "selection": name,
        "n_instances": size,
        "seed": seed,
        "paper": paper,
        "pool": "hub",
        "answer": "5",
        "n_tokens": 100,
    }


def results(rows, outcomes, **labels):
    by_id = {one["id"]: one for one in rows}
    figures = instance_figures(by_id, {(one.example_id, one.repeat): one for one in outcomes})
    settings = {"model": {"spec": "openai:m", "name": "m"}, "labels": labels}
    return Results("multi-instance", settings, (), (), len(outcomes), 0, 0, {}, None, figures=figures)


def right(setting="aggregate", size=2):
    counts = {"right": None} if setting == "aggregate" else {"right": size, "wrong": 0, "missing": 0, "extra": 0}
    return {"failure": None, "failure_by_gold": None, "error": "0", **counts}


def test_one_invalid_reply_of_385_is_printed_as_in_the_paper():
    rows = [row(task, size, seed) for seed in range(1, 6) for task, size in CELLS]
    outcomes = [Outcome(one["id"], 0, "correct", details=right()) for one in rows]
    outcomes[10] = Outcome(rows[10]["id"], 0, "unparsed")
    (table, _) = instance_tables([results(rows, outcomes, label="Sonnet", size="A22B")])
    (line,) = table.rows
    assert dict(zip(table.head, line, strict=True)) == {
        "model": "Sonnet",
        "size": "A22B",
        "answer": "aggregate alone",
        "success %": "99.7±0.6",
        "invalid %": "0.3±0.6",
        "experiments": "385",
        "cells": "77 of 77",
        "seeds": "5",
    }


def test_cost_is_that_of_all_sizes_of_a_task_with_one_seed():
    rows = [row(task, size, seed) for seed in (1, 2) for task in ("ner", "wsd") for size in (2, 5)]
    outcomes = [Outcome(one["id"], 0, "correct", details=right(), cost=1.5) for one in rows]
    figures = results(rows, outcomes).figures
    assert figures.total("aggregate").cost_per_task == 3.0
    (table, _) = instance_tables([results(rows, outcomes)])
    assert table.rows[0][table.head.index("cost per task")] == "$3.00"


def test_cells_that_the_paper_did_not_run_are_left_out_where_there_are_any_of_its_own():
    rows = [row("ner", 2, 1), row("ner", 3, 1, paper=False), row("ner", 2, 1, variant="noise-tail")]
    outcomes = [
        Outcome(one["id"], 0, kind, details=details)
        for one, kind, details in zip(rows, ("correct", "wrong", "wrong"), (right(), WRONG, WRONG), strict=True)
    ]
    (total,) = results(rows, outcomes).figures.totals
    assert (total.cells, total.summary.n, total.summary.success_rate) == (1, 1, 1.0)
    (total,) = results(rows[1:2], outcomes[1:2]).figures.totals
    assert not total.paper and total.summary.success_rate == 0.0


def test_wrong_instances_per_failed_experiment():
    rows = [row("ner", 10, seed, "instances", variant="instances") for seed in (1, 2, 3)]
    wrong = {"failure": "individual", "failure_by_gold": "combined", "error": "1", "missing": 0, "extra": 0}
    details = [{**wrong, "right": 8, "wrong": 2}, {**wrong, "right": 4, "wrong": 6}, right("instances", 10)]
    outcomes = [
        Outcome(one["id"], 0, "wrong" if said["failure"] else "correct", details=said)
        for one, said in zip(rows, details, strict=True)
    ]
    tables = {table.title.rpartition("(")[2]: table for table in instance_tables([results(rows, outcomes)])}
    line = dict(zip(tables["Table 3)"].head, tables["Table 3)"].rows[0], strict=True))
    assert (line["wrong experiments %"], line["wrong instances in each"]) == ("66.7±57.7", "4.0±2.8")


@pytest.mark.parametrize(
    ("kind", "failure"),
    [
        ("unparsed", "parse"),
        ("empty", "parse"),
        ("refused", "parse"),
        ("truncated_output", "parse"),
        ("overlength", "overlong"),
        ("error", "wrong"),
    ],
)
def test_outcomes_without_an_answer(kind, failure):
    found = diagnosis_of(row("ner", 2, 1, "instances"), Outcome("a", 0, kind, details=WRONG))
    assert (found.failure, found.answer, found.n_instances, found.instances) == (failure, None, 2, None)


def test_a_diagnosis_is_rebuilt_from_details():
    details = {"failure": "key", "failure_by_gold": "key", "error": "-1.5", "right": 1, "wrong": 0, "missing": 1}
    found = diagnosis_of(row("ner", 2, 1, "instances"), Outcome("a", 0, "wrong", details={**details, "extra": 0}))
    assert found.answer == Decimal("3.5") and found.error == Decimal("-1.5")
    assert found.instances == InstanceCounts(1, 0, 1, 0)


def test_an_experiment_without_a_reply_counts_as_wrong_and_not_as_invalid():
    rows = {one["id"]: one for one in (row("ner", 2, 1), row("ner", 5, 1))}
    first, second = rows
    outcomes = {(first, 0): Outcome(first, 0, "error"), (second, 0): Outcome(second, 0, "correct", details=right())}
    experiments = experiments_of(rows, outcomes)
    summary = summary_of(experiments)
    assert (summary.success_rate, summary.invalid_rate) == (0.5, 0.0)
    assert [one.variant for one in experiments] == ["", ""] and all(isinstance(one, Experiment) for one in experiments)


def test_the_provider_counts_tokens_before_us():
    rows = {one["id"]: one for one in (row("ner", 2, 1),)}
    (key,) = rows
    outcome = Outcome(key, 0, "correct", details=right())
    assert experiments_of(rows, {(key, 0): outcome})[0].input_tokens == 100
    counted = replace(outcome, usage=replace(outcome.usage, input=77))
    assert experiments_of(rows, {(key, 0): counted})[0].input_tokens == 77


@pytest.mark.parametrize(("mean", "sd", "text"), [(None, None, "–"), (0.5, None, "50.0"), (1 / 77, 0, "1.3±0.0")])
def test_spread(mean, sd, text):
    assert spread(mean, sd, 100) == text
