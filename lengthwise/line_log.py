"""A file of lines that only grows, open for one writer: what a whole line holds no death of the process can lose.

Nor can a power cut that comes a second later: see `lengthwise.durable`.

A writer that was killed leaves at most a torn last line. Readers leave it out, and the next writer cuts it off.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import IO, Self, TypeAlias, TypeVar

from lengthwise.durable import Syncer
from lengthwise.errors import InputError

try:
    import fcntl
except ImportError:  # Windows: two runs into one folder at the same time go unnoticed there.
    fcntl = None  # type: ignore[assignment]

Entry = TypeVar("Entry")
# Offset and length of a line, its newline included.
Span: TypeAlias = tuple[int, int]


class InUseError(InputError):
    """Another process is writing to the file."""


def read_lines(path: Path, parse: Callable[[bytes], Entry]) -> Iterator[tuple[Span, Entry]]:
    """Yield where each whole line stands and what it holds; a missing file holds nothing.

    A last line that is torn or cannot be parsed is left out: its writer was killed.

    Args:
        path: the file.
        parse: takes a line with its newline, and raises ValueError where it is not one of this log.

    Raises:
        InputError: a line before the last cannot be parsed.
    """
    if not path.exists():
        return
    size = path.stat().st_size
    offset = 0
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            # Without its newline a line is torn even where what is there can be parsed.
            if not line.endswith(b"\n"):
                return
            try:
                entry = parse(line)
            except ValueError as error:
                if offset + len(line) == size:
                    return
                raise InputError(
                    f"{path}, line {number}: {error}; delete that line, and what it held is done again"
                ) from error
            yield (offset, len(line)), entry
            offset += len(line)


class Closing(ABC):
    """Something to be closed at the end of a `with` block."""

    @abstractmethod
    def close(self) -> None:
        """Close it."""

    def __enter__(self) -> Self:
        """Return the thing itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        self.close()


class LineLog(Closing):
    """Appends lines to a file and reads them back.

    Args:
        path: the file; made if missing. A torn last line is cut off.
        parse: as `read_lines` takes it.
        known: told of each line that is there already, and what it holds.

    Raises:
        InUseError: another process is writing to it.
        InputError: a line within cannot be parsed.
    """

    def __init__(self, path: Path, parse: Callable[[bytes], Entry], known: Callable[[Span, Entry], object]) -> None:
        self._path = path
        # Unbuffered, so that one line is one `write`: after kill -9 the system still has it.
        self._file: IO[bytes] = path.open("a+b", buffering=0)
        self._end = 0
        with ExitStack() as if_refused:
            if_refused.callback(self._file.close)
            self._lock()
            for span, entry in read_lines(path, parse):
                known(span, entry)
                self._end = sum(span)
            self._file.truncate(self._end)
            self._syncer = Syncer(self._file.fileno(), path.parent)
            if_refused.pop_all()

    def _lock(self) -> None:
        if fcntl is None:
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise InUseError(
                f"{self._path.parent}: another process is running into this folder; let it end"
            ) from error

    def read(self, span: Span) -> bytes:
        """Return a line of this log, newline included.

        Raises:
            OSError: the file has become shorter: something else has changed it.
        """
        self._file.seek(span[0])
        line = b""
        while len(line) < span[1]:
            part = self._file.read(span[1] - len(line))
            if not part:
                raise OSError(f"{self._path}: ends within the line at byte {span[0]:,}; was it changed meanwhile?")
            line += part
        return line

    def append(self, line: bytes) -> Span:
        """Add a line, which ends in its one newline; once this returns, no death of the process can lose it.

        Returns:
            Where it stands.

        Raises:
            OSError: the line could not be written whole (a full disk); the file is left as it was.
        """
        try:
            written = self._file.write(line)
        except OSError as error:
            raise OSError(f"{self._path}: {error.strerror}; nothing that was written before is lost") from error
        if written != len(line):
            self._file.truncate(self._end)
            raise OSError(f"{self._path}: wrote {written} of {len(line)} bytes; is the disk full?")
        self._syncer.written()
        span = (self._end, len(line))
        self._end += len(line)
        return span

    def close(self) -> None:
        """Put all of it on the disk, close the file and let go of it."""
        try:
            self._syncer.close()
        finally:
            self._file.close()
