"""What figures ask of single replies, read off a run in one pass: how each ended, where its answer begins, on what.

Rows and outcomes of a run are packed, so going through them takes time; what is kept of each here is small.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from lengthwise.evaluators.benchmarks import find_benchmark
from lengthwise.evaluators.contracts import OutcomeKind
from lengthwise.evaluators.figures.model import Point
from lengthwise.evaluators.scoring import Scored
from lengthwise.metrics.intervals import clopper_pearson

N_BINS = 5


@dataclass(frozen=True, slots=True)
class Ended:
    """One reply.

    Attributes:
        source: stratum and source of its row; see `Benchmark.source`.
        repeat: of the row, from 0.
        kind: how it ended.
        part: in which of `N_BINS` equal parts of its list the answer begins; 0 where rows have no such place.
    """

    source: tuple[str, str]
    repeat: int
    kind: OutcomeKind
    part: int


# (config, split) -> its replies, all repeats.
Cells: TypeAlias = Mapping[tuple[str, str], Sequence[Ended]]


def ended_of(run: Scored) -> Cells:
    """Return the replies of a run by cell."""
    source = find_benchmark(run.results.benchmark).source
    about = {example: ((row["config"], row["split"]), source(row), part_of(row)) for example, row in run.rows.items()}
    found: dict[tuple[str, str], list[Ended]] = {}
    for (example, repeat), outcome in run.outcomes.items():
        cell, of_row, part = about[example]
        found.setdefault(cell, []).append(Ended(of_row, repeat, outcome.kind, part))
    return found


def part_of(row: Mapping[str, Any]) -> int:
    """Return in which of the equal parts of its list a row's answer begins, from 0.

    >>> part_of({"target_start": 20, "n_words": 100}), part_of({"target_start": 99, "n_words": 100}), part_of({})
    (1, 4, 0)
    """
    if "target_start" not in row:
        return 0
    return int(row["target_start"] * N_BINS // row["n_words"])


def bin_names() -> list[str]:
    """Return the names of the parts: from where to where, in percent of the list.

    >>> bin_names()[0], bin_names()[-1]
    ('0–20', '80–100')
    """
    width = 100 // N_BINS
    return [f"{part * width}–{(part + 1) * width}" for part in range(N_BINS)]


def share_of_kind(replies: Sequence[Ended], kind: OutcomeKind = "correct") -> Point | None:
    """Return the share of some rows' replies that ended so, its interval that of one run of the rows; None of none.

    Args:
        replies: of all repeats of each row.
        kind: by default the right ones, so that the share is an accuracy as a cell has it.
    """
    if not replies:
        return None
    value = sum(one.kind == kind for one in replies) / len(replies)
    n = len(replies) // (1 + max(one.repeat for one in replies))
    low, high = clopper_pearson(min(value * n, n), n)
    return Point(value, low, high, n)
