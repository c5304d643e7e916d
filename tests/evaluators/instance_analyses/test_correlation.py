"""Correlations of success with the number of instances and with the length of the prompt (Table 4)."""

import pytest
from instance_cases import Asked, instance_run, series

from lengthwise.evaluators.instance_analyses.correlation import correlation_table, length_cells, length_correlations
from lengthwise.evaluators.instance_analyses.trials import trials_of


def ended(config: str, n: int, right: bool, tokens: int) -> Asked:
    return Asked(config, n, kind="correct" if right else "wrong", tokens=tokens)


def test_a_cell_is_the_mean_over_the_default_seeds() -> None:
    (cell,) = length_cells(trials_of([instance_run(series("word", {2: "1100"}, tokens=50))]))
    assert (cell.model, cell.task, cell.size, cell.choice) == ("toy", "word", 2, "random")
    assert (cell.success, cell.tokens) == (0.5, 50)


@pytest.mark.parametrize("config", ["parity", "word-noise-tail", "word-shuffled", "word-instances"])
def test_other_variants_and_parity_are_no_cells(config: str) -> None:
    assert length_cells(trials_of([instance_run([Asked(config, 2)])])) == ()


def test_correlations_are_over_cells_and_within_sizes() -> None:
    asked = [
        ended("word", 2, True, 20),
        ended("word-shortest", 2, True, 10),
        ended("ner", 2, True, 30),
        ended("ner-longest", 2, False, 90),
        ended("word", 10, False, 100),
        ended("word-shortest", 10, False, 80),
    ]
    found = length_correlations([instance_run(asked)])
    assert found is not None
    assert found.size is not None and found.size.n == 6
    # Sizes 2 2 2 2 10 10 against 1 1 1 0 0 0: ranks 2.5 (4 times), 5.5 (2); 5 and 2. By hand -1/sqrt(2).
    assert found.size.value == pytest.approx(-(0.5**0.5))
    # At 2: tokens rank 2 1 3 4, success 3 3 3 1: -1.5 * 2 / (sqrt(5) * sqrt(3)).
    assert found.at_size[2].value == pytest.approx(-3 / 15**0.5)
    assert 10 not in found.at_size


def test_without_shortest_and_longest_there_is_nothing_to_compare() -> None:
    assert length_correlations([instance_run(series("word", {2: "11", 5: "10", 10: "00", 20: "00"}))]) is None


def test_the_table_has_a_row_a_size() -> None:
    asked = [
        ended(f"{task}{tail}", 2, right, tokens)
        for task, right in (("word", True), ("ner", False))
        for tail, tokens in (("", 20), ("-shortest", 10), ("-longest", 40))
    ]
    table = correlation_table([instance_run(asked)])
    assert table is not None
    assert [row[0] for row in table.rows] == ["all sizes: prompt tokens", "2 instances: prompt tokens"]
    assert table.rows[1][1:] == ("0.000", "1.0000", "6")
