"""Recall against place and distance of the evidence in the text, which are known for generated novels.

The unit is an injected fault. Two shares are shown: how many faults the reply names (by a judge where one was asked
about all runs, else by the matcher), and how many summaries with just that one fault are called hallucinated at all;
with several faults that could be due to another. The paper could not measure either.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean
from typing import Any, Literal, TypeAlias

from lengthwise.errors import InputError
from lengthwise.evaluators.deciding import data_of
from lengthwise.evaluators.examples import Cell
from lengthwise.evaluators.figure_text import percent, share_of
from lengthwise.evaluators.longnovel_figures import NovelFigures, detected
from lengthwise.evaluators.longnovel_rows import bound_name
from lengthwise.evaluators.naming import name_of
from lengthwise.evaluators.scoring import Scored
from lengthwise.evaluators.table_formats.cells import Name
from lengthwise.evaluators.table_formats.grid import GridTable
from lengthwise.metrics.classification import THRESHOLD
from lengthwise.metrics.intervals import wilson

N_BINS = 5
# Upper ends of the bins of distance, in tokens.
DISTANCES = (250, 1_000, 4_000, 16_000, 64_000)
Measure: TypeAlias = Literal["named", "called"]
MEASURES: Mapping[Measure, str] = {
    "named": "the reply names the fault",
    "called": "a summary with this fault alone is called hallucinated",
}
JUDGED_BY = {True: "a judge's verdicts", False: "the offline matcher (a judge's count once all runs have them)"}
AXES: Mapping[str, str] = {
    "first": "where the evidence begins (% of the text)",
    "last": "where the evidence ends (% of the text)",
    "distance": "tokens from its first passage to its last",
}


@dataclass(frozen=True, slots=True)
class PlacedFault:
    """An injected fault with its evidence, and what came of it.

    Attributes:
        first: where its first passage begins, as a share of the text; None where the data are gone.
        last: where its last passage ends, likewise.
        distance: tokens from there to there.
        named: share of the repeats in which the reply names it; None where no verdict is known.
        called: share of the repeats in which its summary was called hallucinated; None where that has other faults.
    """

    first: float | None
    last: float | None
    distance: int
    named: float | None
    called: float | None


@dataclass(frozen=True, slots=True)
class BinShare:
    """A share over the faults of a bin, with its Wilson interval; repeats are averaged and do not narrow it."""

    value: float
    low: float
    high: float
    n: int


def all_judged(runs: Sequence[Scored]) -> bool:
    """Return whether a judge was asked about every run of a real model: only then are its verdicts compared."""
    real = [run for run in runs if run.results.reference is None] or runs
    return all(isinstance(one := run.results.figures, NovelFigures) and one.judged is not None for run in real)


def placed_faults(run: Scored, *, judged: bool = False) -> list[PlacedFault]:
    """Return the faults of a run whose evidence is known; empty where there are none.

    Args:
        run: scored.
        judged: whether a judge's verdicts say what a reply names, where it gave any, and not the matcher.
    """
    rows = {
        example: row
        for example, row in run.rows.items()
        if row.get("evidence") and len(row["evidence"]) == len(row.get("injections") or ())
    }
    lengths = _article_lengths(run, rows) if rows else {}
    return [one for example, row in rows.items() for one in _placed(run, example, row, lengths.get(example), judged)]


def _placed(
    run: Scored, example: str, row: Mapping[str, Any], length: int | None, judged: bool
) -> Iterator[PlacedFault]:
    outcomes = [run.outcomes[example, repeat] for repeat in range(run.run.repeats)]
    scores = [detected(row, outcome)[0] for outcome in outcomes]
    called = fmean(score is not None and score < THRESHOLD for score in scores)
    for place, evidence in enumerate(row["evidence"]):
        hits = [outcome.details.get("hits") for outcome in outcomes]
        verdicts = [
            one.details.get("verdicts", hit) if judged else hit for one, hit in zip(outcomes, hits, strict=True)
        ]
        # A reply that is none points at nothing.
        said = [False if one is None else one[place] for one in verdicts]
        known = [bool(one) for one in said if one is not None]
        yield PlacedFault(
            first=min(evidence["starts"]) / length if length else None,
            last=max(evidence["ends"]) / length if length else None,
            distance=int(evidence["distance"]),
            named=fmean(known) if known else None,
            called=called if len(row["evidence"]) == 1 else None,
        )


def _article_lengths(run: Scored, rows: Mapping[str, Mapping[str, Any]]) -> dict[str, int]:
    """Return the characters of each row's text, as far as the data are still there."""
    import pyarrow.parquet as pq

    data = data_of(run.run)
    found: dict[str, int] = {}
    for cell in dict.fromkeys(Cell(row["config"], row["split"]) for row in rows.values()) if data else ():
        assert data is not None
        try:
            paths = data.files(cell)
        except InputError:
            # Their folder is there, and they are not.
            continue
        for path in paths:
            with pq.ParquetFile(path) as file:
                for batch in file.iter_batches(batch_size=8, columns=["id", "article"]):
                    found.update((row["id"], len(row["article"])) for row in batch.to_pylist())
    return found


