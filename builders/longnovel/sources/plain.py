"""Plain text of a whole book, cut at its chapter headings."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .headings import Heading, find_headings

_GUTENBERG_START = re.compile(r"^\*\*\* ?START OF TH(?:E|IS) PROJECT GUTENBERG.*\*\*\*.*$", re.MULTILINE)
_GUTENBERG_END = re.compile(
    r"^(?:\*\*\* ?END OF TH(?:E|IS) PROJECT GUTENBERG|End of (?:the )?Project Gutenberg).*$", re.MULTILINE
)
# As many headings with nothing between them are a table of contents.
_CONTENTS = 3
# Characters before the first heading that are more than a title page.
_FRONT = 1000


@dataclass(frozen=True, slots=True)
class Chapter:
    """A stretch of text under its heading, "" for none."""

    title: str
    text: str


def chapters(text: str) -> tuple[list[Chapter], list[str]]:
    """Return the chapters of a book's text, and what was left out or missed, a line each.

    Tables of contents are left out, as are title pages and Project Gutenberg's own pages, whose licence asks for that.
    A volume's heading leads the title of its first chapter. Without any heading the book is one chapter.
    """
    body = _without_gutenberg(text)
    lines = [line.rstrip() for line in body.split("\n")]
    headings = find_headings(lines)
    kept, notes = _without_contents(lines, headings)
    front = _text(lines[: kept[0].line] if kept else lines, headings)
    if not kept:
        return [Chapter("", front)], ["no chapter heading was found; the whole is one chapter"]
    found = [Chapter("", front)] if len(front) > _FRONT else []
    if front and not found:
        notes.append(f"{len(front)} characters before the first heading are left out")
    return [*found, *_under(lines, kept)], notes


def _without_gutenberg(text: str) -> str:
    start, end = _GUTENBERG_START.search(text), _GUTENBERG_END.search(text)
    return text[start.end() if start else 0 : end.start() if end else len(text)]


def _bodies(lines: Sequence[str], headings: Sequence[Heading]) -> list[str]:
    ends = [*(heading.line for heading in headings[1:]), len(lines)]
    return [_text(lines[heading.last + 1 : end]) for heading, end in zip(headings, ends, strict=False)]


def _text(lines: Sequence[str], apart_from: Sequence[Heading] = ()) -> str:
    left_out = {heading.line for heading in apart_from}
    return "\n".join(line.strip("\u3000") for n, line in enumerate(lines) if n not in left_out).strip()


def _without_contents(lines: Sequence[str], headings: Sequence[Heading]) -> tuple[list[Heading], list[str]]:
    """Leave out headings that stand in a table of contents: runs without text whose labels come again."""
    bodies = _bodies(lines, headings)
    last_place = {heading.label.lower(): place for place, heading in enumerate(headings)}
    listed: set[int] = set()
    run: list[int] = []
    for place, body in enumerate(bodies):
        run.append(place)
        if body:
            again = {at for at in run[:-1] if last_place[headings[at].label.lower()] >= run[-1]}
            if len(again) >= _CONTENTS:
                listed |= again
                # The last entry of a table has what follows the table for its text.
                if last_place[headings[run[-1]].label.lower()] > run[-1]:
                    listed.add(run[-1])
            run = []
    kept = [heading for place, heading in enumerate(headings) if place not in listed]
    return kept, [f"a table of contents of {len(listed)} lines is left out"] if listed else []


def _under(lines: Sequence[str], headings: Sequence[Heading]) -> Iterator[Chapter]:
    leading: list[str] = []
    for heading, body in zip(headings, _bodies(lines, headings), strict=True):
        if not body and heading.volume:
            leading.append(heading.text)
            continue
        yield Chapter(", ".join([*leading, heading.text]), body)
        leading = []
