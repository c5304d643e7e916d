from collections import Counter
from itertools import combinations, pairwise

import pytest

from lengthwise.builders.predicate.instance import Unplantable
from lengthwise.builders.predicate.placement import scatter
from lengthwise.builders.streams import Stream

# low, high, (target, its end), size of a block, number of blocks
CASES = [
    (0, 12, (4, 7), 2, 2),
    (0, 12, (0, 3), 2, 2),
    (0, 12, (9, 12), 2, 2),
    (3, 15, (8, 10), 1, 3),
    (0, 9, (4, 5), 1, 1),
    (0, 14, (6, 8), 2, 4),
]


def allowed(low: int, high: int, target: tuple[int, int], size: int, count: int) -> set[tuple[int, ...]]:
    """Return every set of starts in which blocks touch neither each other nor the target, by trying all."""
    free = [start for start in range(low, high - size + 1) if start + size < target[0] or start > target[1]]
    return {starts for starts in combinations(free, count) if all(b - a > size for a, b in pairwise(starts))}


@pytest.mark.parametrize("case", CASES)
def test_every_arrangement_is_equally_likely(case: tuple[int, int, tuple[int, int], int, int]) -> None:
    expected, stream = allowed(*case), Stream("placement")
    draws = 150 * len(expected)
    counts = Counter(tuple(scatter(stream, *case)) for _ in range(draws))
    assert {*counts} == expected
    assert all(90 < count < 220 for count in counts.values())


@pytest.mark.parametrize("case", [(0, 9, (3, 6), 3, 1), (0, 20, (8, 12), 3, 5), (5, 5, (5, 5), 1, 1)])
def test_what_does_not_fit_is_refused(case: tuple[int, int, tuple[int, int], int, int]) -> None:
    assert allowed(*case) == set()
    with pytest.raises(Unplantable, match="do not fit"):
        scatter(Stream("placement"), *case)


def test_eight_blocks_in_a_long_list_keep_apart() -> None:
    starts = scatter(Stream("placement"), 0, 30_000, (15_000, 15_007), 7, 8)
    edges = sorted([*starts, 15_000])
    assert len(starts) == 8 and all(b - a > 7 for a, b in pairwise(edges))
