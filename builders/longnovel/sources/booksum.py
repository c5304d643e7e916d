"""BookSum's chapters with their summaries from study guides, from either of its two copies on the Hub (3.1).

A book's chapters come with summaries by several guides, under several spellings of its title, and sometimes numbered
in several ways. What is made of them:

- Rows that span chapters (`is_aggregate`) are dropped, as are rows without text or summary.
- A book is what one Gutenberg id has under one title, spelling and leading articles apart.
- The guide that covers most of its chapters is the book's (ties: the one that writes more, then by name); a chapter
  that it lacks takes the summary of the next such guide. Each unit's `summary_origin` names its guide.
- A chapter that only another guide has is taken where neither its number nor its text is there yet.
- Where chapters are missing, as their numbers or the rows that were left out show, the next one is behind a gap.
"""

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from types import MappingProxyType
from typing import Any, TypeAlias

from lengthwise.builders.hub_files import PARQUET_BRANCH, HubCopy, Row
from lengthwise.errors import InputError

from ..records import Unit
from .book import Book
from .books import slug
from .damage import damage
from .numerals import number

LICENCE = (
    "BookSum (scripts BSD-3-Clause, for research only): chapters from Project Gutenberg; summaries copyrighted by the "
    "study guides that they are from"
)
SPLITS = ("train", "validation", "test")

# A chapter's place in its book: (what it is, number) from the volume down.
Place: TypeAlias = tuple[tuple[str, int], ...]

_FRONT = frozenset({"preface", "prologue", "introduction", "foreword", "dedication", "induction", "prelude"})
_BACK = frozenset({"epilogue", "conclusion", "afterword", "postscript", "appendix"})
_STRUCTURE = re.compile(
    r"(?:chapters?|books?|parts?|volumes?|acts?|scenes?|cantos?|letters?|staves?|sections?|phases?|stanzas?|"
    rf"{'|'.join(sorted(_FRONT | _BACK))})\b",
    re.IGNORECASE,
)

# A row that spans chapters, as it names them.
_SPAN = re.compile(r"(?P<kind>.*?)s? (?P<first>\w+) ?[-–] ?(?P<last>\w+)")
_LONGEST_SPAN = 100


@dataclass(frozen=True, slots=True)
class ChapterRow:
    """A row of either copy, brought to one shape.

    Attributes:
        bid: Gutenberg's id of the book.
        title: of the book.
        chapter: its name without the title, e.g. "book 1.chapter 2".
        text: of the chapter.
        summaries: guide -> summary.
        aggregate: it spans several chapters.
    """

    bid: str
    title: str
    chapter: str
    text: str
    summaries: Mapping[str, str]
    aggregate: bool


def cleaned_row(row: Row) -> ChapterRow:
    """Read a row of ubaada/booksum-complete-cleaned, config chapters: a chapter with all its summaries.

    >>> row = {"bid": 1232, "book_title": "The Prince", "chapter_id": "The Prince.chapter x", "text": "How ...",
    ...        "summary": [{"source": "shmoop", "text": "It is ...", "analysis": None}], "is_aggregate": False}
    >>> cleaned_row(row).chapter, dict(cleaned_row(row).summaries)
    ('chapter x', {'shmoop': 'It is ...'})

    Raises:
        InputError: a column is missing.
    """
    with_summary: dict[str, str] = {}
    for summary in _column(row, "summary") or []:
        with_summary.setdefault(str(_column(summary, "source")), _text(_column(summary, "text")))
    title, chapter = _names(str(_column(row, "chapter_id")), str(_column(row, "book_title") or ""))
    return ChapterRow(str(_column(row, "bid")), title, chapter, _text(_column(row, "text")), with_summary,
                      _flag(_column(row, "is_aggregate")))  # fmt: skip


def single_row(row: Row) -> ChapterRow:
    """Read a row of kmfoda/booksum: a chapter with one of its summaries; the others are in further rows.

    Raises:
        InputError: a column is missing.
    """
    title, chapter = _names(str(_column(row, "book_id")), "")
    summaries = {str(_column(row, "source")): _text(_column(row, "summary_text"))}
    return ChapterRow(str(_column(row, "bid")), title, chapter, _text(_column(row, "chapter")), summaries,
                      _flag(_column(row, "is_aggregate")))  # fmt: skip


