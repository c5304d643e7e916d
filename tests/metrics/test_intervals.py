import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lengthwise.errors import InputError
from lengthwise.metrics.intervals import beta_quantile, clopper_pearson, newcombe, regularised_beta, wilson


@pytest.mark.parametrize("n", [1, 7, 93, 100, 5000])
def test_none_and_all_right_have_closed_forms(n: int):
    bound = 1 - 0.025 ** (1 / n)
    assert clopper_pearson(0, n) == pytest.approx((0, bound), abs=1e-12)
    assert clopper_pearson(n, n) == pytest.approx((1 - bound, 1), abs=1e-12)


def test_one_of_two_has_a_closed_form():
    # P(X >= 1) = 1 - (1 - p)^2 = 0.025 and its mirror image.
    low = 1 - math.sqrt(0.975)
    assert clopper_pearson(1, 2) == pytest.approx((low, 1 - low), abs=1e-12)


def tail(n: int, successes: int, p: float) -> float:
    return sum(math.comb(n, x) * p**x * (1 - p) ** (n - x) for x in range(successes, n + 1))


@given(st.integers(2, 200).flatmap(lambda n: st.tuples(st.just(n), st.integers(1, n - 1))))
def test_ends_are_where_the_binomial_tails_are_alpha_half(case: tuple[int, int]):
    n, successes = case
    low, high = clopper_pearson(successes, n)
    assert tail(n, successes, low) == pytest.approx(0.025, abs=1e-9)
    assert 1 - tail(n, successes + 1, high) == pytest.approx(0.025, abs=1e-9)


def test_mirror_image():
    low, high = clopper_pearson(7, 100)
    assert clopper_pearson(93, 100) == pytest.approx((1 - high, 1 - low), abs=1e-12)


def test_higher_confidence_is_wider():
    assert clopper_pearson(50, 100, 0.99).low < clopper_pearson(50, 100, 0.95).low


def test_fractions_lie_between():
    assert clopper_pearson(3, 10).low < clopper_pearson(3.5, 10).low < clopper_pearson(4, 10).low


def test_of_none_nothing_is_known():
    assert clopper_pearson(0, 0) == (0, 1)


@pytest.mark.parametrize(
    ("successes", "n", "confidence"), [(-1, 5, 0.95), (6, 5, 0.95), (1, 5, 0), (1, 5, 1), (0, -1, 0.9)]
)
def test_out_of_range(successes: int, n: int, confidence: float):
    with pytest.raises(InputError):
        clopper_pearson(successes, n, confidence)


@pytest.mark.parametrize(("a", "b"), [(1, 1), (3, 1), (1, 40)])
def test_beta_with_a_shape_of_one(a: int, b: int):
    for x in (0.0, 0.01, 0.3, 0.99, 1.0):
        exact = x**a if b == 1 else 1 - (1 - x) ** b
        assert regularised_beta(x, a, b) == pytest.approx(exact, abs=1e-13)


def test_against_scipy():
    stats = pytest.importorskip("scipy.stats")
    for a, b in [(0.5, 0.5), (2.5, 9), (100, 3), (40_000, 60_001)]:
        for p in (1e-6, 0.025, 0.5, 0.975):
            assert beta_quantile(p, a, b) == pytest.approx(stats.beta.ppf(p, a, b), rel=1e-9)


# R. G. Newcombe, Statistics in Medicine 17, 1998: table I of the paper on one share (857-872), method 3.
@pytest.mark.parametrize(
    ("successes", "n", "interval"),
    [(81, 263, (0.2553, 0.3662)), (15, 148, (0.0624, 0.1605)), (0, 20, (0, 0.1611)), (1, 29, (0.0061, 0.1718))],
)
def test_wilson_as_published(successes: int, n: int, interval: tuple[float, float]):
    assert wilson(successes, n) == pytest.approx(interval, abs=5e-5)


# R. G. Newcombe, Statistics in Medicine 17, 1998, 873-890: table II, method 10.
@pytest.mark.parametrize(
    ("counts", "interval"),
    [
        ((56, 70, 48, 80), (0.0524, 0.3339)),
        ((9, 10, 3, 10), (0.1705, 0.8090)),
        ((6, 7, 2, 7), (0.0582, 0.8062)),
        ((5, 56, 0, 29), (-0.0381, 0.1926)),
        ((0, 10, 0, 20), (-0.1611, 0.2775)),
        ((0, 10, 0, 10), (-0.2775, 0.2775)),
        ((10, 10, 0, 20), (0.6791, 1)),
        ((10, 10, 0, 10), (0.6075, 1)),
    ],
)
def test_newcombe_as_published(counts: tuple[int, int, int, int], interval: tuple[float, float]):
    assert newcombe(*counts) == pytest.approx(interval, abs=5e-5)


def test_newcombe_changes_sides_with_the_samples():
    low, high = newcombe(9, 10, 3, 25)
    assert newcombe(3, 25, 9, 10) == pytest.approx((-high, -low), abs=1e-12)


def test_of_an_empty_sample_no_difference_is_known():
    assert newcombe(3, 5, 0, 0) == (-1, 1)
    with pytest.raises(InputError, match="6 of n = 5"):
        newcombe(1, 2, 6, 5)
