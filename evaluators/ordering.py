"""The order in which the rows of a run are asked: those whose prompts begin alike one after the other.

vLLM and the providers keep what they have read of a prompt, for as long as there is room, and read only the rest of
the next one that begins in the same way. So of the rows that share a beginning one goes first, the leader, and the
others follow as soon as its reply is back, before anything else goes out. What comes of a run does not depend on it.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from lengthwise.evaluators.arrow_tables import values_of
from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.prefixes import LEAST_SHARED

if TYPE_CHECKING:
    import pyarrow as pa

# "prefix": as above. "file": one row after the other as the data has them, and none waits for another.
Order: TypeAlias = Literal["prefix", "file"]


def prefix_groups(examples: "pa.Table", shared: Sequence[str]) -> Iterator[list[int]]:
    """Yield the numbers of the rows that share a beginning, group by group, in the order of their first rows.

    Args:
        examples: short columns of the rows.
        shared: columns; rows that agree in all of them share a beginning. A data set without one of them, or none
            given: every row is by itself.
    """
    if not shared or not len(examples) or not set(shared) <= set(examples.column_names):
        yield from ([number] for number in range(len(examples)))
        return
    import numpy as np

    # Numbered as they come first.
    known: dict[object, int] = {}
    columns = [values_of(examples[name]) for name in shared]
    keys = columns[0] if len(columns) == 1 else zip(*columns, strict=True)
    numbers = np.fromiter((known.setdefault(key, len(known)) for key in keys), np.int64, len(examples))
    # What follows goes on as long as the run.
    del known, keys, columns
    order = np.argsort(numbers, kind="stable")
    starts = np.flatnonzero(np.diff(numbers[order], prepend=-1))
    for start, end in zip(starts, np.append(starts[1:], len(order)), strict=True):
        yield order[start:end].tolist()


def shared_length(one: str, other: str) -> int:
    """Return with how many characters both begin.

    >>> shared_length("to be or not", "to be sure")
    6
    """
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


@dataclass(slots=True)
class Job:
    """One example and repeat to be asked about.

    Attributes:
        example: the row.
        repeat: 0-based.
        shared: with how many characters of its prompt another request that is to follow, or has gone before, begins.
        followers: the rows and repeats that wait for it.
        held: the prompts of those of them that are in memory.
    """

    example: Example
    repeat: int
    shared: int = 0
    followers: list[tuple[int, int]] = field(default_factory=list)
    held: dict[int, Example] = field(default_factory=dict)


class Jobs:
    """Hands out jobs to workers: followers of leaders that are done, then the next leader.

    Args:
        groups: rows that share a beginning, by number.
        repeats: of each row (>= 1).
        read: gives a row with its prompt.
        hold: prompts of followers that may be in memory while their leaders are under way (>= 0), besides one for
            each leader; the others are read again.
        least: characters that must be shared for anybody to wait.
    """

    def __init__(
        self,
        groups: Iterable[Sequence[int]],
        repeats: int,
        read: Callable[[int], Example],
        hold: int,
        least: float = LEAST_SHARED,
    ) -> None:
        self._repeats = repeats
        self._read = read
        self._room = hold
        self._least = least
        self._next = map(self._leader, groups)
        self._ready: deque[tuple[int, int, Example | None, int]] = deque()
        self._leading = 0
        self._changed = asyncio.Event()

    async def take(self) -> Job | None:
        """Return the next job, or None if none is left; each is followed by `done`."""
        while True:
            if self._ready:
                row, repeat, example, shared = self._ready.popleft()
                return Job(self._read(row) if example is None else example, repeat, shared)
            job = next(self._next, None)
            if job is not None:
                self._leading += bool(job.followers)
                if job.shared < self._least:
                    self._release(job)
                return job
            if not self._leading:
                return None
            self._changed.clear()
            await self._changed.wait()

    def done(self, job: Job) -> None:
        """Note that a job has ended, however it did: its followers may go."""
        self._release(job)

    def _release(self, job: Job) -> None:
        if not job.followers:
            return
        for row, repeat in job.followers:
            self._ready.append((row, repeat, job.held.get(row), job.shared))
        self._room += len(job.held)
        self._leading -= 1
        job.followers, job.held = [], {}
        self._changed.set()

    def _leader(self, group: Sequence[int]) -> Job:
        jobs = [(row, repeat) for row in group for repeat in range(self._repeats)]
        job = Job(self._read(group[0]), 0, followers=jobs[1:])
        if self._repeats > 1:
            job.held[group[0]] = job.example
            job.shared = len(job.example.prompt)
            self._room -= 1
        for row in group[1:]:
            # One at least, to know what they share.
            if self._room <= 0 and job.shared:
                break
            job.held[row] = self._read(row)
            self._room -= 1
            job.shared = shared_length(job.example.prompt, job.held[row].prompt)
        return job
