"""The lexicographic families: one pool, the baseline from it, decoys in the baseline, and the numbered lists."""

import numpy as np
from numpy.typing import NDArray

from ..streams import Stream
from . import lex
from .assembly import Key, Lists, finish, planted
from .instance import LEX, WordList
from .sizing import Order, cut, draw_pool
from .words import codes, draw_list


def lex_lists(order: Order) -> Lists:
    """Return the wanted lists of one index.

    Raises:
        InputError: the size or the settings leave no place for what is to be planted.
    """
    settings, shape, key = order.settings, order.shape, order.key
    k, size = settings.k, settings.k + 2
    room = order.room("plain", (LEX,))
    letters, counts = draw_pool(order, room, lambda count: draw_list(key, shape, count), 0.006)
    pool = codes(letters, len(shape.alphabet))

    def rest(first: int, n_words: int) -> NDArray[np.int64]:
        # Words of one length are in random order as drawn; several lengths are spread evenly and need mixing.
        if len(shape.lengths) == 1:
            return np.arange(first, n_words)
        return first + Stream(*key, "mix").permutation(n_words - first)

    def finished(made: lex.Arrangement) -> WordList:
        starts = (0, *sorted(made.bounds))
        return finish(
            order, letters, counts, made.order, targets=(made.target,), predicates=(LEX,), decoys=made.decoys,
            list_starts=starts,
        )  # fmt: skip

    lists: Lists = {}
    names = {name for name, _ in order.wanted}
    if names - {"lists"}:
        n_words = cut(order, "plain", room, counts, size)
        base = planted(order, key, lambda key: lex.locate(key, pool, n_words, k, rest(size, n_words)))
        if "plain" in names:
            lists["plain", 1] = finished(base)
        for name in sorted(names & {"scattered", "clustered"}):
            # One block more than are wanted: the target may stand so that a block does not fit on either side of it.
            cut(order, name, room, counts, (size + 1) * (2 + settings.decoys))
            radius = settings.radius if name == "clustered" else None

            def with_decoys(key: Key, radius: int | None = radius) -> lex.Arrangement:
                return lex.near_sorted(key, base, pool, k, settings.decoys, radius)

            lists[name, 1] = finished(planted(order, key, with_decoys))
    if "lists" in names:
        # Each list holds what reaches into it from both sides, and the target's block has to fit into one of them.
        several = cut(order, "lists", order.room("lists", (LEX,)), counts, settings.lists * 3 * size)
        others = rest(settings.lists * size, several)
        made = planted(order, key, lambda key: lex.lists(key, pool, several, k, settings.lists, others))
        lists["lists", 1] = finished(made)
    return lists
