"""`review/annotations.jsonl`: the sample, drafts, first labels and decisions, a line each, and lines are only added.

A line is on disk before the page is told so; a server that is killed loses nothing that the page called saved.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from lengthwise.errors import InputError
from lengthwise.line_log import Closing, LineLog, read_lines

from .judgements import Judgement, read_judgement
from .pairs import ReviewPair

ANNOTATIONS_FILE = "review/annotations.jsonl"
KINDS = ("sample", "draft", "label", "decision")


@dataclass(frozen=True)
class Sample:
    """What is under review.

    Attributes:
        size: asked for.
        seed: of the draw, and of the order of sides.
        split: which.
        digests: id of a pair, in the order shown -> `ReviewPair.digest`.
    """

    size: int
    seed: int
    split: str
    digests: Mapping[str, str]


@dataclass(frozen=True)
class Given:
    """What somebody said of a pair.

    Attributes:
        annotator: who.
        time: when, ISO 8601 in UTC.
        judgements: row id -> judgement, of both summaries.
    """

    annotator: str
    time: str
    judgements: Mapping[str, Judgement]


@dataclass
class Reviewed:
    """Everything that the lines say so far.

    Attributes:
        sample: None before the first line.
        drafts: (pair, annotator) -> the last draft.
        labels: pair -> annotator -> first label.
        decisions: pair -> decisions, the last of which is the final one.
    """

    sample: Sample | None = None
    drafts: dict[tuple[str, str], Given] = field(default_factory=dict)
    labels: dict[str, dict[str, Given]] = field(default_factory=dict)
    decisions: dict[str, list[Given]] = field(default_factory=dict)

    def add(self, line: Mapping[str, Any]) -> None:
        """Take in one line."""
        if line["kind"] == "sample":
            self.sample = Sample(line["size"], line["seed"], line["split"], line["pairs"])
            return
        pair, who = line["pair"], line["annotator"]
        given = Given(who, line["time"], {key: read_judgement(one) for key, one in line["summaries"].items()})
        if line["kind"] == "draft":
            self.drafts[pair, who] = given
        elif line["kind"] == "label":
            self.labels.setdefault(pair, {}).setdefault(who, given)
        else:
            self.decisions.setdefault(pair, []).append(given)

    @property
    def annotators(self) -> list[str]:
        """Return who has labelled anything, in the order of their first label."""
        return list(dict.fromkeys(who for given in self.labels.values() for who in given))


def parse_line(line: bytes) -> dict[str, Any]:
    """Return a line's JSON.

    Raises:
        ValueError: it is none of this log's.
    """
    value = json.loads(line)
    if not isinstance(value, dict) or value.get("kind") not in KINDS:
        raise ValueError("no line of a review")
    needed = ("size", "seed", "split", "pairs") if value["kind"] == "sample" else ("pair", "annotator", "time")
    if any(name not in value for name in needed) or (value["kind"] != "sample" and "summaries" not in value):
        raise ValueError("a line of a review with something missing")
    return value


def read_reviewed(folder: Path) -> Reviewed:
    """Return what a build's review holds, while a server may be writing to it.

    Raises:
        InputError: there is none, or a line of it is damaged.
    """
    found = Reviewed()
    for _, line in read_lines(folder / ANNOTATIONS_FILE, parse_line):
        found.add(line)
    if found.sample is None:
        raise InputError(f"{folder}: nothing has been reviewed here; `lengthwise review {folder} --annotator NAME`")
    return found


class ReviewLog(Closing):
    """The log, open for its one writer.

    Args:
        folder: of the build.
        now: the time; another for tests.

    Raises:
        InputError: another server has it, or a line within is damaged.
    """

    def __init__(self, folder: Path, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        path = folder / ANNOTATIONS_FILE
        path.parent.mkdir(parents=True, exist_ok=True)
        self.reviewed = Reviewed()
        self._now = now
        self._log = LineLog(path, parse_line, lambda span, line: self.reviewed.add(line))

    def begin(self, sample: Sample) -> None:
        """Write down what is under review, before anything else."""
        self._append({"kind": "sample", "size": sample.size, "seed": sample.seed, "split": sample.split,
                      "pairs": dict(sample.digests)})  # fmt: skip

    def draft(self, pair: ReviewPair, annotator: str, judgements: Sequence[Judgement]) -> None:
        """Keep what somebody has so far.

        Args:
            pair: which.
            annotator: who.
            judgements: of its sides, in their order.

        Raises:
            InputError: they have labelled the pair.
        """
        self._refuse_second(pair, annotator)
        self._append(self._line("draft", pair, annotator, judgements))

    def label(self, pair: ReviewPair, annotator: str, judgements: Sequence[Judgement], time: str = "") -> None:
        """Keep somebody's label for good.

        Raises:
            InputError: they have labelled the pair, or something is missing.
        """
        self._refuse_second(pair, annotator)
        _refuse_gaps(judgements)
        self._append(self._line("label", pair, annotator, judgements, time))

    def decide(self, pair: ReviewPair, annotator: str, judgements: Sequence[Judgement], time: str = "") -> None:
        """Keep the final decision; one that is there already stays in the log, and the new one counts.

        Raises:
            InputError: something is missing.
        """
        _refuse_gaps(judgements)
        self._append(self._line("decision", pair, annotator, judgements, time))

    def _refuse_second(self, pair: ReviewPair, annotator: str) -> None:
        if annotator in self.reviewed.labels.get(pair.key.id, {}):
            raise InputError(
                f"{annotator} has labelled this pair: the first label is kept, settle the rest by decision"
            )

    def _line(
        self, kind: str, pair: ReviewPair, annotator: str, judgements: Sequence[Judgement], time: str = ""
    ) -> dict[str, Any]:
        said = {side.id: one.to_json(side.sentences) for side, one in zip(pair.sides, judgements, strict=True)}
        time = time or self._now().isoformat(timespec="seconds")
        return {"kind": kind, "pair": pair.key.id, "annotator": annotator, "time": time, "summaries": said}

    def _append(self, line: dict[str, Any]) -> None:
        self._log.append(json.dumps(line).encode() + b"\n")
        self.reviewed.add(line)

    def close(self) -> None:
        """Let go of the file."""
        self._log.close()


def _refuse_gaps(judgements: Sequence[Judgement]) -> None:
    for name, one in zip("AB", judgements, strict=True):
        if missing := one.missing():
            raise InputError(f"{name}: {missing} is missing")
