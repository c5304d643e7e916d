"""One way to any source of books: a folder, a file, or a data set on the Hub."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from lengthwise.builders.hub_files import fetch, file_rows, origin
from lengthwise.errors import InputError, unknown_name

from ..records import Language, Source
from .book import Book, check_ids
from .books import BOOK_FILES, SUMMARIES, BookOptions, json_rows, read_books
from .booksum import BOOKSUM, SPLITS, booksum_books
from .booksum import LICENCE as BOOKSUM_LICENCE
from .squality import LICENCE as SQUALITY_LICENCE
from .squality import is_squality, squality_books

UNKNOWN_LICENCE = "unknown"
_HUB_ID = re.compile(r"[\w.-]+/[\w.-]+")
# The authors' own data holds finished rows; there are no chapters to build from.
_FINISHED = "sii-bdml/longnovel"
_PASSED_OVER = re.compile(r"(?:LICEN[CS]E|COPYING|SOURCE|README|NOTICE|\.)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Reader:
    """How one kind of source is read.

    Attributes:
        licence: of the text; "unknown" where only its owner can say.
        redistributable: whether a data set with the text may be passed on.
        read: path or Hub id, and options -> where it was read, and its books.
    """

    licence: str
    redistributable: bool
    read: Callable[[str, BookOptions], tuple[str, Iterable[Book]]]


def read_source(
    source: str | Path,
    *,
    language: Language | None = None,
    headings_as_summaries: bool = False,
    licence: str | None = None,
    redistributable: bool | None = None,
) -> Source:
    """Return the chapters of a source of books.

    Args:
        source: a folder or a file (anything that exists, or starts with ".", "/" or "~"), or a Hub id. A folder's
            .jsonl, .txt and .epub files are read in order of their names; FILE.summaries.jsonl holds the summaries of
            FILE's units. A folder of SQuALITY's files is known by their rows.
        language: of texts that do not say theirs; None tells it by the script.
        headings_as_summaries: in books without summaries, take the couplet of an old Chinese chapter's heading.
        licence: of the text, where the source does not say.
        redistributable: whether a data set that holds the text may be passed on. A folder's may not unless this says
            so.

    Raises:
        InputError: there is no such source, or it cannot be read; the message names the file and line.
    """
    name = str(source)
    reader = READERS[source_kind(name)]
    where, found = reader.read(name, BookOptions(language, headings_as_summaries))
    books = list(found)
    check_ids(books)
    return Source(
        name=where,
        kind=source_kind(name),
        licence=licence or reader.licence,
        redistributable=reader.redistributable if redistributable is None else redistributable,
        units=tuple(unit for book in books for unit in book.units),
        splits={book.units[0].book: book.split for book in books if book.split},
        damage=tuple(line for book in books for line in book.damage),
    )


def source_kind(source: str) -> str:
    """Return the kind of a source, a key of `READERS`.

    Raises:
        InputError: it is a path that does not exist, an unknown data set, or neither.
    """
    path = Path(source).expanduser()
    if not source:
        raise InputError("source '': give a folder, a file or a Hub id")
    if path.exists():
        rows = (next(json_rows(file), None) for file in _files(path) if file.suffix.lower() == ".jsonl")
        first = next((row for row in rows if row is not None), None)
        return "squality" if first is not None and is_squality(first[1]) else "books"
    if source.startswith((".", "/", "~")) or not _HUB_ID.fullmatch(source):
        raise InputError(f"source {source!r}: no such folder or file; give one that exists, or a Hub id (owner/name)")
    if source.lower() == _FINISHED:
        raise InputError(f"source {source!r}: it holds finished rows, not chapters to build from; add --published")
    if source not in BOOKSUM:
        raise unknown_name("source (taken for a Hub id, as no such path exists)", source, BOOKSUM)
    return source


def _files(path: Path) -> list[Path]:
    """Return the files of a source that hold books, in order of their names."""
    if path.is_file():
        if path.suffix.lower() not in BOOK_FILES:
            raise InputError(f"source {path.name}: not a {', '.join(BOOK_FILES)} file; convert it to one of them")
        return [path]
    files = sorted(
        file
        for file in path.rglob("*")
        if file.is_file() and file.suffix.lower() in BOOK_FILES and not file.name.endswith(SUMMARIES)
        and not any(_PASSED_OVER.match(part) for part in file.relative_to(path).parts)
    )  # fmt: skip
    if not files:
        raise InputError(f"source {str(path)!r}: no books there; put {', '.join(BOOK_FILES)} files into it")
    return files


def _read_files(source: str, options: BookOptions) -> tuple[str, Iterator[Book]]:
    path = Path(source).expanduser()
    return path.resolve().name, (book for file in _files(path) for book in read_books(file, options))


def _read_squality(source: str, _: BookOptions) -> tuple[str, Iterator[Book]]:
    path = Path(source).expanduser()
    return "squality", squality_books(_files(path))


def _read_booksum(source: str, _: BookOptions) -> tuple[str, Iterator[Book]]:
    what = f"source {source}"
    known = BOOKSUM[source]
    copy, folder = fetch(what, known.copies, "Give a folder of books instead")

    books: dict[str, Book] = {}
    for split, pattern in zip(SPLITS, copy.files, strict=True):
        rows = map(known.read, file_rows(folder, replace(copy, files=(pattern,)), what))
        for book in booksum_books(rows, split):
            name = book.units[0].book
            if name not in books:
                books[name] = book
                continue
            # No book may be in two splits; the first that has it keeps it.
            first = books[name]
            note = f"{name}: its {len(book.units)} chapters in {split} are left out, as it is in {first.split}"
            books[name] = replace(first, damage=(*first.damage, note))
    return origin(copy, folder), iter(books.values())


READERS: Mapping[str, Reader] = MappingProxyType(
    {
        "books": Reader(UNKNOWN_LICENCE, False, _read_files),
        "squality": Reader(SQUALITY_LICENCE, True, _read_squality),
        **{name: Reader(BOOKSUM_LICENCE, False, _read_booksum) for name in BOOKSUM},
    }
)
