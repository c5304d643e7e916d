"""Files of books: JSON Lines with a chapter a line, plain text, and EPUB; summaries from a file beside them."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Any

from lengthwise.errors import InputError

from ..records import Language, Unit
from .book import Book, as_language, language_of
from .damage import damage, with_gaps
from .encoding import decode
from .epub import read_epub
from .headings import couplet
from .plain import Chapter, chapters

SUMMARIES = ".summaries.jsonl"


@dataclass(frozen=True, slots=True)
class BookOptions:
    """How files are read.

    Attributes:
        language: of texts that do not say theirs; None tells it by the script.
        headings_as_summaries: in books without summaries, take the couplet of an old Chinese chapter's heading.
    """

    language: Language | None = None
    headings_as_summaries: bool = False


def read_books(path: Path, options: BookOptions) -> Iterator[Book]:
    """Yield the books of one file, with the summaries of the file beside it.

    Raises:
        InputError: it cannot be read, or a line is not as it should be.
    """
    found = list(BOOK_FILES[path.suffix.lower()](path, options))
    beside = path.with_name(path.stem + SUMMARIES)
    if beside.is_file():
        if len(found) != 1:
            raise InputError(f"{beside.name}: {path.name} holds {len(found)} books, and its units could be of any")
        found = [_with_summaries(found[0], beside)]
    for book in found:
        if options.headings_as_summaries and not any(unit.summary for unit in book.units):
            book = replace(book, units=tuple(map(_with_couplet, book.units)))
        yield replace(book, units=with_gaps(book.units), damage=(*book.damage, *damage(book.units)))


def json_rows(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the objects of a JSON Lines file, each with its place for an error.

    Raises:
        InputError: a line is no JSON object.
    """
    text, _ = decode(path.read_bytes())
    # Not splitlines: JSON text may hold its other line ends as they are.
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        place = f"{path.name} line {number}"
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            raise InputError(f"{place}: no JSON ({error}); put one object on each line") from error
        if not isinstance(row, dict):
            raise InputError(f"{place}: {type(row).__name__} where an object should be")
        yield place, row


def unit_of_row(row: Mapping[str, Any], place: str, book: str, options: BookOptions) -> Unit:
    """Return a chapter's row as a unit.

    Args:
        row: with text, and perhaps book_id, unit, lang, heading, summary and summary_origin.
        place: of the row, for an error.
        book: id of the book where the row has none.
        options: how files are read.

    Raises:
        InputError: the text is missing, the language is neither, the unit is no number, or a summary has no origin.
    """
    text = _field(row, "text", place)
    if not text.strip():
        raise InputError(f"{place}: text is missing or empty")
    language = row.get("lang") or row.get("language")
    index = row.get("unit", 0)
    if not isinstance(index, int) or isinstance(index, bool):
        raise InputError(f"{place}: unit {index!r} is no whole number")
    summary, origin = _summary(row, place)
    return Unit(
        book=slug(_field(row, "book_id", place) or book),
        index=index,
        language=as_language(str(language), place) if language else options.language or language_of(text),
        title=_field(row, "heading", place).strip().rstrip(":").strip(),
        text=text.strip("\n"),
        summary=summary,
        summary_origin=origin,
    )


def slug(name: str) -> str:
    """Return a name as the id of a book: letters, digits and single underscores, in small letters.

    >>> slug("Moby-Dick; or, The Whale"), slug("老残游记")
    ('moby_dick_or_the_whale', '老残游记')
    """
    return re.sub(r"\W+|_+", "_", name.lower()).strip("_")


def _field(row: Mapping[str, Any], name: str, place: str) -> str:
    value = row.get(name)
    if value is None:
        return ""
    if not isinstance(value, str | int):
        raise InputError(f"{place}: {name} is {type(value).__name__}, not text")
    return str(value)


def _summary(row: Mapping[str, Any], place: str) -> tuple[str, str]:
    summary = _field(row, "summary", place).strip()
    origin = _field(row, "summary_origin", place).strip()
    if summary and not re.fullmatch(r"heading|(?:human|model):.+", origin):
        raise InputError(
            f"{place}: summary_origin {origin!r} does not say who wrote the summary; write human:WHO, model:NAME or "
            "heading"
        )
    return summary, origin if summary else ""


def _json_books(path: Path, options: BookOptions) -> Iterator[Book]:
    units = [unit_of_row(row, place, path.stem, options) for place, row in json_rows(path)]
    if not units:
        raise InputError(f"{path.name}: it has no line")
    for book, group in groupby(units, key=lambda unit: unit.book):
        found = list(group)
        if any(unit.index for unit in found):
            found.sort(key=lambda unit: unit.index)
        numbers = [unit.index for unit in found]
        notes = []
        if any(numbers) and numbers != list(range(1, len(found) + 1)):
            notes = [f"{book}: its units are not numbered from 1 without gaps; they are numbered anew in that order"]
        for place, (earlier, later) in enumerate(pairwise(numbers), 1):
            if later > earlier + 1:
                found[place] = replace(found[place], gap=True)
        yield Book(_numbered(found), damage=tuple(notes))


def _plain_books(path: Path, options: BookOptions) -> Iterator[Book]:
    text, encoding = decode(path.read_bytes())
    found, notes = chapters(text)
    if encoding not in ("utf-8", "utf-8-sig"):
        notes = [f"read as {encoding}", *notes]
    yield _book(path, found, notes, options.language or language_of(text))


def _epub_books(path: Path, options: BookOptions) -> Iterator[Book]:
    found = read_epub(path)
    language = options.language
    if language is None:
        said = found.language
        language = as_language(said, path.name) if said else language_of("".join(c.text for c in found.chapters))
    yield _book(path, found.chapters, [], language)


def _book(path: Path, found: Iterable[Chapter], notes: Iterable[str], language: Language) -> Book:
    book = slug(path.stem)
    units = [Unit(book, 0, language, chapter.title, chapter.text) for chapter in found if chapter.text]
    if not units:
        raise InputError(f"{path.name}: it has no text")
    return Book(_numbered(units), damage=tuple(f"{book}: {note}" for note in notes))


def _numbered(units: Iterable[Unit]) -> tuple[Unit, ...]:
    return tuple(replace(unit, index=index) for index, unit in enumerate(units, 1))


def _with_summaries(book: Book, path: Path) -> Book:
    """Put the summaries of a parallel file ({unit, summary, summary_origin} a line) to their units."""
    units = {unit.index: unit for unit in book.units}
    for place, row in json_rows(path):
        index = row.get("unit")
        if index not in units:
            raise InputError(f"{place}: unit {index!r}; {book.units[0].book} has units 1 to {len(units)}")
        summary, origin = _summary(row, place)
        if not summary:
            raise InputError(f"{place}: summary is missing or empty")
        units[index] = replace(units[index], summary=summary, summary_origin=origin)
    return replace(book, units=tuple(units.values()))


def _with_couplet(unit: Unit) -> Unit:
    heading = couplet(unit.title)
    return replace(unit, summary=heading, summary_origin="heading") if heading else unit


BOOK_FILES: Mapping[str, Callable[[Path, BookOptions], Iterator[Book]]] = MappingProxyType(
    {".jsonl": _json_books, ".txt": _plain_books, ".epub": _epub_books}
)
