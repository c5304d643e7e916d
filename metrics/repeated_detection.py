"""Detecting hallucinations in several runs: the mean of each run's figures, with an interval over the items.

The interval is over items (or books), each resampled with its answers in all runs: repeats tell how a system wavers on
these items, not how it would fare on others, so they narrow the interval only as far as its answers waver.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lengthwise.errors import InputError

from .classification import cells_of
from .figures import detection_statistics, joint_profiles, mean_over_runs
from .repeats import OverRuns, over_runs

if TYPE_CHECKING:
    from .bootstrap import Estimate, IntervalMethod


@dataclass(frozen=True, slots=True)
class RepeatedFigure:
    """One figure of several runs.

    Attributes:
        over_runs: its mean and sample standard deviation over the runs.
        estimate: the mean with its bootstrap interval; None unless it was asked for.
    """

    over_runs: OverRuns
    estimate: "Estimate | None" = None


def repeated_detection(
    runs: Sequence[Sequence[int | None]],
    references: Sequence[int],
    *,
    clusters: Sequence[Hashable] | None = None,
    confidence_level: float | None = None,
    n_resamples: int = 10_000,
    seed: int = 0,
    method: "IntervalMethod" = "percentile",
    undefined_as_zero: bool = False,
) -> dict[str, RepeatedFigure]:
    """Return the figures of `classification.detection`, each the mean over runs of the run's own.

    Args:
        runs: the scores of each run, 0 to 5 or None, over the same items in the same order; at least one run.
        references: gold labels: 1 is hallucinated, 0 is not.
        clusters: the source of each item; sources are resampled whole, and the class sizes are then not kept.
        confidence_level: of the intervals, in (0, 1); None for no intervals.
        n_resamples: of the bootstrap.
        seed: of the bootstrap.
        method: "percentile" or "bca".
        undefined_as_zero: whether a run's undefined figure is 0; else the mean is undefined.

    Returns:
        By the names of `Detection.to_dict`: the four figures, and `answered_...`.

    Raises:
        InputError: there are no runs, or as `detection` says.

    >>> found = repeated_detection([[1, 1, 5, 5], [1, 5, 5, 5]], [1, 1, 0, 0])
    >>> found["balanced_accuracy"].over_runs.mean
    0.875
    """
    import numpy as np

    if not runs:
        raise InputError("runs is empty: give the scores of at least one run")
    cells = [cells_of(run, references) for run in runs]
    if clusters is not None and len(clusters) != len(references):
        raise InputError(f"clusters has {len(clusters)} entries for {len(references)} items: give one for each")
    statistics = detection_statistics(undefined_as_zero)
    profiles = joint_profiles(cells, len(references))
    totals = profiles.sum(axis=0)
    found = {}
    with np.errstate(divide="ignore", invalid="ignore"):
        for name, statistic in statistics.items():
            values = [float(mean_over_runs(statistic, run, 1)(totals)) for run in range(len(runs))]
            found[name] = RepeatedFigure(over_runs([None if np.isnan(value) else value for value in values]))
    if confidence_level is None:
        return found
    from .bootstrap import bootstrap
    from .resampling import from_items

    estimates = bootstrap(
        from_items(profiles, strata=references if clusters is None else None, clusters=clusters),
        {name: mean_over_runs(statistic, 0, len(runs)) for name, statistic in statistics.items()},
        confidence=confidence_level,
        n_resamples=n_resamples,
        seed=seed,
        method=method,
    )
    return {name: RepeatedFigure(figure.over_runs, estimates[name]) for name, figure in found.items()}
