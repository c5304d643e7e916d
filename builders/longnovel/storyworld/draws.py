"""Single random draws for the ledger: whole numbers from raw words, which a stream gives by the batch."""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from lengthwise.builders.streams import Stream

T = TypeVar("T")
# Words fetched at a time: a call costs as much as some hundred of them.
_BATCH = 512


class Draws:
    """Uniform draws, fixed by the parts of the key.

    Args:
        parts: of the key; see `Stream`.

    >>> Draws("demo", 1).below(100) == Draws("demo", 1).below(100)
    True
    """

    def __init__(self, *parts: str | int) -> None:
        self._stream = Stream(*parts)
        self._words: list[int] = []

    def below(self, bound: int) -> int:
        """Return a number of 0 to `bound` - 1: the top bits of a raw word, drawn again where they are too large."""
        bits = (bound - 1).bit_length()
        if not bits:
            return 0
        while True:
            if not self._words:
                self._words = self._stream.words(_BATCH).tolist()
            drawn = self._words.pop() >> (64 - bits)
            if drawn < bound:
                return drawn

    def between(self, low: int, high: int) -> int:
        """Return a number of `low` to `high`, both included."""
        return low + self.below(high - low + 1)

    def chance(self, percent: int) -> bool:
        """Return True in so many of a hundred cases."""
        return self.below(100) < percent

    def one(self, values: Sequence[T]) -> T:
        """Return one of the values."""
        return values[self.below(len(values))]

    def shuffled(self, values: Sequence[T]) -> list[T]:
        """Return the values in random order."""
        order = list(values)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order

    def two(self, values: Sequence[T]) -> tuple[T, T]:
        """Return two different places' values, either order as likely: a truth and its rival."""
        first = self.below(len(values))
        second = self.below(len(values) - 1)
        return values[first], values[second + (second >= first)]

    def apart(self, low: int, high: int, fits: Callable[[int, int], bool]) -> tuple[int, int] | None:
        """Return two numbers of `low` to `high` that fit together: a truth and its rival.

        Both are drawn alike and thrown away together, so that neither is the larger more often than the other.

        Args:
            low: least value.
            high: largest value.
            fits: whether a pair will do; its answer must not depend on the order.
        """
        for _ in range(64):
            first, second = self.between(low, high), self.between(low, high)
            if fits(first, second):
                return first, second
        return None


class Deck(Generic[T]):
    """Cards that are dealt in random order, all before one comes up again.

    Args:
        draws: what to shuffle by.
        cards: what is dealt, each once.
    """

    def __init__(self, draws: Draws, cards: Sequence[T]) -> None:
        self._draws = draws
        self._cards = list(cards)
        self._left: list[T] = []

    def deal(self, fits: Callable[[T], bool] = lambda card: True) -> T | None:
        """Return the next card that fits; those passed over keep their place. None where no card fits."""
        for fresh in (False, True):
            if fresh:
                self._left += self._draws.shuffled(self._cards)
            for place, card in enumerate(self._left):
                if fits(card):
                    del self._left[place]
                    return card
        # What was laid on top is taken off again: a deck does not grow by asking in vain.
        del self._left[len(self._left) - len(self._cards) :]
        return None

    def several(self, count: int, fits: Callable[[T], bool] = lambda card: True) -> list[T] | None:
        """Return different cards that fit, in random order, so that any may take another's part; None if too few."""
        found: list[T] = []
        for _ in range(count):
            card = self.deal(lambda one: one not in found and fits(one))
            if card is None:
                self._left = found + self._left
                return None
            found.append(card)
        return self._draws.shuffled(found)
