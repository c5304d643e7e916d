"""LongNovel and the story world as they are read: the article with its evidence, the summary with what is false."""

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate

from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.report.reader.model import Document, Mark, Part, Reader, Section

_GAP = "\n\n"
# Lines that head a chapter: "CHAPTER IV. The Storm", "第十二回 ...".
_HEADING = re.compile(
    r"^[ \t\u3000]*(?:(?i:chapter|book|part|letter|volume)[ \t]+(?:\d+|[ivxlcIVXLC]+)\b.{0,80}"
    r"|第[一二三四五六七八九十百千零〇两\d]{1,7}[章回节節卷部].{0,40}|[IVXLC]{1,6}\.?)[ \t\r]*$",
    re.MULTILINE,
)


def novel_document(example: Example) -> Document:
    """Return the article with its chapters and evidence; beside it the summary with its hallucinated sentences.

    Evidence is numbered by the injection that it contradicts and, where that takes several passages, by a letter:
    "2a" and "2b" belong together and to sentence "2" of the summary.

    Args:
        example: a row with `article` and `summary` among its texts.
    """
    article, summary = example.texts["article"], example.texts["summary"]
    row = example.columns
    chapters = _units(article, row["unit_start"], row["unit_end"])
    main = Part(
        "Article",
        article,
        tuple(_evidence(example)),
        chapters or _headings(article),
        unit="chapter {n}",
        headed=bool(chapters),
    )
    return Document(main, (Part("Summary", summary, tuple(_injected(example, summary))),), row["language"])


def _evidence(example: Example) -> Iterator[Mark]:
    for number, (injection, found) in enumerate(_pairs(example), 1):
        places = sorted(zip(found["starts"], found["ends"], strict=True))
        for letter, (start, end) in enumerate(places):
            label = f"{number}{_letter(letter)}" if len(places) > 1 else f"{number}"
            yield Mark(start, end, "evidence", label, _type(injection), group=number)


def _pairs(example: Example) -> Sequence[tuple[dict[str, str], dict[str, list[int]]]]:
    # No evidence at all for novels that people wrote.
    evidence = example.columns.get("evidence") or []
    return list(zip(example.columns["injections"], evidence, strict=False))


def _letter(place: int) -> str:
    """Return "a", "b", ..., "z", "aa", ... for 0, 1, ...

    >>> [_letter(place) for place in (0, 25, 26, 27)]
    ['a', 'z', 'aa', 'ab']
    """
    return (_letter(place // 26 - 1) if place >= 26 else "") + chr(ord("a") + place % 26)


def _injected(example: Example, summary: str) -> Iterator[Mark]:
    behind = 0
    for number, one in enumerate(example.columns["injections"], 1):
        # In the order of the summary, mostly; a sentence can be there more than once.
        start = summary.find(one["hallucinated"], behind)
        start = start if start >= 0 else summary.find(one["hallucinated"])
        found = start >= 0 and bool(one["hallucinated"])
        end = start + len(one["hallucinated"]) if found else 0
        behind = max(behind, end)
        yield Mark(start if found else 0, end, "false", f"{number}", _type(one), one["original"] or "", number)


def _type(injection: dict[str, str]) -> str:
    return " ".join(part for part in (injection["type"], injection["subtype"]) if part)


def _units(article: str, first: int, last: int) -> tuple[Section, ...]:
    """Return where the units of a window begin, where it is plain from the blank lines of the article; else none."""
    units = article.split(_GAP)
    if len(units) != last - first + 1 or len(units) == 1:
        return ()
    starts = accumulate((len(unit) + len(_GAP) for unit in units[:-1]), initial=0)
    return tuple(Section(start, number) for number, start in enumerate(starts, first))


def _headings(article: str) -> tuple[Section, ...]:
    found = enumerate(_HEADING.finditer(article), 1)
    return tuple(Section(line.start(), number, line[0].strip()) for number, line in found)


NOVELS = Reader(novel_document)
