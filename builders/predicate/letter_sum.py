"""Word lists in which the letters of one window of k words add up to a given total: a k-ary predicate.

Beyond the paper, which names predicates of more than two words as future work (section 5). A letter counts as its
place in the English alphabet, a = 1 to z = 26, whatever the alphabet of the words.
"""

from math import isqrt

import numpy as np
from numpy.typing import NDArray

from ..streams import Part, Stream
from ..tokens import load_tokenizer
from .assembly import Key, Lists, finish, planted
from .instance import Predicate, Unplantable, WordList
from .sizing import Order, cut, draw_pool
from .words import ENGLISH, Letters, WordShape, draw_list, text

_TRIES = 1000


def word_sums(letters: Letters, shape: WordShape) -> NDArray[np.int64]:
    """Return the letter sum of each word, N."""
    values = np.array([0, *(ENGLISH.index(letter) + 1 for letter in shape.alphabet)])
    sums: NDArray[np.int64] = values[letters].sum(axis=1)
    return sums


def plant_total(key: tuple[Part, ...], letters: Letters, shape: WordShape, k: int) -> tuple[Letters, Predicate]:
    """Return the pool with its first k words edited to an unusual total, and the predicate that asks for it.

    The total lies about three standard deviations above the mean of a window, so few windows have it by accident and
    no single word gives it away.

    Raises:
        Unplantable: the words cannot reach it.
    """
    sums = word_sums(letters, shape)
    # In whole numbers, so that no rounding of a machine's can move the total: mean S / n, variance (n Q - S S) / n n.
    count, total_sum, squares = len(sums), int(sums.sum()), int((sums * sums).sum())
    spread = isqrt(k * (count * squares - total_sum * total_sum)) // count
    total = k * total_sum // count + 3 * spread + Stream(*key, "total").below(max(1, spread // 2))
    made = letters.copy()
    stream = Stream(*key, "raise")
    cells = np.argwhere(made[:k] > 0)
    for _ in range(100 * len(cells)):
        missing = total - int(word_sums(made[:k], shape).sum())
        if missing == 0:
            text = f"the letters of all {k} words together add up to {total}, counting a = 1, b = 2, ..., z = 26"
            return made, Predicate("letter-sum", -1, {"total": total}, text)
        row, column = cells[stream.below(len(cells))]
        step = 1 if missing > 0 else -1
        made[row, column] = min(len(shape.alphabet), max(1, int(made[row, column]) + step))
    raise Unplantable(f"words of this shape cannot reach a letter sum of {total} in {k} words")


def break_totals(
    stream: Stream, order: NDArray[np.int64], sums: NDArray[np.int64], target: int, k: int, total: int
) -> NDArray[np.int64]:
    """Return the list with no window of the wanted total but the target's, by swaps of words outside it.

    Raises:
        Unplantable: no swap helps.
    """
    made = order.copy()
    for _ in range(_TRIES):
        cumulated = np.concatenate([[0], np.cumsum(sums[made])])
        found = np.setdiff1d(np.flatnonzero(cumulated[k:] - cumulated[:-k] == total), [target])
        if not len(found):
            return made
        movable = [place for place in range(found[0], found[0] + k) if not target <= place < target + k]
        if not movable:
            break
        p, q = movable[stream.below(len(movable))], stream.below(len(made))
        if not target <= q < target + k:
            made[[p, q]] = made[[q, p]]
    raise Unplantable(f"windows of letter sum {total} cannot be broken up")


def letter_sum_lists(order: Order) -> Lists:
    """Return the one list of an index.

    Raises:
        InputError: the size or the settings leave no place for the window.
    """
    return {("plain", 1): planted(order, order.key, lambda key: _list(order, key))}


def _list(order: Order, key: Key) -> WordList:
    settings, shape, k = order.settings, order.shape, order.settings.k
    # The total depends on the spread of the pool's words, so the size of the pool must not hang on the question, whose
    # length the total changes.
    letters, _ = draw_pool(order, order.size.tokens, lambda count: draw_list(key, shape, max(count, k)), 0.006)
    letters, predicate = plant_total(key, letters, shape, k)
    counts = load_tokenizer(settings.tokenizer).word_counts(text(letters, shape.alphabet))
    n_words = cut(order, "plain", order.room("plain", (predicate,)), counts, 2 * k)
    target = Stream(*key, "target").below(n_words - k + 1)
    others = np.arange(k, n_words)
    made = np.concatenate([others[:target], np.arange(k), others[target:]])
    total = int(predicate.parameters["total"])
    final = break_totals(Stream(*key, "fixup"), made, word_sums(letters, shape), target, k, total)
    return finish(order, letters, counts, final, targets=(target,), predicates=(predicate,))