@dataclass(frozen=True, slots=True)
class BookSumCopy:
    """A copy of BookSum on the Hub; its files are those of train, validation and test, in this order."""

    copies: tuple[HubCopy, ...]
    read: Callable[[Row], ChapterRow]


BOOKSUM: Mapping[str, BookSumCopy] = MappingProxyType(
    {
        "ubaada/booksum-complete-cleaned": BookSumCopy(
            (
                HubCopy(
                    "ubaada/booksum-complete-cleaned",
                    ("chapters/train.jsonl", "chapters/val.jsonl", "chapters/test.jsonl"),
                ),
            ),
            cleaned_row,
        ),
        "kmfoda/booksum": BookSumCopy(
            (
                HubCopy(
                    "kmfoda/booksum", ("*train/*.parquet", "*validation/*.parquet", "*test/*.parquet"), PARQUET_BRANCH
                ),
                HubCopy("kmfoda/booksum", ("train.csv", "dev.csv", "test.csv")),
            ),
            single_row,
        ),
    }
)


def booksum_books(rows: Iterable[ChapterRow], split: str) -> Iterator[Book]:
    """Yield the books that the rows of a split are of, in the order in which they come up."""
    books: dict[tuple[str, str], dict[Place, ChapterRow]] = {}
    dropped: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    lost: dict[tuple[str, str], set[Place]] = defaultdict(set)
    for row in rows:
        book = row.bid, _plain_title(row.title)
        summaries = {guide: summary for guide, summary in row.summaries.items() if summary}
        if row.aggregate or not row.text or not summaries:
            why = "of several chapters" if row.aggregate else "without text" if not row.text else "without a summary"
            dropped[book][why] += 1
            lost[book].update(_places(row.chapter))
            continue
        chapters = books.setdefault(book, {})
        place = chapter_place(row.chapter)
        known = chapters.get(place)
        if known is None:
            chapters[place] = replace(row, summaries=summaries)
        elif _same(known.text, row.text):
            chapters[place] = replace(known, summaries={**summaries, **known.summaries})
        else:
            # Another chapter under the same number: guides that count in each volume anew.
            chapters[(*place, ("~", len(chapters)))] = replace(row, summaries=summaries)
    for book, chapters in books.items():
        yield _book(chapters, split, dropped[book], lost[book])


def chapter_place(chapter: str) -> Place:
    """Return a chapter's place from its name, however its numbers are written.

    >>> chapter_place("act iv.scene ii") == chapter_place("act 4.scene 2")
    True
    """
    parts = []
    for part in chapter.lower().split("."):
        word, _, rest = part.strip().partition(" ")
        value = number(rest)
        if value is None and (bare := number(word)) is not None and not rest:
            word, value = "", bare
        parts.append((part.strip(), 0) if value is None else (word, value))
    return tuple(parts)


def _places(chapter: str) -> list[Place]:
    """Return the places of a row's chapters, of which it may span several ("part 2.chapters 7-8")."""
    found = _SPAN.fullmatch(chapter.lower())
    first, last = (number(found["first"]), number(found["last"])) if found else (None, None)
    if found is None or first is None or last is None or not 0 <= last - first < _LONGEST_SPAN:
        return [chapter_place(chapter)]
    return [chapter_place(f"{found['kind']} {value}") for value in range(first, last + 1)]


def _book(
    chapters: Mapping[Place, ChapterRow], split: str, dropped: Mapping[str, int], lost: Collection[Place]
) -> Book:
    guides = _guides(chapters.values())
    # Chapters of the book's own guide first, so that the others only fill what it lacks.
    ranked = sorted(chapters.items(), key=lambda item: min(guides.index(guide) for guide in item[1].summaries))
    taken: dict[Place, ChapterRow] = {}
    texts: set[str] = set()
    twice = 0
    for place, row in ranked:
        plain = tuple(part for part in place if part[0] != "~")
        if plain in taken or _digest(row.text) in texts:
            twice += 1
            continue
        taken[plain] = row
        texts.add(_digest(row.text))
    first = next(iter(taken.values()))
    name = f"{slug(first.title)}_{first.bid}"
    units = []
    gaps = _gaps(list(taken), lost)
    for index, place in enumerate(sorted(taken, key=_order(list(taken))), 1):
        row = taken[place]
        guide = next(guide for guide in guides if guide in row.summaries)
        summary, origin = row.summaries[guide], f"human:{guide}"
        units.append(Unit(name, index, "en", row.chapter, row.text, summary, origin, place in gaps))
    notes = [f"{name}: {twice} rows of chapters under a number or with a text that is there already"] if twice else []
    notes += [f"{name}: {count} rows {why} are left out" for why, count in sorted(dropped.items())]
    if behind := ", ".join(f"{unit.index} ({unit.title})" for unit in units if unit.gap):
        notes.append(f"{name}: chapters are missing before unit {behind}; no window runs over such a place")
    return Book(tuple(units), split, (*notes, *damage(units)))