def bin_of(fault: PlacedFault, axis: str) -> int | None:
    """Return the bin of a fault on an axis of `AXES`, from 0; None where its place is not known."""
    if axis == "distance":
        return sum(fault.distance >= end for end in DISTANCES)
    place = fault.first if axis == "first" else fault.last
    return None if place is None else min(N_BINS - 1, int(place * N_BINS))


def bin_names(axis: str) -> list[str]:
    """Return the names of the bins of an axis.

    >>> bin_names("first")[:2], bin_names("distance")[0], bin_names("distance")[-1]
    (['0–20', '20–40'], '< 250', '≥ 64k')
    """
    if axis != "distance":
        width = 100 // N_BINS
        return [f"{part * width}–{(part + 1) * width}" for part in range(N_BINS)]
    ends = [f"{end // 1000}k" if end >= 1000 else str(end) for end in DISTANCES]
    return [f"< {ends[0]}", *(f"{low}–{high}" for low, high in pairwise(ends)), f"≥ {ends[-1]}"]


def shares(faults: Sequence[PlacedFault], axis: str, measure: Measure) -> list[BinShare | None]:
    """Return a share for each bin of an axis; None where no fault lies in it.

    Args:
        faults: of `placed_faults`.
        axis: key of `AXES`.
        measure: key of `MEASURES`.
    """
    value: Callable[[PlacedFault], float | None] = lambda one: one.named if measure == "named" else one.called  # noqa: E731
    found: list[BinShare | None] = []
    for number in range(len(bin_names(axis))):
        known = [said for one in faults if bin_of(one, axis) == number and (said := value(one)) is not None]
        if not known:
            found.append(None)
            continue
        low, high = wilson(min(sum(known), len(known)), len(known))
        found.append(BinShare(fmean(known), low, high, len(known)))
    return found


def evidence_table(runs: Sequence[Scored]) -> GridTable | None:
    """Return both shares by place and distance of the evidence, over all lengths; None where no evidence is known."""
    rows = []
    gone, judged = False, all_judged(runs)
    for run in runs:
        faults = placed_faults(run, judged=judged)
        gone = gone or any(one.first is None for one in faults)
        for axis, words in AXES.items():
            both = zip(bin_names(axis), *(shares(faults, axis, measure) for measure in MEASURES), strict=True)
            run_name, evidence = name_of(run.results), Name(words, part=f"evidence={axis}")
            rows += [(run_name, evidence, name, *map(_said, found)) for name, *found in both if any(found)]
    if not rows:
        return None
    missing = [name for name in ("gold", "random", "faithful", "hallucinated") if not _has(runs, name)]
    for name in missing:
        called = percent({"gold": 1.0, "random": 0.5, "faithful": 0.0, "hallucinated": 1.0}[name])
        named = percent(1.0 if name == "gold" else 0.0)
        rows.append((bound_name(name), Name("any"), Name("any"), named, called))
    head = ("Model", "evidence", "in", Name("named %", metric="named"), Name("called %", metric="called"))
    notes = [
        f"named: {MEASURES['named']}, by {JUDGED_BY[judged]}. called: {MEASURES['called']}. 95 % Wilson intervals, n "
        "faults in brackets; over all lengths of a run.",
        "Not in the paper: people's novels have no such record. The evidence are the passages that the injected fault "
        "contradicts.",
    ]
    if gone:
        notes.append("The data of a run are gone or have changed: places in the text are not known there.")
    title = "Recall by place and distance of the evidence"
    return GridTable(title, head, tuple(rows), tuple(notes), name="evidence")


def _has(runs: Sequence[Scored], reference: str) -> bool:
    return any(run.results.reference == reference for run in runs)


def _said(share: BinShare | None) -> str:
    return "–" if share is None else share_of(share.value, share.n, share.low, share.high)
