"""From a key and a size to the finished lists of one index: one entry a data family.

A family draws its pool of words once, counts its tokens once, cuts it where the budget ends, and arranges it in every
way that the wanted variants ask for. So lists that differ in arrangement alone share their words, and one encoding
serves them all.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from lengthwise.errors import InputError

from ..streams import Part, Stream, has_repeats
from ..tokens import Tokenizer, load_tokenizer
from . import letter_sum, lex, unary
from .instance import LEX, Decoy, Predicate, Unplantable, WordList, too_tight
from .predicates import draw_predicates, satisfied
from .prompts import labels, question
from .settings import BENCHMARK, VERSION, Settings, Size
from .variants import VARIANTS, Arrangement, Family
from .words import Letters, WordShape, codes, draw_list, text

_ATTEMPTS = 25


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
        """Return the most tokens that the words may take; None where the number of words is fixed.

        It is what the longest question leaves that any variant asks of these lists, whether or not that variant is
        being built: so a list does not depend on what else is built, and fits under each of its questions.
        """
        if self.size.tokens is None:
            return None
        tokenizer = load_tokenizer(self.settings.tokenizer)
        in_lists = arrangement == "lists"
        lists = self.settings.lists if in_lists else 1
        names = {
            variant.question
            for variant in VARIANTS.values()
            if variant.family == self.family and (variant.arrangement == "lists") == in_lists
        }
        questions = (question(name, self.settings.k, predicates, lists) for name in sorted(names))
        return self.size.tokens - self.slack - max(overhead(tokenizer, labels(lists), each) for each in questions)


Lists = dict[tuple[Arrangement, int], WordList]


@lru_cache(maxsize=32)
def tokens_per_word(tokenizer: str, shape: WordShape) -> float:
    """Return the mean tokens of a word of `shape`, the space before it included, from a fixed sample of words."""
    population = min(2_000, sum(shape.population(length) for length in shape.lengths) // 2 + 1)
    sample = draw_list((BENCHMARK, VERSION, "calibration"), shape, population)
    return float(load_tokenizer(tokenizer).word_counts(text(sample, shape.alphabet)).mean())


def fit(counts: NDArray[np.int64], room: int) -> int:
    """Return how many of the first words take at most `room` tokens together."""
    return int(np.searchsorted(np.cumsum(counts), room, side="right"))


def build_lists(order: Order) -> Lists:
    """Return the wanted lists of one index.

    Raises:
        InputError: no draw can hold what is to be planted.
    """
    problem = Unplantable("")
    for attempt in range(_ATTEMPTS):
        try:
            return _FAMILIES[order.family](order, (*order.key, attempt) if attempt else order.key)
        except Unplantable as error:
            problem = error
    raise too_tight(f"{order.family} lists of {order.size.key} with k = {order.settings.k}", problem)


Pool = tuple[Letters, NDArray[np.int64]]


def _pool(order: Order, room: int | None, make: Callable[[int], Letters], surplus: float) -> Pool:
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


def _cut(order: Order, arrangement: Arrangement, room: int | None, counts: NDArray[np.int64], least: int) -> int:
    n_words = len(counts) if room is None else fit(counts, room)
    if n_words < least:
        mean = tokens_per_word(order.settings.tokenizer, order.shape)
        question = 0 if room is None or order.size.tokens is None else order.size.tokens - room
        raise InputError(
            f"{order.size.key} are too few for {order.family} lists ({arrangement}): they hold {n_words:,} words and "
            f"need at least {least:,}, so give about {question + int(np.ceil(least * mean)):,} tokens or more"
        )
    return n_words


def _finish(
    order: Order, letters: Letters, counts: NDArray[np.int64], places: NDArray[np.int64] | list[int], **planted: object
) -> WordList:
    arranged = letters[places]
    if has_repeats(codes(arranged, len(order.shape.alphabet))):
        raise Unplantable("a word came up twice")
    return WordList(
        words=text(arranged, order.shape.alphabet),
        n_words=len(arranged),
        word_tokens=int(counts[places].sum()),
        **planted,  # type: ignore[arg-type]
    )


def _lex(order: Order, key: tuple[Part, ...]) -> Lists:
    settings, shape = order.settings, order.shape
    k, size = settings.k, settings.k + 2
    room = order.room("plain", (LEX,))
    letters, counts = _pool(order, room, lambda count: draw_list(key, shape, count), 0.006)
    pool = codes(letters, len(shape.alphabet))

    def rest(first: int, n_words: int) -> NDArray[np.int64]:
        # Words of one length are in random order as drawn; several lengths are interleaved evenly and need mixing.
        if len(shape.lengths) == 1:
            return np.arange(first, n_words)
        return first + Stream(*key, "mix").permutation(n_words - first)

    def finished(made: lex.Arrangement) -> WordList:
        starts = (0, *sorted(made.bounds))
        return _finish(
            order, letters, counts, made.order,
            k=k, targets=(made.target,), predicates=(LEX,), decoys=made.decoys, list_starts=starts,
        )  # fmt: skip

    lists: Lists = {}
    names = {name for name, _ in order.wanted}
    if names - {"lists"}:
        n_words = _cut(order, "plain", room, counts, size)
        base = lex.locate(key, pool, n_words, k, rest(size, n_words))
        if "plain" in names:
            lists["plain", 1] = finished(base)
        for name in sorted(names & {"scattered", "clustered"}):
            _cut(order, name, room, counts, (size + 1) * (1 + settings.decoys))
            radius = settings.radius if name == "clustered" else None
            lists[name, 1] = finished(lex.near_sorted(key, base, pool, k, settings.decoys, radius))
    if "lists" in names:
        # Each list holds what reaches into it from both sides, and the target's block has to fit into one of them.
        n_words = _cut(order, "lists", order.room("lists", (LEX,)), counts, settings.lists * 3 * size)
        others = rest(settings.lists * size, n_words)
        lists["lists", 1] = finished(lex.lists(key, pool, n_words, k, settings.lists, others))
    return lists


def _unary(order: Order, key: tuple[Part, ...]) -> Lists:
    lists: Lists = {}
    for targets in sorted({targets for _, targets in order.wanted}):
        lists |= _unary_lists(order, key if targets == 1 else (*key, f"{targets} targets"), targets)
    return lists


def _unary_lists(order: Order, key: tuple[Part, ...], targets: int) -> Lists:
    settings, shape, k = order.settings, order.shape, order.settings.k
    tokenizer = load_tokenizer(settings.tokenizer)
    first = targets * k
    predicates = draw_predicates(Stream(*key, "predicates"), shape, order.kinds, k, settings.string_length)
    room = order.room("plain", predicates)

    def make(count: int) -> Letters:
        drawn = unary.write_targets(key, draw_list(key, shape, max(count, first)), shape, predicates, targets)
        return unary.thin(key, drawn, shape, predicates, first)

    letters, counts = _pool(order, room, make, 0.012)
    base = _cut(order, "plain", room, counts, 2 * first)
    # Uniform over all ways to place the windows without overlap.
    drawn = np.sort(Stream(*key, "target").sample(base - targets * (k - 1), targets))
    starts = [int(start) + number * (k - 1) for number, start in enumerate(drawn)]

    def arranged(
        name: Arrangement, letters: Letters, counts: NDArray[np.int64], n_words: int, near: NDArray[np.int64]
    ) -> WordList:
        # Where a list is a few words shorter than its baseline, a target at the very end moves up to fit.
        places = [min(start, n_words - k * (targets - number)) for number, start in enumerate(starts)]
        made: list[int] = []
        taken = first
        for number, place in enumerate(places):
            gap = place - len(made)
            made.extend(range(taken, taken + gap))
            made.extend(range(number * k, number * k + k))
            taken += gap
        made.extend(range(taken, n_words))
        holds = satisfied(letters[:n_words], shape, predicates)
        final = unary.break_windows(Stream(*key, "fixup", name), np.array(made), holds, places, k)
        decoys = tuple(Decoy(int(place), 1, "near-miss") for place in np.flatnonzero(np.isin(final, near)))
        return _finish(
            order, letters, counts, final, k=k, targets=tuple(places), predicates=predicates, decoys=decoys
        )  # fmt: skip

    lists: Lists = {}
    if ("plain", targets) in order.wanted:
        lists["plain", targets] = arranged("plain", letters, counts, base, np.empty(0, np.int64))
    if ("near-miss", targets) in order.wanted:
        misses = unary.near_misses(key, letters, shape, predicates, first, settings.near_miss)
        edited = np.concatenate(misses.groups)
        fresh = counts.copy()
        fresh[edited] = tokenizer.word_counts(text(misses.letters[edited], shape.alphabet))
        n_words, chosen = _cut_near_misses(counts, fresh, misses, settings.near_miss, room)
        wanted = unary.how_many(n_words, settings.near_miss)
        if not wanted:
            raise InputError(
                f"near-miss {settings.near_miss} of {n_words:,} words is not one word: give more of either"
            )
        if len(chosen) < wanted * k:
            raise Unplantable(f"{wanted * k} near misses do not fit among {n_words:,} words")
        mixed, mixed_counts = letters.copy(), counts.copy()
        mixed[chosen], mixed_counts[chosen] = misses.letters[chosen], fresh[chosen]
        lists["near-miss", targets] = arranged("near-miss", mixed, mixed_counts, n_words, chosen)
    return lists


def _cut_near_misses(
    plain: NDArray[np.int64],
    edited: NDArray[np.int64],
    misses: unary.NearMisses,
    share: float,
    room: int | None,
) -> tuple[int, NDArray[np.int64]]:
    """Return the largest list that fits, and which of its words are near misses: their share depends on its length."""

    def total(n_words: int) -> int:
        chosen = np.concatenate(misses.chosen(n_words, share))
        return int(plain[:n_words].sum() + (edited[chosen] - plain[chosen]).sum())

    low, high = 0, len(plain)
    if room is None or total(high) <= room:
        return high, np.concatenate(misses.chosen(high, share))
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if total(middle) <= room else (low, middle)
    return low, np.concatenate(misses.chosen(low, share))


def _letter_sum(order: Order, key: tuple[Part, ...]) -> Lists:
    settings, shape, k = order.settings, order.shape, order.settings.k
    # The total depends on the spread of the pool's words, so the size of the pool must not hang on the question, whose
    # length the total changes.
    letters, _ = _pool(order, order.size.tokens, lambda count: draw_list(key, shape, max(count, k)), 0.006)
    letters, predicate = letter_sum.plant_total(key, letters, shape, k)
    counts = load_tokenizer(settings.tokenizer).word_counts(text(letters, shape.alphabet))
    n_words = _cut(order, "plain", order.room("plain", (predicate,)), counts, 2 * k)
    target = Stream(*key, "target").below(n_words - k + 1)
    others = np.arange(k, n_words)
    made = np.concatenate([others[:target], np.arange(k), others[target:]])
    sums = letter_sum.word_sums(letters, shape)
    total = int(predicate.parameters["total"])
    final = letter_sum.break_totals(Stream(*key, "fixup"), made, sums, target, k, total)
    made_list = _finish(order, letters, counts, final, k=k, targets=(target,), predicates=(predicate,))
    return {("plain", 1): made_list}


_FAMILIES: dict[Family, Callable[[Order, tuple[Part, ...]], Lists]] = {
    "unary": _unary,
    "shape": _unary,
    "lex": _lex,
    "lex-short": _lex,
    "letter-sum": _letter_sum,
}


def overhead(tokenizer: Tokenizer, heads: list[str], question: str) -> int:
    """Return the tokens of a prompt beside its words: the labels of its lists, and the question with its empty line.

    A word behind a space never merges with what stands before it, nor a line end with a word, so the parts add up.
    """
    return sum(tokenizer.count(head) for head in heads) + tokenizer.count(f"\n\n{question}")
