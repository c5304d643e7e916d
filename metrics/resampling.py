"""Resampling from counts: its cost does not grow with the number of items.

An item is what it adds to the counts that a figure is computed from, its *profile* (one more right answer of class 1,
say). Items of one profile are alike, so resampling n items is one multinomial draw over the profiles; of two profiles
it is a binomial. Rows that share a source (a book, a document) are resampled together: the profile of a *cluster* is
the sum of its rows. Two systems on the same items, or several runs, are joint profiles; that keeps the pairing.

The draws come from a generator of their own, seeded, never from the global state. They are those of NumPy's
`Generator`, whose streams may change between NumPy versions: the same seed gives the same interval on one version,
and on another the same up to Monte Carlo noise.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lengthwise.errors import InputError

Array: TypeAlias = NDArray[np.float64]

N_RESAMPLES = 10_000

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
        """Return the counts of `n_resamples` resamples, (cells, n_resamples).

        Each column is a resample; the columns are in no random order, so take all of them.
        """
        rng = np.random.default_rng(seed)
        counts = np.zeros((len(self.totals), n_resamples))
        for place, stratum in enumerate(self.strata):
            # Strata meet in random order if all but one are shuffled.
            _add_draws(stratum, counts, rng, shuffle=place > 0)
        return counts


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


def _numbers(labels: Sequence[Hashable] | None, n: int, what: str) -> NDArray[np.int64]:
    """Return labels as numbers from 0 in the order of coming up; all 0 for None."""
    if labels is None:
        return np.zeros(n, np.int64)
    if len(labels) != n:
        raise InputError(f"{what} has {len(labels)} entries for {n} items: give one for each")
    numbers: dict[Hashable, int] = {}
    return np.fromiter((numbers.setdefault(label, len(numbers)) for label in labels), np.int64, n)


def _add_draws(stratum: Stratum, counts: Array, rng: np.random.Generator, *, shuffle: bool) -> None:
    """Add to counts, (cells, resamples), what a resample of one stratum adds up to, anew for each."""
    profiles, sizes = stratum.profiles, stratum.sizes
    n, n_resamples = int(sizes.sum()), counts.shape[1]
    if len(sizes) < 2:
        counts += (sizes @ profiles)[:, None]
    elif len(sizes) == 2:
        first = _binomial(n, float(sizes[0]) / n, n_resamples, rng, shuffle)
        # n of the second kind, and a swap for each of the first; most cells are of other strata and stay.
        swap = profiles[0] - profiles[1]
        for cell in np.flatnonzero(profiles.any(axis=0)):
            counts[cell] += n * profiles[1, cell] + swap[cell] * first
    else:
        step = max(1, _BLOCK // len(sizes))
        for start in range(0, n_resamples, step):
            block = counts[:, start : start + step]
            block += profiles.T @ rng.multinomial(n, sizes / n, block.shape[1]).T.astype(np.float64)


def _binomial(n: int, p: float, count: int, rng: np.random.Generator, shuffle: bool) -> Array:
    """Return `count` draws of Binomial(n, p), 0 < p < 1, in random order only with `shuffle`.

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
    if shuffle:
        rng.shuffle(drawn)
    return drawn
