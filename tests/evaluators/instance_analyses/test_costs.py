"""What tasks and methods cost."""

import pytest
from instance_cases import Asked, instance_run, series

from lengthwise.evaluators.instance_analyses.costs import cost_table, methods_table, spent
from lengthwise.evaluators.instance_analyses.trials import trials_of


def test_a_prompt_that_was_never_sent_cost_nothing() -> None:
    asked = [Asked("parity", 2, tokens=100, cost=0.5), Asked("parity", 5, kind="overlength", calls=0)]
    found = spent(trials_of([instance_run(asked)]))
    assert (found.calls, found.tokens_in, found.dollars) == (0.5, 50, 0.25)


def test_unknown_costs_stay_unknown() -> None:
    found = spent(trials_of([instance_run([Asked("parity", 2)])]))
    assert (found.tokens_in, found.tokens_out, found.dollars) == (None, None, None)


def test_what_nobody_counted_is_not_nought() -> None:
    asked = [Asked("parity", 2, tokens=100, cost=0.5), Asked("parity", 5)]
    found = spent(trials_of([instance_run(asked)]))
    assert (found.tokens_in, found.dollars) == (100, 0.5)


def test_cost_is_of_all_sizes_with_one_seed() -> None:
    asked = [
        *series("parity", {2: "11", 5: "11"}, tokens=100, tokens_out=10, cost=1.5, calls=2),
        *series("word", {2: "11", 5: "11"}, tokens=300, tokens_out=30, cost=0.5),
    ]
    table = cost_table([instance_run(asked)])
    assert table is not None
    assert table.rows == (
        ("toy", "mean over tasks", "3", "400", "40", "2.00"),
        ("toy", "Parity", "4", "200", "20", "3.00"),
        ("toy", "Word", "2", "600", "60", "1.00"),
    )


def test_without_any_count_there_is_no_table() -> None:
    assert cost_table([instance_run([Asked("parity", 2)])]) is None


def test_methods_stand_side_by_side_on_shared_prompts() -> None:
    runs = [
        instance_run(series("parity", {2: "11", 5: "00"}, tokens=100, tokens_out=20, cost=0.5)),
        instance_run(series("parity", {2: "11", 5: "1"}, tokens=150, calls=3, cost=1.0), method="batched:2"),
    ]
    table = methods_table(runs)
    assert table is not None
    side = ("calls", "tokens", "US $")
    assert table.head[3:] == ("reask: success %", *side, "batched:2: success %", *side)
    assert table.rows == (
        ("toy, aggregate", "all sizes", "3", "66.7", "1.0", "120", "0.50", "100.0", "3.0", "150", "1.00"),
        ("toy, aggregate", "2", "2", "100.0", "1.0", "120", "0.50", "100.0", "3.0", "150", "1.00"),
        ("toy, aggregate", "5", "1", "0.0", "1.0", "120", "0.50", "100.0", "3.0", "150", "1.00"),
    )


@pytest.mark.parametrize("other", ["word", "parity-instances"])
def test_methods_on_other_prompts_are_not_compared(other: str) -> None:
    runs = [instance_run([Asked("parity", 2)]), instance_run([Asked(other, 2)], method="batched:2")]
    assert methods_table(runs) is None
