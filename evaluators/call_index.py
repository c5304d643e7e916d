"""Where the calls of a run stand in its log: what was said is read back one example at a time, in either order."""

from array import array
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from lengthwise.contracts import Reply
from lengthwise.line_log import read_lines
from lengthwise.recording import Failure, Record


class CallIndex:
    """The final calls of a log, by example and repeat; of a call that comes twice the last line counts.

    What a line holds is not kept, so a hundred thousand take some MB. A log that grows meanwhile is taken as it was
    when it was read. Use it as a context manager.

    Args:
        path: of the log; a missing file holds nothing.
        numbers: the numbers of the examples by their ids, from 0; what is of others is passed over. None numbers those
            that the log has, as they come.
        repeats: how often each was asked; what is of later repeats is passed over. None takes all.

    Raises:
        InputError: a line before the last is not a record.
    """

    def __init__(self, path: Path, numbers: Mapping[str, int] | None = None, repeats: int | None = None) -> None:
        import numpy as np

        own: dict[str, int] = {}
        found = {name: array("q") for name in ("example", "repeat", "call", "offset")}
        for span, (example, repeat, call) in read_lines(path, _place):
            number = own.setdefault(example, len(own)) if numbers is None else numbers.get(example)
            if number is None or (repeats is not None and repeat >= repeats):
                continue
            for column, value in zip(found.values(), (number, repeat, call, span[0]), strict=True):
                column.append(value)
        examples, repeat_numbers, calls, offsets = (np.asarray(column, np.int64) for column in found.values())
        self._repeats = int(repeat_numbers.max(initial=0)) + 1
        keys = examples * self._repeats + repeat_numbers
        order = np.lexsort((offsets, calls, keys))
        keys, calls, offsets = keys[order], calls[order], offsets[order]
        # Of equal ones the last.
        final = np.ones(len(keys), np.bool_)
        final[:-1] = (keys[1:] != keys[:-1]) | (calls[1:] != calls[:-1])
        keys, self._offsets = keys[final], offsets[final]
        self._starts = np.flatnonzero(np.diff(keys, prepend=-1))
        self._keys = keys[self._starts]
        self._ids = list(own)
        self._file: IO[bytes] | None = path.open("rb") if len(keys) else None

    def calls(self, example: int, repeat: int) -> list[Reply | Failure]:
        """Return how the calls of an example ended, in the order in which they were made; none where none is there."""
        if repeat >= self._repeats:
            return []
        place = int(self._keys.searchsorted(key := example * self._repeats + repeat))
        return self._read(place) if place < len(self._keys) and self._keys[place] == key else []

    def in_order_of_log(self) -> Iterator[tuple[str, int, list[Reply | Failure]]]:
        """Yield (example id, repeat, how its calls ended) as the last of each was recorded.

        Only for an index with numbers of its own.
        """
        import numpy as np

        if not len(self._keys):
            return
        ends = np.maximum.reduceat(self._offsets, self._starts)
        for place in np.argsort(ends).tolist():
            example, repeat = divmod(int(self._keys[place]), self._repeats)
            yield self._ids[example], repeat, self._read(place)

    def _read(self, place: int) -> list[Reply | Failure]:
        assert self._file is not None
        end = self._starts[place + 1] if place + 1 < len(self._starts) else len(self._offsets)
        ended: list[Reply | Failure] = []
        for offset in self._offsets[self._starts[place] : end].tolist():
            self._file.seek(offset)
            ended.append(Record.from_line(self._file.readline()).result)
        return ended

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the log."""
        if self._file is not None:
            self._file.close()


def _place(line: bytes) -> tuple[str, int, int]:
    """Return example, repeat and number of the call that a line is about.

    Raises:
        ValueError: it is no record.
    """
    key = Record.from_line(line).key
    return key.example, key.repeat, key.call
