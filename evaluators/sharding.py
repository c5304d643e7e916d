"""Shards: a run in parts, each a run folder of its own over a share of the rows that is the same everywhere.

Rows of one source (a word list under two questions, the two summaries of an article, all windows of a book) stay
together: they share the prefixes that caches pay for, and what is embedded once for all of them.
"""

import hashlib
import heapq
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lengthwise.errors import InputError
from lengthwise.evaluators.benchmark_types import Benchmark

if TYPE_CHECKING:
    import pyarrow as pa

# The column of a shard's examples that tells the place of each row in the whole run, 0-based.
PLACE = "place_in_whole"
# What a row costs besides its prompt, in tokens: else a shard of short rows would have ever so many calls.
_ROW = 1000


@dataclass(frozen=True, slots=True)
class Shard:
    """Which part of a run.

    Attributes:
        number: which one, 1-based.
        count: of how many (>= 1).
    """

    number: int
    count: int

    def __post_init__(self) -> None:
        """Refuse a part that there is not."""
        if self.count < 1 or not 1 <= self.number <= self.count:
            raise InputError(f"--shard {self}: must be I/N with I from 1 to N, e.g. 1/4")

    def __str__(self) -> str:
        """Return `I/N`."""
        return f"{self.number}/{self.count}"


@dataclass(frozen=True, slots=True)
class Part:
    """What a folder holds of a run that was cut into shards.

    Attributes:
        numbers: the shards in it, 1-based, ascending; several where some were merged.
        count: how many shards there are.
        rows: how many examples the whole run has, those that fit no window included.
        digest: SHA-256 over their ids in order.
    """

    numbers: tuple[int, ...]
    count: int
    rows: int
    digest: str

    def to_json(self) -> dict[str, Any]:
        """Return what run.json says of it; `from_json` is the inverse."""
        return {"numbers": list(self.numbers), "count": self.count, "rows": self.rows, "digest": self.digest}

    @staticmethod
    def of(settings: Mapping[str, Any]) -> "Part | None":
        """Return what a run.json says of it; None where the run is whole."""
        said = settings.get("shard")
        return Part(tuple(said["numbers"]), said["count"], said["rows"], said["digest"]) if said else None

    def __str__(self) -> str:
        """Return words for people, e.g. `shard 2 of 4`."""
        numbers = ", ".join(map(str, self.numbers))
        return f"shard{'s' if len(self.numbers) > 1 else ''} {numbers} of {self.count}"


def take_shard(examples: "pa.Table", benchmark: Benchmark, shard: Shard) -> tuple["pa.Table", Part]:
    """Return the rows of a shard, in their order and with the column `PLACE`, and what part of the run they are.

    Groups of rows of one source are dealt out by their tokens, the largest first and each to the shard that has the
    least so far: shards take about equally long, and the same arguments give the same shards everywhere.

    Args:
        examples: short columns of all rows of the run, with `n_tokens`.
        benchmark: whose sources stay together.
        shard: which part.

    Raises:
        InputError: there are more shards than groups.
    """
    import pyarrow as pa

    groups: dict[tuple[str, str], list[int]] = {}
    weights: dict[tuple[str, str], int] = {}
    for place, row in enumerate(examples.to_pylist()):
        source = benchmark.source(row)
        groups.setdefault(source, []).append(place)
        weights[source] = weights.get(source, 0) + row["n_tokens"] + _ROW
    if shard.count > len(groups):
        raise InputError(
            f"--shard {shard}: the {len(examples):,} rows come from {len(groups):,} sources, and rows of one source "
            f"stay together; take at most {len(groups):,} shards"
        )
    shares = [(0, number) for number in range(1, shard.count + 1)]
    mine: list[int] = []
    for source in sorted(groups, key=lambda source: (-weights[source], source)):
        load, number = heapq.heappop(shares)
        heapq.heappush(shares, (load + weights[source], number))
        if number == shard.number:
            mine.extend(groups[source])
    mine.sort()
    digest = hashlib.sha256("\n".join(examples["id"].to_pylist()).encode()).hexdigest()
    part = Part((shard.number,), shard.count, len(examples), digest)
    return examples.take(mine).append_column(PLACE, pa.array(mine, pa.int64())), part


def partial_note(label: str, settings: Mapping[str, Any]) -> str:
    """Return the line that heads a run which is a part of one; "" where it is whole.

    Args:
        label: what tables call the run.
        settings: its run.json.
    """
    part = Part.of(settings)
    if part is None:
        return ""
    return (
        f"PART {label}: {part}, {settings.get('n_examples', 0):,} of {part.rows:,} rows; figures are of these alone. "
        "To join the shards: lengthwise merge SHARD... --out RUN"
    )


def check_whole(path: object, settings: Mapping[str, Any]) -> None:
    """Raise InputError where a run is only a part of one."""
    part = Part.of(settings)
    if part is not None:
        raise InputError(f"{path}: is {part} of a run; join them first: lengthwise merge SHARD... --out RUN")
