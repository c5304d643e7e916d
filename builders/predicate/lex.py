"""Word lists with one ascending run of length k (paper, A.2): plants, decoys, lists, and the fixup of accidents.

The words of a list are a pool drawn once; the target's block takes its first k + 2 words, decoys or boundary blocks
take the next, and all other words keep their order around them. So the same pool serves every arrangement, and a
variant with decoys differs from its baseline only where a decoy stands.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..streams import Part, Stream
from .instance import Decoy, Unplantable
from .placement import scatter
from .words import Codes

# Swaps tried per accidental run before the draw is given up.
_TRIES = 400


@dataclass
class Arrangement:
    """A list in the making: which word of the pool stands where, and which places may not be touched.

    Attributes:
        order: index into the pool for each place of the list.
        codes: the code of the word at each place.
        protected: 1 where target, decoy or boundary block stand.
        bounds: places where a new list begins; no run crosses them.
        target: first place of the target's run.
        decoys: what was planted beside it.
    """

    order: list[int]
    codes: list[int]
    protected: bytearray
    bounds: frozenset[int]
    target: int
    decoys: tuple[Decoy, ...] = ()

    def swap(self, p: int, q: int) -> None:
        """Exchange the words at two places."""
        self.order[p], self.order[q] = self.order[q], self.order[p]
        self.codes[p], self.codes[q] = self.codes[q], self.codes[p]

    def run_at(self, place: int) -> tuple[int, int]:
        """Return the maximal ascending run through `place`: its first place and one past its last."""
        codes, bounds, start, end = self.codes, self.bounds, place, place + 1
        while start > 0 and start not in bounds and codes[start - 1] < codes[start]:
            start -= 1
        while end < len(codes) and end not in bounds and codes[end - 1] < codes[end]:
            end += 1
        return start, end


def plant_block(words: NDArray[np.int64], pool: Codes) -> list[int]:
    """Return k + 2 pool indices in the order of a plant (Algorithm 2): largest, the run of k, smallest.

    Neither flank can extend the run: the word before it is larger than its first, the word behind smaller than its
    last.
    """
    ascending = words[np.argsort(pool[words], kind="stable")].tolist()
    return [ascending[-1], *ascending[1:-1], ascending[0]]


def near_sorted_block(stream: Stream, words: NDArray[np.int64], pool: Codes) -> list[int]:
    """Return a plant with one interior pair of its run swapped (Algorithm 4); needs k >= 4."""
    block = plant_block(words, pool)
    k = len(block) - 2
    # 1-based places j and j + 1 of the run, j uniform in 2..k-2: the pair touches neither end of the run.
    j = 2 + stream.below(k - 3)
    block[j], block[j + 1] = block[j + 1], block[j]
    return block


def locate(key: tuple[Part, ...], pool: Codes, n_words: int, k: int, rest: NDArray[np.int64]) -> Arrangement:
    """Return the baseline (Algorithm 3): the target's block at a uniform place, no other run of k or more.

    Args:
        key: parts of the streams' keys.
        pool: codes of all words of the pool.
        n_words: length of the list.
        k: length of the run.
        rest: the pool indices of the other words, in order; n_words - k - 2 of them.

    Raises:
        Unplantable: the accidental runs cannot be broken up.
    """
    start = Stream(*key, "target").below(n_words - k - 1)
    block = plant_block(np.arange(k + 2), pool)
    order = np.concatenate([rest[:start], block, rest[start:]])
    protected = bytearray(n_words)
    protected[start : start + k + 2] = bytes([1]) * (k + 2)
    made = Arrangement(order.tolist(), pool[order].tolist(), protected, frozenset(), start + 1)
    break_runs(Stream(*key, "fixup"), made, k)
    return made


def near_sorted(
    key: tuple[Part, ...], base: Arrangement, pool: Codes, k: int, count: int, radius: int | None
) -> Arrangement:
    """Return the baseline with `count` near-sorted decoys (A.2.4), scattered, or clustered within `radius` words.

    The decoys' words are the pool's next count * (k + 2) ones, which in the baseline stand where they fell: each
    changes places with the word at the place it goes to.

    Raises:
        Unplantable: the blocks do not fit, or the accidental runs cannot be broken up.
    """
    size, n_words = k + 2, len(base.order)
    target = (base.target - 1, base.target + k + 1)
    low, high = (0, n_words) if radius is None else _around(target, radius, n_words)
    layout = "scattered" if radius is None else "clustered"
    starts = scatter(Stream(*key, "places", layout), low, high, target, size, count)
    made = Arrangement(base.order[:], base.codes[:], bytearray(base.protected), base.bounds, base.target)
    first = size
    where = {made.order[place]: place for place in range(n_words) if made.order[place] < first + count * size}
    pairs = Stream(*key, "pairs")
    for number, start in enumerate(starts):
        words = np.arange(first + number * size, first + (number + 1) * size)
        for place, word in enumerate(near_sorted_block(pairs, words, pool), start):
            other, moved = where[word], made.order[place]
            made.swap(place, other)
            where[word], where[moved] = place, other
        made.protected[start : start + size] = bytes([1]) * size
    made.decoys = tuple(Decoy(start + 1, k, "near-sorted") for start in starts)
    break_runs(Stream(*key, "fixup", layout), made, k)
    return made


def _around(target: tuple[int, int], radius: int, n_words: int) -> tuple[int, int]:
    """Return the window of `radius` words on each side of the target; at an edge it is moved, not made smaller."""
    width = min(n_words, target[1] - target[0] + 2 * radius)
    low = min(max(0, target[0] - radius), n_words - width)
    return low, low + width


def lists(
    key: tuple[Part, ...], pool: Codes, n_words: int, k: int, count: int, rest: NDArray[np.int64]
) -> Arrangement:
    """Return `count` lists with a run of k across every boundary and the target inside one of them (A.2.5).

    Args:
        key: parts of the streams' keys.
        pool: codes of all words of the pool.
        n_words: length of all lists together.
        k: length of the runs.
        count: number of lists.
        rest: pool indices of the words that are in no block, in order.

    Raises:
        Unplantable: the lists are too short, or the accidental runs cannot be broken up.
    """
    size = k + 2
    cuts = [round(number * n_words / count) for number in range(count + 1)]
    draws = Stream(*key, "boundaries")
    # The cut falls strictly inside the run: 1 to k - 1 of its words stand before it, and the flank before those.
    starts = [cut - 1 - (1 + draws.below(k - 1)) for cut in cuts[1:-1]]
    # What is free in each list: behind the block that reaches in from its left, before the one on its right.
    free = [
        (left + size + 1 if number else cuts[0], right - 1 if number < count - 1 else cuts[-1])
        for number, (left, right) in enumerate(zip([0, *starts], [*starts, n_words], strict=True))
    ]
    roomy = [number for number, (low, high) in enumerate(free) if high - low >= size]
    fits = starts[0] >= 0 and starts[-1] + size <= n_words if starts else True
    if not fits or not roomy or any(low - 1 > high + 1 for low, high in free):
        raise Unplantable(
            f"{count} lists of {n_words // count} words are too short for runs of {k} across their bounds"
        )
    draws = Stream(*key, "target-list")
    low, high = free[roomy[draws.below(len(roomy))]]
    target = low + draws.below(high - low - size + 1)
    blocks = {target: plant_block(np.arange(size), pool)}
    for number, start in enumerate(starts, 1):
        blocks[start] = plant_block(np.arange(number * size, (number + 1) * size), pool)
    order = np.empty(n_words, dtype=np.int64)
    protected = bytearray(n_words)
    for place, block in blocks.items():
        order[place : place + size] = block
        protected[place : place + size] = bytes([1]) * size
    order[np.frombuffer(protected, dtype=np.uint8) == 0] = rest
    decoys = tuple(Decoy(start + 1, k, "boundary-run") for start in starts)
    made = Arrangement(order.tolist(), pool[order].tolist(), protected, frozenset(cuts[1:-1]), target + 1, decoys)
    break_runs(Stream(*key, "fixup", "lists"), made, k)
    return made


def break_runs(stream: Stream, made: Arrangement, k: int) -> None:
    """Destroy every run of k or more words but the target's, by swaps (the fixup of Algorithm 3).

    For each such run the unprotected word nearest its middle changes places with a random unprotected word, and the
    swap stays if the run gets shorter and no new one comes up on either side. Only the neighbourhood of a swap is
    looked at, so the cost is that of one scan and a few hundred swaps.

    Raises:
        Unplantable: a run has no word that may be moved, or no partner was found.
    """
    partners = _endless(stream, len(made.order))
    todo = runs_of(made, k)
    while todo:
        start, end = todo.pop()
        # Earlier swaps may have changed what stands here, and what is left of a long run may still be too long.
        here = {made.run_at(place) for place in range(start, end)}
        long = [run for run in sorted(here) if run[1] - run[0] >= k and run[0] != made.target]
        if long:
            _shorten(made, *long[0], k, partners)
            todo.append((min(start, long[0][0]), max(end, long[0][1])))


def runs_of(made: Arrangement, k: int) -> list[tuple[int, int]]:
    """Return all maximal ascending runs of k words or more, from one vectorised difference."""
    codes = np.array(made.codes, dtype=np.int64)
    breaks = np.flatnonzero(codes[:-1] >= codes[1:]) + 1
    if made.bounds:
        breaks = np.union1d(breaks, np.array(sorted(made.bounds)))
    edges = np.concatenate([[0], breaks, [len(codes)]])
    long = np.flatnonzero(np.diff(edges) >= k)
    return [(int(edges[i]), int(edges[i + 1])) for i in long]


def _shorten(made: Arrangement, start: int, end: int, k: int, partners: Iterator[int]) -> None:
    middle = (start + end - 1) // 2
    movable = [place for place in range(start, end) if not made.protected[place]]
    if not movable:
        raise Unplantable(f"the run at {start} consists of planted words")
    p = min(movable, key=lambda place: abs(place - middle))
    for q in (next(partners) for _ in range(_TRIES)):
        if made.protected[q] or start - 1 <= q <= end:
            continue
        made.swap(p, q)
        if _longest_at(made, p) < end - start and _longest_at(made, q) < k:
            return
        made.swap(p, q)
    raise Unplantable(f"no swap breaks the run of {end - start} words at {start}")


def _longest_at(made: Arrangement, place: int) -> int:
    """Return the length of the longest run, the target's apart, that a change at `place` can have made."""
    beside = range(max(0, place - 1), min(len(made.order), place + 2))
    return max((end - start for start, end in map(made.run_at, beside) if start != made.target), default=0)


def _endless(stream: Stream, bound: int) -> Iterator[int]:
    while True:
        yield from stream.integers(bound, 1024).tolist()
