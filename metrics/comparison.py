"""Two systems on the same items: the difference of a figure, its paired bootstrap interval, and tests.

Items are resampled with the answers of both systems and of all their runs together, so what makes an item hard for
both does not blur the difference (LongNovel, section 5.1). Where a system has several runs, its figure is the mean of
its runs' figures.

The paper does not print its formula of p; see `bootstrap.two_sided_p`. A bootstrap of few items that all speak for one
system never leaves that side, so p is here at least 2 / 2^m of m items (or clusters) on which the systems differ: no
test that flips their signs could give less.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from lengthwise.errors import InputError

from .classification import cells_of
from .figures import CELLS, STATISTICS, accuracy, joint_profiles, mean_over_runs
from .repeats import as_runs
from .significance import McNemar, exact_mcnemar

if TYPE_CHECKING:
    from .bootstrap import Estimate, IntervalMethod, Statistic
    from .resampling import Array, Population

Values: TypeAlias = Sequence[float]
Scores: TypeAlias = Sequence[int | None]

# Cells of `CELLS` that are right answers.
_RIGHT = (0, 3)


@dataclass(frozen=True, slots=True)
class Comparison:
    """One figure of two systems.

    Attributes:
        figure: its name.
        n: items, the same for both.
        first: the first system's figure, the mean over its runs; None where it is undefined.
        second: the second's.
        difference: first minus second, with interval and `p_value`; its value is None where one of the two is.
        mcnemar: None where items are not right or wrong, or a system has several runs.
    """

    figure: str
    n: int
    first: float | None
    second: float | None
    difference: "Estimate"
    mcnemar: McNemar | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return one flat dict of JSON types."""
        flat = {
            "figure": self.figure,
            "n": self.n,
            "first": self.first,
            "second": self.second,
            "difference": self.difference.value,
            "difference_ci": self.difference.interval,
            "p_value": self.difference.p_value,
        }
        if self.mcnemar is not None:
            flat |= {
                "only_first": self.mcnemar.only_first,
                "only_second": self.mcnemar.only_second,
                "mcnemar_p_value": self.mcnemar.p_value,
            }
        return flat


def compare_values(
    first: Values | Sequence[Values],
    second: Values | Sequence[Values],
    *,
    figure: str = "accuracy",
    strata: Sequence[Hashable] | None = None,
    clusters: Sequence[Hashable] | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 10_000,
    seed: int = 0,
    method: "IntervalMethod" = "percentile",
) -> Comparison:
    """Compare two systems by the mean of a value per item: 1 or 0 for exact match, or an error, a share, a cost.

    Args:
        first: the first system's value for each item, or a list of such lists, one a run.
        second: the second's, for the same items in the same order; it may have another number of runs.
        figure: what to call the mean.
        strata: the stratum of each item; resamples keep the strata's sizes.
        clusters: the source of each item; sources are resampled whole.
        confidence_level: of the interval, in (0, 1).
        n_resamples: of the bootstrap.
        seed: of the bootstrap.
        method: "percentile" or "bca".

    Raises:
        InputError: lengths differ, or an option is out of its range.

    >>> found = compare_values([1, 1, 1, 0], [1, 0, 0, 0])
    >>> found.difference.value, found.mcnemar.p_value
    (0.5, 0.5)
    """
    import numpy as np

    from .bootstrap import bootstrap
    from .resampling import from_items

    runs = as_runs(first, "first"), as_runs(second, "second")
    n = _one_length(*runs)
    # Each run holds all items, so the mean of the runs' means is the mean over items of their means.
    means = [np.asarray(side, np.float64).reshape(len(side), n).mean(axis=0) for side in runs]
    # The differences alone are resampled: items on which the systems differ alike are one profile.
    profiles = np.stack([means[0] - means[1], np.ones(n)], axis=1)
    population = from_items(profiles, strata=strata, clusters=clusters)
    found = bootstrap(
        population,
        {figure: lambda counts: counts[0] / counts[1]},
        confidence=confidence_level,
        n_resamples=n_resamples,
        seed=seed,
        method=method,
        against_zero=True,
    )
    values = [float(mean.mean()) if n else None for mean in means]
    difference = _with_floor(found[figure], population, np.array([1.0, 0.0])[:, None])
    return Comparison(figure, n, values[0], values[1], difference, _mcnemar(*runs))


