import csv
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from lengthwise.errors import InputError
from lengthwise.metrics.bootstrap import Estimate, bootstrap
from lengthwise.metrics.figures import STATISTICS, balanced_accuracy, mcc
from lengthwise.metrics.resampling import Array, from_counts, from_items


def share(counts: Array) -> Array:
    """The share of the first of two cells."""
    return counts[0] / (counts[0] + counts[1])


def mean(counts: Array) -> Array:
    """The mean of values, given their sum and number."""
    return counts[0] / counts[1]


def one(population, statistic: Callable[[Array], Array], **options) -> Estimate:
    return bootstrap(population, {"figure": statistic}, **options)["figure"]


@pytest.mark.parametrize(("n", "right"), [(50, 31), (600, 420), (1_999, 100), (2_001, 100), (100_000, 60_000)])
def test_standard_error_of_a_share(n: int, right: int):
    p = right / n
    assert one(from_counts([right, n - right]), share).standard_error == pytest.approx(
        np.sqrt(p * (1 - p) / n), rel=0.05
    )


def test_standard_error_of_balanced_accuracy_is_that_of_two_shares():
    population = from_counts([186, 114, 0], [222, 78, 0])
    expected = np.sqrt(0.62 * 0.38 / 300 + 0.74 * 0.26 / 300) / 2
    assert one(population, balanced_accuracy).standard_error == pytest.approx(expected, rel=0.05)


def test_standard_error_of_mcc_is_that_of_the_delta_method():
    # On classes of one size MCC is (a + b - 1) / sqrt((a + 1 - b) (b + 1 - a)) of the two recalls a and b.
    a, b, n = 0.62, 0.74, 300

    def of(a: float, b: float) -> float:
        return (a + b - 1) / np.sqrt((a + 1 - b) * (b + 1 - a))

    step = 1e-6
    slopes = (of(a + step, b) - of(a - step, b)) / (2 * step), (of(a, b + step) - of(a, b - step)) / (2 * step)
    expected = np.sqrt(slopes[0] ** 2 * a * (1 - a) / n + slopes[1] ** 2 * b * (1 - b) / n)
    found = one(from_counts([186, 114, 0], [222, 78, 0]), mcc)
    assert found.value == pytest.approx(of(a, b))
    assert found.standard_error == pytest.approx(expected, rel=0.05)


def test_standard_error_of_a_mean():
    values = np.random.default_rng(1).normal(size=80)
    population = from_items(np.stack([values, np.ones(80)], axis=1))
    assert one(population, mean).standard_error == pytest.approx(values.std() / np.sqrt(80), rel=0.05)


def test_standard_error_over_clusters_is_that_of_their_means():
    # Clusters of one size: resampling them is resampling their means.
    rng = np.random.default_rng(2)
    means = rng.random(40)
    values = (means[:, None] + rng.normal(size=(40, 5))).ravel()
    population = from_items(np.stack([values, np.ones(200)], axis=1), clusters=list(np.repeat(np.arange(40), 5)))
    expected = values.reshape(40, 5).mean(axis=1).std() / np.sqrt(40)
    assert population.n_units == 40
    assert one(population, mean).standard_error == pytest.approx(expected, rel=0.05)


def test_many_kinds_are_drawn_in_blocks_of_the_same_law():
    values = np.random.default_rng(3).normal(size=500)
    population = from_items(np.stack([values, np.ones(500)], axis=1))
    counts = population.resample(5_000, seed=4)
    assert (counts[1] == 500).all()
    assert counts[0].std() == pytest.approx(values.std() * np.sqrt(500), rel=0.05)


def test_a_normal_interval_covers_as_it_says():
    found = one(from_counts([5_000, 5_000]), share)
    assert (found.low, found.high) == pytest.approx((0.5 - 1.96 * 0.005, 0.5 + 1.96 * 0.005), abs=0.0005)


def test_every_resample_keeps_the_size_of_each_stratum():
    counts = from_counts([30, 20, 0], [10, 10, 5]).resample(200)
    assert (counts[:3].sum(axis=0) == 50).all()
    assert (counts[3:].sum(axis=0) == 25).all()
    assert (counts[2] == 0).all()
    assert (counts[5] > 0).any()


def test_strata_are_drawn_independently():
    counts = from_counts([50, 50], [50, 50]).resample(20_000)
    assert abs(np.corrcoef(counts[0], counts[2])[0, 1]) < 0.03


def test_the_table_of_outcomes_has_the_law_of_a_binomial():
    counts = from_counts([7, 13]).resample(100_000)
    seen = np.bincount(counts[0].astype(int), minlength=21)
    expected = stats.binom.pmf(np.arange(21), 20, 0.35) * 100_000
    likely = expected > 5
    assert stats.chisquare(seen[likely], expected[likely] * seen[likely].sum() / expected[likely].sum()).pvalue > 0.001


def test_items_and_their_counts_are_one_population():
    items = np.eye(2)[[0] * 30 + [1] * 20]
    assert one(from_items(items), share) == one(from_counts([20, 30]), lambda counts: share(counts[::-1]))


def test_a_seed_fixes_the_draws_whatever_the_global_state():
    population = from_counts([30, 20, 5])
    np.random.seed(1)
    first = population.resample(100, seed=3)
    np.random.seed(2)
    assert (population.resample(100, seed=3) == first).all()
    assert (population.resample(100, seed=4) != first).any()


def test_the_global_state_is_left_alone():
    np.random.seed(1)
    before = np.random.get_state()[1].tolist()
    from_counts([30, 20, 5]).resample(100)
    assert np.random.get_state()[1].tolist() == before


