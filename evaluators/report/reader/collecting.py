"""Reads the examples of the shown replies back from their data, as far as a page has room for them."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
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
class _Row:
    """A row of some data, whatever runs asked it."""

    folder: Path
    cell: Cell
    example: str


class _Store:
    """What is taken up so far, and what room is left."""

    def __init__(self, room: int) -> None:
        self.packed: list[str] = []
        self.room = room
        self._places: dict[str, int] = {}

    def take(self, document: Document) -> int | None:
        """Take up a document and return its place; None where there is no room for it."""
        texts = {_digest(text): text for text in _texts(document)}
        # Two rows of a pair share their article, and packing it is most of the work.
        new = {digest: pack(text) for digest, text in texts.items() if digest not in self._places}
        behind = {digest: len(self.packed) + place for place, digest in enumerate(new)}
        places = {**self._places, **behind} if new else self._places
        about = describe(document, lambda text: places[_digest(text)])
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

    A text that several examples or runs share is read and held once.

    Args:
        runs: that the replies are of.
        records: the replies shown, with `run`, `config`, `split`, `id`, `repeat` and `kind`.
        room: characters for all of it together.
    """
    order = by_need(records)
    data = {run: data_of(runs[run].run) for run in dict.fromkeys(run for run, _ in order)}
    askers: dict[_Row, list[int]] = {}
    sources: dict[Path, Data] = {}
    for run, example in order:
        source = data[run]
        if source is not None:
            columns = runs[run].rows[example]
            row = _Row(source.folder, Cell(columns["config"], columns["split"]), example)
            askers.setdefault(row, []).append(run)
            sources[source.folder] = source
    gone = len(order) - sum(map(len, askers.values()))
    waiting = list(askers)
    tokens = [runs[askers[row][0]].rows[row.example].get("n_tokens") for row in waiting]
    store, places = _Store(room), dict[Wanted, int]()
    marks: dict[tuple[int, str, int], list[list[Any]]] = {}
    full = False
    while waiting and not full:
        count = first_of(tokens, store.room)
        now, waiting, tokens = waiting[:count], waiting[count:], tokens[count:]
        read = dict(_read(sources, now))
        for row in now:
            if row not in read:
                gone += len(askers[row])
                continue
            found, document = read[row]
            place = store.take(document)
            full = full or place is None
            if place is not None:
                for run in askers[row]:
                    places[run, row.example] = place
                    marks.update(_marks(run, runs[run], found, document))
    return Documents(tuple(store.packed), places, marks, len(order), gone)


def _read(sources: Mapping[Path, Data], rows: Iterable[_Row]) -> Iterator[tuple[_Row, tuple[Example, Document]]]:
    """Yield what was asked for, as far as it is still there."""
    cells: dict[tuple[Path, Cell], set[str]] = {}
    for row in rows:
        cells.setdefault((row.folder, row.cell), set()).add(row.example)
    for (folder, cell), ids in cells.items():
        for found in _stream(sources[folder], cell, frozenset(ids)):
            yield _Row(folder, cell, found.id), (found, reader_of(found.benchmark).document(found))


def _marks(
    number: int, run: Scored, example: Example, document: Document
) -> Iterator[tuple[tuple[int, str, int], list[list[Any]]]]:
    """Yield what each reply of a run adds to a document, where it adds anything."""
    reader = reader_of(example.benchmark)
    for repeat in range(run.run.repeats):
        outcome = run.outcomes.get((example.id, repeat))
        if outcome is not None and (added := reader.marks(example, document, outcome)):
            yield (number, example.id, repeat), marks_of(added, offsets(document.main.text))


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