def compare_detection(
    first: Scores | Sequence[Scores],
    second: Scores | Sequence[Scores],
    references: Sequence[int],
    *,
    strata: Sequence[Hashable] | None = None,
    clusters: Sequence[Hashable] | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 10_000,
    seed: int = 0,
    method: "IntervalMethod" = "percentile",
    undefined_as_zero: bool = False,
) -> dict[str, Comparison]:
    """Compare two systems that detect hallucinations, by each figure of `classification` and by accuracy.

    Args:
        first: the first system's scores, 0 to 5 or None, or a list of such lists, one a run.
        second: the second's, for the same items in the same order.
        references: gold labels: 1 is hallucinated, 0 is not.
        strata: the stratum of each item, beside its gold class.
        clusters: the source of each item; sources are resampled whole, and the class sizes are then not kept.
        confidence_level: of the intervals, in (0, 1).
        n_resamples: of the bootstrap.
        seed: of the bootstrap.
        method: "percentile" or "bca".
        undefined_as_zero: whether a figure that is undefined (see `classification`) is 0, in resamples too.

    Returns:
        A comparison for each figure, all from the same resamples.

    Raises:
        InputError: as `detection` says.

    >>> compare_detection([1, 1, 5, 5], [1, 4, 5, 1], [1, 1, 0, 0])["balanced_accuracy"].difference.value
    0.5
    """
    import numpy as np

    from .bootstrap import bootstrap
    from .resampling import from_items

    given = as_runs(first, "first"), as_runs(second, "second")
    cells = [[cells_of(run, references) for run in runs] for runs in given]
    n = len(references)
    for name, labels in (("strata", strata), ("clusters", clusters)):
        if labels is not None and len(labels) != n:
            raise InputError(f"{name} has {len(labels)} entries for {n} items: give one for each")
    if clusters is None:
        strata = list(zip(references, strata or [None] * n, strict=True))
    sizes = len(cells[0]), len(cells[1])

    def side(statistic: "Statistic", start: int, count: int) -> "Statistic":
        return mean_over_runs(statistic, start, count, undefined_as_zero=undefined_as_zero)

    def difference(statistic: "Statistic") -> "Statistic":
        one, other = side(statistic, 0, sizes[0]), side(statistic, *sizes)
        return lambda counts: one(counts) - other(counts)

    figures: dict[str, Statistic] = {"accuracy": accuracy, **STATISTICS}
    profiles = joint_profiles([*cells[0], *cells[1]], n)
    population = from_items(profiles, strata=strata, clusters=clusters)
    found = bootstrap(
        population,
        {name: difference(statistic) for name, statistic in figures.items()},
        confidence=confidence_level,
        n_resamples=n_resamples,
        seed=seed,
        method=method,
        against_zero=True,
    )
    right = [[[int(cell in _RIGHT) for cell in run] for run in side] for side in cells]
    test = _mcnemar(right[0], right[1])
    # The mean of the first system's runs, cell by cell, minus that of the second's.
    weights = [1 / sizes[0]] * sizes[0] + [-1 / sizes[1]] * sizes[1]
    swap = np.kron(np.array(weights)[:, None], np.eye(len(CELLS)))
    compared = {}
    for name, statistic in figures.items():
        with np.errstate(divide="ignore", invalid="ignore"):
            values = [float(side(statistic, start, count)(population.totals)) for start, count in
                      ((0, sizes[0]), sizes)]  # fmt: skip
        first_value, second_value = (None if np.isnan(value) else value for value in values)
        estimate = _with_floor(found[name], population, swap)
        compared[name] = Comparison(name, n, first_value, second_value, estimate, test)
    return compared


def _one_length(*sides: Sequence[Sequence[Any]]) -> int:
    lengths = {len(run) for side in sides for run in side}
    if len(lengths) != 1:
        raise InputError(f"first and second have runs of {sorted(lengths)} items: give one value for each item")
    return lengths.pop()


def _with_floor(estimate: "Estimate", population: "Population", swap: "Array") -> "Estimate":
    """Return the estimate with the least p that its units allow.

    Args:
        estimate: of a difference.
        population: what was resampled.
        swap: (cells, columns): profiles times this are 0 for units on which the systems do not differ.
    """
    if estimate.p_value is None:
        return estimate
    differing = sum(
        int(stratum.sizes[(abs(stratum.profiles @ swap) > 1e-12).any(axis=1)].sum()) for stratum in population.strata
    )
    return replace(estimate, p_value=max(estimate.p_value, min(1.0, 2.0 ** (1 - differing))))


def _mcnemar(first: Sequence[Sequence[Any]], second: Sequence[Sequence[Any]]) -> McNemar | None:
    """Return the test if it applies: one run each, and each item right or wrong."""
    if len(first) != 1 or len(second) != 1 or not {*first[0], *second[0]} <= {0, 1}:
        return None
    items = list(zip(first[0], second[0], strict=True))
    return exact_mcnemar(sum(a > b for a, b in items), sum(a < b for a, b in items))
