"""Intervals in plain Python: exact ones (Clopper-Pearson) for a share, Newcombe's for a difference of two shares.

The exact bounds are quantiles of beta distributions: with x of n right and alpha = 1 - confidence,
low = Beta^-1(alpha/2; x, n - x + 1) and high = Beta^-1(1 - alpha/2; x + 1, n - x)
(C. J. Clopper and E. S. Pearson, Biometrika 26, 1934). The regularised incomplete beta function is its continued
fraction, evaluated by Lentz's method; it is monotone, so bisection inverts it to the last bit of a float.
"""

import math
from functools import lru_cache
from statistics import NormalDist
from typing import NamedTuple

from lengthwise.errors import InputError


class Interval(NamedTuple):
    """A closed interval: of a share, both ends in [0, 1], or of a difference of shares, in [-1, 1]."""

    low: float
    high: float


def regularised_beta(x: float, a: float, b: float) -> float:
    """Return I_x(a, b), the distribution function of a Beta(a, b) variable at x.

    Args:
        x: in [0, 1].
        a: first shape, > 0.
        b: second shape, > 0.

    >>> round(regularised_beta(0.25, 2, 1), 12)
    0.0625
    """
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        # The fraction converges fast only below the mean; above it the mirror image does.
        return 1 - regularised_beta(1 - x, b, a)
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    return math.exp(log_front) * _fraction(x, a, b) / a


def _fraction(x: float, a: float, b: float) -> float:
    """Return the continued fraction of the incomplete beta function (Lentz), to about 1e-15."""
    tiny = 1e-300
    c, d = 1.0, 1 - (a + b) * x / (a + 1)
    d = 1 / (d or tiny)
    value = d
    for m in range(1, 100_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for step in (even, odd):
            d = 1 / ((1 + step * d) or tiny)
            c = (1 + step / c) or tiny
            value *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return value


def beta_quantile(p: float, a: float, b: float) -> float:
    """Return the x in [0, 1] at which a Beta(a, b) variable's distribution function reaches p."""
    low, high = 0.0, 1.0
    while (middle := (low + high) / 2) not in (low, high):
        if regularised_beta(middle, a, b) < p:
            low = middle
        else:
            high = middle
        if high - low < 1e-15:
            break
    return (low + high) / 2


def clopper_pearson(successes: float, n: int, confidence: float = 0.95) -> Interval:
    """Return the exact interval of a share: it covers the truth with at least the given probability.

    Args:
        successes: how many of n were right, in [0, n]. A fraction is allowed (the mean count over repeated runs of the
            same n items): the beta quantiles are smooth in it.
        n: how many were tried, >= 0. Of none nothing is known: (0, 1).
        confidence: in (0, 1).

    Raises:
        InputError: an argument is out of its range.

    >>> low, high = clopper_pearson(0, 100)
    >>> low, round(high, 4)
    (0.0, 0.0362)
    """
    _check(successes, n, confidence)
    return _exact(successes, n, confidence)


@lru_cache(maxsize=4096)
def _exact(successes: float, n: int, confidence: float) -> Interval:
    """Return the interval of `clopper_pearson`: a page asks for that of the same count time and again."""
    tail = (1 - confidence) / 2
    low = beta_quantile(tail, successes, n - successes + 1) if successes > 0 else 0.0
    high = 1 - beta_quantile(tail, n - successes, successes + 1) if successes < n else 1.0
    return Interval(low, high)


def wilson(successes: float, n: int, confidence: float = 0.95) -> Interval:
    """Return the uncorrected score interval of a share (E. B. Wilson, J. Am. Stat. Assoc. 22, 1927).

    Args:
        successes: how many of n were right, in [0, n]; a fraction is allowed.
        n: how many were tried, >= 0. Of none nothing is known: (0, 1).
        confidence: in (0, 1).

    Raises:
        InputError: an argument is out of its range.

    >>> low, high = wilson(81, 263)
    >>> round(low, 4), round(high, 4)
    (0.2553, 0.3662)
    """
    _check(successes, n, confidence)
    if n == 0:
        return Interval(0.0, 1.0)
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share, spare = successes / n, z * z / n
    middle = share + spare / 2
    half = z * math.sqrt(share * (1 - share) / n + spare / (4 * n))
    # At the edges the ends are the edges, which rounding would miss.
    low = (middle - half) / (1 + spare) if successes > 0 else 0.0
    high = (middle + half) / (1 + spare) if successes < n else 1.0
    return Interval(low, high)


def newcombe(first: float, n_first: int, second: float, n_second: int, confidence: float = 0.95) -> Interval:
    """Return an interval of the difference of two shares of independent samples, first minus second.

    Wilson's two intervals, their distances from the shares added in squares: method 10 of R. G. Newcombe, Statistics
    in Medicine 17, 1998 (873-890). Not for two systems on the same items, whose difference is known better.

    Args:
        first: how many of n_first were right, in [0, n_first]; a fraction is allowed.
        n_first: how many were tried, >= 0.
        second: of n_second, likewise.
        n_second: how many were tried, >= 0. Where either sample is empty nothing is known: (-1, 1).
        confidence: in (0, 1).

    Raises:
        InputError: an argument is out of its range.

    >>> low, high = newcombe(56, 70, 48, 80)
    >>> round(low, 4), round(high, 4)
    (0.0524, 0.3339)
    """
    one, other = wilson(first, n_first, confidence), wilson(second, n_second, confidence)
    if not n_first or not n_second:
        return Interval(-1.0, 1.0)
    shares = first / n_first, second / n_second
    value = shares[0] - shares[1]
    return Interval(
        value - math.hypot(shares[0] - one.low, other.high - shares[1]),
        value + math.hypot(one.high - shares[0], shares[1] - other.low),
    )


def _check(successes: float, n: int, confidence: float) -> None:
    if not 0 < confidence < 1:
        raise InputError(f"confidence is {confidence}: give a number between 0 and 1, such as 0.95")
    if n < 0 or not 0 <= successes <= n:
        raise InputError(f"successes is {successes} of n = {n}: give a count between 0 and n")
