"""The stratified bootstrap, drawn from counts: its cost does not grow with the number of items.

An item is what it adds to the counts that a figure is computed from, its *profile* (one more right answer of class 1,
say). Items of one profile are alike, so resampling n items is one multinomial draw over the profiles; of two profiles
it is a binomial. Rows that share a source (a book, a document) are resampled together: the profile of a *cluster* is
the sum of its rows. Two systems on the same items, or several runs, are joint profiles; that keeps the pairing.

All arrays of counts have the cells on their first axis, so that a statistic reads `counts[0]`, `counts[1]`, ..., of
any shape, and returns an array of that shape, NaN where the figure is undefined.

The draws come from a generator of their own, seeded, never from the global state. They are those of NumPy's
`Generator`, whose streams may change between NumPy versions: the same seed gives the same interval on one version,
and on another the same up to Monte Carlo noise.

Sources: B. Efron and R. J. Tibshirani, *An Introduction to the Bootstrap*, 1993, chapters 13 and 14; for several
strata A. C. Davison and D. V. Hinkley, *Bootstrap Methods and their Application*, 1997, section 5.3; LongNovel,
section 5.1 (stratified percentile intervals, 10,000 resamples, 95 %).
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lengthwise.errors import InputError, unknown_name

Array: TypeAlias = NDArray[np.float64]
Statistic: TypeAlias = Callable[[Array], Array]
IntervalMethod: TypeAlias = Literal["percentile", "bca"]

N_RESAMPLES = 10_000
CONFIDENCE = 0.95

# Above this a table of all outcomes of a binomial costs more than drawing from it directly.
_TABLE = 2_000
# Cells of one block of multinomial draws: bounds the memory where there are many clusters.
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class Stratum:
    """Units that are resampled among themselves.

    Attributes:
        profiles: (profiles, cells): what one unit of each kind adds to the counts.
        sizes: (profiles,): how many units of each kind there are, each >= 1.
    """

    profiles: Array
    sizes: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Population:
    """All units of a sample, by stratum.

    Attributes:
        strata: at least one; all with the same cells.
    """

    strata: tuple[Stratum, ...]

    @property
    def totals(self) -> Array:
        """The counts of the sample itself, (cells,)."""
        return np.asarray(sum(stratum.sizes @ stratum.profiles for stratum in self.strata), np.float64)

    @property
    def n_units(self) -> int:
        """How many units are resampled: items, or clusters of them."""
        return int(sum(stratum.sizes.sum() for stratum in self.strata))

    def resample(self, n_resamples: int = N_RESAMPLES, seed: int = 0) -> Array:
        """Return the counts of `n_resamples` resamples, (cells, n_resamples)."""
        rng = np.random.default_rng(seed)
        counts = np.zeros((len(self.totals), n_resamples))
        for stratum in self.strata:
            _add_draws(stratum, counts, rng)
        return counts


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its bootstrap interval.

    Attributes:
        value: on the sample; None where it is undefined.
        low: lower end of the interval; None where there is none (the figure is undefined).
        high: upper end.
        standard_error: standard deviation over the resamples.
        n_undefined: resamples in which the figure is undefined; the interval is over the others.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    standard_error: float | None = None
    n_undefined: int = 0

    @property
    def interval(self) -> tuple[float, float] | None:
        """Both ends, or None."""
        return None if self.low is None or self.high is None else (self.low, self.high)


def from_counts(*strata: Sequence[int]) -> Population:
    """Return the population of a table: one stratum a row, its cells behind those of the rows before it.

    Args:
        strata: how many items each cell holds, >= 0; rows may differ in length.

    >>> from_counts([3, 1], [4, 0]).totals.tolist()
    [3.0, 1.0, 4.0, 0.0]
    """
    if not strata or any(count < 0 for row in strata for count in row):
        raise InputError(f"strata is {strata}: give one or more rows of counts, each >= 0")
    profiles = np.eye(sum(map(len, strata)))
    made, start = [], 0
    for row in strata:
        sizes = np.asarray(row, np.int64)
        made.append(Stratum(profiles[start : start + len(row)][sizes > 0], sizes[sizes > 0]))
        start += len(row)
    return Population(tuple(made))


def from_items(
    profiles: ArrayLike, *, strata: Sequence[Hashable] | None = None, clusters: Sequence[Hashable] | None = None
) -> Population:
    """Return the population of single items.

    Args:
        profiles: (items, cells): what each item adds to the counts.
        strata: the stratum of each item, e.g. its gold class; None is one stratum.
        clusters: the source of each item, e.g. its book; None takes each item for itself. Items of one cluster must be
            of one stratum.

    Raises:
        InputError: lengths differ, or a cluster lies in two strata.

    >>> from_items([[1, 0], [0, 1], [1, 0]], clusters=["one", "one", "other"]).strata[0].profiles.tolist()
    [[1.0, 0.0], [1.0, 1.0]]
    """
    rows = np.asarray(profiles, np.float64)
    if rows.ndim != 2:
        raise InputError(f"profiles has {rows.ndim} axes: give items by cells")
    groups = _numbers(strata, len(rows), "strata")
    if clusters is not None:
        members = _numbers(clusters, len(rows), "clusters")
        n_clusters = int(members.max(initial=-1)) + 1
        first = np.full(n_clusters, -1)
        first[members] = groups
        if len(rows) and (first[members] != groups).any():
            raise InputError("clusters: one lies in two strata; leave out the strata, or make them coarser")
        summed = np.zeros((n_clusters, rows.shape[1]))
        np.add.at(summed, members, rows)
        rows, groups = summed, first
    made = []
    for group in range(int(groups.max(initial=0)) + 1):
        kinds, sizes = np.unique(rows[groups == group], axis=0, return_counts=True)
        made.append(Stratum(kinds, sizes.astype(np.int64)))
    return Population(tuple(made))


def bootstrap(
    population: Population,
    statistics: Mapping[str, Statistic],
    *,
    confidence: float = CONFIDENCE,
    n_resamples: int = N_RESAMPLES,
    seed: int = 0,
    method: IntervalMethod = "percentile",
) -> dict[str, Estimate]:
    """Return each statistic with its interval, all from the same resamples.

    Args:
        population: what is resampled.
        statistics: by name; each takes counts, (cells, ...), and returns figures, (...), NaN where undefined.
        confidence: in (0, 1).
        n_resamples: >= 1.
        seed: of the draws, >= 0.
        method: "percentile", or "bca" (bias-corrected and accelerated).

    Raises:
        InputError: an argument is out of its range.

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
            if method == "bca":
                levels = bca_levels(population, statistic, drawn, value, levels)
            low, high = (sorted_quantile(drawn, level) for level in levels)
            spread = float(drawn.std(ddof=1)) if len(drawn) > 1 else None
            found[name] = Estimate(value, low, high, spread, n_resamples - len(drawn))
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


