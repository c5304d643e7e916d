"""Draws for a novel: integers in blocks, and shuffled decks that even out how often each line is used."""

from lengthwise.builders.streams import Part, Stream

_BLOCK = 4096


class Draws:
    """Integers from one stream, raw words of which are fetched a block at a time.

    Args:
        parts: the key; see `Stream`.
        block: how many words to fetch at once; it changes no draw.
    """

    def __init__(self, *parts: Part, block: int = _BLOCK) -> None:
        self._stream = Stream(*parts)
        self._block = block
        self._words: list[int] = []

    def below(self, bound: int) -> int:
        """Return an integer of 0 to `bound` - 1; some are likelier than others by at most 2**-64 times `bound`."""
        if not self._words:
            self._words = self._stream.words(self._block).tolist()
            self._words.reverse()
        return self._words.pop() * bound >> 64

    def between(self, low: int, high: int) -> int:
        """Return an integer of `low` to `high`, both included."""
        return low + self.below(high - low + 1)

    def chance(self, percent: int) -> bool:
        """Return True in `percent` of 100 cases."""
        return self.below(100) < percent

    def weighted(self, weights: list[int]) -> int:
        """Return a place in `weights`, drawn in their proportion; at least one is above 0."""
        left = self.below(sum(weights))
        for place, weight in enumerate(weights):
            left -= weight
            if left < 0:
                return place
        raise AssertionError("unreachable: the draw is below the sum")

    def spread(self, size: int, low: float, high: float) -> list[float]:
        """Return `size` numbers in order, one in each of as many equal parts of `low` to `high`."""
        step = (high - low) / max(size, 1)
        return [low + step * (place + 0.15 + 0.7 * self.below(1 << 20) / (1 << 20)) for place in range(size)]

    def shuffled(self, size: int) -> list[int]:
        """Return 0 to `size` - 1 in random order."""
        order = list(range(size))
        for last in range(size - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order


class Deck:
    """The lines of a section in shuffled order, shuffled again when all have come up.

    Every line comes up once before any comes up twice, and none of the last third of a round in the first third of
    the next one; so between two uses of a line lie at least a third of the others.

    Attributes:
        size: how many lines.
        drawn: how many draws so far.
    """

    __slots__ = ("_draws", "_order", "_recent", "drawn", "size")

    def __init__(self, size: int, draws: Draws) -> None:
        self.size = size
        self.drawn = 0
        self._draws = draws
        self._order: list[int] = []
        self._recent: list[int] = []

    def draw(self) -> int:
        """Return the next line's place, 0 to `size` - 1."""
        if not self._order:
            self._order = self._round()
            self._order.reverse()
        self.drawn += 1
        return self._order.pop()

    @property
    def cycles(self) -> float:
        """How many times each line has come up on average."""
        return self.drawn / self.size

    def _round(self) -> list[int]:
        order, third = self._draws.shuffled(self.size), self.size // 3
        recent = set(self._recent)
        first = [line for line in order if line not in recent][:third]
        head = set(first)
        order = first + [line for line in order if line not in head]
        # With two lines a third is none, but the same line twice in a row is still a stammer.
        if self.size == 2 and self._recent == order[:1]:
            order.reverse()
        self._recent = order[self.size - max(1, third) :]
        return order
