"""Two runs of a benchmark that tells classes apart, by balanced accuracy and MCC (LongNovel, section 5.1)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from lengthwise.evaluators.benchmarks import find_benchmark
from lengthwise.evaluators.budgets import apply_budget
from lengthwise.evaluators.figure_text import p_text
from lengthwise.evaluators.longnovel_rows import decimals
from lengthwise.evaluators.scoring import Scored
from lengthwise.evaluators.table_formats.cells import Figure, Name, Number, count
from lengthwise.evaluators.table_formats.grid import GridTable
from lengthwise.metrics.comparison import Comparison, compare_detection
from lengthwise.metrics.significance import holm

_NAMES: Mapping[str, str] = {"balanced_accuracy": "BAcc.", "mcc": "MCC."}


@dataclass(frozen=True, slots=True)
class ComparedFigure:
    """One figure of two runs in one cell.

    Attributes:
        by_source: whole sources (books) resampled, with the answers of both runs; None of fewer than two.
        by_row: rows resampled within their class, as the paper does.
        holm: the p-value that counts (by source, where there is one), corrected for the number of cells.
    """

    by_source: Comparison | None
    by_row: Comparison
    holm: float | None = None

    @property
    def main(self) -> Comparison:
        """The one that counts."""
        return self.by_source or self.by_row

    def to_dict(self) -> dict[str, Any]:
        """Return one flat dict of JSON types."""
        naive = self.by_row.to_dict()
        return {
            **self.main.to_dict(),
            "p_value_holm": self.holm,
            "resampled": "sources" if self.by_source else "rows",
            "difference_ci_naive": naive["difference_ci"],
            "p_value_naive": naive["p_value"],
        }


def compare_classes(
    runs: Sequence[Scored], ids: Sequence[str], budget: int | None, options: Mapping[str, Any]
) -> tuple[ComparedFigure, ...]:
    """Compare two runs on some rows by `balanced_accuracy` and `mcc`; empty where their benchmark has no classes.

    Args:
        runs: both, scored.
        ids: of the rows, which both have.
        budget: output tokens beyond which a reply has no score; None for none.
        options: of the bootstrap: `confidence_level`, `n_resamples`, `seed`.
    """
    benchmark = find_benchmark(runs[0].results.benchmark)
    if benchmark.detects is None:
        return ()
    detects = benchmark.detects
    sides = []
    for run in runs:
        outcomes = (
            run.outcomes if budget is None else {k: apply_budget(one, budget) for k, one in run.outcomes.items()}
        )
        repeats = range(run.run.repeats)
        sides.append([[detects(run.rows[one], outcomes[one, repeat])[0] for one in ids] for repeat in repeats])
    gold = [detects(runs[0].rows[one], runs[0].outcomes[one, 0])[1] for one in ids]
    sources = [benchmark.source(runs[0].rows[one])[1] for one in ids]
    clusters = sources if len(set(sources)) > 1 else None

    def compared(figure: str, clusters: Sequence[str] | None) -> Comparison:
        # All rows given one class is an MCC of 0, as the paper prints it; a recall of no rows is no recall.
        zero = figure == "mcc"
        first, second = sides
        return compare_detection(first, second, gold, clusters=clusters, undefined_as_zero=zero, **options)[figure]

    return tuple(
        ComparedFigure(None if clusters is None else compared(name, clusters), compared(name, None)) for name in _NAMES
    )


def with_holm(cells: Sequence[tuple[ComparedFigure, ...]]) -> list[tuple[ComparedFigure, ...]]:
    """Return the figures of some cells with p-values corrected for the number of cells, each figure by itself."""
    if not all(cells):
        return list(cells)
    corrected = [holm([cell[place].main.difference.p_value for cell in cells]) for place in range(len(_NAMES))]
    return [
        tuple(replace(figure, holm=corrected[place][number]) for place, figure in enumerate(cell))
        for number, cell in enumerate(cells)
    ]


def classes_table(
    labels: tuple[str, str],
    cells: Sequence[tuple[str | None, str | None, Sequence[ComparedFigure]]],
    benchmark: str = "",
    confidence_level: float = 0.95,
) -> GridTable | None:
    """Return the comparison as a table, a row a figure and cell; None where the benchmark has no classes.

    Args:
        labels: of both runs.
        cells: config, split and figures of each.
        benchmark: that the runs are of.
        confidence_level: of the intervals.
    """
    first, second = labels
    rows = []
    for config, split, figures in cells:
        for figure in figures:
            one, naive = figure.main, figure.by_row
            name = Name(_NAMES[one.figure], metric=one.figure)
            where = (config or "all", split or "", count(one.n), name)
            values = (decimals(one.first), decimals(one.second), _difference(one, "difference"))
            tests = (_p_value(one, one.difference.p_value, "p_value"), _p_value(one, figure.holm, "p_value_holm"))
            by_row = (
                _difference(naive, "difference_naive"),
                _p_value(one, naive.difference.p_value, "p_value_naive"),
            )
            rows.append((*where, *values, *tests, *by_row))
    if not rows:
        return None
    both = (
        Name(text, run=first, part=f"minus={second}")
        for text in ("difference", "p", "Holm", "rows resampled", "p (rows)")
    )
    counted = Name("n", run=first, metric="n", part=f"minus={second}")
    sides = (Name(label, run=label) for label in labels)
    head = ("config", "split", counted, "figure", *sides, *both)
    notes = (
        "First minus second, paired bootstrap: whole books resampled with the answers of both runs (rows, where there "
        "is one book); behind it rows resampled within their class, as the paper does, which takes them for "
        "independent. Holm: corrected for the number of lengths.",
        "Where a model gives all rows one class, MCC counts as 0.",
    )
    return GridTable(
        f"{first} against {second}: balanced accuracy and MCC",
        head,
        tuple(rows),
        notes,
        name="comparison-classes",
        benchmark=benchmark,
        confidence=confidence_level,
    )


def _p_value(one: Comparison, value: float | None, what: str) -> Figure:
    return Figure(p_text(value), Number(value, metric=f"{one.figure}_{what}"))


def _difference(one: Comparison, what: str) -> Figure:
    value, ends = one.difference.value, one.difference.interval
    low, high = ends or (None, None)
    said = "–" if value is None else f"{value:+.3f}" + ("" if ends is None else f" [{ends[0]:+.3f}, {ends[1]:+.3f}]")
    return Figure(said, Number(value, low, high, metric=f"{one.figure}_{what}"))
