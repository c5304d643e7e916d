"""What ledger, teller and edits hand to each other: records without words.

A *piece* is something that the novel tells at one place; a *claim* is what a sentence of the summary says. A claim
follows from its pieces, which stand in different chapters as a rule. `holds` (`truth.py`) works out whether any claim
follows from any pieces, so the same rule judges what the ledger knows and what a reader took from the page.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

ClaimKind: TypeAlias = Literal[
    "owner", "deed", "post", "amount", "troops", "age", "date", "death", "interval", "kin", "vow", "outcome", "motive",
    "joint", "order", "cause", "next", "late",
]  # fmt: skip
PieceKind: TypeAlias = Literal[
    "mark", "owns", "hands", "deed", "post", "seat", "paid", "paid_more", "troops", "troops_more", "born", "same_day",
    "incident", "because", "link_a", "link_b", "vow", "kept", "outcome", "motive", "next", "death",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Person:
    """Someone of the story; `number` is theirs alone in a world, `name` and `family` are places in tables of names."""

    number: int
    woman: bool
    name: int
    family: int


@dataclass(frozen=True, slots=True)
class Marked:
    """A person who is not named here, but told by what everyone knows of them (`catalogue.MARKS`)."""

    person: Person
    mark: str


@dataclass(frozen=True, slots=True)
class Item:
    """A thing, place, organisation or other noun of the catalogue.

    Attributes:
        kind: "structure", "paper", "object", "place", "organisation", "hall", "incident", or a hook's kind.
        key: id in the catalogue's tuple of that kind; the kind itself for hooks.
        name: place in the teller's table of names (places, hooks; families for papers and offstage people).
        at: the named place where it is; None where that does not matter.
    """

    kind: str
    key: str
    name: int = 0
    at: "Item | None" = None


@dataclass(frozen=True, slots=True)
class Word:
    """One of a catalogue's ids that is no noun.

    Its kind is "title", "relation", "outcome", "motive", "next", "purpose" or "handover".
    """

    kind: str
    key: str


@dataclass(frozen=True, slots=True)
class Count:
    """A number with its unit (`catalogue.UNITS`)."""

    value: int
    unit: str


@dataclass(frozen=True, slots=True, order=True)
class Day:
    """A date: days since 1 January of year 0, all years having the 365 days of a common one."""

    ordinal: int

    @property
    def date(self) -> tuple[int, int, int]:
        """Year, month (1 to 12), day of the month.

        >>> Day(1872 * 365 + 31).date
        (1872, 2, 1)
        """
        year, rest = divmod(self.ordinal, 365)
        month = bisect_right(_BEFORE, rest)
        return year, month, rest - _BEFORE[month - 1] + 1


# Days of a year before each month.
_BEFORE = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)


@dataclass(frozen=True, slots=True)
class Deed:
    """What someone does: a verb of a family (`catalogue.DEEDS`) and what or whom it is done to."""

    family: str
    verb: str
    object: Item | Person


@dataclass(frozen=True, slots=True)
class Truth:
    """Yes or no: whether a promise was kept."""

    value: bool


Arg: TypeAlias = Person | Marked | Item | Word | Count | Day | Deed | Truth
Args: TypeAlias = Mapping[str, Arg]


@dataclass(frozen=True, slots=True)
class Piece:
    """Something that the novel tells at one place.

    Attributes:
        number: of the piece in its world, from 0.
        kind: which; it fixes the names of its args.
        args: what is told.
        chapter: in which, from 1.
    """

    number: int
    kind: PieceKind
    args: Args
    chapter: int


@dataclass(frozen=True, slots=True)
class Claim:
    """What a sentence of the summary says.

    Attributes:
        number: of the claim in its world, from 0.
        kind: which; it fixes the names of its args.
        args: what is said.
        pieces: numbers of the pieces that show it, the whole evidence.
        rivals: name of an arg -> changes that make the claim untrue though it could as well have been so: each is
            the args that change together (one, as a rule). Drawn with the truth, so that either could be it.
        chapter: of the last of its pieces.
    """

    number: int
    kind: ClaimKind
    args: Args
    pieces: tuple[int, ...]
    chapter: int
    rivals: Mapping[str, tuple[Args, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Chapter:
    """What the ledger fixes of a chapter before a word is written.

    Attributes:
        number: from 1.
        tokens: how long it is to be, 2,000 to 6,000.
        day: its present; later than that of the chapter before, and than all that its pieces tell.
        place: where its scenes are.
        cast: people who are there, alive on that day; at least three.
        pieces: told in it, in order.
    """

    number: int
    tokens: int
    day: Day
    place: Item
    cast: tuple[Person, ...]
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class World:
    """A novel before it is told.

    Attributes:
        key: parts of the stream that it was drawn from; all that is drawn for it later begins with them.
        begins: first day of the story.
        people: all who act or are acted upon, by number.
        places: named places.
        chapters: in order.
        claims: in the order of a summary: by the chapter where their evidence is complete.
        deaths: who dies, and when; nobody is in the cast of a chapter, or does anything, after that.
    """

    key: tuple[str | int, ...]
    begins: Day
    people: tuple[Person, ...]
    places: tuple[Item, ...]
    chapters: tuple[Chapter, ...]
    claims: tuple[Claim, ...]
    deaths: Mapping[Person, Day] = field(default_factory=dict)

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """All pieces, in the order of their numbers."""
        found = [piece for chapter in self.chapters for piece in chapter.pieces]
        return tuple(sorted(found, key=lambda piece: piece.number))


@dataclass(frozen=True, slots=True)
class Told:
    """A chapter as prose.

    Attributes:
        number: of the chapter.
        title: its heading, which is not in the text.
        text: paragraphs parted by a line end; no empty line.
        spans: number of each piece -> start and end of the sentence or sentences that tell it, in `text`.
    """

    number: int
    title: str
    text: str
    spans: Mapping[int, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a summary, and the claim that it says.

    Attributes:
        text: the sentence, end mark included.
        claim: what it says.
        soft: it says less than the claim (a rough number, a place left out), and nothing untrue.
    """

    text: str
    claim: Claim
    soft: bool = False


Sentences: TypeAlias = Sequence[Sentence]
