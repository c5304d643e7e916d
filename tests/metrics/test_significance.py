import pytest
from scipy import stats

from lengthwise.errors import InputError
from lengthwise.metrics.significance import exact_fisher, exact_mcnemar, holm


@pytest.mark.parametrize(("few", "many"), [(0, 0), (0, 1), (0, 6), (3, 9), (10, 10), (120, 171), (2_000, 2_100)])
def test_mcnemar_is_a_two_sided_sign_test(few: int, many: int):
    expected = stats.binomtest(few, few + many).pvalue if few + many else 1
    assert exact_mcnemar(few, many).p_value == pytest.approx(expected, rel=1e-9)
    assert exact_mcnemar(many, few).p_value == exact_mcnemar(few, many).p_value


def test_counts_are_not_negative():
    with pytest.raises(InputError, match="only_second -1"):
        exact_mcnemar(3, -1)


@pytest.mark.parametrize(
    ("first", "n_first", "second", "n_second"),
    [(10, 12, 1, 12), (7, 100, 92, 100), (0, 5, 0, 9), (5, 5, 9, 9), (3, 25, 30, 93), (0, 0, 4, 9), (40, 80, 41, 80)],
)
def test_fisher_is_scipys(first: int, n_first: int, second: int, n_second: int):
    expected = stats.fisher_exact([[first, n_first - first], [second, n_second - second]]).pvalue
    assert exact_fisher(first, n_first, second, n_second) == pytest.approx(expected, rel=1e-7)
    assert exact_fisher(second, n_second, first, n_first) == exact_fisher(first, n_first, second, n_second)


def test_fisher_wants_counts_within_their_samples():
    with pytest.raises(InputError, match="6 of 5"):
        exact_fisher(1, 2, 6, 5)


def test_holm_multiplies_by_how_many_are_left():
    assert holm([0.02, 0.01, 0.03]) == pytest.approx([0.04, 0.03, 0.04])


def test_holm_never_falls_and_never_passes_one():
    assert holm([0.5, 0.001, 0.6]) == pytest.approx([1, 0.003, 1])


def test_of_one_holm_changes_nothing():
    assert holm([0.04]) == [0.04]
    assert holm([]) == []


def test_what_was_not_tested_counts_for_none():
    assert holm([None, 0.04, None]) == [None, 0.04, None]


def test_a_p_value_is_a_probability():
    with pytest.raises(InputError, match="p_values"):
        holm([0.5, 1.5])
