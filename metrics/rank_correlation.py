"""Rank correlation with ties: Spearman's rho and Kendall's tau-b, each with a two-sided p-value.

The p-values are exact up to eight pairs: the share of all orders of one variable in which the figure is as far from 0.
Beyond, rho is tested by Student's t with n - 2 degrees of freedom, and tau by the normal approximation with the
variance that ties leave (M. G. Kendall, *Rank Correlation Methods*, 4th edition, 1970, chapter 4).
"""

import math
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import permutations
from statistics import NormalDist

from lengthwise.errors import InputError

from .intervals import regularised_beta

# Up to so many pairs all orders are gone through: 40,320 of them.
MOST_EXACT = 8


@dataclass(frozen=True, slots=True)
class RankCorrelation:
    """A rank correlation.

    Attributes:
        value: in [-1, 1]; None of fewer than two pairs, or where one variable does not vary.
        p_value: two-sided, of no association; None where `value` is, and of two pairs.
        n: pairs.
        exact: whether the p-value is over all orders.
    """

    value: float | None
    p_value: float | None
    n: int
    exact: bool = False


def ranks(values: Sequence[float]) -> list[float]:
    """Return the rank of each value from 1, equal values sharing the mean of their ranks.

    >>> ranks([10, 30, 20, 30])
    [1.0, 3.5, 2.0, 3.5]
    """
    order = sorted(range(len(values)), key=values.__getitem__)
    found = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end < len(order) and values[order[end]] == values[order[start]]:
            end += 1
        for place in order[start:end]:
            found[place] = (start + 1 + end) / 2
        start = end
    return found


def spearman(first: Sequence[float], second: Sequence[float]) -> RankCorrelation:
    """Return Spearman's rho: the correlation of the ranks.

    Args:
        first: numbers.
        second: as many.

    Raises:
        InputError: they differ in length, or one is NaN.

    >>> spearman([1, 2, 3, 4, 5], [5, 6, 7, 8, 7]).value
    0.8207826816681233
    """
    _check(first, second)
    n = len(first)
    one, other = _centred(ranks(first)), _centred(ranks(second))
    scale = math.sqrt(math.fsum(a * a for a in one) * math.fsum(b * b for b in other))
    if not scale:
        return RankCorrelation(None, None, n)

    def rho(order: Sequence[float]) -> float:
        return math.fsum(a * b for a, b in zip(one, order, strict=True)) / scale

    value = max(-1.0, min(1.0, rho(other)))
    if n < 3:
        return RankCorrelation(value, None, n)
    if n <= MOST_EXACT:
        return RankCorrelation(value, _exact(rho, other, value), n, exact=True)
    if abs(value) == 1:
        return RankCorrelation(value, 0.0, n)
    squared = value * value * (n - 2) / (1 - value * value)
    return RankCorrelation(value, regularised_beta((n - 2) / (n - 2 + squared), (n - 2) / 2, 0.5), n)


def kendall(first: Sequence[float], second: Sequence[float]) -> RankCorrelation:
    """Return Kendall's tau-b: concordant minus discordant pairs, over the geometric mean of the pairs without ties.

    Args:
        first: numbers.
        second: as many.

    Raises:
        InputError: they differ in length, or one is NaN.

    >>> round(kendall([1, 2, 3, 4, 5], [5, 6, 7, 8, 7]).value, 6)
    0.737865
    """
    _check(first, second)
    n = len(first)
    pairs = n * (n - 1) // 2
    tied = [Counter(first).values(), Counter(second).values()]
    scale = math.sqrt(math.prod(pairs - sum(t * (t - 1) // 2 for t in ties) for ties in tied))
    if not scale:
        return RankCorrelation(None, None, n)

    def tau(order: Sequence[float]) -> float:
        return _concordance(first, order) / scale

    value = tau(second)
    if n < 3:
        return RankCorrelation(value, None, n)
    if n <= MOST_EXACT:
        return RankCorrelation(value, _exact(tau, second, value), n, exact=True)
    z = abs(value) * scale / math.sqrt(_variance(n, tied))
    return RankCorrelation(value, min(1.0, 2 * (1 - NormalDist().cdf(z))), n)


def _check(first: Sequence[float], second: Sequence[float]) -> None:
    if len(first) != len(second):
        raise InputError(f"second: {len(second)} values for {len(first)}; give one for each")
    if any(math.isnan(value) for value in (*first, *second)):
        raise InputError("first, second: hold NaN, which has no rank; leave the pair out")


def _centred(values: Sequence[float]) -> list[float]:
    mean = math.fsum(values) / len(values) if values else 0.0
    return [value - mean for value in values]


def _concordance(first: Sequence[float], second: Sequence[float]) -> int:
    """Return the number of concordant minus that of discordant pairs."""
    total = 0
    for i in range(len(first)):
        for j in range(i):
            a, b = first[i] - first[j], second[i] - second[j]
            total += ((a > 0) - (a < 0)) * ((b > 0) - (b < 0))
    return total


def _exact(figure: Callable[[Sequence[float]], float], order: Sequence[float], value: float) -> float:
    """Return the share of all orders whose figure is at least as far from 0."""
    found = [abs(figure(one)) >= abs(value) - 1e-12 for one in permutations(order)]
    return sum(found) / len(found)


def _variance(n: int, ties: Sequence[Collection[int]]) -> float:
    """Return the variance of concordant minus discordant pairs, given the sizes of each variable's groups of ties."""
    threes = [sum(t * (t - 1) * (2 * t + 5) for t in group) for group in ties]
    twos = [sum(t * (t - 1) for t in group) for group in ties]
    triples = [sum(t * (t - 1) * (t - 2) for t in group) for group in ties]
    variance = (n * (n - 1) * (2 * n + 5) - sum(threes)) / 18 + math.prod(twos) / (2 * n * (n - 1))
    return variance + math.prod(triples) / (9 * n * (n - 1) * (n - 2))
