"""Synthetic words (paper, Algorithm 1): distinct random strings, drawn as integers and decoded in the alphabet's base.

A list of N words is a matrix of letters, N x L of uint8: 0 pads a short word at its end, 1 to A are the letters of an
alphabet of A in order. Read as a number in base A + 1, a row is the word's *code*, and codes compare exactly as the
words do in alphabetical order.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lengthwise.errors import InputError

from ..streams import Stream

Letters = NDArray[np.uint8]
Codes = NDArray[np.int64]

ENGLISH = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class WordShape:
    """How long words are and what letters they use.

    Attributes:
        lengths: the word lengths in letters, ascending.
        shares: the share of words of each length but the last, which takes the rest; a length whose words are used up
            gives way to the last.
        alphabet: lower-case ASCII letters in alphabetical order, each once.

    Raises:
        InputError: the alphabet or the lengths cannot be used.
    """

    lengths: tuple[int, ...]
    shares: tuple[float, ...] = ()
    alphabet: str = ENGLISH

    def __post_init__(self) -> None:
        if sorted(set(self.alphabet)) != list(self.alphabet) or not set(self.alphabet) <= set(ENGLISH):
            raise InputError(
                f"alphabet {self.alphabet!r} must be different lower-case letters a-z in alphabetical order"
            )
        if len(self.alphabet) < 2:
            raise InputError(f"alphabet {self.alphabet!r} is too small: give at least 2 letters")
        if not self.lengths or min(self.lengths) < 1 or len(self.shares) != len(self.lengths) - 1:
            raise InputError(f"word length must be at least 1 letter, not {self.lengths}")
        longest = 1
        while (len(self.alphabet) + 1) ** (longest + 1) < 1 << 63:
            longest += 1
        if max(self.lengths) > longest:
            raise InputError(
                f"word length {max(self.lengths)} is too long: at most {longest} letters of this alphabet fit the "
                "64-bit codes that words are compared by"
            )

    @property
    def width(self) -> int:
        """Letters of the longest word."""
        return max(self.lengths)

    def population(self, length: int) -> int:
        """Return how many words of `length` letters there are."""
        return int(pow(len(self.alphabet), length))


def decode(values: NDArray[np.int64], length: int, width: int, base: int) -> Letters:
    """Return the words whose numbers in base `base` are `values`: N x `width`, padded behind `length` letters."""
    letters = np.zeros((len(values), width), dtype=np.uint8)
    rest = values
    for column in range(length - 1, -1, -1):
        rest, digit = np.divmod(rest, base)
        letters[:, column] = digit + 1
    return letters


def draw(stream: Stream, shape: WordShape, length: int, count: int) -> Letters:
    """Return `count` distinct random words of `length` letters, in random order; a longer draw begins with a shorter.

    Raises:
        InputError: there are not so many.
    """
    population = shape.population(length)
    if count > population:
        raise InputError(
            f"alphabet of {len(shape.alphabet)} letters is too small for {count:,} distinct words of {length} letters "
            f"(there are {population:,}): use longer words, a larger alphabet or fewer words"
        )
    return decode(stream.sample(population, count), length, shape.width, len(shape.alphabet))


def draw_list(key: tuple[str | int, ...], shape: WordShape, count: int) -> Letters:
    """Return `count` distinct words of `shape`, prefix-stable: a longer list begins with the shorter one.

    Lengths are spread evenly over the list (by the fractions of multiples of the golden ratio, in exact 64-bit
    integers), so any prefix has nearly the shares of the whole; whoever wants them mixed shuffles.

    Args:
        key: the parts of the streams' key; each length draws from a stream of its own.
        shape: lengths, shares and alphabet.
        count: number of words.
    """
    if len(shape.lengths) == 1:
        return draw(Stream(*key, "words"), shape, shape.lengths[0], count)
    fraction = np.arange(count, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    edges = np.array([int(share * (1 << 64)) for share in np.cumsum(shape.shares)], dtype=np.uint64)
    which = np.searchsorted(edges, fraction, side="right")
    letters = np.zeros((count, shape.width), dtype=np.uint8)
    for number, length in enumerate(shape.lengths):
        mine = which == number
        if number < len(edges):
            spent = np.cumsum(mine) > shape.population(length)
            which[mine & spent] = len(edges)
            mine &= ~spent
        letters[mine] = draw(Stream(*key, "words", length), shape, length, int(mine.sum()))
    return letters


def codes(letters: Letters, alphabet_size: int) -> Codes:
    """Return the code of each word, N of int64: codes order words as the alphabet does, a prefix before its word."""
    base = alphabet_size + 1
    powers = np.array([base**exponent for exponent in range(letters.shape[1] - 1, -1, -1)], dtype=np.int64)
    return letters.astype(np.int64) @ powers


def text(letters: Letters, alphabet: str) -> str:
    """Return the words in order, each with a single space before it."""
    table = np.frombuffer(b"\0" + alphabet.encode(), dtype=np.uint8)
    cells = np.empty((letters.shape[0], letters.shape[1] + 1), dtype=np.uint8)
    cells[:, 0] = ord(" ")
    cells[:, 1:] = table[letters]
    flat = cells.ravel()
    return str(flat[flat != 0].tobytes(), "ascii")
