"""Reads the examples of the shown replies back from their data, as far as a page has room for them."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lengthwise.errors import InputError
from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.deciding import data_of
from lengthwise.evaluators.examples import Cell, Data
from lengthwise.evaluators.report.reader.choosing import Wanted, by_need, first_of
from lengthwise.evaluators.report.reader.model import Document
from lengthwise.evaluators.report.reader.packing import describe, marks_of, offsets, pack, shown
from lengthwise.evaluators.report.reader.table import reader_of
from lengthwise.evaluators.scoring import Scored


@dataclass(frozen=True, slots=True)
class Documents:
    """What a page holds of its examples.

    Attributes:
        packed: texts and descriptions, in the form of `packing.pack`.
        places: run and example -> which of these describes it.
        marks: run, example and repeat -> what that reply adds, as the script takes it; only where there is anything.
        total: examples that replies are shown of.
        gone: of these, how many whose data are not on this machine any more, or have changed.
    """

    packed: tuple[str, ...] = ()
    places: Mapping[Wanted, int] = field(default_factory=dict)
    marks: Mapping[tuple[int, str, int], list[list[Any]]] = field(default_factory=dict)
    total: int = 0
    gone: int = 0


@dataclass(frozen=True, slots=True)
class _Read:
    """An example that was read: its texts packed, by their digests, and its description."""

    texts: Mapping[str, str]
    document: Document
    marks: Mapping[int, list[list[Any]]]


class _Store:
    """What is taken up so far, and what room is left."""

    def __init__(self, room: int) -> None:
        self.packed: list[str] = []
        self.room = room
        self._places: dict[str, int] = {}

    def take(self, read: _Read) -> int | None:
        """Take up a document and return its place; None where there is no room for it."""
        new = {digest: text for digest, text in read.texts.items() if digest not in self._places}
        behind = {digest: len(self.packed) + place for place, digest in enumerate(new)}
        places = {**self._places, **behind} if new else self._places
        about = describe(read.document, lambda text: places[_digest(text)])
        digest = _digest(about)
        if not new and digest in self._places:
            return self._places[digest]
        described = pack(about)
        size = sum(map(len, new.values())) + len(described)
        if size > self.room:
            return None
        self.room -= size
        self.packed += [*new.values(), described]
        self._places |= {**behind, digest: len(self.packed) - 1}
        return self._places[digest]


def collect_documents(runs: Sequence[Scored], records: Sequence[Mapping[str, Any]], room: int) -> Documents:
    """Read the examples of some replies, in the order of `by_need`, until there is no room for the next.

    A text that several examples or runs share is held once.

    Args:
        runs: that the replies are of.
        records: the replies shown, with `run`, `config`, `split`, `id`, `repeat` and `kind`.
        room: characters for all of it together.
    """
    order = by_need(records)
    data = {run: data_of(runs[run].run) for run in dict.fromkeys(run for run, _ in order)}
    waiting = [(run, example) for run, example in order if data[run] is not None]
    gone = len(order) - len(waiting)
    store, places = _Store(room), dict[Wanted, int]()
    marks: dict[tuple[int, str, int], list[list[Any]]] = {}
    full = False
    while waiting and not full:
        tokens = [runs[run].rows[example].get("n_tokens") for run, example in waiting]
        count = first_of(waiting, tokens, store.room)
        now, waiting = waiting[:count], waiting[count:]
        read = dict(_read(runs, data, now))
        gone += len(now) - len(read)
        for key in now:
            if key in read:
                place = store.take(read[key])
                if place is None:
                    full = True
                    continue
                places[key] = place
                marks.update({(*key, repeat): added for repeat, added in read[key].marks.items()})
    return Documents(tuple(store.packed), places, marks, len(order), gone)


def _read(
    runs: Sequence[Scored], data: Mapping[int, Data | None], wanted: Iterable[Wanted]
) -> Iterator[tuple[Wanted, _Read]]:
    """Yield what was asked for, as far as it is still there; each row is read once, whatever runs asked it."""
    askers: dict[tuple[str, Cell, str], list[int]] = {}
    sources: dict[str, Data] = {}
    for run, example in wanted:
        source = data[run]
        if source is not None:
            row = runs[run].rows[example]
            askers.setdefault((str(source.folder), Cell(row["config"], row["split"]), example), []).append(run)
            sources[str(source.folder)] = source
    cells: dict[tuple[str, Cell], set[str]] = {}
    for folder, cell, example in askers:
        cells.setdefault((folder, cell), set()).add(example)
    known: dict[str, str] = {}
    for (folder, cell), ids in cells.items():
        for found in _stream(sources[folder], cell, frozenset(ids)):
            reader = reader_of(found.benchmark)
            document = reader.document(found)
            texts = {_digest(text): text for text in _texts(document)}
            # Two rows of a pair share their article, and packing it is most of the work.
            known.update({digest: pack(text) for digest, text in texts.items() if digest not in known})
            at = offsets(document.main.text)
            for run in askers[folder, cell, found.id]:
                outcomes = (
                    (repeat, runs[run].outcomes.get((found.id, repeat))) for repeat in range(runs[run].run.repeats)
                )
                marks = {
                    repeat: marks_of(added, at)
                    for repeat, outcome in outcomes
                    if outcome is not None and (added := reader.marks(found, document, outcome))
                }
                yield (run, found.id), _Read({digest: known[digest] for digest in texts}, document, marks)


def _stream(data: Data, cell: Cell, ids: frozenset[str]) -> Iterator[Example]:
    try:
        yield from data.stream({cell: ids})
    except InputError:
        # A cell whose file is missing is no reason to have no page.
        return


def _texts(document: Document) -> list[str]:
    return [shown(part.text) for part in (document.main, *document.side)]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def packed_lines(documents: Documents) -> str:
    """Return all that is packed as the page holds it, a line each; safe in any element, being base64."""
    return "\n".join(documents.packed)


def note(documents: Documents) -> str:
    """Return how much of the texts is in the page, in a few sentences; empty where there is nothing to say."""
    here, total = len(documents.places), documents.total
    if not total:
        return ""
    if here == total:
        return f"The whole texts of all {total:,} examples are in this page."
    said = [f"The whole texts of {here:,} of {total:,} examples are in this page."]
    if here and here + documents.gone < total:
        said.append("Those answered wrongly come first.")
    if documents.gone:
        said.append(f"The data of {documents.gone:,} are no longer there.")
    return " ".join(said)
