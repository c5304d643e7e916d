"""Rank correlations: against scipy where it has the same test, and against all orders where that is exact."""

import random

import pytest
from scipy import stats

from lengthwise.errors import InputError
from lengthwise.metrics.rank_correlation import kendall, ranks, spearman


def pairs(n: int, levels: int, seed: int) -> tuple[list[float], list[float]]:
    """Numbers with ties, the second leaning on the first."""
    drawn = random.Random(seed)
    first = [float(drawn.randrange(levels)) for _ in range(n)]
    return first, [one + drawn.randrange(levels) for one in first]


def test_equal_values_share_the_mean_of_their_ranks() -> None:
    assert ranks([5, 1, 5, 5]) == [3.0, 1.0, 3.0, 3.0]


@pytest.mark.parametrize("n", [9, 30, 250])
@pytest.mark.parametrize("levels", [3, 1000])
def test_spearman_is_that_of_scipy(n: int, levels: int) -> None:
    first, second = pairs(n, levels, n)
    wanted = stats.spearmanr(first, second)
    found = spearman(first, second)
    assert found.value == pytest.approx(wanted.statistic, abs=1e-12)
    assert found.p_value == pytest.approx(wanted.pvalue, abs=1e-12)
    assert not found.exact


@pytest.mark.parametrize("levels", [3, 1000])
def test_kendall_is_that_of_scipy(levels: int) -> None:
    first, second = pairs(40, levels, 1)
    wanted = stats.kendalltau(first, second, method="asymptotic")
    found = kendall(first, second)
    assert found.value == pytest.approx(wanted.statistic, abs=1e-12)
    assert found.p_value == pytest.approx(wanted.pvalue, abs=1e-9)


def test_few_pairs_are_tested_over_all_orders() -> None:
    first, second = [1, 2, 3, 4, 5, 6], [2, 1, 3, 4, 6, 5]
    wanted = stats.kendalltau(first, second, method="exact")
    assert kendall(first, second).p_value == pytest.approx(wanted.pvalue)
    assert kendall(first, second).exact


def test_three_pairs_in_order_can_be_chance() -> None:
    # Two of the six orders are as far from 0.
    assert spearman([1, 2, 3], [10, 20, 30]).p_value == pytest.approx(1 / 3)


def test_a_variable_that_does_not_vary_has_no_correlation() -> None:
    assert spearman([1, 1, 1], [1, 2, 3]).value is None
    assert kendall([1, 2, 3], [0, 0, 0]).value is None


def test_two_pairs_have_no_test() -> None:
    found = spearman([1, 2], [2, 1])
    assert (found.value, found.p_value) == (-1.0, None)


def test_a_perfect_correlation_of_many_is_certain() -> None:
    assert spearman(list(range(20)), list(range(20))).p_value == 0.0


def test_lengths_must_agree() -> None:
    with pytest.raises(InputError, match="2 values for 3"):
        spearman([1, 2, 3], [1, 2])


def test_nan_has_no_rank() -> None:
    with pytest.raises(InputError, match="NaN"):
        kendall([1, float("nan")], [1, 2])
