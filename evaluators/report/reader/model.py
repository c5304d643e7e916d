"""A document as the page's script draws it: text with marks and sections. It knows nothing of benchmarks."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from lengthwise.contracts import Reply
from lengthwise.evaluators.contracts import Example, Outcome

# Kind of a mark -> what a legend calls it. The style sheet has a colour for each (`m-<kind>`).
KINDS: Mapping[str, str] = MappingProxyType(
    {
        "evidence": "evidence",
        "false": "hallucinated sentence",
        "target": "target",
        "decoy": "decoy",
        "answer": "answer given",
        "wrong": "answered wrongly",
        "missing": "left out",
        # Found by the script: what stands between quotation marks in a reply, and in the text.
        "quoted": "quoted in the reply",
    }
)
# What parts are called, and what of an example stands for it where its text is not to be had.
TITLES = ("Article", "Summary", "Word list", "Question", "Instances", "Prompt")
# What sections are called, number and label in their places; a label without a place of its own stands behind.
UNITS = ("chapter {n}", "instance {n}, right answer {label}", "list {n}")


@dataclass(frozen=True, slots=True)
class Mark:
    """A marked stretch of a text.

    Attributes:
        start: of the stretch, in characters (code points) of its text.
        end: behind it; equal to `start` for what is only listed, its place not being known.
        kind: a key of `KINDS`.
        label: drawn before it; short.
        title: what it is, in a few words.
        text: what there is to say of it, at length.
        group: marks of one group, in whatever part of a document, belong together; 0 for none.
    """

    start: int
    end: int
    kind: str
    label: str = ""
    title: str = ""
    text: str = ""
    group: int = 0


@dataclass(frozen=True, slots=True)
class Section:
    """Where a chapter, a list or an instance begins.

    Attributes:
        start: in characters of the text.
        number: what it is called by.
        label: what else is known of it; may be empty.
    """

    start: int
    number: int
    label: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """One text of a document.

    Attributes:
        title: above it, one of `TITLES`.
        text: all of it.
        marks: in any order; they may overlap.
        sections: by their starts.
        unit: what a section is called, one of `UNITS`; "" where there are none.
        headed: draw the names of sections, which the text itself does not have.
    """

    title: str
    text: str
    marks: Sequence[Mark] = ()
    sections: Sequence[Section] = ()
    unit: str = ""
    headed: bool = False


@dataclass(frozen=True, slots=True)
class Document:
    """An example as it is read.

    Attributes:
        main: the long text.
        side: short ones that stand beside it.
        language: of the main text, as HTML has it ("en", "zh"); "" where it is not known.
    """

    main: Part
    side: Sequence[Part] = ()
    language: str = ""


@dataclass(frozen=True, slots=True)
class Flag:
    """What a reply made of some sections of the main text.

    Attributes:
        first: number of the first of these.
        last: of the last, itself included.
        kind: a key of `KINDS`.
        title: what there is to say of each.
    """

    first: int
    last: int
    kind: str
    title: str = ""


def no_marks(example: Example, document: Document, outcome: Outcome) -> Sequence[Mark]:
    """Return none: a reply leaves no marks in the text."""
    return ()


def no_flags(row: Mapping[str, Any], outcome: Outcome, reply: Reply | None) -> Sequence[Flag]:
    """Return none: a reply says nothing of single sections."""
    return ()


@dataclass(frozen=True, slots=True)
class Reader:
    """How the examples of a benchmark are read.

    Attributes:
        document: makes the document of an example, all its texts given.
        marks: what a reply adds to its main text.
        flags: what a reply makes of its sections; from the short columns alone.
    """

    document: Callable[[Example], Document]
    marks: Callable[[Example, Document, Outcome], Sequence[Mark]] = field(default=no_marks)
    flags: Callable[[Mapping[str, Any], Outcome, Reply | None], Sequence[Flag]] = field(default=no_flags)
