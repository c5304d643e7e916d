"""Which instances a prompt holds: the authors' recipe, to the bit, from the indices that their filter left.

Alone in this package these draws use Python's `random`: published selections can be had in no other way, and its
`sample` and `shuffle` have been stable for a seed since Python 3.2 (3.11 for what they accept).
"""

import random
from collections.abc import Mapping, Sequence

from lengthwise.errors import InputError

# Seeds of the two shuffled orders of each sample with seed 1 (5.1).
SHUFFLE_SEEDS = (6, 7)


def random_selections(retained: Sequence[int], sizes: Sequence[int], seeds: Sequence[int]) -> dict[str, list[int]]:
    """Return samples of each size for each seed.

    One generator a seed goes on from size to size, so a sample depends on the sizes before it: it equals the published
    one only if those are 2, 5, 10, 20, 50, ... from the start.

    Args:
        retained: indices to draw from, in any order, each once.
        sizes: numbers of instances, each from 1 to `len(retained)`.
        seeds: any integers.

    Returns:
        `random_<size>_seed<seed>` -> sorted indices.

    Raises:
        InputError: a size is out of range, or an index comes twice.

    >>> random_selections(range(10), (2, 5), (1,))
    {'random_2_seed1': [1, 2], 'random_5_seed1': [1, 3, 4, 6, 7]}
    """
    population = _population(retained, sizes)
    found: dict[str, list[int]] = {}
    for seed in seeds:
        generator = random.Random(seed)
        for size in sizes:
            found[f"random_{size}_seed{seed}"] = sorted(generator.sample(population, size))
    return found


def shuffled(indices: Sequence[int], seed: int) -> list[int]:
    """Return the indices in the order of a fresh generator with this seed.

    >>> shuffled([289, 606], 6)
    [606, 289]
    """
    order = list(indices)
    random.Random(seed).shuffle(order)
    return order


def length_selections(
    word_counts: Sequence[int] | Mapping[int, int], retained: Sequence[int], sizes: Sequence[int]
) -> dict[str, list[int]]:
    """Return the shortest and the longest instances, nested: a larger set holds every smaller one.

    Instances of equal length are taken by index; the order of the authors' ties is not known, so their sets agree with
    these in lengths, not in every index.

    Args:
        word_counts: index -> length in words (in characters where words are not parted by spaces).
        retained: indices to choose from, each once.
        sizes: numbers of instances, each from 1 to `len(retained)`.

    Returns:
        `shortest_<size>` and `longest_<size>` -> sorted indices.

    Raises:
        InputError: a size is out of range, or an index comes twice.

    >>> length_selections([4, 1, 3, 3], range(4), (2,))
    {'shortest_2': [1, 2], 'longest_2': [0, 2]}
    """
    population = _population(retained, sizes)
    shortest = sorted(population, key=lambda index: word_counts[index])
    longest = sorted(population, key=lambda index: -word_counts[index])
    return {
        f"{name}_{size}": sorted(order[:size])
        for size in sizes
        for name, order in (("shortest", shortest), ("longest", longest))
    }


def _population(retained: Sequence[int], sizes: Sequence[int]) -> list[int]:
    population = sorted(retained)
    if len(set(population)) != len(population):
        raise InputError("retained: an index comes twice; give each once")
    for size in sizes:
        if not 1 <= size <= len(population):
            raise InputError(
                f"sizes: {size} of {len(population)} instances cannot be taken; give 1 to {len(population)}"
            )
    return population