def _numbers(labels: Sequence[Hashable] | None, n: int, what: str) -> NDArray[np.int64]:
    """Return labels as numbers from 0 in the order of coming up; all 0 for None."""
    if labels is None:
        return np.zeros(n, np.int64)
    if len(labels) != n:
        raise InputError(f"{what} has {len(labels)} entries for {n} items: give one for each")
    numbers: dict[Hashable, int] = {}
    return np.fromiter((numbers.setdefault(label, len(numbers)) for label in labels), np.int64, n)


def _add_draws(stratum: Stratum, counts: Array, rng: np.random.Generator) -> None:
    """Add to counts, (cells, resamples), what a resample of one stratum adds up to, anew for each."""
    profiles, sizes = stratum.profiles, stratum.sizes
    n, n_resamples = int(sizes.sum()), counts.shape[1]
    if len(sizes) < 2:
        counts += (sizes @ profiles)[:, None]
    elif len(sizes) == 2:
        first = _binomial(n, float(sizes[0]) / n, n_resamples, rng)
        # n of the second kind, and a swap for each of the first; most cells are of other strata and stay.
        swap = profiles[0] - profiles[1]
        for cell in np.flatnonzero(profiles.any(axis=0)):
            counts[cell] += n * profiles[1, cell] + swap[cell] * first
    else:
        step = max(1, _BLOCK // len(sizes))
        for start in range(0, n_resamples, step):
            block = counts[:, start : start + step]
            block += profiles.T @ rng.multinomial(n, sizes / n, block.shape[1]).T.astype(np.float64)


def _binomial(n: int, p: float, count: int, rng: np.random.Generator) -> Array:
    """Return `count` draws of Binomial(n, p), 0 < p < 1.

    How often each of the n + 1 values comes up in `count` draws is itself one multinomial draw; drawing that and
    shuffling has the same law as drawing one by one, and takes a fifth of the time.
    """
    if n > _TABLE:
        return rng.binomial(n, p, count).astype(np.float64)
    steps = np.arange(n, dtype=np.float64)
    logs = np.concatenate([[0.0], np.cumsum(np.log((n - steps) / (steps + 1)))])
    values = np.arange(n + 1, dtype=np.float64)
    logs += values * np.log(p) + (n - values) * np.log1p(-p)
    weights = np.exp(logs - logs.max())
    drawn = np.repeat(values, rng.multinomial(count, weights / weights.sum()))
    rng.shuffle(drawn)
    return drawn
