"""What a run folder holds of its batches: which were sent, under which id, with which calls, and what came back.

A line is written before a batch is sent, one as soon as its id is known, one when it has ended: whenever the process
is killed, the next one knows what is under way.
"""

import hashlib
import json
import os
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from lengthwise.line_log import Closing, LineLog, Span
from lengthwise.recording import Key

BATCHES_FILE = "batches.jsonl"
BATCHES_FOLDER = "batches"


def custom_id(key: Key) -> str:
    """Return the name of a call within batches: letters and digits, 48 of them, the same in every process."""
    text = json.dumps([key.example, key.repeat, key.call, key.request])
    return hashlib.sha256(text.encode()).hexdigest()[:48]


@dataclass(slots=True)
class Batch:
    """One batch.

    Attributes:
        number: 0-based, within the run.
        tag: its name until it has an id; nobody else uses it.
        at: when it was about to be sent, seconds since 1970.
        names: the calls in it, by `custom_id`.
        id: the provider's; None as long as it is not known to have arrived.
        over: whether nothing more will come of it.
        note: what the provider said at its end, if that was no good one.
    """

    number: int
    tag: str
    at: float
    names: list[str] = field(default_factory=list)
    id: str | None = None
    over: bool = False
    note: str | None = None


class BatchJournal(Closing):
    """The batches of a run, open for one writer.

    Args:
        folder: of the run.

    Raises:
        InputError: another process is writing to it, or a line in it is none of these.

    Attributes:
        batches: all, in the order of sending.
    """

    def __init__(self, folder: Path) -> None:
        self.batches: list[Batch] = []
        self._folder = folder / BATCHES_FOLDER
        self._folder.mkdir(exist_ok=True)
        self._lines = LineLog(folder / BATCHES_FILE, parse_batch_line, self._known)

    def _known(self, _: Span, line: dict[str, Any]) -> None:
        number = line["batch"]
        if "calls" in line:
            self.batches.append(Batch(number, line["tag"], line["at"], [call["custom_id"] for call in line["calls"]]))
        elif "id" in line:
            self.batches[number].id = line["id"]
        else:
            self.batches[number].over, self.batches[number].note = True, line["note"]

    def _write(self, **line: Any) -> None:
        self._known(self._lines.append(json.dumps(line).encode() + b"\n"), line)

    def begin(self, calls: list[Key]) -> Batch:
        """Note that a batch is about to be sent."""
        number = len(self.batches)
        named = [
            {"custom_id": custom_id(key), "example": key.example, "repeat": key.repeat, "call": key.call}
            for key in calls
        ]
        at = datetime.now(UTC)
        self._write(batch=number, tag=os.urandom(12).hex(), at=at.timestamp(), when=at.isoformat(), calls=named)
        return self.batches[number]

    def arrived(self, batch: Batch, provider_id: str) -> None:
        """Note the id that the provider gave it."""
        self._write(batch=batch.number, id=provider_id)

    def end(self, batch: Batch, note: str | None = None) -> None:
        """Note that nothing more will come of it."""
        self._write(batch=batch.number, over=True, note=note)

    def requests(self, number: int) -> Path:
        """Return where the requests of a batch are while it is sent."""
        return self._folder / f"{number:04d}.requests"

    def results(self, batch: Batch) -> Path:
        """Return where the results of a batch are."""
        return self._folder / results_name(batch.number)

    def close(self) -> None:
        """Close the file."""
        self._lines.close()


def results_name(number: int) -> str:
    """Return the name of the file with the results of a batch, inside the folder of batches."""
    return f"{number:04d}.results.jsonl"


def parse_batch_line(line: bytes) -> dict[str, Any]:
    """Return what a line of the journal says.

    Raises:
        ValueError: it is not one.
    """
    parsed = json.loads(line)
    if not isinstance(parsed, dict) or not parsed.keys() & {"calls", "id", "over"}:
        raise ValueError("not a line about a batch")
    return parsed
