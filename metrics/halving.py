"""The size at which success halves: where a falling curve of shares comes to half of what it is at the smallest size.

The shares are first made to fall (isotonic regression: neighbours that rise are replaced by their weighted mean), so
that noise cannot make the curve cross twice; then the crossing is read off straight lines between sizes on a
logarithmic axis. The interval is of the bootstrap over seeds: all samples of as many seeds as there are, each exactly
once where these are few, and drawn at random where they are many. Of few seeds it is rough, and rather too narrow.
"""

import math
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import TypeAlias

from lengthwise.errors import InputError

Counts: TypeAlias = Mapping[int, tuple[float, int]]
"""Size -> how many were right, and of how many."""

# Up to so many seeds all of their samples are gone through (1,716 of seven).
_MOST_EXACT = 7
_DRAWS = 2_000


@dataclass(frozen=True, slots=True)
class HalfSize:
    """The size at which success halves.

    Attributes:
        start: the fitted share at the smallest size, of which half is looked for.
        size: where it halves, as a number between two sizes; infinite: never within the sizes given.
        low: lower end of the interval, likewise; None without one (fewer than two seeds).
        high: upper end.
        n_seeds: seeds.
        smallest: size given.
        largest: size given.
    """

    start: float
    size: float
    low: float | None
    high: float | None
    n_seeds: int
    smallest: int
    largest: int


def falling(shares: Sequence[float], weights: Sequence[float]) -> list[float]:
    """Return the closest shares, by weighted squares, that never rise.

    >>> falling([1.0, 0.2, 0.6, 0.0], [1, 1, 1, 1])
    [1.0, 0.4, 0.4, 0.0]
    """
    blocks: list[tuple[float, float, int]] = []
    for share, weight in zip(shares, weights, strict=True):
        blocks.append((share, weight, 1))
        while len(blocks) > 1 and blocks[-2][0] < blocks[-1][0]:
            (one, heavy, n), (other, light, m) = blocks[-2:]
            blocks[-2:] = [((one * heavy + other * light) / (heavy + light), heavy + light, n + m)]
    return [share for share, _, n in blocks for _ in range(n)]


def crossing(sizes: Sequence[int], shares: Sequence[float], level: float) -> float:
    """Return the first size at which falling shares come to a level, between sizes on a logarithmic axis.

    Args:
        sizes: rising, at least 1.
        shares: one a size, never rising.
        level: below the first share.

    Returns:
        The size; infinite if no share is that low.

    >>> round(crossing([10, 1000], [1.0, 0.0], 0.5))
    100
    """
    for place in range(1, len(sizes)):
        above, below = shares[place - 1], shares[place]
        if below <= level:
            part = (above - level) / (above - below)
            start, end = math.log(sizes[place - 1]), math.log(sizes[place])
            return math.exp(start + part * (end - start))
    return math.inf


def half_size(seeds: Mapping[int, Counts], confidence: float = 0.95) -> HalfSize | None:
    """Return where success halves; None where it is 0 at the smallest size, or there are not two sizes.

    Args:
        seeds: the counts of each seed, by size; not every seed needs every size.
        confidence: of the interval, in (0, 1).

    Raises:
        InputError: a size below 1, or a count of more than there are.

    >>> found = half_size({1: {2: (1, 1), 8: (0, 1)}, 2: {2: (1, 1), 8: (0, 1)}})
    >>> round(found.size, 6), round(found.low, 6), round(found.high, 6)
    (4.0, 4.0, 4.0)
    """
    for counts in seeds.values():
        for size, (right, n) in counts.items():
            if size < 1 or not 0 <= right <= n:
                raise InputError(f"seeds: {right} right of {n} at size {size}; give sizes from 1 and counts within n")
    whole = _crossing_of(list(seeds.values()))
    if whole is None:
        return None
    start, half = whole
    sizes = sorted({size for counts in seeds.values() for size, (_, n) in counts.items() if n})
    interval = _interval(list(seeds.values()), confidence) if len(seeds) > 1 else (None, None)
    return HalfSize(start, half, *interval, len(seeds), sizes[0], sizes[-1])


def _crossing_of(seeds: Sequence[Counts]) -> tuple[float, float] | None:
    """Return the fitted share at the smallest size, and where it halves; None where that cannot be told."""
    total: dict[int, tuple[float, int]] = {}
    for counts in seeds:
        for size, (right, n) in counts.items():
            old = total.get(size, (0.0, 0))
            total[size] = (old[0] + right, old[1] + n)
    sizes = sorted(size for size, (_, n) in total.items() if n)
    shares = falling([total[size][0] / total[size][1] for size in sizes], [total[size][1] for size in sizes])
    if len(sizes) < 2 or shares[0] <= 0:
        return None
    return shares[0], crossing(sizes, shares, shares[0] / 2)


def _interval(seeds: Sequence[Counts], confidence: float) -> tuple[float | None, float | None]:
    found: list[tuple[float, float]] = []
    for sample, weight in _samples(len(seeds)):
        one = _crossing_of([seeds[place] for place in sample])
        if one is not None:
            found.append((one[1], weight))
    total = math.fsum(weight for _, weight in found)
    if not total:
        return None, None
    found.sort()
    tail = (1 - confidence) / 2
    return _quantile(found, tail * total), _quantile(found, (1 - tail) * total)


def _samples(n: int) -> Iterator[tuple[Sequence[int], float]]:
    """Yield samples of n out of n with replacement, each with how often it comes among all of them."""
    if n <= _MOST_EXACT:
        for sample in combinations_with_replacement(range(n), n):
            ways = math.factorial(n)
            for count in Counter(sample).values():
                ways //= math.factorial(count)
            yield sample, float(ways)
    else:
        # Of Python's generator only `random` is promised to give the same numbers in every version.
        draw = random.Random(0).random
        for _ in range(_DRAWS):
            yield [int(n * draw()) for _ in range(n)], 1.0


def _quantile(ordered: Sequence[tuple[float, float]], at: float) -> float:
    """Return the first value up to which at least so much weight lies."""
    passed = 0.0
    for value, weight in ordered:
        passed += weight
        if passed >= at - 1e-9:
            return value
    return ordered[-1][0]
