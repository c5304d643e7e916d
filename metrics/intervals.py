"""Exact (Clopper-Pearson) intervals for a share, in plain Python.

The bounds are quantiles of beta distributions: with x of n right and alpha = 1 - confidence,
low = Beta^-1(alpha/2; x, n - x + 1) and high = Beta^-1(1 - alpha/2; x + 1, n - x)
(C. J. Clopper and E. S. Pearson, Biometrika 26, 1934). The regularised incomplete beta function is its continued
fraction, evaluated by Lentz's method; it is monotone, so bisection inverts it to the last bit of a float.
"""

import math
from typing import NamedTuple

from lengthwise.errors import InputError


class Interval(NamedTuple):
    """A closed interval of a share, both ends in [0, 1]."""

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
    if not 0 < confidence < 1:
        raise InputError(f"confidence is {confidence}: give a number between 0 and 1, such as 0.95")
    if n < 0 or not 0 <= successes <= n:
        raise InputError(f"successes is {successes} of n = {n}: give a count between 0 and n")
    tail = (1 - confidence) / 2
    low = beta_quantile(tail, successes, n - successes + 1) if successes > 0 else 0.0
    high = 1 - beta_quantile(tail, n - successes, successes + 1) if successes < n else 1.0
    return Interval(low, high)
