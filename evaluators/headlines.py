"""The one figure of each cell that a run is known by elsewhere: on the Hub's leaderboards and in shared databases."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lengthwise.errors import InputError

from .longnovel_figures import NovelFigures
from .results import Results
from .scoring import score_outcomes
from .sharding import check_whole


@dataclass(frozen=True)
class Headline:
    """The figure of one cell.

    Attributes:
        config: of the cell.
        split: of the cell.
        metric: `accuracy`, or `balanced_accuracy` for LongNovel, as its paper has it.
        value: in [0, 1], over all rows of the cell: replies that are none count as wrong.
        interval: of 95 %: exact for an accuracy, by bootstrap over books for a balanced one; None where there is none.
        method: by which the interval was found.
        n: rows.
        repeats: how often each was asked.
    """

    config: str
    split: str
    metric: str
    value: float
    interval: tuple[float, float] | None
    method: str
    n: int
    repeats: int


def headlines(results: Results) -> list[Headline]:
    """Return the figure of every cell in which there is one.

    Args:
        results: of a run.
    """
    return list(_novels(results.figures, results) if isinstance(results.figures, NovelFigures) else _cells(results))


def _cells(results: Results) -> Iterator[Headline]:
    for cell in results.cells:
        accuracy = cell.accuracy
        if accuracy.value is not None:
            interval = (accuracy.low, accuracy.high)
            yield Headline(
                cell.config, cell.split, "accuracy", accuracy.value, interval, "clopper-pearson", cell.n, cell.repeats
            )


def _novels(figures: NovelFigures, results: Results) -> Iterator[Headline]:
    for part in figures.cells:
        measured = part.figures["balanced_accuracy"]
        cell = results.cell(part.config, part.split)
        if measured.value is not None and cell is not None:
            yield Headline(
                part.config, part.split, "balanced_accuracy", measured.value, measured.by_book, "bootstrap", part.n,
                cell.repeats,
            )  # fmt: skip


def finished_results(run: Path | str) -> Results:
    """Return the results of a run that may be published: a whole one, with an end for every row.

    Raises:
        InputError: no run, a part of one, one that is not finished, one on chosen rows or on the first few rows only,
            or one of a reference model.
    """
    results = score_outcomes(run, write=False, causes=False).results
    check_whole(run, results.settings)
    if results.reference is not None:
        raise InputError(f"{run}: is of the reference model {results.reference!r}, which is no model's result")
    if results.chosen:
        raise InputError(f"{run}: holds only rows that ended badly in another run: that is no result of a benchmark")
    if results.settings.get("limit") is not None:
        raise InputError(f"{run}: holds {results.settings['limit']} rows of each split only: run it without --limit")
    if not results.complete:
        raise InputError(
            f"{run}: {results.n_error:,} of {results.n_expected:,} examples have no reply: finish it first, with "
            f"`lengthwise run --from {run}/run.json --out {run}`"
        )
    return results
