"""The tables that the paper gives of its data: classes (Table 2), lengths (3), composition (7), types (Figure 2).

All are counted from rows, never from what was planned, and say themselves whether they add up.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, TypeAlias

from lengthwise.metrics.fault_types import HallucinationType

from .records import LANGUAGES

Row: TypeAlias = Mapping[str, Any]
# (scale, split) -> its rows.
Subsets: TypeAlias = Mapping[tuple[str, str], Sequence[Row]]


@dataclass(frozen=True, slots=True)
class Composition:
    """One line of Table 7: the rows of a subset, counted three ways."""

    subset: str
    total: int
    zh: int
    en: int
    original: int
    erhg: int
    mma: int
    hallucinated: int
    non_hallucinated: int

    def problems(self) -> Iterator[str]:
        """Yield a line for each way in which it does not add up, or could not have come about.

        Since an original is never hallucinated and an injected summary always, what is left of either class must be
        non-negative and add up to the models' own.
        """
        sums = {
            "languages": self.zh + self.en,
            "origins": self.original + self.erhg + self.mma,
            "classes": self.hallucinated + self.non_hallucinated,
        }
        # Of published data nobody says where a row comes from.
        if not sums["origins"]:
            del sums["origins"]
        for name, found in sums.items():
            if found != self.total:
                yield f"{self.subset}: the {name} add up to {found}, not {self.total}"
        if min(self.mma_classes) < 0:
            yield f"{self.subset}: more original than faithful rows, or more erhg than hallucinated ones"

    @property
    def mma_classes(self) -> tuple[int, int]:
        """Hallucinated and faithful rows among the models' own summaries: they follow from the other columns."""
        return self.hallucinated - self.erhg, self.non_hallucinated - self.original

    @property
    def counts(self) -> dict[str, int]:
        """The line by the names of its columns, as `build.json` has it."""
        return {one.name: getattr(self, one.name) for one in fields(self) if one.name != "subset"}

    @property
    def cells(self) -> list[str | int]:
        """The line, in the paper's order of columns."""
        return [getattr(self, one.name) for one in fields(self)]


def compositions(subsets: Subsets) -> list[Composition]:
    """Return Table 7: a line for each subset, in the order given."""
    found = []
    for (scale, split), rows in subsets.items():
        languages, origins = Counter(row["language"] for row in rows), Counter(row["origin"] for row in rows)
        positive = sum(int(row["hallucinated"]) for row in rows)
        found.append(
            Composition(
                f"{split} {scale}", len(rows), languages["zh"], languages["en"], origins["original"], origins["erhg"],
                origins["mma"], positive, len(rows) - positive,
            )
        )  # fmt: skip
    return found


@dataclass(frozen=True, slots=True)
class Classes:
    """One line of Table 2: a scale's rows of each class in each split; a split that it has not is not in the maps."""

    scale: str
    hallucinated: Mapping[str, int]
    faithful: Mapping[str, int]

    @property
    def totals(self) -> dict[str, int]:
        """Rows of each split."""
        return {split: count + self.faithful[split] for split, count in self.hallucinated.items()}


def class_counts(subsets: Subsets) -> list[Classes]:
    """Return Table 2: a line for each scale."""
    found: dict[str, tuple[dict[str, int], dict[str, int]]] = {}
    for (scale, split), rows in subsets.items():
        positive = sum(int(row["hallucinated"]) for row in rows)
        hallucinated, faithful = found.setdefault(scale, ({}, {}))
        hallucinated[split], faithful[split] = positive, len(rows) - positive
    return [Classes(scale, *counts) for scale, counts in found.items()]


@dataclass(frozen=True, slots=True)
class Lengths:
    """One cell group of Table 3: tokens of the texts of a scale, by one tokenizer."""

    scale: str
    tokenizer: str
    n: int
    least: int
    mean: float
    most: int

    @property
    def thousands(self) -> tuple[str, str, str]:
        """Least, mean and most in thousands, as the paper prints them."""
        return f"{self.least / 1000:.2f}", f"{self.mean / 1000:.2f}", f"{self.most / 1000:.2f}"


def token_lengths(texts: Mapping[str, Iterable[str]], counters: Mapping[str, Callable[[str], int]]) -> list[Lengths]:
    """Return Table 3.

    Args:
        texts: scale -> the articles of its rows, one for each row.
        counters: name of a tokenizer -> what counts a text's tokens; any number of them.
    """
    found = []
    for scale, articles in texts.items():
        rows = Counter(articles)
        for name, count in counters.items():
            # Rows of one window share their article: each is counted once and weighs as often as it comes.
            counts = Counter[int]()
            for text, times in rows.items():
                counts[count(text)] += times
            if counts:
                n = sum(counts.values())
                mean = sum(length * times for length, times in counts.items()) / n
                found.append(Lengths(scale, name, n, min(counts), mean, max(counts)))
    return found


@dataclass(frozen=True, slots=True)
class TypeShares:
    """A bar of Figure 2: how often each type comes in the hallucinated rows of a scale in a language.

    Attributes:
        scale: which.
        language: which; "all" for both.
        counts: rows that hold the type, by its name; a row with three types counts for three.
    """

    scale: str
    language: str
    counts: Mapping[str, int]

    @property
    def total(self) -> int:
        """Types over all rows."""
        return sum(self.counts.values())

    @property
    def shares(self) -> dict[str, Fraction]:
        """Share of each type: they add up to 1 exactly, unless there is none at all."""
        total = self.total
        return {name: Fraction(count, total) if total else Fraction(0) for name, count in self.counts.items()}


def type_shares(subsets: Subsets, splits: Sequence[str] = ("test",)) -> list[TypeShares]:
    """Return the bars of Figure 2: for each scale one a language, and one of both.

    Args:
        subsets: the rows.
        splits: that are counted; the paper shows its test set.
    """
    found = []
    for scale in dict.fromkeys(scale for scale, split in subsets if split in splits):
        rows = [row for (one, split), there in subsets.items() if one == scale and split in splits for row in there]
        for language in (*LANGUAGES, "all"):
            counted = Counter(name for row in rows if language in ("all", row["language"]) for name in row["types"])
            found.append(TypeShares(scale, language, {kind.value: counted[kind.value] for kind in HallucinationType}))
    return found
