"""Whole numbers of two to five digits, odd or even (A.5)."""

from lengthwise.builders.streams import Stream

from ..pool import Instance
from .draws import POOL_VERSION

# The bounds of the paper's pool, both included.
LOW, HIGH = 15, 99_967


def generate(count: int, seed: int) -> list[Instance]:
    """Return different numbers with their parity; a longer list begins with a shorter one.

    Args:
        count: how many, at most as many as there are (99,953).
        seed: another seed, other numbers.

    Raises:
        ValueError: there are not so many.

    >>> [(one.text, one.label) for one in generate(3, 42)]
    [('48271', 'odd'), ('20177', 'odd'), ('3694', 'even')]
    """
    drawn = Stream("multi-instance", POOL_VERSION, "parity", seed).sample(HIGH - LOW + 1, count) + LOW
    return [Instance(str(number), "odd" if number % 2 else "even") for number in drawn.tolist()]
