"""Repeats: the mean over runs of each run's own figure, never a figure of pooled counts.

MCC and its like are not linear in the counts, so pooling runs gives another number (LongNovel's tables are means of
runs); and a run whose figure is undefined leaves the mean undefined, as leaving it out would change what is averaged.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Any

from lengthwise.errors import InputError


@dataclass(frozen=True, slots=True)
class OverRuns:
    """One figure over several runs.

    Attributes:
        mean: of the runs' figures; None if it is undefined in any of them, or there are no runs.
        std: sample standard deviation (ddof 1) over the runs; None of fewer than two, or where `mean` is None.
        n_runs: runs.
        n_undefined: of these, without the figure.
    """

    mean: float | None
    std: float | None
    n_runs: int
    n_undefined: int = 0


def over_runs(values: Sequence[float | None]) -> OverRuns:
    """Return the mean and the spread of one figure over runs.

    Args:
        values: one a run; None where it is undefined.

    >>> over_runs([0.5, 0.7]).mean
    0.6
    """
    known = [value for value in values if value is not None]
    n_undefined = len(values) - len(known)
    if not known or n_undefined:
        return OverRuns(None, None, len(values), n_undefined)
    return OverRuns(fmean(known), stdev(known) if len(known) > 1 else None, len(values))


def average_runs(runs: Sequence[Mapping[str, float | None]]) -> dict[str, OverRuns]:
    """Return the mean and the spread of each figure over runs.

    Args:
        runs: the figures of each run, by name; all with the same names.

    Raises:
        InputError: the names differ.

    >>> average_runs([{"mcc": 0.2, "n": 100}, {"mcc": 0.4, "n": 100}])["mcc"].mean
    0.30000000000000004
    """
    for place, run in enumerate(runs):
        if run.keys() != runs[0].keys():
            odd = sorted(run.keys() ^ runs[0].keys())
            raise InputError(
                f"runs[{place}] and runs[0] differ in {', '.join(odd)}: give the same figures for each run"
            )
    return {name: over_runs([run[name] for run in runs]) for name in (runs[0] if runs else ())}


def as_runs(values: Sequence[Any], name: str) -> list[Sequence[Any]]:
    """Return a list of runs, whether one run was given or several; raise InputError for a mixture."""
    nested = [hasattr(value, "__len__") for value in values]
    if any(nested) and not all(nested):
        raise InputError(f"{name} mixes single values and lists: give one list, or a list of lists, one a run")
    return list(values) if nested and all(nested) else [values]
