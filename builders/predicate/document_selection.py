"""Which of the documents that pass the filter are used, and how many there are of each kind (paper section 3.4.1).

The paper keeps 120 documents and draws 100 of them; its Table 3 counts them by LongBench v2's categories.
"""

import hashlib
import heapq
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from lengthwise.errors import InputError

from ..streams import Stream
from .document_filter import Accepted, CountTokens, FilterBounds, Rejected, examine
from .documents import SourceDocument

# So many generated documents in a row are refused before they are given up; about three in ten pass by default.
_PATIENCE = 100


@dataclass(frozen=True)
class DomainCount:
    """One line of a table like the paper's Table 3: documents read, passed by the filter, and drawn."""

    domain: str
    sub_domain: str
    read: int
    passed: int
    kept: int


@dataclass(frozen=True)
class Selection:
    """The documents drawn and the documents refused, both by id, without their texts; counts by domain."""

    kept: tuple[Accepted, ...]
    rejected: tuple[Rejected, ...]
    counts: tuple[DomainCount, ...]


def select(
    documents: Iterable[SourceDocument],
    count_tokens: CountTokens,
    bounds: FilterBounds | None = None,
    *,
    seed: int,
    most: int = 100,
    break_ties: bool = False,
    endless: Iterable[SourceDocument] = (),
) -> Selection:
    """Filter documents and draw up to `most` of those that pass, the same ones in whatever order they come.

    Each word list has a draw of its own, and the lowest draws win: a document more or less changes at most one
    place. Of documents with the same words (LongBench v2 asks several questions on one text) the one with the lowest
    id stands for all.

    Args:
        documents: read one at a time; no more than `most` word lists are held.
        count_tokens: gives the tokens of a word list.
        bounds: as in `examine`.
        seed: of the draw.
        most: 1 or more; the paper's 100.
        break_ties: as in `examine`.
        endless: documents that go on for ever, in a fixed order: read only until `most` have passed in all, or so many
            in a row were refused that none will.

    Raises:
        InputError: `most` is below 1.
    """
    if most < 1:
        raise InputError(f"most is {most}: give the number of documents to keep, 1 or more")
    rejected: list[Rejected] = []
    twins: dict[str, list[SourceDocument]] = {}
    held: dict[str, Accepted] = {}
    draws: list[tuple[int, str]] = []

    def enough() -> Iterator[SourceDocument]:
        yield from documents
        in_vain = 0
        for document in endless:
            if len(twins) >= most or in_vain == _PATIENCE:
                return
            before = len(twins)
            yield document
            in_vain = 0 if len(twins) > before else in_vain + 1

    for document in enough():
        result = examine(document, count_tokens, bounds, break_ties)
        light = replace(document, text="")
        if isinstance(result, Rejected):
            rejected.append(replace(result, document=light))
            continue
        digest = hashlib.sha256(" ".join(result.words).encode()).hexdigest()
        twins.setdefault(digest, []).append(light)
        if len(twins[digest]) > 1:
            continue
        held[digest] = replace(result, document=light)
        draw = int(Stream("predicatelongbench", 1, "documents", "select", digest, seed).words(1)[0])
        heapq.heappush(draws, (-draw, digest))
        if len(draws) > most:
            del held[heapq.heappop(draws)[1]]
    for digest, same in twins.items():
        first, *others = sorted(same, key=lambda document: document.id)
        twins[digest] = [first]
        rejected += [
            Rejected(other, f"the same words as {first.id}, 1 document of a text allowed") for other in others
        ]
    kept = [replace(accepted, document=twins[digest][0]) for digest, accepted in held.items()]
    kept.sort(key=lambda accepted: accepted.document.id)
    rejected.sort(key=lambda result: result.document.id)
    return Selection(tuple(kept), tuple(rejected), _counts(kept, [same[0] for same in twins.values()], rejected))


def _counts(kept: list[Accepted], passed: list[SourceDocument], rejected: list[Rejected]) -> tuple[DomainCount, ...]:
    def count(documents: Iterable[SourceDocument]) -> Counter[tuple[str, str]]:
        return Counter((document.domain, document.sub_domain) for document in documents)

    by_kept, by_passed = count(accepted.document for accepted in kept), count(passed)
    by_read = by_passed + count(result.document for result in rejected)
    return tuple(DomainCount(*key, by_read[key], by_passed[key], by_kept[key]) for key in sorted(by_read))
