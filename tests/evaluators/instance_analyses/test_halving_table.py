"""Where success halves, by model and task."""

import pytest
from instance_cases import Asked, instance_run, series

from lengthwise.evaluators.instance_analyses.halving import halving_table, halvings, halvings_of_tasks


def test_each_task_and_all_of_them() -> None:
    run = instance_run([*series("parity", {2: "11", 8: "00"}), *series("word", {2: "11", 8: "11"})])
    found = {one.task: one for one in halvings([run])}
    assert list(found) == ["all tasks", "parity", "word"]
    assert found["parity"].half is not None and found["parity"].half.size == pytest.approx(4)
    assert found["word"].half is not None and found["word"].half.size == float("inf")
    # Together from 1 to 0.5: half is reached at 8 itself.
    assert found["all tasks"].half is not None and found["all tasks"].half.size == pytest.approx(8)
    assert (found["all tasks"].n, found["parity"].n) == (8, 4)


def test_one_task_has_no_row_over_all() -> None:
    assert [one.task for one in halvings([instance_run(series("parity", {2: "1", 8: "0"}))])] == ["parity"]


def test_repeats_of_a_prompt_count_once() -> None:
    asked = [Asked("parity", 2), Asked("parity", 2, repeat=1, kind="wrong"), Asked("parity", 32, kind="wrong")]
    (found,) = halvings([instance_run(asked)])
    assert found.half is not None
    # From 0.5 at 2 to 0 at 32: 0.25 half way on the logarithmic axis.
    assert (found.half.start, found.half.size) == (0.5, pytest.approx(8))


def test_a_task_is_the_mean_over_models() -> None:
    runs = [
        instance_run(series("parity", {2: "1", 8: "1"})),
        instance_run(series("parity", {2: "1", 8: "0"}), "other"),
    ]
    (found,) = halvings_of_tasks(runs)
    assert found.half is not None and found.half.size == pytest.approx(8)


def test_the_table_says_where_and_how_surely() -> None:
    # Alone, the first seed halves at 4 and the second at 16.
    table = halving_table([instance_run(series("parity", {2: "11", 8: "01", 32: "00"}))])
    assert table is not None
    assert table.head == ("model", "Parity")
    assert table.rows == (("toy", "8.0 [4.0, 16]"),)


def test_seeds_that_agree_have_no_interval() -> None:
    table = halving_table([instance_run(series("parity", {2: "11", 32: "00", 200: "00"}))])
    assert table is not None and table.rows == (("toy", "8.0"),)


def test_never_is_said_as_such() -> None:
    table = halving_table([instance_run(series("parity", {2: "1", 2000: "1"}))])
    assert table is not None and table.rows == (("toy", ">2,000"),)


def test_one_size_has_no_table() -> None:
    assert halving_table([instance_run(series("parity", {2: "11"}))]) is None
