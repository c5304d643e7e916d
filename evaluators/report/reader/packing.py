"""Texts as a page holds them: deflated, in base64; and offsets as a browser counts, which is in UTF-16 units."""

import base64
import json
import re
import zlib
from bisect import bisect_left
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from lengthwise.evaluators.report.reader.model import Document, Mark, Part

_SPECIAL = re.compile("[\ud800-\udfff\U00010000-\U0010ffff]")


def shown(text: str) -> str:
    r"""Return a text as a page can show it: half a surrogate pair, of which browsers differ, as its escape.

    >>> shown("a\ud800")
    'a\\ud800'
    """
    return text.encode("utf-8", "backslashreplace").decode()


def offsets(text: str) -> Callable[[int], int]:
    r"""Return a function from an offset in code points to the one in UTF-16 units of `shown(text)`.

    >>> at = offsets("\U0001f600b\ud800c")
    >>> [at(place) for place in range(5)]
    [0, 2, 3, 9, 10]
    """
    with suppress(UnicodeEncodeError):
        if len(text.encode("utf-16-le")) == 2 * len(text):
            # Neither half a pair nor a character that takes one, as mostly.
            return lambda place: place
    places, gains = [], [0]
    for found in _SPECIAL.finditer(text):
        places.append(found.start())
        gains.append(gains[-1] + (1 if found[0] > "\uffff" else len(shown(found[0])) - 1))
    return lambda place: place + gains[bisect_left(places, place)]


def pack(text: str) -> str:
    """Return a text that is fit for `shown`, deflated (with zlib's frame) and in base64."""
    return base64.b64encode(zlib.compress(text.encode(), 6)).decode("ascii")


def describe(document: Document, place_of: Callable[[str], int]) -> str:
    """Return all of a document but its texts, as JSON.

    Args:
        document: with offsets in code points, which become those of UTF-16 units.
        place_of: where the page keeps a text.
    """
    about = {
        "language": document.language,
        "main": _part(document.main, place_of),
        "side": [_part(part, place_of) for part in document.side],
    }
    return json.dumps(about, ensure_ascii=True, separators=(",", ":"))


def _part(part: Part, place_of: Callable[[str], int]) -> dict[str, Any]:
    at = offsets(part.text)
    return {
        "title": part.title,
        "text": place_of(shown(part.text)),
        "marks": marks_of(part.marks, at),
        "sections": [[at(one.start), one.number, shown(one.label)] for one in part.sections],
        "unit": part.unit,
        "headed": part.headed,
    }


def marks_of(marks: Sequence[Mark], at: Callable[[int], int]) -> list[list[Any]]:
    """Return marks as the script takes them, by where they begin, the longer first.

    Args:
        marks: with offsets in code points.
        at: of `offsets` on their text.
    """
    ordered = sorted(marks, key=lambda one: (one.start, -one.end, one.label))
    return [
        [at(one.start), at(one.end), one.kind, shown(one.label), shown(one.title), shown(one.text), one.group]
        for one in ordered
    ]
