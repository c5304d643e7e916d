"""Chapter headings in plain text, English and Chinese: which lines are some, and what they are made of."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from .numerals import number

_ZH_NUMBER = r"[\d０-９零〇一二三四五六七八九十百千两兩廿卅]+"
_ZH_NUMBERED = re.compile(
    rf"(?:\S{{1,12}}[\s\u3000]+)?(?P<label>第(?P<number>{_ZH_NUMBER})(?P<kind>[回章节節卷部集折幕])|卷之?(?P<volume>{_ZH_NUMBER}))"
    r"(?P<rest>(?:[\s\u3000:：、.．·].*|[^。！？…]*)?)"
)
_ZH_NAMED = re.compile(r"(?:楔子|引子|序[章言曲幕]?|前言|自序|尾[声聲]|[后後][记記]|[终終]章|跋|番外.{0,12})")
# Behind these a line of Chinese is a sentence, not a heading.
_ZH_SENTENCE = re.compile(r"[。！？…；”』」]$")
_ZH_LONGEST = 40

_EN_NUMBER = r"(?:[IVXLCDM]+|\d{1,4}|(?:the\s+)?[a-z]+(?:-[a-z]+)?)"
_EN_NUMBERED = re.compile(
    rf"(?P<label>(?P<kind>(?i:chapter|book|part|volume|canto|letter|stave|act|scene|section))\s+"
    rf"(?P<number>(?i:{_EN_NUMBER})))(?P<rest>$|\s*[.:—–-].*|\s+[A-Z“\"‘'(].*)"
)
_EN_NAMED = re.compile(
    r"(?:PROLOGUE|EPILOGUE|PREFACE|INTRODUCTION|INTRODUCTORY|FOREWORD|AFTERWORD|CONCLUSION|INTERLUDE)[.:]?",
    re.IGNORECASE,
)
_EN_BARE = re.compile(r"(?P<number>[IVXLC]+)(?P<rest>\.|[.:]?\s+[A-Z“\"].*|:.*)?|(?P<digits>\d{1,3})\.?")
_EN_LONGEST = 160
# Lines of a chapter at the least, on average, where its heading is a mere number.
_LEAST_BETWEEN = 8
_PUNCTUATION = " \t\u3000.:—–-、．：·"
# Kinds of heading that hold others; one without a text of its own leads the headings behind it.
_VOLUMES = frozenset({"book", "part", "volume", "act", "卷", "部", "集"})


@dataclass(frozen=True, slots=True)
class Heading:
    """A line that heads a chapter or a volume.

    Attributes:
        line: where it is, counted from 0.
        last: its last line: a title may stand below the number.
        label: what numbers it ("Chapter IV", "第四回"), or its name.
        title: what follows that; "" for none.
        number: 4; None for a name.
        bare: the label is a number and nothing else.
        volume: it may hold other headings.
    """

    line: int
    last: int
    label: str
    title: str
    number: int | None
    bare: bool = False
    volume: bool = False

    @property
    def text(self) -> str:
        """Label and title in one line.

        >>> Heading(0, 0, "IV", "The Inn", 4).text, Heading(0, 0, "第四回", "风起", 4).text
        ('IV: The Inn', '第四回 风起')
        """
        between = ": " if self.label.isascii() else " "
        return f"{self.label}{between}{self.title}" if self.title else self.label


def find_headings(lines: Sequence[str]) -> list[Heading]:
    """Return the headings among the lines of a text, in order.

    Numbers that stand alone are headings only where they count chapters: from 1 on, each one more than the last, or
    from 1 again; pages and notes do not, or have too little between them.
    """
    found = [heading for place in range(len(lines)) if (heading := _heading(lines, place)) is not None]
    bare = [heading for heading in found if heading.bare]
    if not _counting(bare) or len(lines) < _LEAST_BETWEEN * len(bare):
        found = [heading for heading in found if not heading.bare]
    return found


def _counting(bare: Sequence[Heading]) -> bool:
    numbers = [heading.number or 0 for heading in bare]
    wrong = sum(later not in (1, earlier + 1) for earlier, later in pairwise(numbers))
    return len(numbers) > 1 and numbers[0] == 1 and wrong <= len(numbers) // 10


def couplet(title: str) -> str:
    """Return what an old Chinese chapter's heading says of it (its 回目), "" where the heading only numbers it.

    >>> couplet("第一回 宴桃园豪杰三结义 斩黄巾英雄首立功"), couplet("第一回"), couplet("I: Loomings")
    ('宴桃园豪杰三结义 斩黄巾英雄首立功', '', '')
    """
    match = _ZH_NUMBERED.fullmatch(title.strip())
    return "" if match is None else match["rest"].strip(_PUNCTUATION)


def _heading(lines: Sequence[str], place: int) -> Heading | None:
    line = lines[place].strip(" \t\u3000")
    if not line or len(line) > _EN_LONGEST:
        return None
    return _chinese(lines, place, line) or _english(lines, place, line)


def _chinese(lines: Sequence[str], place: int, line: str) -> Heading | None:
    if len(line) > _ZH_LONGEST or _ZH_SENTENCE.search(line):
        return None
    if _ZH_NAMED.fullmatch(line):
        return Heading(place, place, line, "", None)
    match = _ZH_NUMBERED.fullmatch(line)
    if match is None:
        return None
    title, last = " ".join(match["rest"].strip(_PUNCTUATION).split()), place
    if not title:
        title, last = _couplet_below(lines, place)
    volume = match["volume"] is not None or match["kind"] in _VOLUMES
    return Heading(place, last, match["label"], title, number(match["number"] or match["volume"]), volume=volume)


def _couplet_below(lines: Sequence[str], place: int) -> tuple[str, int]:
    """Return the two halves of a heading that stand below its number, and the line of the second."""
    below = [(at, lines[at].strip()) for at in range(place + 1, min(place + 5, len(lines))) if lines[at].strip()][:2]
    if len(below) == 2:
        (_, first), (last, second) = below
        if 4 <= len(first) == len(second) <= 12 and not re.search(r"[，。！？；：“”、]", first + second):
            return f"{first} {second}", last
    return "", place


def _english(lines: Sequence[str], place: int, line: str) -> Heading | None:
    above = place == 0 or not lines[place - 1].strip()
    below = place + 1 == len(lines) or not lines[place + 1].strip()
    if not above:
        return None
    if below and _EN_NAMED.fullmatch(line) and line[0].isupper():
        return Heading(place, place, line.rstrip(".:"), "", None)
    match = _EN_NUMBERED.fullmatch(line)
    if match is not None and line[0].isupper() and (value := number(match["number"])) is not None:
        title, last = match["rest"].strip(_PUNCTUATION), place
        if line.endswith((",", ";")):
            return None
        if not title:
            title, last = _title_below(lines, place)
        return Heading(place, last, match["label"], title, value, volume=match["kind"].lower() in _VOLUMES)
    match = _EN_BARE.fullmatch(line)
    label = match and (match["number"] or match["digits"])
    if match is None or not label or not below or (value := number(label)) is None:
        return None
    title = (match["rest"] or "").strip(_PUNCTUATION)
    return None if title.endswith((",", ";")) else Heading(place, place, label, title, value, bare=True)


def _title_below(lines: Sequence[str], place: int) -> tuple[str, int]:
    """Return the title that stands below a chapter's number, and its line: one short line between blank ones."""
    for at in range(place + 1, min(place + 3, len(lines) - 1)):
        line = lines[at].strip()
        if not line:
            continue
        if any(pattern.fullmatch(line) for pattern in (_EN_NUMBERED, _EN_NAMED, _EN_BARE)):
            return "", place
        touching = at == place + 1
        alone = not lines[at + 1].strip()
        if alone and len(line) <= 70 and line[0] not in "“\"'‘" and (touching or line[-1] not in '.!?,;:”"’'):
            return line.rstrip("."), at
        return "", place
    return "", place
