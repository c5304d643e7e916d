"""Which documents may become a word list, and where their answer is (paper appendix A.4.2).

A document is turned into its flat list of words and refused when something in it would give the answer away, or when
it is not running text at all. The paper names the kinds of artifact, not the figures: every bound is a field of
`FilterBounds`, and every refusal says the number and the bound it broke.
"""

import hashlib
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from lengthwise.errors import InputError

from ..streams import Stream
from .document_words import words_and_tags
from .documents import SourceDocument

CountTokens = Callable[[list[str]], int]

# No word, name or title that prose has too ("table", "style", "Li", "Lt."), and no ordinal's ending ("th").
MARKUP_WORDS = tuple(
    """amp bgcolor cellpadding cellspacing colspan css div href html img javascript js mdash nbsp ndash onclick px quot
    rgb rgba rowspan rsquo src stylesheet svg tbody td thead ul xml xmlns""".split()  # noqa: SIM905 (seventy lines)
)
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_CODE_LIKE = re.compile(r"[A-Za-z0-9]_+[A-Za-z0-9]|[a-z][A-Z]")


@dataclass(frozen=True)
class FilterBounds:
    """What a document must keep to; shares are 0 to 1, and a value on a bound passes.

    Attributes:
        max_tokens, min_tokens: tokens of the word list (365,000 is the paper's; 32,000 ours).
        min_run, max_run: words of its longest strictly ascending run (the paper's 6 to 10).
        window, deletions: no `window` words may be sorted once at most `deletions` of them are deleted.
        max_top_word: share of the most frequent word, and of words like "aaaa" taken together.
        max_repeated: how often in a row one word may come.
        min_distinct: distinct words over all words.
        max_markup: share of words like "href" or "nbsp".
        max_tags: tags in 1,000 characters of the text.
        max_non_letter: share of the characters, white space apart, that are no letter of A to Z.
        max_non_latin: share of the letters that are of another script.
        min_mean_letters, max_mean_letters: letters of a word, on average.
        max_code: share of words written like code, as in "camelCase" or "snake_case".

    Raises:
        InputError: a bound is negative, a lower one is above its upper one, or a run is shorter than 3 words.
    """

    max_tokens: int = 365_000
    min_tokens: int = 32_000
    min_run: int = 6
    max_run: int = 10
    window: int = 30
    deletions: int = 2
    max_top_word: float = 0.15
    max_repeated: int = 19
    min_distinct: float = 0.02
    max_markup: float = 0.005
    max_tags: float = 1.0
    max_non_letter: float = 0.30
    max_non_latin: float = 0.10
    min_mean_letters: float = 3.0
    max_mean_letters: float = 9.0
    max_code: float = 0.20

    def __post_init__(self) -> None:
        for bound in fields(self):
            if not getattr(self, bound.name) >= 0:
                raise InputError(f"{bound.name} is {getattr(self, bound.name)}: give 0 or more")
        for low, high in (
            ("min_tokens", "max_tokens"),
            ("min_run", "max_run"),
            ("deletions", "window"),
            ("min_mean_letters", "max_mean_letters"),
        ):
            if getattr(self, low) > getattr(self, high):
                raise InputError(f"{low} is {getattr(self, low)}, above {high} {getattr(self, high)}: lower it")
        if self.min_run < 3:
            raise InputError(f"min_run is {self.min_run}: a run of two words is everywhere; give 3 or more")


@dataclass(frozen=True)
class Accepted:
    """A document that may be used.

    Attributes:
        document: where the words are from.
        words: its word list, without the words that were dropped to break ties.
        n_tokens: their tokens.
        run_start: index of the first word of the longest run, in `words`.
        k: length of that run; no other is as long.
        ties: how many runs of length k the document itself has; 1 where nothing had to be broken.
        dropped: the `ties` - 1 words taken out, as indices into `document_words(document.text)`.
    """

    document: SourceDocument
    words: list[str]
    n_tokens: int
    run_start: int
    k: int
    ties: int = 1
    dropped: tuple[int, ...] = ()


