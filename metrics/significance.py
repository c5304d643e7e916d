"""McNemar's exact test for two systems on the same items, Fisher's for two samples, Holm's correction for several.

All arithmetic before the last division is in whole numbers.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from lengthwise.errors import InputError


@dataclass(frozen=True, slots=True)
class McNemar:
    """The exact test of two systems on the items where only one of them is right.

    Attributes:
        only_first: items that only the first got right.
        only_second: items that only the second got right.
        p_value: two-sided, of neither being better.
    """

    only_first: int
    only_second: int
    p_value: float


def exact_mcnemar(only_first: int, only_second: int) -> McNemar:
    """Return McNemar's exact test: the items where one system alone is right are tosses of a fair coin.

    Q. McNemar, Psychometrika 12, 1947; two-sided, by doubling the smaller tail.

    Args:
        only_first: items that only the first system got right, >= 0.
        only_second: items that only the second did, >= 0.

    Raises:
        InputError: a count is negative.

    >>> exact_mcnemar(8, 1).p_value
    0.0390625
    """
    if min(only_first, only_second) < 0:
        raise InputError(f"only_first is {only_first}, only_second {only_second}: give counts from 0 on")
    n = only_first + only_second
    # P(X <= few) of Binomial(n, 1/2) in whole numbers, so that p is exact to the last bit.
    ways = tail = 1
    for drawn in range(min(only_first, only_second)):
        ways = ways * (n - drawn) // (drawn + 1)
        tail += ways
    return McNemar(only_first, only_second, min(1.0, 2 * tail / 2**n))


def exact_fisher(first: int, n_first: int, second: int, n_second: int) -> float:
    """Return the two-sided p of two independent samples having the same share of right items, exactly.

    R. A. Fisher, J. Royal Stat. Soc. 98, 1935: with all four margins held, the tables that are no more likely than the
    one found. It is conservative where items are few.

    Args:
        first: how many of n_first were right, in [0, n_first].
        n_first: size of the first sample.
        second: of n_second, likewise.
        n_second: size of the second sample.

    Raises:
        InputError: a count is not within its sample.

    >>> round(exact_fisher(3, 4, 1, 4), 4)
    0.4857
    """
    for right, n in ((first, n_first), (second, n_second)):
        if not 0 <= right <= n:
            raise InputError(f"{right} of {n} right: give a count between 0 and the size of the sample")
    right = first + second
    found = math.comb(n_first, first) * math.comb(n_second, second)
    ways = [
        math.comb(n_first, one) * math.comb(n_second, right - one)
        for one in range(max(0, right - n_second), min(n_first, right) + 1)
    ]
    return sum(way for way in ways if way <= found) / sum(ways)


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Return p-values adjusted for being several: each may be compared with the level as it is.

    S. Holm, Scandinavian Journal of Statistics 6, 1979: the chance of any false finding stays below the level.

    Args:
        p_values: in [0, 1]; None where there was no test, which counts for none and stays None.

    >>> holm([0.01, 0.04, None, 0.03])
    [0.03, 0.06, None, 0.06]
    """
    order = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    if any(not 0 <= p <= 1 for p, _ in order):
        raise InputError(f"p_values is {list(p_values)}: give numbers from 0 to 1, None where there was no test")
    adjusted: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for rank, (p, place) in enumerate(order):
        highest = max(highest, min(1.0, p * (len(order) - rank)))
        adjusted[place] = highest
    return adjusted
