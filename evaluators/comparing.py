"""Two runs on the same examples: differences with paired intervals, and tests corrected for how many there are.

Examples are paired by id, per cell (config and split) and over all cells; what only one run has is left out and
counted. Every outcome but `correct` counts as wrong, as in the main table. Within a cell each example stands for
itself; over cells, examples on one word list or document are resampled together.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from lengthwise.errors import InputError
from lengthwise.evaluators.comparing_classes import ComparedFigure, compare_classes, with_holm
from lengthwise.evaluators.comparing_rows import grouping_of, other_builds, right_answers, shared_cells
from lengthwise.evaluators.naming import distinguish
from lengthwise.evaluators.results import Results
from lengthwise.evaluators.scoring import Scored, score_outcomes
from lengthwise.evaluators.tables import one_benchmark
from lengthwise.metrics.comparison import Comparison, compare_values
from lengthwise.metrics.significance import holm


@dataclass(frozen=True, slots=True)
class ComparedCell:
    """One cell, or all together.

    Attributes:
        config: None for all.
        split: None for all.
        comparison: of the accuracy on the shared examples.
        holm: the bootstrap's p-value, corrected for the number of cells; None for all cells together.
        mcnemar_holm: McNemar's, likewise; None also where a run has repeats.
        detection: balanced accuracy and MCC, where the benchmark tells classes apart; else empty. See
            `comparing_classes`.
    """

    config: str | None
    split: str | None
    comparison: Comparison
    holm: float | None = None
    mcnemar_holm: float | None = None
    detection: tuple[ComparedFigure, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return one flat dict of JSON types."""
        about = {"config": self.config, "split": self.split, **self.comparison.to_dict(), "p_value_holm": self.holm}
        if self.comparison.mcnemar is not None:
            about["mcnemar_p_value_holm"] = self.mcnemar_holm
        if self.detection:
            about["detection"] = [one.to_dict() for one in self.detection]
        return about


@dataclass(frozen=True, slots=True)
class RunComparison:
    """Two runs of one benchmark on the examples that both have.

    Attributes:
        first: results of the first run, over all of its examples.
        second: results of the second; labels that are equal are numbered.
        cells: one for each config and split with shared examples, in the order of the first run.
        overall: all shared examples together; without McNemar's test where some of them share a list or document.
        only_first: examples that only the first run has.
        only_second: examples that only the second has.
        budget: the output budget laid on both, None for none.
        confidence_level: of the intervals.
    """

    first: Results
    second: Results
    cells: tuple[ComparedCell, ...]
    overall: ComparedCell
    only_first: int
    only_second: int
    budget: int | None
    confidence_level: float

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as JSON types."""
        return {
            "benchmark": self.first.benchmark,
            "first": self.first.label,
            "second": self.second.label,
            "complete": self.first.complete and self.second.complete,
            "budget": self.budget,
            "confidence_level": self.confidence_level,
            "only_first": self.only_first,
            "only_second": self.only_second,
            "cells": [cell.to_dict() for cell in self.cells],
            "overall": self.overall.to_dict(),
        }


def compare_runs(
    first: Path | str,
    second: Path | str,
    *,
    budget: int | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 10_000,
    seed: int = 0,
) -> RunComparison:
    """Compare the accuracy of two runs on the examples that both have, first minus second.

    Args:
        first: a folder that `lengthwise run` made; the run need not be finished (what is missing counts as wrong).
        second: another, of the same benchmark on the same data; it may have other configs, splits or repeats.
        budget: output tokens, > 0: replies that used more count as wrong, in both runs.
        confidence_level: of the intervals, in (0, 1).
        n_resamples: of the bootstrap.
        seed: of the bootstrap.

    Raises:
        InputError: not two run folders, of different benchmarks, without shared examples, on different data under the
            same ids, or an option is out of its range.
    """
    if budget is not None and budget < 1:
        raise InputError(f"--budget-tokens {budget}: must be at least 1")
    if Path(first).resolve() == Path(second).resolve():
        raise InputError(f"RUN RUN: {first} twice; give two different runs")
    runs = [score_outcomes(run, write=False, causes=False) for run in (first, second)]
    one_benchmark([run.results for run in runs])
    cells = _shared(*runs)
    right = [right_answers(run, budget) for run in runs]
    options: dict[str, Any] = {"confidence_level": confidence_level, "n_resamples": n_resamples, "seed": seed}

    def compared(ids: Sequence[str], **grouping: Any) -> Comparison:
        sides = [[[one[example] for example in ids] for one in side] for side in right]
        return compare_values(sides[0], sides[1], **grouping, **options)

    comparisons = [compared(ids) for ids in cells.values()]
    corrected = holm([one.difference.p_value for one in comparisons])
    exact = holm([one.mcnemar.p_value if one.mcnemar else None for one in comparisons])
    shared = [example for ids in cells.values() for example in ids]
    grouping = grouping_of(runs[0], shared)
    overall = compared(shared, **grouping)
    if len(set(grouping.get("clusters", shared))) < len(shared):
        # McNemar's test takes examples for independent, which the variants of one list are not.
        overall = replace(overall, mcnemar=None)
    detection = with_holm([compare_classes(runs, ids, budget, options) for ids in cells.values()])
    labelled = distinguish([run.results for run in runs])
    return RunComparison(
        first=labelled[0],
        second=labelled[1],
        cells=tuple(map(ComparedCell, *zip(*cells, strict=True), comparisons, corrected, exact, detection)),
        overall=ComparedCell(None, None, overall),
        only_first=len(runs[0].rows) - len(shared),
        only_second=len(runs[1].rows) - len(shared),
        budget=budget,
        confidence_level=confidence_level,
    )


def _shared(first: Scored, second: Scored) -> dict[tuple[str, str], list[str]]:
    """Return the ids of the shared examples by cell; raise InputError if there are none, or they are not the same."""
    cells = shared_cells(first, second)
    if not cells:
        raise InputError(
            f"RUN RUN: no example is in both runs ({_contents(first)}; {_contents(second)}); compare runs on the same "
            "data, with a config and split in common"
        )
    for name, (one, other) in other_builds(first, second, cells).items():
        raise InputError(
            f"RUN RUN: {name} was another build in each run ({one[:12]}, {other[:12]}): its examples share ids, "
            "not content; run both on one build"
        )
    return cells


def _contents(run: Scored) -> str:
    cells = list(dict.fromkeys(f"{row['config']}/{row['split']}" for row in run.rows.values()))
    more = f" and {len(cells) - 3} more" if len(cells) > 3 else ""
    return f"{run.run.path} has {', '.join(cells[:3]) or 'no examples'}{more}"
