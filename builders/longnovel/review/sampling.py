"""Which pairs people look at: drawn by scale and language in proportion, and the same on any machine."""

from collections import defaultdict
from collections.abc import Sequence

from lengthwise.builders.streams import Stream
from lengthwise.errors import InputError

from .pairs import PairKey

PAPER_SAMPLE = 102
"""Pairs that the paper's two annotators saw: 204 summaries (section 3.4)."""


def sample_pairs(keys: Sequence[PairKey], size: int = PAPER_SAMPLE, seed: int = 42) -> list[PairKey]:
    """Return `size` pairs in the order in which they are shown, or all where there are no more.

    Each stratum (scale and language) gives its share of them, rounded so that they add up and none is left out that
    could have one. The order is drawn over all, so that whoever stops half-way has seen something of each.

    Args:
        keys: of all pairs, in any order.
        size: >= 1.
        seed: of the draws.

    Raises:
        InputError: `size` is less than 1.
    """
    if size < 1:
        raise InputError(f"--sample {size}: must be at least 1")
    strata: dict[tuple[str, str], list[PairKey]] = defaultdict(list)
    for key in sorted(keys):
        strata[key.scale, key.language].append(key)
    chosen = []
    for (scale, language), count in shares({name: len(group) for name, group in strata.items()}, size).items():
        group = strata[scale, language]
        drawn = Stream("longnovel", "review", "pairs", seed, scale, language).sample(len(group), count)
        chosen += [group[place] for place in drawn.tolist()]
    chosen.sort()
    order = Stream("longnovel", "review", "order", seed).permutation(len(chosen))
    return [chosen[place] for place in order.tolist()]


def shares(sizes: dict[tuple[str, str], int], total: int) -> dict[tuple[str, str], int]:
    """Return how many of each stratum are drawn: in proportion, by largest remainders, at least one where it goes.

    >>> shares({("s", "en"): 60, ("s", "zh"): 30, ("xl", "zh"): 1}, 10)
    {('s', 'en'): 6, ('s', 'zh'): 3, ('xl', 'zh'): 1}
    """
    whole = sum(sizes.values())
    total = min(total, whole)
    least = 1 if total >= len(sizes) else 0
    counts = {name: max(least, size * total // whole) for name, size in sizes.items()}

    # What is due to a stratum beyond what it has, in units of 1/whole.
    def due(name: tuple[str, str]) -> int:
        return sizes[name] * total - counts[name] * whole

    while (missing := total - sum(counts.values())) != 0:
        if missing > 0:
            counts[max((one for one in counts if counts[one] < sizes[one]), key=due)] += 1
        else:
            counts[min((one for one in counts if counts[one] > least), key=due)] -= 1
    return counts