def test_bca_is_scipys_bca_on_one_sample():
    values = np.random.default_rng(5).exponential(size=60) ** 2
    theirs = stats.bootstrap((values,), np.mean, n_resamples=40_000, method="BCa", rng=np.random.default_rng(0))
    population = from_items(np.stack([values, np.ones(60)], axis=1))
    ours = one(population, mean, method="bca", n_resamples=40_000)
    naive = one(population, mean, n_resamples=40_000)
    wide = theirs.confidence_interval.high - theirs.confidence_interval.low
    assert (ours.low, ours.high) == pytest.approx(tuple(theirs.confidence_interval), abs=0.02 * wide)
    assert abs(naive.high - ours.high) > 0.04 * wide


def test_bca_is_scipys_bca_on_two_samples():
    rng = np.random.default_rng(6)
    one_sample, other = rng.exponential(size=30), rng.exponential(size=50) * 2

    def difference(x, y, axis=-1):
        return x.mean(axis=axis) - y.mean(axis=axis)

    theirs = stats.bootstrap(
        (one_sample, other), difference, n_resamples=40_000, method="BCa", rng=np.random.default_rng(0)
    )
    profiles = np.zeros((80, 4))
    profiles[:30, 0], profiles[:30, 1] = one_sample, 1
    profiles[30:, 2], profiles[30:, 3] = other, 1
    population = from_items(profiles, strata=[0] * 30 + [1] * 50)
    ours = one(
        population, lambda counts: counts[0] / counts[1] - counts[2] / counts[3], method="bca", n_resamples=40_000
    )
    wide = theirs.confidence_interval.high - theirs.confidence_interval.low
    assert (ours.low, ours.high) == pytest.approx(tuple(theirs.confidence_interval), abs=0.02 * wide)


def test_all_right_leaves_a_point():
    for method in ("percentile", "bca"):
        found = one(from_counts([50, 0]), share, method=method)
        assert (found.value, found.low, found.high, found.standard_error) == (1, 1, 1, 0)


def test_resamples_without_a_figure_are_left_out_and_counted():
    # One of 50 was given the other class: a resample lacks it in (49/50)^50 = 36 % of cases.
    found = one(from_counts([1, 49, 0], [50, 0, 0]), mcc)
    assert found.n_undefined / 10_000 == pytest.approx(0.98**50, abs=0.02)
    assert found.low is not None and found.low > 0


def test_an_undefined_figure_has_no_interval():
    assert one(from_counts([50, 0, 0], [0, 50, 0]), mcc).interval is None


def test_bca_needs_the_figure_with_each_unit_left_out():
    # Without the one item that was given the other class there is no MCC.
    found = one(from_counts([1, 49, 0], [50, 0, 0]), mcc, method="bca")
    assert found.value is not None and found.interval is None


def test_no_resample_may_have_the_figure():
    for method in ("percentile", "bca"):
        population = from_counts([1, 49, 0], [50, 0, 0])
        found = [one(population, mcc, method=method, n_resamples=1, seed=seed) for seed in range(20)]
        assert {estimate.n_undefined for estimate in found} == {0, 1}
        assert all(estimate.interval is None for estimate in found if estimate.n_undefined)


def test_no_items():
    assert one(from_items(np.zeros((0, 2)), clusters=[]), share) == Estimate(None)
    assert one(from_items(np.zeros((0, 2))), share) == Estimate(None)
    assert one(from_counts([0, 0]), share) == Estimate(None)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"confidence": 95}, "confidence"),
        ({"n_resamples": 0}, "n_resamples"),
        ({"seed": -1}, "seed"),
        ({"method": "basic"}, "interval method"),
    ],
)
def test_options_are_checked(options: dict, named: str):
    with pytest.raises(InputError, match=named):
        one(from_counts([1, 1]), share, **options)


def test_a_cluster_lies_in_one_stratum():
    with pytest.raises(InputError, match="lies in two strata"):
        from_items(np.eye(2), strata=[0, 1], clusters=["a", "a"])


def test_labels_are_one_for_each_item():
    with pytest.raises(InputError, match="strata has 1 entries for 2 items"):
        from_items(np.eye(2), strata=[0])


def test_counts_are_not_negative():
    with pytest.raises(InputError, match="strata"):
        from_counts([1, -1])


@pytest.mark.shared
def test_printed_intervals(shared_dir: Path):
    def read(name: str) -> list[dict[str, str]]:
        with (shared_dir / "reference" / name).open(encoding="utf-8") as lines:
            return list(csv.DictReader(lines, delimiter="\t"))

    recalls = {
        (row["model"], row["scale"]): row for row in read("longnovel_tables_10_11.tsv") if row["method"] == "zero-shot"
    }
    printed = read("longnovel_table_5.tsv")
    assert len(printed) == 14
    for row in printed:
        source = recalls[row["model"], row["scale"]]
        right = [round(50 * float(source[name])) for name in ("recall_hallucinated", "recall_non_hallucinated")]
        found = bootstrap(from_counts(*([count, 50 - count, 0] for count in right)), STATISTICS)
        for name, short in (("balanced_accuracy", "bacc"), ("mcc", "mcc")):
            assert found[name].value == pytest.approx(float(row[name]), abs=0.002), row
            ends = float(row[f"{short}_ci_low"]), float(row[f"{short}_ci_high"])
            assert found[name].interval == pytest.approx(ends, abs=0.02), row
