"""The reply log, and the `ask` that records into it and replays from it.

Every finished call is one line of JSON, kept under (example id, repeat, call number, request digest): three repeats
are three calls, a third attempt within one example is a third call, and a run that was killed goes on by replaying
its log. The caller is never asked for anything twice that a whole line holds.

Of the roles in `SHARED_ROLES` (embeddings), equal requests of different examples and repeats are asked once: the reply
is on record, with what it cost, for the one that asked first, and the others take it from there.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal, TypeAlias

from lengthwise.contracts import SHARED_ROLES, Ask, OverlengthError, Reply, ReplyError, Request
from lengthwise.line_log import Closing, LineLog, Span, read_lines

# As `json.dumps`, which makes an encoder each time.
_encode = json.JSONEncoder(separators=(",", ":")).encode

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

    @property
    def short(self) -> bytes:
        """Digest of the key, in 16 bytes."""
        text = f"{self.example}\n{self.repeat}\n{self.call}\n{self.request}"
        return blake2b(text.encode(errors="surrogatepass"), digest_size=16).digest()


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
        return _encode(record).encode("ascii") + b"\n"

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
        known: told of every reply that is on record, those of earlier tries of a call included.

    Raises:
        InputError: another process is writing to it, or a line within is not a record.
    """

    def __init__(self, path: Path, known: Callable[[Reply], None] = lambda _: None) -> None:
        self._known = known
        # By a digest of the key: of a hundred thousand calls the keys themselves would take a hundred MB.
        self._spans: dict[bytes, int] = {}
        self._shared: dict[str, Span] = {}
        # Requests of shared roles that are being asked for now, by digest.
        self.under_way: dict[str, asyncio.Future[Reply]] = {}
        self._lines = LineLog(path, Record.from_line, self._found_earlier)

    def _found_earlier(self, span: Span, record: Record) -> None:
        self._found(span, record)
        if isinstance(record.result, Reply):
            self._known(record.result)

    def _found(self, span: Span, record: Record) -> None:
        # One number: of a hundred thousand calls the tuples would take 8 MB more.
        self._spans[record.key.short] = span[0] << 32 | span[1]
        if isinstance(record.result, Reply) and record.result.role in SHARED_ROLES:
            self._shared[record.key.request] = span

    def get(self, key: Key) -> Reply | Failure | None:
        """Return how a call ended the last time, or None if it was never recorded."""
        span = self._spans.get(key.short)
        return None if span is None else Record.from_line(self._lines.read(divmod(span, 1 << 32))).result

    def equal(self, digest: str) -> Reply | None:
        """Return the reply to an equal request of a shared role, whichever example made it; None if there is none."""
        span = self._shared.get(digest)
        result = None if span is None else Record.from_line(self._lines.read(span)).result
        return result if isinstance(result, Reply) else None

    def append(self, key: Key, result: Reply | Failure) -> None:
        """Add a record; once this returns, no death of the process can lose it.

        Raises:
            OSError: the line could not be written whole (a full disk); the file is left as it was.
        """
        record = Record(key, result)
        self._found(self._lines.append(record.to_line()), record)

    def __len__(self) -> int:
        """Return the number of different calls on record."""
        return len(self._spans)

    def close(self) -> None:
        """Close the file and let go of it."""
        self._lines.close()


def recorded(
    ask: Ask, log: ReplyLog, example_id: str, repeat: int, heard: Callable[[Reply], None] = lambda _: None
) -> Ask:
    """Wrap an `ask` for one example and repeat: known calls are replayed, new ones asked and recorded.

    Make a new one for each pass of a method over an example: it numbers the calls from 0, in the order in which they
    are started, so a method must start its calls in the same order every time.

    Args:
        ask: what is asked where the log has no answer.
        log: of the run.
        example_id: id of the row.
        repeat: 0-based.
        heard: told of every reply that is on record for this example, not of those that another one's equal request
            brought.

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
            heard(known)
            return known
        if known is not None and known.kind == "overlength":
            raise OverlengthError(known.message)
        if request.role in SHARED_ROLES:
            return await _ask_once(ask_and_record, log, key, request)
        return await ask_and_record(key, request)

    async def ask_and_record(key: Key, request: Request) -> Reply:
        try:
            reply = await ask(request)
        except ReplyError as error:
            log.append(key, _failure(error))
            raise
        if reply.role != request.role:
            reply = replace(reply, role=request.role)
        log.append(key, reply)
        heard(reply)
        return reply

    return replay_or_ask


async def _ask_once(
    ask_and_record: Callable[[Key, Request], Awaitable[Reply]], log: ReplyLog, key: Key, request: Request
) -> Reply:
    """Ask unless an equal request was answered, or wait for its answer; its failure is recorded here as well."""
    known = log.equal(key.request)
    if known is not None:
        return known
    other = log.under_way.get(key.request)
    if other is not None:
        try:
            # Shielded: who waits may be given up without harm to who asks.
            return await asyncio.shield(other)
        except ReplyError as error:
            log.append(key, _failure(error))
            raise
    answer: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
    log.under_way[key.request] = answer
    try:
        reply = await ask_and_record(key, request)
    except Exception as error:
        # Of a full disk, or a run that ends, the others hear as well.
        answer.set_exception(error)
        # Nobody else may have waited, which is no mistake.
        answer.exception()
        raise
    else:
        answer.set_result(reply)
        return reply
    finally:
        del log.under_way[key.request]
        # Still open where this was cancelled: whoever waits ends with the run.
        answer.cancel()


def _failure(error: ReplyError) -> Failure:
    return Failure("overlength" if isinstance(error, OverlengthError) else "error", str(error))
