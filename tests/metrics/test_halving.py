"""The size at which success halves: hand-checked curves, and intervals over all samples of the seeds."""

import math

import pytest

from lengthwise.errors import InputError
from lengthwise.metrics.halving import crossing, falling, half_size


def test_a_curve_that_falls_stays_as_it_is() -> None:
    assert falling([0.9, 0.5, 0.5, 0.1], [5, 5, 5, 5]) == [0.9, 0.5, 0.5, 0.1]


def test_a_rise_becomes_the_weighted_mean() -> None:
    assert falling([0.2, 0.8], [3, 1]) == [pytest.approx(0.35)] * 2


def test_a_rise_reaches_back_as_far_as_it_must() -> None:
    assert falling([0.5, 0.4, 0.9], [1, 1, 1]) == [pytest.approx(0.6)] * 3


def test_the_crossing_lies_on_the_logarithmic_axis() -> None:
    assert crossing([1, 100], [1.0, 0.0], 0.5) == pytest.approx(10)
    assert crossing([2, 8, 32], [1.0, 0.75, 0.25], 0.5) == pytest.approx(16)


def test_a_size_at_the_level_is_the_crossing() -> None:
    assert crossing([2, 10, 50], [0.8, 0.4, 0.4], 0.4) == pytest.approx(10)


def test_a_curve_above_the_level_never_crosses() -> None:
    assert crossing([2, 10], [1.0, 0.6], 0.5) == math.inf


def test_half_is_that_of_the_smallest_size() -> None:
    found = half_size({1: {2: (4, 8), 8: (4, 8), 32: (0, 8)}})
    assert found is not None
    # From 0.5 at 8 to 0 at 32: 0.25 half way, at 16.
    assert (found.start, found.size) == (0.5, pytest.approx(16))
    assert (found.low, found.high, found.n_seeds) == (None, None, 1)


def test_the_interval_is_over_all_samples_of_the_seeds() -> None:
    early, late = {2: (1, 1), 8: (0, 1)}, {2: (1, 1), 8: (1, 1)}
    found = half_size({1: early, 2: late})
    assert found is not None
    # Together 0.5 at 8. Of the four samples one is all early (4), two are mixed (8), one never halves.
    assert found.size == pytest.approx(8)
    assert found.low == pytest.approx(4)
    assert found.high == math.inf
    assert (found.smallest, found.largest) == (2, 8)


def test_a_narrower_confidence_leaves_out_the_ends() -> None:
    early, late = {2: (1, 1), 8: (0, 1)}, {2: (1, 1), 8: (1, 1)}
    found = half_size({1: early, 2: late}, confidence=0.4)
    assert found is not None
    assert (found.low, found.high) == (pytest.approx(8), pytest.approx(8))


def test_many_seeds_are_drawn_and_the_same_each_time() -> None:
    seeds = {seed: {2: (1, 1), 10: (seed % 2, 1), 100: (0, 1)} for seed in range(12)}
    found = half_size(seeds)
    assert found == half_size(seeds)
    assert found is not None and found.low is not None and found.high is not None
    assert found.low < found.size < found.high


def test_no_success_at_the_smallest_size_has_no_half() -> None:
    assert half_size({1: {2: (0, 5), 10: (0, 5)}}) is None


def test_one_size_has_no_curve() -> None:
    assert half_size({1: {2: (5, 5)}}) is None


def test_counts_must_be_possible() -> None:
    with pytest.raises(InputError, match="3 right of 2"):
        half_size({1: {2: (3, 2)}})
