"""The reply log, and the `ask` that records into it and replays from it.

Every finished call is one line of JSON, kept under (example id, repeat, call number, request digest): three repeats
are three calls, a third attempt within one example is a third call, and a run that was killed goes on by replaying
its log. The caller is never asked for anything twice that a whole line holds.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from lengthwise.contracts import Ask, OverlengthError, Reply, ReplyError, Request
from lengthwise.line_log import Closing, LineLog, Span, read_lines

ErrorKind: TypeAlias = Literal["error", "overlength"]


@dataclass(frozen=True, slots=True)
class Key:
    """What a recorded call is found under.

    Attributes:
        example: id of the row.
        repeat: 0-based.
        call: 0-based number of the call within this example and repeat, in the order in which the method asked.
        request: `Request.digest`.
    """

    example: str
    repeat: int
    call: int
    request: str


@dataclass(frozen=True, slots=True)
class Failure:
    """A call that brought no reply: `error` is asked again on resume, `overlength` is not (it will never fit)."""

    kind: ErrorKind
    message: str


@dataclass(frozen=True, slots=True)
class Record:
    """One line of the log: a key, and how the call ended."""

    key: Key
    result: Reply | Failure

    def to_line(self) -> bytes:
        """Return the line, newline included; `from_line` is the inverse."""
        key = {"example": self.key.example, "repeat": self.key.repeat, "call": self.key.call}
        record: dict[str, Any] = {**key, "request": self.key.request}
        if isinstance(self.result, Reply):
            record["reply"] = self.result.to_json()
        else:
            record["error"] = {"kind": self.result.kind, "message": self.result.message}
        # ASCII only: a lone surrogate in a model's text must neither stop the run nor come back changed.
        return json.dumps(record, separators=(",", ":")).encode("ascii") + b"\n"

    @staticmethod
    def from_line(line: bytes) -> "Record":
        """Rebuild a record.

        Raises:
            ValueError: the line is not what `to_line` writes (UnicodeDecodeError and JSONDecodeError included).
        """
        try:
            record = json.loads(line.decode())
            key = Key(record["example"], record["repeat"], record["call"], record["request"])
            if "reply" in record:
                return Record(key, Reply.from_json(record["reply"]))
            return Record(key, Failure(record["error"]["kind"], record["error"]["message"]))
        except (KeyError, TypeError) as error:
            raise ValueError(f"not a record of a call: {error!r}") from error


def read_log(path: Path) -> Iterator[Record]:
    """Yield the records of a log in the order of writing, earlier ones of a repeated key included (the last counts).

    A torn last line, bad UTF-8 included, is left out: its writer was killed. A missing file holds no records.

    Raises:
        InputError: a line before the last is not a record.
    """
    for _, record in read_lines(path, Record.from_line):
        yield record


class ReplyLog(Closing):
    """A log of calls, open for one writer.

    Only where each reply stands is held in memory; texts are read back when asked for.

    Args:
        path: the file; made if missing. A torn last line is cut off.

    Raises:
        InputError: another process is writing to it, or a line within is not a record.
    """

    def __init__(self, path: Path) -> None:
        self._spans: dict[Key, Span] = {}
        self._lines = LineLog(path, Record.from_line, self._found)

    def _found(self, span: Span, record: Record) -> None:
        self._spans[record.key] = span

    def get(self, key: Key) -> Reply | Failure | None:
        """Return how a call ended the last time, or None if it was never recorded."""
        span = self._spans.get(key)
        return None if span is None else Record.from_line(self._lines.read(span)).result

    def append(self, key: Key, result: Reply | Failure) -> None:
        """Add a record; once this returns, no death of the process can lose it.

        Raises:
            OSError: the line could not be written whole (a full disk); the file is left as it was.
        """
        self._spans[key] = self._lines.append(Record(key, result).to_line())

    def __len__(self) -> int:
        """Return the number of different calls on record."""
        return len(self._spans)

    def close(self) -> None:
        """Close the file and let go of it."""
        self._lines.close()


def recorded(ask: Ask, log: ReplyLog, example_id: str, repeat: int) -> Ask:
    """Wrap an `ask` for one example and repeat: known calls are replayed, new ones asked and recorded.

    Make a new one for each pass of a method over an example: it numbers the calls from 0, in the order in which they
    are started, so a method must start its calls in the same order every time.

    Returns:
        An `ask` that raises what the wrapped one raises, after recording it. A recorded "overlength" is raised again
        without asking; a recorded "error" is asked again.
    """
    calls = 0

    async def replay_or_ask(request: Request) -> Reply:
        nonlocal calls
        key = Key(example_id, repeat, calls, request.digest)
        calls += 1
        known = log.get(key)
        if isinstance(known, Reply):
            return known
        if known is not None and known.kind == "overlength":
            raise OverlengthError(known.message)
        try:
            reply = await ask(request)
        except ReplyError as error:
            kind: ErrorKind = "overlength" if isinstance(error, OverlengthError) else "error"
            log.append(key, Failure(kind, str(error)))
            raise
        log.append(key, reply)
        return reply

    return replay_or_ask
