"""Near-sorted decoys made of a document's own words (paper appendix A.4.3, Algorithm 8).

A decoy goes between two neighbours of which the first comes after the second, so whatever ran up to the one or from
the other on is as long as before, and the decoy itself is held by both: its lowest word comes before the left
neighbour, its highest after the right one. The target therefore stays the only run of its length by construction.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lengthwise.errors import InputError

from ..streams import Stream
from .document_filter import ascending_runs, rank_words
from .instance import Decoy

MIN_K = 4
# Two words between neighbouring decoys, and between a decoy and the target: each is held by flanks of its own.
GAP = 2
_DRAWS = 256
_ROUNDS = 64


@dataclass(frozen=True)
class Planted:
    """A document's word list with decoys in it.

    Attributes:
        words: the list, `k` words longer for each decoy.
        target_start: index of the target's first word in `words`.
        decoys: by start, as indices into `words`; their kind is "near-sorted".
    """

    words: list[str]
    target_start: int
    decoys: tuple[Decoy, ...]


def insert_near_sorted(
    words: Sequence[str], run_start: int, k: int, stream: Stream, count: int = 8, radius: int | None = None
) -> Planted:
    """Insert blocks of `k` words that ascend but for one pair inside.

    Args:
        words: the document's words; the run of `k` words at `run_start` is their only one that long.
        run_start: index of the target's first word.
        k: length of target and decoys, 4 or more: a shorter block has no pair to swap that is not at its end.
        stream: gives all random draws.
        count: decoys to insert (the paper's D = 8).
        radius: None scatters them over the document. Otherwise they go where at most `radius` words of the document
            are between them and the target (clustered).

    Raises:
        InputError: `k` is below 4, `count` or `radius` negative, the target not the only run of `k` or more words,
            or there are too few places for `count` decoys.
    """
    if k < MIN_K:
        raise InputError(f"k is {k}: near-sorted decoys need k >= {MIN_K}, so that the swapped pair is inside")
    if count < 0 or (radius is not None and radius < 0):
        raise InputError(f"count is {count} and radius {radius}: give 0 or more")
    ranks = rank_words(words)
    starts, lengths = ascending_runs(ranks)
    if starts[lengths >= k].tolist() != [run_start] or lengths.max() != k:
        raise InputError(
            f"run_start {run_start}: the run of {k} words there is not the only one of {k} or more; "
            f"give a document that the filter accepted"
        )
    usable = _boundaries(ranks, run_start, k, radius)
    where = "in the document" if radius is None else f"within {radius:,} words of the target"
    while True:
        room = capacity(usable)
        if room < count:
            raise InputError(
                f"count is {count}: only {room} decoys fit {where} ({len(usable)} places, of which no two may touch); "
                f"lower the count{'' if radius is None else ' or widen the radius'}"
            )
        drawn = {boundary: _draw_block(ranks, boundary, k, stream) for boundary in _choose(usable, count, stream)}
        blocks = {boundary: block for boundary, block in drawn.items() if block is not None}
        if len(blocks) == count:
            break
        # Neighbours near the ends of the alphabet ask for words that may be too rare to come up: such places are out.
        usable = usable[~np.isin(usable, [boundary for boundary in drawn if boundary not in blocks])]
    return _insert(words, run_start, k, {boundary: blocks[boundary] for boundary in sorted(blocks)})


def capacity(places: NDArray[np.int64]) -> int:
    """Return how many of these ascending places can be taken with `GAP` words between any two: the leftmost first."""
    taken, free_from = 0, 0
    for place in places.tolist():
        if place >= free_from:
            taken, free_from = taken + 1, place + GAP
    return taken


def _boundaries(ranks: NDArray[np.int64], run_start: int, k: int, radius: int | None) -> NDArray[np.int64]:
    """Return every b, ascending, at which a block may be inserted before word b."""
    places = np.flatnonzero(ranks[:-1] > ranks[1:]).astype(np.int64) + 1
    distance = np.maximum(run_start - places, places - (run_start + k))
    return places[(distance >= GAP) & (distance <= (len(ranks) if radius is None else radius))]


def _choose(places: NDArray[np.int64], count: int, stream: Stream) -> list[int]:
    """Choose `count` places, `GAP` apart, at random; `capacity(places)` is at least `count`."""
    chosen: list[int] = []
    free = places
    for place in places[stream.permutation(len(places))].tolist():
        missing = count - len(chosen) - 1
        if missing < 0:
            break
        rest = free[np.abs(free - place) >= GAP]
        # A place excludes at most itself and its two neighbours, so room is short only where few are left.
        fits = len(rest) >= 3 * missing or capacity(rest) >= missing
        if fits and place in free:
            chosen.append(place)
            free = rest
    return chosen


def _draw_block(ranks: NDArray[np.int64], boundary: int, k: int, stream: Stream) -> list[int] | None:
    """Draw k different words that fit before word `boundary`, as indices: in order, then one inner pair swapped."""
    for _ in range(_ROUNDS):
        drawn = stream.integers(len(ranks), _DRAWS * k).reshape(_DRAWS, k)
        ordered = np.sort(ranks[drawn], axis=1)
        good = (np.diff(ordered, axis=1) > 0).all(axis=1)
        good &= (ordered[:, 0] < ranks[boundary - 1]) & (ordered[:, -1] > ranks[boundary])
        if good.any():
            row = drawn[int(good.argmax())]
            block: list[int] = row[np.argsort(ranks[row])].tolist()
            j = 1 + stream.below(k - 3)
            block[j], block[j + 1] = block[j + 1], block[j]
            return block
    return None


def _insert(words: Sequence[str], run_start: int, k: int, blocks: dict[int, list[int]]) -> Planted:
    """Put the blocks in; their boundaries ascend."""
    parts: list[str] = []
    decoys: list[Decoy] = []
    done = 0
    for boundary, block in blocks.items():
        parts += words[done:boundary]
        decoys.append(Decoy(len(parts), k, "near-sorted"))
        parts += [words[index] for index in block]
        done = boundary
    parts += words[done:]
    return Planted(parts, run_start + k * sum(boundary <= run_start for boundary in blocks), tuple(decoys))
