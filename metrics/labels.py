"""Labelled prose: "Score (0-5): **4**", "the answer is 12", "一致性评分为三分". The last value wins.

A label is a word from a table; between it and its value stand mark-up, a note in brackets ("(0-5)"), and a few words
that say nothing ("is", "should be", "为"). What else stands there ends the search at this label.
"""

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from .values import BOUND, Reading, read_value

_NOTE = r"[(（\[【](?!\s?-?[0-9.]{1,8}\s?(?:/\s?5\s?)?[)）\]】])[^()（）\[\]【】\n]{0,80}[)）\]】]"
_SCALE = (
    r"(?:on|in|from|using|out\sof|with)?\s?(?:a|an|the)?\s?(?:scale\s)?(?:of|from|between)?\s?"
    r"(?:0|zero|1|one)\s?(?:to|and|-|–|—|~)\s?(?:5|five|10|ten|100)(?:[-\s]?(?:point\s)?scale)?(?![0-9])"
)
_FILLER = (
    r"(?:is|are|was|be|being|would|should|could|can|will|must|as|at|to|for|of|this|that|these|the|my|its|it|a|an|i"
    r"|we|get|have|am|giving|give|assign|assigned|given|to|which|summary|novel|text|overall|final|factual|consistency"
    r"|consistent|equals?|comes?|therefore|thus|hence|so|now|also|still|then|here|best|simply|in|total|found|you|"
    r"there|obtained|computed|calculated|all|both|question|problem|task|items?|count|number|value|sum|only)"
)
_BRIDGE = re.compile(
    rf"""(?:\s{{1,100}}+|[*_`"'“”‘’「」『』】\])）:=|>→⇒\#$]|[-=]>|\\n|{_NOTE}
        |(?:out\sof|/)\s?(?:5|five)(?=\s?[*_"']*+\s?(?:[:=|]|\bis\b))|{_SCALE}|(?<=\s)[-–—](?=\s)|\\[(\["']
        |</?[a-z]{{1,10}}>|{_FILLER}\b(?!-),?
        |应该?|等于|最终|就|即|便|我|给出?|打|可以?|这个|这篇|该|此|本|篇|摘要|概述|总结|一致性|的|评定|共|总共|一共|结果|数量|有|了
        |[为是]){{0,40}}+""",
    re.IGNORECASE | re.VERBOSE,
)
_HYPOTHETICAL = re.compile(
    r"\s?[)\"'”*`]*+\s?(?:points?\s|分?)(?:\([^()\n]{0,60}\)\s)?(?:would|means?|indicates?|represents?|requires?|impl(?:y|ies)|denotes?"
    r"|corresponds?|if\b|when\b|表示|代表|意味|指的?是|说明|时\b|则)",
    re.IGNORECASE,
)
_BREAK = re.compile(r"\s?(?:[^\w\s]|\Z|\n|out\b|of\b|points?\b|items?\b|because\b|since\b|分|个)")
_FIRST_ITEM = re.compile(r"[.)、]\s*[^\s*_]")


# A reply that names its label more often than this repeats itself.
_MOST_LABELS = 500


@dataclass(frozen=True, slots=True)
class Labelled:
    """A value behind a label.

    Attributes:
        reading: the value or its fault.
        label: `[start, end)` offsets of the label's word.
        weak: whether it may be a line of a rubric: the label and the number side by side and a colon behind.
    """

    reading: Reading
    label: tuple[int, int]
    weak: bool


def last_matches(pattern: re.Pattern[str], text: str) -> list[re.Match[str]]:
    """Return the last matches of a pattern, at most 500, the last one first."""
    return list(deque(pattern.finditer(text), maxlen=_MOST_LABELS))[::-1]


def labelled_values(text: str, label: re.Pattern[str]) -> Iterator[Labelled]:
    """Yield what stands behind each label of a folded text, the last label first.

    Labels without a number behind them are passed over, and so are values that are only supposed ("a score of 5
    would mean") and the first item of a numbered list.

    Args:
        text: what `numerals.fold` returned.
        label: matches a label's word.
    """
    for match in last_matches(label, text):
        bridge = _BRIDGE.match(text, match.end())
        at = bridge.end() if bridge else match.end()
        reading = read_value(text, at)
        if reading is None:
            continue
        between = text[match.end() : reading.start]
        if reading.fault == BOUND or _HYPOTHETICAL.match(text, reading.end):
            continue
        if "\n" in between and reading.value == 1 and _FIRST_ITEM.match(text, reading.end):
            continue
        # "The score 4 times" says no score; "score 4." does.
        beside = not between.strip(" ") and text[match.end() - 1].isascii() and text[match.end() - 1].isalpha()
        if beside and not _BREAK.match(text, reading.end):
            continue
        weak = not between.strip() and re.compile(r"\s?[:=–—-]").match(text, reading.end) is not None
        yield Labelled(reading, match.span(), weak)
