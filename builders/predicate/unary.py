"""Word lists in which one window satisfies k predicates, one a position (paper, A.3), with or without near misses.

The pool's first words are the targets, one predicate written into each; all others satisfy at most one (of the rare
ones, see `predicates`). A near miss is a word of the pool into which one predicate was written. Windows that satisfy
all predicates by accident are broken by swaps, so the words, and with them the token count and the share of near
misses, stay what they are.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from ..streams import Part, Stream, has_repeats
from .instance import Predicate, Unplantable
from .predicates import UNARY, satisfied
from .words import Letters, WordShape, codes, draw_list

_TRIES = 1000


def write_targets(
    key: tuple[Part, ...], letters: Letters, shape: WordShape, predicates: tuple[Predicate, ...], targets: int
) -> Letters:
    """Return the pool with each of its first targets * k words satisfying the predicate of its position.

    Raises:
        Unplantable: a predicate could not be written into a word.
    """
    k = len(predicates)
    made = letters.copy()
    stream = Stream(*key, "write-targets")
    for place in range(targets * k):
        predicate = predicates[place % k]
        made[place : place + 1] = _write(stream, made[place : place + 1], shape, predicate)
    return made


def thin(
    key: tuple[Part, ...], letters: Letters, shape: WordShape, predicates: tuple[Predicate, ...], first: int
) -> Letters:
    """Return the pool with every word from `first` on that satisfies several rare predicates drawn anew (A.3, (i)).

    Raises:
        Unplantable: the predicates leave no such words.
    """
    made = letters.copy()
    rare = tuple(predicate for predicate in predicates if UNARY[predicate.kind].rare)

    def several(words: Letters) -> NDArray[np.int64]:
        return np.flatnonzero(satisfied(words, shape, rare).sum(axis=1) > 1)

    todo = first + several(made[first:]) if len(rare) > 1 else np.empty(0, np.int64)
    for round_number in range(64):
        if not len(todo):
            break
        fresh = draw_list((*key, "thin", round_number), shape, len(todo))
        made[todo] = fresh
        todo = todo[several(fresh)]
    if len(todo) or has_repeats(codes(made, len(shape.alphabet))):
        raise Unplantable("words that satisfy several predicates could not be replaced by fresh ones")
    return made


@dataclass(frozen=True)
class NearMisses:
    """What near misses could be made of a pool, before it is known how many are wanted.

    Attributes:
        letters: the pool with every candidate edited.
        groups: for each predicate, the candidates' places in the pool, in the order in which they are taken.
    """

    letters: Letters
    groups: tuple[NDArray[np.int64], ...]

    def chosen(self, n_words: int, share: float) -> tuple[NDArray[np.int64], ...]:
        """Return, for a list of the pool's first `n_words`, the places edited for each predicate.

        They are `how_many` each; fewer only where the list leaves out so much of the pool that candidates run short.
        """
        wanted = how_many(n_words, share)
        return tuple(group[group < n_words][:wanted] for group in self.groups)


def how_many(n_words: int, share: float) -> int:
    """Return the near misses of each predicate in a list (A.3): floor(share * N), for `share` as it is written.

    >>> how_many(100, 0.29), int(0.29 * 100)
    (29, 28)
    """
    return math.floor(Fraction(str(share)) * n_words)


def near_misses(
    key: tuple[Part, ...],
    letters: Letters,
    shape: WordShape,
    predicates: tuple[Predicate, ...],
    first: int,
    share: float,
) -> NearMisses:
    """Return candidates for near misses among the words from `first` on (3.3.2, A.3).

    Every predicate gets a group of its own of the words that satisfy none so far; a word is drawn anew until, edited,
    it satisfies exactly its one predicate.

    Args:
        key: parts of the streams' keys.
        letters: the pool, N x L.
        shape: of the words.
        predicates: the conditions.
        first: place of the first word that may be edited.
        share: of all words, per predicate.

    Raises:
        Unplantable: too few words are free, or a predicate cannot be satisfied alone.
    """
    k = len(predicates)
    made = letters.copy()
    free = first + np.flatnonzero(~satisfied(letters[first:], shape, predicates).any(axis=1))
    free = free[Stream(*key, "near-miss-order").permutation(len(free))]
    # The list takes only the pool's first words, and the candidates lie anywhere in it: a margin makes up for those
    # that are cut off.
    wanted = how_many(len(letters), share)
    size = min(wanted + wanted // 20 + 16, len(free) // k)
    if size < wanted:
        raise Unplantable(f"{wanted * k} near misses do not fit into {len(free)} free words")
    groups = tuple(free[number * size : (number + 1) * size] for number in range(k))
    used = set(codes(letters, len(shape.alphabet)).tolist())
    for number, (predicate, group) in enumerate(zip(predicates, groups, strict=True)):
        stream = Stream(*key, "near-miss", number)
        todo, fresh = group, letters[group]
        for round_number in range(64):
            edited = UNARY[predicate.kind].enforce(stream, fresh, shape, predicate.parameters)
            holds = satisfied(edited, shape, predicates)
            good = holds[:, number] & (holds.sum(axis=1) == 1)
            for place, code in enumerate(codes(edited, len(shape.alphabet)).tolist()):
                good[place] &= code not in used
                if good[place]:
                    used.add(code)
            made[todo[good]] = edited[good]
            todo = todo[~good]
            if not len(todo):
                break
            fresh = draw_list((*key, "near-miss-words", number, round_number), shape, len(todo))
        if len(todo):
            raise Unplantable(f"no word satisfies only the condition {predicate.text!r}")
    return NearMisses(made, groups)


def break_windows(
    stream: Stream, order: NDArray[np.int64], holds: NDArray[np.bool_], targets: Sequence[int], k: int
) -> NDArray[np.int64]:
    """Return the list with no window that satisfies all predicates in order, but the targets.

    Args:
        stream: where the draws come from.
        order: index into the pool for each place, N.
        holds: which predicates each word of the pool satisfies.
        targets: first places of the windows to keep.
        k: their length.

    Raises:
        Unplantable: an accidental window consists of target words, or no swap breaks it.
    """
    made = order.copy()
    protected = np.zeros(len(made), dtype=bool)
    for target in targets:
        protected[target : target + k] = True
    while True:
        found = np.setdiff1d(windows(holds[made]), targets)
        if not len(found):
            return made
        movable = [place for place in range(found[0], found[0] + k) if not protected[place]]
        if not movable:
            raise Unplantable("the targets' own words make another answer")
        p = movable[stream.below(len(movable))]
        for _ in range(_TRIES):
            q = stream.below(len(made))
            if protected[q]:
                continue
            made[[p, q]] = made[[q, p]]
            if not any(_window_near(holds, made, place, k) for place in (p, q)):
                break
            made[[p, q]] = made[[q, p]]
        else:
            raise Unplantable(f"no swap breaks the window at {found[0]}")


def windows(holds: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the first places of all windows whose j-th word satisfies the j-th predicate for all j."""
    k = holds.shape[1]
    last = len(holds) - k + 1
    if last < 1:
        return np.empty(0, np.int64)
    every = holds[:last, 0].copy()
    for position in range(1, k):
        every &= holds[position : last + position, position]
    return np.flatnonzero(every)


def _window_near(holds: NDArray[np.bool_], order: NDArray[np.int64], place: int, k: int) -> bool:
    low = max(0, place - k + 1)
    return bool(len(windows(holds[order[low : place + k]])))


def _write(stream: Stream, word: Letters, shape: WordShape, predicate: Predicate) -> Letters:
    kind = UNARY[predicate.kind]
    for _ in range(_TRIES):
        edited = kind.enforce(stream, word, shape, predicate.parameters)
        if kind.holds(edited, shape, predicate.parameters)[0]:
            return edited
    raise Unplantable(f"the condition {predicate.text!r} could not be written into a word")
