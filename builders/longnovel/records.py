"""What the steps of the construction hand to each other: frozen records, keyed alike from the first step to the last.

A unit is known by its book and index, a window by its scale and first and last unit; whatever is made of a window
carries its `WindowKey`, so the Parquet files of any two steps join on the same columns.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

from lengthwise.errors import InputError

Language: TypeAlias = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
# Where a row's summary comes from (3.3): the compressed human one, the arbitrated ones, or an injected one.
Origin: TypeAlias = Literal["original", "mma", "erhg"]
ORIGINS: tuple[Origin, ...] = get_args(Origin)

# The paper's scales, in tokens; k is 1,000 there (its Table 3 shows that), other lengths are named after themselves.
PAPER_SCALES: Mapping[str, int] = {"s": 16_000, "m": 32_000, "l": 64_000, "xl": 100_000}
# Words (characters in Chinese) of a window's compressed summary, by scale (3.2).
SUMMARY_WORDS: Mapping[str, int] = {"s": 900, "m": 1000, "l": 1200, "xl": 1500}


def scale_tokens(scale: str) -> int:
    """Return the length T of a scale in tokens.

    >>> scale_tokens("xl"), scale_tokens("8k")
    (100000, 8000)

    Raises:
        InputError: it is no scale.
    """
    if scale in PAPER_SCALES:
        return PAPER_SCALES[scale]
    digits = scale.removesuffix("k")
    if not (scale.endswith("k") and digits.isascii() and digits.isdigit() and 4 <= int(digits) <= 10_000):
        raise InputError(f"scale {scale!r}: give s, m, l, xl, or a length from 4k to 10000k, e.g. 8k")
    return int(digits) * 1000


@dataclass(frozen=True, slots=True)
class Unit:
    """A chapter, or a group of paragraphs, with its summary.

    Attributes:
        book: id of the book, unique over a source.
        index: of the unit in its book, from 1.
        language: of the text.
        title: its heading, "" where there is none.
        text: paragraphs parted by a line end.
        summary: of the unit; "" where it has none.
        summary_origin: who wrote it: "human:<who>", "heading" (a chapter's own couplet), "model:<name>"; "" for none.
        gap: whether the source lacks what stands before it, so that it does not go on from the unit before: neither a
            unit nor a window runs over such a place.
    """

    book: str
    index: int
    language: Language
    title: str
    text: str
    summary: str = ""
    summary_origin: str = ""
    gap: bool = False


@dataclass(frozen=True)
class Source:
    """Books from one place.

    Attributes:
        name: a folder's name, or a Hub id with its commit.
        kind: which reader read it.
        licence: of the text.
        redistributable: whether a data set that holds the text may be passed on.
        units: of every book in order, indices rising by 1 within a book.
        splits: book -> "train", "validation" or "test" where the source has its own split.
        damage: what was found wrong with the text, a line each; the units concerned are kept.
    """

    name: str
    kind: str
    licence: str
    redistributable: bool
    units: Sequence[Unit] = field(repr=False)
    splits: Mapping[str, str] = field(default_factory=dict)
    damage: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, order=True)
class WindowKey:
    """Which window: first and last unit, both included."""

    scale: str
    book: str
    unit_start: int
    unit_end: int

    @property
    def id(self) -> str:
        """The window in the id of a row or a recorded call.

        >>> WindowKey("s", "moby_dick", 3, 7).id
        's-moby_dick-0003-0007'
        """
        return f"{self.scale}-{self.book}-{self.unit_start:04d}-{self.unit_end:04d}"


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of consecutive units whose tokens add up to about a scale's.

    Attributes:
        key: which.
        language: of its units.
        n_tokens: the sum over its units.
    """

    key: WindowKey
    language: Language
    n_tokens: int


@dataclass(frozen=True, slots=True)
class Reference:
    """A window's reference summary, after compression.

    Attributes:
        key: of the window.
        text: the summary.
        words: its length, in words or Chinese characters.
        target: the length that was asked for.
        compressed: False where the joined human summaries were already under the target, and stand as they are.
        rounds: generations it took: 0 (kept), 1 or 2.
        score: the critic's, 0 to 5; None where nothing was compressed.
        reason: the critic's.
        summary_origin: of the summaries that it joins, the units' common one.
    """

    key: WindowKey
    text: str
    words: int
    target: int
    compressed: bool
    rounds: int
    score: int | None
    reason: str
    summary_origin: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """One judge's score of a summary, 0 to 5, and its reason; `judge` is the slot."""

    judge: str
    score: int
    reason: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """A summary written by a model of a window's text, and what judges and arbiter say of it (MMA, 3.3).

    Attributes:
        key: of the window.
        generator: the slot that wrote it.
        text: the summary.
        verdicts: of the judges, by slot.
        score: the arbiter's, 0 to 5.
        reason: the arbiter's.
        types: hallucination types that the arbiter names; empty for a faithful one.
    """

    key: WindowKey
    generator: str
    text: str
    verdicts: tuple[Verdict, ...]
    score: int
    reason: str
    types: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Injection:
    """One hallucination that was put into a summary (ERHG, 3.3).

    Attributes:
        type: a `HallucinationType`'s value.
        subtype: of the type's prompt, e.g. "T2"; "" where the model named none.
        hallucinated: the sentence as it stands in the summary now.
        original: the sentence it took the place of; "" for an added one (event fabrication).
        injector: the slot that wrote it.
        attempts: calls until it was accepted.
    """

    type: str
    subtype: str
    hallucinated: str
    original: str
    injector: str
    attempts: int


@dataclass(frozen=True, slots=True)
class Injected:
    """A reference summary with one to three hallucinations in it.

    Attributes:
        key: of the window.
        text: the summary.
        injections: in the order of the sentences.
        score: 2 for one or two types, 1 for three.
    """

    key: WindowKey
    text: str
    injections: tuple[Injection, ...]
    score: int
