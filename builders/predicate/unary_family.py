"""The unary families: one pool with a predicate written into each target word, the baseline, and its near misses."""

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from lengthwise.errors import InputError

from ..streams import Stream
from ..tokens import load_tokenizer
from . import unary
from .assembly import Key, Lists, finish, planted
from .instance import Decoy, Predicate, Unplantable, WordList
from .predicates import draw_predicates, satisfied
from .sizing import Order, cut, draw_pool
from .variants import Arrangement
from .words import Letters, draw_list, text


def unary_lists(order: Order) -> Lists:
    """Return the wanted lists of one index; those with another number of targets are lists of their own.

    Raises:
        InputError: the size or the settings leave no place for what is to be planted.
    """
    lists: Lists = {}
    for targets in sorted({targets for _, targets in order.wanted}):
        key = order.key if targets == 1 else (*order.key, f"{targets} targets")
        # The baseline is made whether or not it is wanted: near misses stand in it, and must not depend on that.
        base, plain = planted(order, key, partial(_baseline, order, targets=targets))
        if ("plain", targets) in order.wanted:
            lists["plain", targets] = plain
        if ("near-miss", targets) in order.wanted:
            lists["near-miss", targets] = planted(order, base.key, partial(_near_misses, base))
    return lists


@dataclass(frozen=True)
class _Base:
    """A baseline in the making.

    Attributes:
        order: what is wanted.
        key: under which the pool was drawn.
        letters: the pool, its first words the targets'.
        counts: tokens of each of its words.
        predicates: the conditions.
        starts: first place of each target in the baseline.
        room: tokens that the words may take; None where their number is fixed.
    """

    order: Order
    key: Key
    letters: Letters
    counts: NDArray[np.int64]
    predicates: tuple[Predicate, ...]
    starts: tuple[int, ...]
    room: int | None

    @property
    def reserved(self) -> int:
        """Words of the pool that are targets'."""
        return len(self.starts) * len(self.predicates)


def _baseline(order: Order, key: Key, targets: int) -> tuple[_Base, WordList]:
    settings, shape, k = order.settings, order.shape, order.settings.k
    reserved = targets * k
    predicates = draw_predicates(Stream(*key, "predicates"), shape, order.kinds, k, settings.string_length)
    room = order.room("plain", predicates)

    def make(count: int) -> Letters:
        drawn = unary.write_targets(key, draw_list(key, shape, max(count, reserved)), shape, predicates, targets)
        return unary.thin(key, drawn, shape, predicates, reserved)

    letters, counts = draw_pool(order, room, make, 0.012)
    n_words = cut(order, "plain", room, counts, 2 * reserved)
    # Uniform over all ways to place the windows without overlap.
    drawn = np.sort(Stream(*key, "target").sample(n_words - targets * (k - 1), targets))
    starts = tuple(int(start) + number * (k - 1) for number, start in enumerate(drawn))
    base = _Base(order, key, letters, counts, predicates, starts, room)
    return base, _arranged(base, key, "plain", letters, counts, n_words, np.empty(0, np.int64))


def _near_misses(base: _Base, key: Key) -> WordList:
    settings, shape, k = base.order.settings, base.order.shape, base.order.settings.k
    misses = unary.near_misses(key, base.letters, shape, base.predicates, base.reserved, settings.near_miss)
    edited = np.concatenate(misses.groups)
    fresh = base.counts.copy()
    fresh[edited] = load_tokenizer(settings.tokenizer).word_counts(text(misses.letters[edited], shape.alphabet))
    n_words, chosen = _cut_near_misses(base.counts, fresh, misses, settings.near_miss, base.room)
    wanted = unary.how_many(n_words, settings.near_miss)
    if not wanted:
        raise InputError(f"near-miss {settings.near_miss} of {n_words:,} words is not one word: give more of either")
    if len(chosen) < wanted * k:
        raise Unplantable(f"{wanted * k} near misses do not fit among {n_words:,} words")
    letters, counts = base.letters.copy(), base.counts.copy()
    letters[chosen], counts[chosen] = misses.letters[chosen], fresh[chosen]
    return _arranged(base, key, "near-miss", letters, counts, n_words, chosen)


def _arranged(
    base: _Base,
    key: Key,
    name: Arrangement,
    letters: Letters,
    counts: NDArray[np.int64],
    n_words: int,
    near: NDArray[np.int64],
) -> WordList:
    k, targets = base.order.settings.k, len(base.starts)
    # Where a list is a few words shorter than its baseline, a target at the very end moves up to fit.
    places = [min(start, n_words - k * (targets - number)) for number, start in enumerate(base.starts)]
    made = np.full(n_words, -1)
    for number, place in enumerate(places):
        made[place : place + k] = np.arange(number * k, number * k + k)
    made[made < 0] = np.arange(base.reserved, n_words)
    holds = satisfied(letters[:n_words], base.order.shape, base.predicates)
    final = unary.break_windows(Stream(*key, "fixup", name), made, holds, places, k)
    is_near = np.zeros(n_words, dtype=bool)
    is_near[near] = True
    decoys = tuple(Decoy(place, 1, "near-miss") for place in np.flatnonzero(is_near[final]).tolist())
    return finish(base.order, letters, counts, final, targets=places, predicates=base.predicates, decoys=decoys)


def _cut_near_misses(
    plain: NDArray[np.int64],
    edited: NDArray[np.int64],
    misses: unary.NearMisses,
    share: float,
    room: int | None,
) -> tuple[int, NDArray[np.int64]]:
    """Return the largest list that fits, and which of its words are near misses: their share depends on its length."""

    def total(n_words: int) -> int:
        chosen = np.concatenate(misses.chosen(n_words, share))
        return int(plain[:n_words].sum() + (edited[chosen] - plain[chosen]).sum())

    low, high = 0, len(plain)
    if room is None or total(high) <= room:
        return high, np.concatenate(misses.chosen(high, share))
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if total(middle) <= room else (low, middle)
    return low, np.concatenate(misses.chosen(low, share))
