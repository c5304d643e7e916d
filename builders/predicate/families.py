"""The data families: one entry each. A new family is a function from an `Order` to its lists.

A family draws its pool of words once, counts its tokens once, cuts it where the budget ends, and arranges it in every
way that the wanted variants ask for. So lists that differ in arrangement alone share their words, and one encoding
serves them all.
"""

from collections.abc import Callable

from .assembly import Lists
from .letter_sum import letter_sum_lists
from .lex_family import lex_lists
from .sizing import Order
from .unary_family import unary_lists
from .variants import Family

_FAMILIES: dict[Family, Callable[[Order], Lists]] = {
    "unary": unary_lists,
    "shape": unary_lists,
    "lex": lex_lists,
    "lex-short": lex_lists,
    "letter-sum": letter_sum_lists,
}


def build_lists(order: Order) -> Lists:
    """Return the wanted lists of one index.

    Raises:
        InputError: the size or the settings leave no place for what is to be planted.
    """
    return _FAMILIES[order.family](order)
