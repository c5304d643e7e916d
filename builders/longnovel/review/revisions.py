"""Summaries of units by people: one drafts, two revise, and every version is kept (section 3.1, C.1).

`review/summaries.jsonl` holds a line for each version, and for drafts of one. A summary that came with the source is
the first version. A unit is finished once two people other than its author have gone over it, by a change or by
leaving it as it is.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeAlias

from lengthwise.errors import InputError, unknown_name
from lengthwise.line_log import Closing, LineLog, read_lines

from ..records import Unit
from ..steps_files import read_units
from ..text import count_words, paragraphs
from .judgements import whole

SUMMARIES_FILE = "review/summaries.jsonl"
REVISERS = 2
_LONGEST = 50_000
UnitKey: TypeAlias = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Version:
    """One version of a unit's summary.

    Attributes:
        author: who; the source's `summary_origin` for one that came with it.
        time: when, ISO 8601 in UTC; "" for one that came with the source.
        text: the summary.
    """

    author: str
    time: str
    text: str


class StaleError(InputError):
    """Somebody else has saved a version since this one was begun."""


def parse_version(line: bytes) -> dict[str, Any]:
    """Return a line's JSON.

    Raises:
        ValueError: it is none of this log's.
    """
    value = json.loads(line)
    needed = {"kind": str, "book": str, "unit": int, "author": str, "time": str, "text": str}
    if (
        not isinstance(value, dict)
        or value.get("kind") not in ("version", "draft")
        or any(not isinstance(value.get(name), kind) for name, kind in needed.items())
    ):
        raise ValueError("no line of summaries")
    return value


def read_versions(folder: Path) -> dict[UnitKey, list[Version]]:
    """Return the versions that people saved, by unit, while a server may be writing more."""
    found: dict[UnitKey, list[Version]] = {}
    for _, line in read_lines(folder / SUMMARIES_FILE, parse_version):
        if line["kind"] == "version":
            _add(found, line)
    return found


def _add(found: dict[UnitKey, list[Version]], line: Mapping[str, Any]) -> None:
    versions = found.setdefault((line["book"], line["unit"]), [])
    versions.append(Version(line["author"], line["time"], line["text"]))


def history(unit: Unit, saved: Sequence[Version]) -> list[Version]:
    """Return all versions of a unit's summary, the source's first."""
    own = [Version(unit.summary_origin, "", unit.summary)] if unit.summary else []
    return [*own, *saved]


def revisers_left(versions: Sequence[Version]) -> int:
    """Return how many people besides the author have still to go over a summary.

    >>> revisers_left([Version("lin", "", "x"), Version("lin", "", "y"), Version("maya", "", "y")])
    1
    """
    if not versions:
        return REVISERS
    author = versions[0].author
    return max(0, REVISERS - len({one.author for one in versions} - {author}))


def unit_state(versions: Sequence[Version]) -> str:
    """Return "new", "drafted" (people have still to go over it) or "finished"."""
    if not versions:
        return "new"
    return "drafted" if revisers_left(versions) else "finished"


def final_origin(unit: Unit, saved: Sequence[Version]) -> str:
    """Return the `summary_origin` of a unit's last version.

    Who changed it is named; what began as a model's stays one, for models' own never stand beside people's.
    """
    versions = history(unit, saved)
    if not saved or versions[-1].text == unit.summary:
        return unit.summary_origin
    before = ["", *(one.text for one in versions)]
    writers = [one.author for one, text in zip(versions, before, strict=False) if one.text != text and one.time]
    names = ", ".join(dict.fromkeys(writers))
    return (
        f"{unit.summary_origin}, revised by {names}" if unit.summary_origin.startswith("model") else f"human:{names}"
    )


@dataclass
class SummaryDesk(Closing):
    """The units of a build and their summaries.

    Args:
        folder: of the build, with its `steps`.
        annotators: who may work here.
        now: the time; another for tests.

    Raises:
        InputError: there are no units, another server is open, or a line of the log is damaged.
    """

    folder: Path
    annotators: Sequence[str]
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    _units: dict[UnitKey, Unit] = field(init=False, repr=False, default_factory=dict)
    _saved: dict[UnitKey, list[Version]] = field(init=False, repr=False, default_factory=dict)
    _drafts: dict[tuple[UnitKey, str], str] = field(init=False, repr=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._units = {(one.unit.book, one.unit.index): one.unit for one in read_units(self.folder)}
        path = self.folder / SUMMARIES_FILE
        path.parent.mkdir(parents=True, exist_ok=True)
        self._log = LineLog(path, parse_version, lambda span, line: self._take(line))

    def listing(self, annotator: str) -> list[dict[str, Any]]:
        """Return the units in order; `state` is "new", "drafted" (revisers are missing) or "finished"."""
        self._known(annotator)
        shown = []
        for key, unit in self._units.items():
            versions = self._versions(key)
            state = unit_state(versions)
            shown.append({"id": f"{unit.book}/{unit.index}", "book": unit.book, "unit": unit.index,
                          "title": unit.title, "language": unit.language, "state": state})  # fmt: skip
        return shown

    def show(self, name: str, annotator: str) -> dict[str, Any]:
        """Return a unit with its text and all versions of its summary, as JSON types.

        Raises:
            InputError: there is no such unit or annotator.
        """
        self._known(annotator)
        key = self._key(name)
        unit, versions = self._units[key], self._versions(key)
        text = versions[-1].text if versions else ""
        return {
            "id": name,
            "book": unit.book,
            "unit": unit.index,
            "title": unit.title,
            "language": unit.language,
            "article": paragraphs(unit.text),
            "summary": text,
            "words": count_words(text, unit.language),
            "draft": self._drafts.get((key, annotator)),
            "versions": [{"author": one.author, "time": one.time, "text": one.text} for one in versions],
            "left": revisers_left(versions),
        }

    def save(self, name: str, annotator: str, text: Any, base: Any) -> None:
        """Keep a new version.

        Args:
            name: of the unit, `book/index`.
            annotator: who wrote it.
            text: the summary; the same as before means that they leave it as it is.
            base: how many versions there were when they began.

        Raises:
            StaleError: there are more by now.
            InputError: it is empty or too long, or there is no such unit or annotator.
        """
        self._known(annotator)
        key = self._key(name)
        if not isinstance(text, str) or not text.strip() or len(text) > _LONGEST:
            raise InputError(f"text: give a summary of 1 to {_LONGEST:,} characters")
        there = self._versions(key)
        if base != len(there):
            raise StaleError(f"{there[-1].author if there else 'somebody'} has saved another version meanwhile")
        self._write("version", key, annotator, whole(text.strip()))

    def draft(self, name: str, annotator: str, text: Any) -> None:
        """Keep what somebody has typed so far; nobody else sees it.

        Raises:
            InputError: it is too long, or there is no such unit or annotator.
        """
        self._known(annotator)
        if not isinstance(text, str) or len(text) > _LONGEST:
            raise InputError(f"text: give up to {_LONGEST:,} characters")
        self._write("draft", self._key(name), annotator, whole(text))

    def _write(self, kind: str, key: UnitKey, author: str, text: str) -> None:
        line = {"kind": kind, "book": key[0], "unit": key[1], "author": author,
                "time": self.now().isoformat(timespec="seconds"), "text": text}  # fmt: skip
        self._log.append(json.dumps(line).encode() + b"\n")
        self._take(line)

    def _take(self, line: Mapping[str, Any]) -> None:
        key = ((line["book"], line["unit"]), line["author"])
        if line["kind"] == "draft":
            self._drafts[key] = line["text"]
        else:
            self._drafts.pop(key, None)
            _add(self._saved, line)

    def _versions(self, key: UnitKey) -> list[Version]:
        return history(self._units[key], self._saved.get(key, []))

    def _known(self, annotator: str) -> None:
        if annotator not in self.annotators:
            raise unknown_name("annotator", annotator, self.annotators)

    def _key(self, name: str) -> UnitKey:
        book, _, index = name.rpartition("/")
        key = (book, int(index) if index.isascii() and index.isdigit() else -1)
        if key not in self._units:
            raise InputError(f"unit {name!r} is not in this build")
        return key

    def close(self) -> None:
        """Let go of the file."""
        self._log.close()
