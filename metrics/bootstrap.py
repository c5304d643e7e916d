"""The stratified bootstrap: standard errors, percentile and BCa intervals, and a p-value, from resampled counts.

All arrays of counts have the cells on their first axis, so that a statistic reads `counts[0]`, `counts[1]`, ..., of
any shape, and returns an array of that shape, NaN where the figure is undefined.

Sources: B. Efron and R. J. Tibshirani, *An Introduction to the Bootstrap*, 1993, chapters 13 and 14; for several
strata A. C. Davison and D. V. Hinkley, *Bootstrap Methods and their Application*, 1997, section 5.3; LongNovel,
section 5.1 (stratified percentile intervals, 10,000 resamples, 95 %).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal, TypeAlias, get_args

import numpy as np

from lengthwise.errors import InputError, unknown_name

from .resampling import N_RESAMPLES, Array, Population

Statistic: TypeAlias = Callable[[Array], Array]
IntervalMethod: TypeAlias = Literal["percentile", "bca"]

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its bootstrap interval.

    Attributes:
        value: on the sample; None where it is undefined.
        low: lower end of the interval; None where there is none: the figure is undefined, or, for BCa, becomes so when
            one unit is left out.
        high: upper end.
        standard_error: standard deviation over the resamples.
        n_undefined: resamples in which the figure is undefined; the interval is over the others.
        p_value: two-sided, of the figure being 0; None unless it was asked for.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    standard_error: float | None = None
    n_undefined: int = 0
    p_value: float | None = None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Both ends, or None."""
        return None if self.low is None or self.high is None else (self.low, self.high)


def bootstrap(
    population: Population,
    statistics: Mapping[str, Statistic],
    *,
    confidence: float = CONFIDENCE,
    n_resamples: int = N_RESAMPLES,
    seed: int = 0,
    method: IntervalMethod = "percentile",
    against_zero: bool = False,
) -> dict[str, Estimate]:
    """Return each statistic with its interval, all from the same resamples.

    Args:
        population: what is resampled.
        statistics: by name; each takes counts, (cells, ...), and returns figures, (...), NaN where undefined.
        confidence: in (0, 1).
        n_resamples: >= 1.
        seed: of the draws, >= 0.
        method: "percentile", or "bca" (bias-corrected and accelerated).
        against_zero: whether to work out `p_value` too, see `two_sided_p`.

    Raises:
        InputError: an argument is out of its range.

    >>> from lengthwise.metrics.resampling import from_counts
    >>> share = {"share": lambda counts: counts[0] / (counts[0] + counts[1])}
    >>> found = bootstrap(from_counts([60, 40]), share)["share"]
    >>> round(found.value, 2), round(found.low, 1), round(found.high, 1)
    (0.6, 0.5, 0.7)
    """
    check_options(confidence, n_resamples, seed, method)
    totals = population.totals
    counts = population.resample(n_resamples, seed)
    found = {}
    with np.errstate(divide="ignore", invalid="ignore"):
        for name, statistic in statistics.items():
            value = float(statistic(totals))
            if np.isnan(value):
                found[name] = Estimate(None)
                continue
            drawn = np.sort(statistic(counts))
            # NaN sorts last.
            drawn = drawn[: len(drawn) - int(np.isnan(drawn).sum())] if np.isnan(drawn[-1]) else drawn
            levels = tail_levels(confidence)
            if method == "bca" and len(drawn):
                levels = bca_levels(population, statistic, drawn, value, levels)
            low, high = (sorted_quantile(drawn, level) for level in levels)
            spread = float(drawn.std(ddof=1)) if len(drawn) > 1 else None
            p = two_sided_p(drawn) if against_zero else None
            found[name] = Estimate(value, low, high, spread, n_resamples - len(drawn), p)
    return found


def check_options(confidence: float, n_resamples: int, seed: int, method: str = "percentile") -> None:
    """Raise InputError unless these can be options of a bootstrap."""
    if not 0 < confidence < 1:
        raise InputError(f"confidence is {confidence}: give a number between 0 and 1, such as 0.95")
    if n_resamples < 1:
        raise InputError(f"n_resamples is {n_resamples}: give at least 1; {N_RESAMPLES} is usual")
    if seed < 0:
        raise InputError(f"seed is {seed}: give a whole number from 0 on")
    if method not in get_args(IntervalMethod):
        raise unknown_name("interval method", method, get_args(IntervalMethod))


def tail_levels(confidence: float) -> tuple[float, float]:
    """Return the two levels that leave out equal tails."""
    return (1 - confidence) / 2, (1 + confidence) / 2


def sorted_quantile(ordered: Array, level: float) -> float | None:
    """Return a quantile of sorted values, interpolated between neighbours; None of no values or of no level."""
    if not len(ordered) or np.isnan(level):
        return None
    place = level * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return float(ordered[below] + (place - below) * (ordered[above] - ordered[below]))


def two_sided_p(ordered: Array) -> float | None:
    """Return the bootstrap p-value of a figure being 0: twice the smaller share of resamples on either side of it.

    A resample at 0 counts on both sides, so equal systems get 1. One is added to both counts (Davison and Hinkley,
    section 4.2.5): 10,000 resamples cannot show a p of 0, and a later correction for several tests needs one above.

    Args:
        ordered: the figure in each resample, sorted.

    >>> two_sided_p(np.array([-1.0, 1.0, 2.0, 3.0]))
    0.8
    """
    if not len(ordered):
        return None
    # Differences of equal shares come out as a rounding error, not as 0.
    at_most = int(np.searchsorted(ordered, 1e-12, side="right"))
    at_least = len(ordered) - int(np.searchsorted(ordered, -1e-12, side="left"))
    return min(1.0, 2 * (min(at_most, at_least) + 1) / (len(ordered) + 1))


def bca_levels(
    population: Population, statistic: Statistic, drawn: Array, value: float, levels: tuple[float, float]
) -> tuple[float, float]:
    """Return the levels that the BCa interval reads its ends at.

    The bias is read off the resamples (ties count half), the acceleration off the jackknife: one left-out unit per
    profile, weighted by how many units are of that profile. NaN where leaving out a unit makes the figure undefined.
    """
    normal = NormalDist()
    share = float(((drawn < value).mean() + (drawn <= value).mean()) / 2)
    edge = 1 / (2 * len(drawn) + 2)
    bias = normal.inv_cdf(min(max(share, edge), 1 - edge))
    acceleration = _acceleration(population, statistic)

    def moved(level: float) -> float:
        shifted = bias + normal.inv_cdf(level)
        return normal.cdf(bias + shifted / (1 - acceleration * shifted))

    if np.isnan(acceleration):
        return float("nan"), float("nan")
    return moved(levels[0]), moved(levels[1])


def _acceleration(population: Population, statistic: Statistic) -> float:
    """Return Davison and Hinkley's a for several strata (their equation 5.22 with jackknife influence values)."""
    totals = population.totals
    cubes = squares = 0.0
    for stratum in population.strata:
        n = int(stratum.sizes.sum())
        if n < 2:
            continue
        without = statistic(totals[:, None] - stratum.profiles.T)
        influence = (n - 1) * (stratum.sizes @ without / n - without)
        cubes += float(stratum.sizes @ influence**3) / n**3
        squares += float(stratum.sizes @ influence**2) / n**2
    return cubes / (6 * squares**1.5) if squares else squares
