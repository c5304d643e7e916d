"""The minimal pairs of a finished build, as a review needs them."""

import hashlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lengthwise.builders.streams import Stream
from lengthwise.errors import InputError

from ...hub_folder import parquet_files, read_build
from ..export import PROMPT, read_rows
from ..records import LANGUAGES
from ..text import Span, sentence_spans

MINIMAL = "minimal"


@dataclass(frozen=True, slots=True, order=True)
class PairKey:
    """Which pair, and its stratum."""

    scale: str
    language: str
    id: str


@dataclass(frozen=True)
class Side:
    """One summary of a pair, with what the construction says of it.

    Attributes:
        id: of its row; it tells how the summary came about, so no annotator sees it before their label.
        summary: the text.
        spans: of its sentences.
        hallucinated: gold class.
        types: gold types.
        injections: type, hallucinated and original sentence of each.
        reason: gold reason.
    """

    id: str
    summary: str
    spans: tuple[Span, ...] = field(repr=False)
    hallucinated: bool
    types: tuple[str, ...]
    injections: tuple[Mapping[str, str], ...]
    reason: str

    @property
    def sentences(self) -> list[str]:
        """Return the sentences in order."""
        return [self.summary[start:end] for start, end in self.spans]

    def places(self, text: str) -> list[int]:
        """Return the indices of the sentences that a stretch of the summary touches; none if it is not in it."""
        start = self.summary.find(text) if text else -1
        end = start + len(text)
        return [] if start < 0 else self.touched(start, end)

    def touched(self, start: int, end: int) -> list[int]:
        """Return the indices of the sentences within [start, end)."""
        return [index for index, (first, last) in enumerate(self.spans) if first < end and start < last]

    @property
    def injected(self) -> list[int]:
        """Return the indices of the injected sentences."""
        return sorted({index for one in self.injections for index in self.places(one["hallucinated"])})


@dataclass(frozen=True)
class ReviewPair:
    """A minimal pair.

    Attributes:
        key: which.
        book: its id.
        units: first and last unit of the window.
        article: the window's text.
        sides: A and B, in the order that the seed draws.
    """

    key: PairKey
    book: str
    units: tuple[int, int]
    article: str = field(repr=False)
    sides: tuple[Side, Side]

    @property
    def digest(self) -> str:
        """Return what changes with its summaries: a label is of these words and no others."""
        parts = sorted(f"{side.id}\n{side.summary}" for side in self.sides)
        return hashlib.sha256("\n\n".join(parts).encode()).hexdigest()[:16]


def list_pairs(folder: Path, split: str = "test") -> list[PairKey]:
    """Return the minimal pairs of a split, sorted.

    Raises:
        InputError: there is no finished build, or none of its rows are in minimal pairs.
    """
    import pyarrow.parquet as pq

    found = set()
    for path in _files(folder, split):
        table = pq.read_table(path, columns=["pair_id", "pair_kind", "scale", "language"], partitioning=None)
        found |= {
            PairKey(row["scale"], row["language"], row["pair_id"])
            for row in table.to_pylist()
            if row["pair_kind"] == MINIMAL
        }
    if not found:
        raise InputError(f"{folder}: the split {split!r} has no minimal pairs; choose another with --split")
    return sorted(found)


def load_pairs(folder: Path, ids: Collection[str], split: str = "test", seed: int = 42) -> dict[str, ReviewPair]:
    """Return some pairs with their texts, in the order of `ids`.

    Args:
        folder: of the build.
        ids: of the pairs.
        split: which they are in.
        seed: of the order of the two sides.

    Raises:
        InputError: a pair is not there, or not whole.
    """
    wanted = set(ids)
    rows: dict[str, list[dict[str, Any]]] = {}
    for path in _files(folder, split):
        for row in read_rows([path]):
            if row["pair_id"] in wanted:
                # Its partner has the same article.
                if row["pair_id"] in rows:
                    row["article"] = rows[row["pair_id"]][0]["article"]
                rows.setdefault(row["pair_id"], []).append(row)
    return {one: _pair(one, rows.get(one, []), seed) for one in ids}


def _pair(name: str, rows: list[dict[str, Any]], seed: int) -> ReviewPair:
    if sorted(row["hallucinated"] for row in rows) != [0, 1]:
        raise InputError(
            f"pair {name!r} is not in this build; were its rows built anew? Move the folder `review` away to begin a "
            "new review"
        )
    rows.sort(key=lambda row: row["hallucinated"])
    if Stream("longnovel", "review", "sides", seed, name).below(2):
        rows.reverse()
    first, second = (_side(row) for row in rows)
    row = rows[0]
    key = PairKey(row["scale"], row["language"], name)
    return ReviewPair(key, row["book"], (row["unit_start"], row["unit_end"]), row["article"], (first, second))


def _side(row: Mapping[str, Any]) -> Side:
    spans = tuple(sentence_spans(row["summary"], row["language"]))
    return Side(row["id"], row["summary"], spans, bool(row["hallucinated"]), tuple(row["types"]),
                tuple(row["injections"]), row["reason"])  # fmt: skip


def _files(folder: Path, split: str) -> Iterator[Path]:
    for config in read_build(folder)["configs"]:
        if not config.endswith(PROMPT):
            for language in LANGUAGES:
                yield from parquet_files(folder, (config, f"{split}-{language}"))