@dataclass(frozen=True)
class Rejected:
    """A document that may not be used, and why: one line with the number and the bound."""

    document: SourceDocument
    reason: str


def rank_words(words: Sequence[str]) -> NDArray[np.int64]:
    """Return each word's place among the distinct words in byte order; ranks compare as the words do."""
    ranks = {word: rank for rank, word in enumerate(sorted(set(words)))}
    return np.fromiter(map(ranks.__getitem__, words), np.int64, len(words))


def ascending_runs(ranks: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the starts and lengths of all maximal strictly ascending runs; together they cover the list."""
    breaks = np.flatnonzero(ranks[1:] <= ranks[:-1]) + 1
    starts = np.concatenate(([0], breaks)).astype(np.int64)[: len(ranks)]
    return starts, np.diff(starts, append=len(ranks))


def near_sorted_window(ranks: NDArray[np.int64], window: int, deletions: int) -> int | None:
    """Return the start of the first `window` words that are sorted once at most `deletions` are deleted, if any.

    Sorted lets equal words follow each other. A deletion takes away at most one descent, so a window with more
    descents than that is passed over unseen; in prose that is every one.
    """
    descents = np.concatenate(([0], np.cumsum(ranks[1:] < ranks[:-1])))
    if len(ranks) < window or window < 1:
        return None
    inside = descents[window - 1 :] - descents[: len(descents) - window + 1]
    for start in np.flatnonzero(inside <= deletions).tolist():
        # Patience: tails[i] is the lowest word that can end a sorted subsequence of i + 1 words.
        tails: list[int] = []
        for rank in ranks[start : start + window].tolist():
            place = bisect_right(tails, rank)
            tails[place : place + 1] = [rank]
        if len(tails) >= window - deletions:
            return int(start)
    return None


def examine(
    document: SourceDocument,
    count_tokens: CountTokens,
    bounds: FilterBounds | None = None,
    break_ties: bool = False,
) -> Accepted | Rejected:
    """Decide whether a document may be used, and find its answer.

    Args:
        document: the document.
        count_tokens: gives the tokens of a word list.
        bounds: what it must keep to; the defaults when None.
        break_ties: what to do where several runs are equally long. False: refuse the document. True: one, drawn,
            stays whole, and each other one loses its middle word, so that it is exactly one word shorter and no other
            run changes.
    """
    bounds = bounds or FilterBounds()
    reason = _unreadable(document.text, bounds)
    if reason:
        return Rejected(document, reason)
    words, tags = words_and_tags(document.text)
    ranks = rank_words(words)
    reason = _unlike_prose(document.text, words, ranks, tags, bounds)
    if reason:
        return Rejected(document, reason)
    starts, lengths = ascending_runs(ranks)
    k = int(lengths.max())
    if not bounds.min_run <= k <= bounds.max_run:
        return Rejected(document, f"longest run of {k} words, outside {bounds.min_run} to {bounds.max_run}")
    longest = starts[lengths == k]
    if len(longest) > 1 and not break_ties:
        return Rejected(document, f"{len(longest)} runs of {k} words, 1 allowed unless ties are broken")
    # Always the first would put the answers near the beginning: of ten runs the first is 9 % in on average.
    target = int(longest[_tie_stream(words).below(len(longest))])
    # An inner word: what is left still ascends, and both ends still meet the neighbours that stop them.
    dropped = longest[longest != target] + k // 2
    ranks = np.delete(ranks, dropped)
    near = near_sorted_window(ranks, bounds.window, bounds.deletions)
    if near is not None:
        return Rejected(
            document,
            f"{bounds.window} words from word {near:,} on are sorted once {bounds.deletions} or fewer are deleted",
        )
    for index in reversed(dropped.tolist()):
        del words[index]
    n_tokens = count_tokens(words)
    if not bounds.min_tokens <= n_tokens <= bounds.max_tokens:
        return Rejected(document, f"{n_tokens:,} tokens, outside {bounds.min_tokens:,} to {bounds.max_tokens:,}")
    run_start = target - int((dropped < target).sum())
    return Accepted(document, words, n_tokens, run_start, k, len(longest), tuple(dropped.tolist()))


def _tie_stream(words: list[str]) -> Stream:
    """Return the stream that breaks a document's tie: keyed by the words alone, so the target is always the same."""
    return Stream("predicatelongbench", 1, "documents", "tie", hashlib.sha256(" ".join(words).encode()).hexdigest())


def _unreadable(text: str, bounds: FilterBounds) -> str:
    """Say why the text is in no script whose letters' order is the task, or return an empty string."""
    characters = {character: count for character, count in Counter(text).items() if not character.isspace()}
    letters = {character: count for character, count in characters.items() if character.isalpha()}
    foreign = {character: count for character, count in letters.items() if not _is_latin(character)}
    share = sum(foreign.values()) / max(1, sum(letters.values()))
    if share > bounds.max_non_latin:
        han = sum(count for character, count in foreign.items() if _is_han_or_kana(character))
        script = "Chinese or Japanese" if han > sum(foreign.values()) / 2 else "not Latin"
        return (
            f"{share:.0%} of the letters are {script}, {bounds.max_non_latin:.0%} allowed: "
            f"the order of such characters is not what the task means"
        )
    if not letters:
        return "0 letters, 1 or more needed"
    plain = sum(count for character, count in letters.items() if character.isascii())
    share = 1 - plain / sum(characters.values())
    if share > bounds.max_non_letter:
        return f"{share:.1%} of the characters are no letters of A to Z, {bounds.max_non_letter:.1%} allowed"
    return ""


def _is_latin(letter: str) -> bool:
    return letter < "\u0250" or "\u1e00" <= letter <= "\u1eff" or "\ufb00" <= letter <= "\ufb06"


def _is_han_or_kana(letter: str) -> bool:
    return "\u3005" <= letter <= "\u9fff" or letter >= "\U00020000"


def _unlike_prose(text: str, words: list[str], ranks: NDArray[np.int64], tags: int, bounds: FilterBounds) -> str:
    """Say why the text is markup, code, a list or a stammer, or return an empty string."""
    if not words:
        return "0 words, 1 or more needed"
    if 1000 * tags / len(text) > bounds.max_tags:
        return f"{1000 * tags / len(text):.2f} tags in 1,000 characters, {bounds.max_tags:g} allowed"
    identifiers = Counter(_IDENTIFIER.findall(text))
    code = sum(count for word, count in identifiers.items() if _CODE_LIKE.search(word)) / max(1, identifiers.total())
    if code > bounds.max_code:
        return f"{code:.1%} of the words are written like code, {bounds.max_code:.1%} allowed"
    counts = Counter(words)
    markup = sum(counts[word] for word in MARKUP_WORDS) / len(words)
    if markup > bounds.max_markup:
        return f"{markup:.2%} of the words are markup, {bounds.max_markup:.2%} allowed"
    top, times = counts.most_common(1)[0]
    if times / len(words) > bounds.max_top_word:
        return f"{times / len(words):.1%} of the words are {top!r}, {bounds.max_top_word:.1%} allowed"
    stammer = sum(count for word, count in counts.items() if len(word) > 1 and len(set(word)) == 1) / len(words)
    if stammer > bounds.max_top_word:
        return f"{stammer:.1%} of the words repeat one letter, {bounds.max_top_word:.1%} allowed"
    changes = np.flatnonzero(np.diff(ranks, prepend=-1, append=-1))
    repeats = np.diff(changes)
    if repeats.max() > bounds.max_repeated:
        word = words[int(changes[repeats.argmax()])]
        return f"{word!r} comes {repeats.max():,} times in a row, {bounds.max_repeated} allowed"
    if len(counts) / len(words) < bounds.min_distinct:
        return f"{len(counts) / len(words):.2%} of the words are distinct, {bounds.min_distinct:.2%} needed"
    mean = sum(len(word) * count for word, count in counts.items()) / len(words)
    if not bounds.min_mean_letters <= mean <= bounds.max_mean_letters:
        allowed = f"{bounds.min_mean_letters:g} to {bounds.max_mean_letters:g}"
        return f"{mean:.2f} letters in a word on average, outside {allowed}"
    return ""
