"""What is wrong with a book's text, as far as the text shows it: reported, never repaired, and nothing is left out."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from statistics import median

from ..records import Unit
from .headings import find_headings

_END = re.compile(r"[.!?…。！？”’\"'」』)）\]】—–*_~]\s*$")
_CHINESE = "[\u4e00-\u9fff]"
_LOST = re.compile(rf"(?<={_CHINESE})\?(?={_CHINESE})")
# Chapters of old Chinese novels are of about one length; one this much shorter than the median has lost its end.
_SHORT = 5


def damage(units: Sequence[Unit]) -> list[str]:
    """Return what is wrong with the chapters of one book, a line each.

    Found are: characters that could not be decoded (U+FFFD), or stand in a private area; question marks in the middle
    of Chinese text that has its own; chapters that break off or are far too short; missing and repeated numbers.
    """
    lines = [
        f"{units[0].book} unit {unit.index} ({unit.title}): {line}"
        for unit in units
        for check in _CHECKS
        if (line := check(unit, units)) is not None
    ]
    return [*lines, *(f"{units[0].book}: {line}" for line in _numbering(units))]


def _undecoded(unit: Unit, _: Sequence[Unit]) -> str | None:
    count = unit.text.count("\ufffd") + unit.title.count("\ufffd")
    return f"characters that could not be decoded (U+FFFD): {count}" if count else None


def _private(unit: Unit, _: Sequence[Unit]) -> str | None:
    count = sum("\ue000" <= character <= "\uf8ff" for character in unit.text)
    return f"characters without a meaning (private use area): {count}" if count else None


def _lost(unit: Unit, _: Sequence[Unit]) -> str | None:
    count = len(_LOST.findall(unit.text)) if unit.language == "zh" and "？" in unit.text else 0
    return f"question marks between Chinese characters: {count}; lost characters?" if count else None


def _cut(unit: Unit, _: Sequence[Unit]) -> str | None:
    if not unit.text.strip():
        return "it has no text"
    return None if _END.search(unit.text) else f"it ends without an end mark (…{unit.text[-12:]}): cut?"


def _short(unit: Unit, units: Sequence[Unit]) -> str | None:
    if unit.language != "zh" or len(units) < _SHORT:
        return None
    usual = median(len(other.text) for other in units)
    return (
        f"{len(unit.text)} characters where {usual:.0f} are usual: cut?" if len(unit.text) * _SHORT < usual else None
    )


_CHECKS: tuple[Callable[[Unit, Sequence[Unit]], str | None], ...] = (_undecoded, _private, _lost, _cut, _short)


def _numbering(units: Sequence[Unit]) -> Iterator[str]:
    """Find gaps and repeats in what the headings count; a count may begin again at 1 (a new volume)."""
    for earlier, later, unit in _counted(units):
        if later > earlier + 1:
            yield f"numbers {earlier + 1} to {later - 1} are missing before unit {unit.index} ({unit.title})"
        elif later != 1 and later <= earlier:
            yield f"unit {unit.index} ({unit.title}) comes after number {earlier}"


def _counted(units: Iterable[Unit]) -> Iterator[tuple[int, int, Unit]]:
    """Yield the units whose headings count, with the number before of their kind (chapter, book, 回) and their own."""
    last: dict[str, int] = {}
    for unit in units:
        found = find_headings([unit.title, ""])
        if len(found) != 1 or found[0].number is None:
            continue
        label, number = found[0].label, found[0].number
        kind = "" if found[0].bare else _kind(label)
        if kind in last:
            yield last[kind], number, unit
        last[kind] = number


def _kind(label: str) -> str:
    """Return what a heading's label counts.

    >>> [_kind(label) for label in ("Chapter IV", "第四回", "卷之四", "第四卷")]
    ['chapter', '回', '卷', '卷']
    """
    if label.isascii():
        return label.split()[0].lower()
    return "卷" if label.startswith("卷") else label[-1]


def with_gaps(units: Sequence[Unit]) -> tuple[Unit, ...]:
    """Return the chapters of one book, those marked before which their headings leave out numbers."""
    behind = {unit.index for earlier, later, unit in _counted(units) if later > earlier + 1}
    return tuple(replace(unit, gap=unit.gap or unit.index in behind) for unit in units)