def _gaps(taken: Sequence[Place], lost: Collection[Place]) -> set[Place]:
    """Return the chapters that do not go on from the one before.

    Args:
        taken: chapters that are there.
        lost: those of rows that were left out; of other kinds than what is there they may be of any place.
    """
    kinds = {tuple(word for word, _ in place) for place in taken}
    between = [
        place
        for place in lost
        if place not in taken and (tuple(word for word, _ in place) in kinds or place[-1][0] in _FRONT | _BACK)
    ]
    everything = [*taken, *between]
    return {
        later
        for earlier, later in pairwise(sorted(everything, key=_order(everything)))
        if later in taken and (earlier in between or _leaves_out(earlier, later))
    }


def _leaves_out(earlier: Place, later: Place) -> bool:
    """Return whether numbers are missing between two chapters; a count within a volume may begin anew, or go on.

    >>> _leaves_out((("book", 1), ("chapter", 9)), (("book", 2), ("chapter", 1)))
    False
    >>> _leaves_out((("book", 1), ("chapter", 9)), (("book", 2), ("chapter", 2)))
    True
    """
    same = True
    for depth, (word, value) in enumerate(later):
        before = earlier[depth] if depth < len(earlier) else ("", 0)
        same = same and before == (word, value)
        if not same and value > 1 and before != (word, value - 1):
            return True
    return False


def _guides(rows: Iterable[ChapterRow]) -> list[str]:
    """Return the guides to a book, the one that covers most chapters first."""
    lengths: dict[str, list[int]] = {}
    for row in rows:
        for guide, summary in row.summaries.items():
            lengths.setdefault(guide, []).append(len(summary))
    return sorted(lengths, key=lambda guide: (-len(lengths[guide]), -sum(lengths[guide]), guide))


def _order(places: Sequence[Place]) -> Callable[[Place], tuple[tuple[int, int, int], ...]]:
    """Return a key that sorts chapters: by number, and by when their kind came up (letters before chapters, say)."""
    kinds: dict[tuple[int, str], int] = {}
    for place in places:
        for depth, (word, _) in enumerate(place):
            kinds.setdefault((depth, word), len(kinds))

    def key(place: Place) -> tuple[tuple[int, int, int], ...]:
        return tuple(
            ((word not in _FRONT) + (word in _BACK), kinds[depth, word], value)
            for depth, (word, value) in enumerate(place)
        )

    return key


def _names(identifier: str, title: str) -> tuple[str, str]:
    """Return the book's title and the chapter's name; an id is "TITLE.CHAPTER" or only the latter."""
    if title and identifier.startswith(f"{title}."):
        return title, identifier.removeprefix(f"{title}.")
    # The first point without a space behind it: a title may hold others ("Dr. Faustus.act 1").
    match = re.match(r"(.*?)\.(?=\S)(.*)", identifier, re.DOTALL)
    if match is None or _STRUCTURE.match(match[1]):
        return title, identifier
    return title or match[1], match[2]


def _plain_title(title: str) -> str:
    return re.sub(r"^(?:the|an?)\s+|\W", "", title.lower())


def _same(one: str, other: str) -> bool:
    return one == other or _digest(one) == _digest(other)


def _digest(text: str) -> str:
    return hashlib.sha256("".join(text.split()).encode()).hexdigest()


def _column(row: Mapping[str, Any], name: str) -> Any:
    if name not in row:
        raise InputError(f"BookSum: a row has no column {name!r} (it has {', '.join(row)}); has the data set changed?")
    return row[name]


def _text(value: Any) -> str:
    if isinstance(value, list):
        return "\n\n".join(str(part).strip() for part in value).strip()
    return "" if value is None else str(value).strip()


def _flag(value: Any) -> bool:
    return value is True or str(value).strip().lower() in ("true", "1")
