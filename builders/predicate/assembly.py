"""What every family does at the end: try until a draw holds the plants, and turn places into a finished list."""

from collections.abc import Callable, Sequence
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..streams import Part, has_repeats
from .instance import Decoy, Predicate, Unplantable, WordList, too_tight
from .sizing import Order
from .variants import Arrangement
from .words import Letters, codes, text

Key: TypeAlias = tuple[Part, ...]
# By arrangement and number of targets.
Lists: TypeAlias = dict[tuple[Arrangement, int], WordList]
T = TypeVar("T")

_ATTEMPTS = 25


def planted(order: Order, key: Key, make: Callable[[Key], T]) -> T:
    """Return what `make` gives for the first key that works: `key`, then `key` with 1, 2, ... behind it.

    Each step of a family has attempts of its own, so that a decoy that does not fit never changes the list below it:
    rows must not depend on what else is built.

    Raises:
        InputError: no attempt held the plants.
    """
    problem = Unplantable("")
    for attempt in range(_ATTEMPTS):
        try:
            return make((*key, attempt) if attempt else key)
        except Unplantable as error:
            problem = error
    raise too_tight(f"{order.family} lists of {order.size.key} with k = {order.settings.k}", problem)


def finish(
    order: Order,
    letters: Letters,
    counts: NDArray[np.int64],
    places: NDArray[np.int64] | list[int],
    *,
    targets: Sequence[int],
    predicates: tuple[Predicate, ...],
    decoys: tuple[Decoy, ...] = (),
    list_starts: tuple[int, ...] = (0,),
) -> WordList:
    """Return the finished list.

    Args:
        order: what was wanted.
        letters: the pool.
        counts: tokens of each of its words.
        places: index into the pool for each place of the list.
        targets: see `WordList`, as are the rest.
        predicates: the conditions.
        decoys: what was planted beside the targets.
        list_starts: first word of each list.

    Raises:
        Unplantable: a word stands in the list twice.
    """
    places = np.asarray(places)
    arranged = letters[places]
    if has_repeats(codes(arranged, len(order.shape.alphabet))):
        raise Unplantable("a word came up twice")
    k = order.settings.k
    return WordList(
        text(arranged, order.shape.alphabet),
        len(arranged),
        int(counts[places].sum()),
        k,
        tuple(targets),
        tuple(tuple(text(arranged[start : start + k], order.shape.alphabet).split()) for start in targets),
        predicates,
        decoys,
        list_starts,
    )
