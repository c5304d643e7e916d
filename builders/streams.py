"""Random draws that are the same everywhere, from raw 64-bit words.

NumPy promises stable streams for the raw output of its bit generators, not for the methods of `Generator`; so the
integers, permutations and samples that the builders need are made here, from Philox's raw words. A stream's key is
the SHA-256 of its parts: two streams with different parts are independent, and nothing outside the parts (global
generators, `PYTHONHASHSEED`, the order in which workers run) can change one.
"""

import hashlib

import numpy as np
from numpy.typing import NDArray

Part = str | int

# Up to here a sample is the head of a permutation; beyond it, drawing again what came up twice is cheaper.
_SMALL = 1 << 17
# Up to here a table over all values is cheaper than sorting those that were drawn.
_TABLE = 1 << 22


def has_repeats(values: NDArray[np.int64]) -> bool:
    """Return whether a value occurs twice; sorting is several times as fast as `np.unique` here."""
    ordered = np.sort(values)
    return bool((ordered[1:] == ordered[:-1]).any())


def first_places(values: NDArray[np.int64], bound: int) -> NDArray[np.bool_]:
    """Return for each value whether it comes up there for the first time.

    Args:
        values: each in 0 to `bound` - 1.
        bound: where it is small, a table of that size takes the place of sorting.
    """
    places = np.arange(len(values))
    if bound > _TABLE:
        if not has_repeats(values):
            return np.ones(len(values), dtype=bool)
        first = np.zeros(len(values), dtype=bool)
        first[np.unique(values, return_index=True)[1]] = True
        return first
    table = np.empty(bound, dtype=np.int64)
    # Of several places the one that is written last stays: written backwards, that is the first.
    table[values[::-1]] = places[::-1]
    firsts: NDArray[np.bool_] = table[values] == places
    return firsts


class Stream:
    """A source of uniform draws, fixed by the parts of its key.

    Args:
        parts: strings and integers; the order counts. `Stream("a", 1)` and `Stream("a", "1")` are the same stream.

    Raises:
        ValueError: a part holds the separator, a newline.

    >>> Stream("demo", 1, 7).integers(10, 5).tolist() == Stream("demo", 1, 7).integers(10, 5).tolist()
    True
    """

    def __init__(self, *parts: Part) -> None:
        texts = [str(part) for part in parts]
        if any("\n" in text for text in texts):
            raise ValueError(f"a part of a stream's key holds a newline: {texts}")
        key = hashlib.sha256("\n".join(texts).encode()).digest()
        # Philox takes a 128-bit key; half of a SHA-256 has no collisions among any streams we could make.
        self._raw = np.random.Philox(key=int.from_bytes(key[:16], "little"))

    def words(self, count: int) -> NDArray[np.uint64]:
        """Return the next `count` raw words, uniform over 0 to 2**64 - 1."""
        return self._raw.random_raw(count)

    def integers(self, bound: int, count: int) -> NDArray[np.int64]:
        """Return `count` integers, each uniform over 0 to `bound` - 1, drawn with replacement.

        The top bits of each raw word, as many as `bound` needs, are kept; values that are too large are skipped, so
        the draw has no bias.

        Raises:
            ValueError: `bound` is not in 1 to 2**63.
        """
        if not 1 <= bound <= 1 << 63:
            raise ValueError(f"bound must be in 1 to 2**63, not {bound}")
        shift = np.uint64(64 - max(1, (bound - 1).bit_length()))
        kept: list[NDArray[np.int64]] = []
        missing = count
        while missing > 0:
            drawn = (self.words(missing) >> shift).astype(np.int64)
            drawn = drawn[drawn < bound]
            kept.append(drawn)
            missing -= len(drawn)
        return np.concatenate(kept) if kept else np.empty(0, np.int64)

    def below(self, bound: int) -> int:
        """Return one integer of any size, uniform over 0 to `bound` - 1.

        Raises:
            ValueError: `bound` is less than 1.
        """
        if bound <= 1 << 63:
            return int(self.integers(bound, 1)[0])
        bits = (bound - 1).bit_length()
        while True:
            drawn = 0
            for word in self.words(-(-bits // 64)).tolist():
                drawn = drawn << 64 | word
            drawn >>= -bits % 64
            if drawn < bound:
                return drawn

    def permutation(self, size: int) -> NDArray[np.int64]:
        """Return a uniform permutation of 0 to `size` - 1: the order of as many raw words."""
        return np.argsort(self.words(size), kind="stable").astype(np.int64)

    def sample(self, bound: int, count: int) -> NDArray[np.int64]:
        """Return `count` different integers of 0 to `bound` - 1, in random order; a longer draw begins with a shorter.

        Raises:
            ValueError: there are fewer than `count` of them.
        """
        if count > bound:
            raise ValueError(f"cannot draw {count} different integers below {bound}")
        if bound <= _SMALL:
            return self.permutation(bound)[:count]
        drawn = self.integers(bound, count)
        while len(kept := drawn[first_places(drawn, bound)]) < count:
            drawn = np.concatenate([kept, self.integers(bound, count - len(kept))])
        return drawn
