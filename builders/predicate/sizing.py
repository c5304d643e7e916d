"""How many words fill a budget: what is wanted of a family, the pool it draws, and where that is cut."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from lengthwise.errors import InputError

from ..streams import Part
from ..tokens import Tokenizer, load_tokenizer
from .instance import Predicate
from .prompts import labels, question
from .settings import BENCHMARK, VERSION, Settings, Size
from .variants import VARIANTS, Arrangement, Family
from .words import Letters, WordShape, draw_list, text


@dataclass(frozen=True)
class Order:
    """What is wanted of a family for one index.

    Attributes:
        family: of the lists.
        shape: of the words.
        kinds: unary predicates to draw from.
        wanted: the arrangements, each with its number of targets.
        size: of the split.
        index: 0-based number of the example.
        settings: the build's.
        slack: tokens by which the budget is cut, for tokenizers whose counts do not add up exactly.
    """

    family: Family
    shape: WordShape
    kinds: tuple[str, ...]
    wanted: frozenset[tuple[Arrangement, int]]
    size: Size
    index: int
    settings: Settings
    slack: int = 0

    @property
    def key(self) -> tuple[Part, ...]:
        """The parts of every stream's key (DESIGN, Determinism)."""
        return (BENCHMARK, VERSION, self.family, self.size.key, self.settings.seed, self.index)

    def room(self, arrangement: Arrangement, predicates: Sequence[Predicate]) -> int | None:
        """Return the most tokens that the words may take; None where the number of words is fixed."""
        if self.size.tokens is None:
            return None
        return self.size.tokens - self.slack - self.most_overhead(arrangement, predicates)

    def most_overhead(self, arrangement: Arrangement, predicates: Sequence[Predicate]) -> int:
        """Return the tokens of a prompt beside its words, with the longest question that any variant asks.

        All variants that ask of such lists count, whether or not they are being built: so a list does not depend on
        what else is built, and fits under each of its questions.
        """
        tokenizer = load_tokenizer(self.settings.tokenizer)
        in_lists = arrangement == "lists"
        lists = self.settings.lists if in_lists else 1
        names = {
            variant.question
            for variant in VARIANTS.values()
            if variant.family == self.family and (variant.arrangement == "lists") == in_lists
        }
        questions = (question(name, self.settings.k, predicates, lists) for name in sorted(names))
        return max(overhead(tokenizer, labels(lists), each) for each in questions)


@lru_cache(maxsize=32)
def tokens_per_word(tokenizer: str, shape: WordShape) -> float:
    """Return the mean tokens of a word of `shape`, the space before it included, from a fixed sample of words."""
    population = min(2_000, sum(shape.population(length) for length in shape.lengths) // 2 + 1)
    sample = draw_list((BENCHMARK, VERSION, "calibration"), shape, population)
    return float(load_tokenizer(tokenizer).word_counts(text(sample, shape.alphabet)).mean())


def fit(counts: NDArray[np.int64], room: int) -> int:
    """Return how many of the first words take at most `room` tokens together."""
    return int(np.searchsorted(np.cumsum(counts), room, side="right"))


Pool = tuple[Letters, NDArray[np.int64]]


def draw_pool(order: Order, room: int | None, make: Callable[[int], Letters], surplus: float) -> Pool:
    """Return words enough to fill the room, and the tokens of each: a little more than needed is drawn, and cut later.

    Args:
        order: what is wanted.
        room: tokens that the words may take; None where their number is fixed.
        make: number of words -> their letters; a longer pool need not begin with the shorter one.
        surplus: share of words by which the mean of `tokens_per_word` may be off.
    """
    tokenizer = load_tokenizer(order.settings.tokenizer)
    while True:
        if room is None:
            assert order.size.words is not None
            count = order.size.words
        else:
            mean = tokens_per_word(order.settings.tokenizer, order.shape)
            count = int(max(0, room) / mean * (1 + surplus)) + 24
        letters = make(count)
        counts = tokenizer.word_counts(text(letters, order.shape.alphabet))
        if room is None or int(counts.sum()) >= room:
            return letters, counts
        surplus = 2 * surplus + 0.01


def cut(order: Order, arrangement: Arrangement, room: int | None, counts: NDArray[np.int64], least: int) -> int:
    """Return how many of the pool's words the list takes.

    Args:
        order: what is wanted.
        arrangement: for the error's words.
        room: tokens that the words may take; None where all of the pool is the list.
        counts: tokens of each word of the pool.
        least: words that the arrangement needs.

    Raises:
        InputError: fewer fit; the message says the minimum.
    """
    n_words = len(counts) if room is None else fit(counts, room)
    if n_words < least:
        mean = tokens_per_word(order.settings.tokenizer, order.shape)
        question = 0 if room is None or order.size.tokens is None else order.size.tokens - room
        raise InputError(
            f"{order.size.key} are too few for {order.family} lists ({arrangement}): they hold {n_words:,} words and "
            f"need at least {least:,}, so give about {question + int(np.ceil(least * mean)):,} tokens or more"
        )
    return n_words


def overhead(tokenizer: Tokenizer, heads: list[str], question: str) -> int:
    """Return the tokens of a prompt beside its words: the labels of its lists, and the question with its empty line.

    A word behind a space never merges with what stands before it, nor a line end with a word, so the parts add up.
    """
    return sum(tokenizer.count(head) for head in heads) + tokenizer.count(f"\n\n{question}")
