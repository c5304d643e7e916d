"""The figures that a harness reports of a benchmark beside how its rows ended."""

from collections.abc import Iterable, Sequence
from math import nan
from statistics import fmean
from typing import TypeAlias

from lengthwise.evaluators.benchmark_types import Benchmark
from lengthwise.metrics.classification import detection

# The score of a row, None where it has none, and its gold label: what `Benchmark.detects` gives.
Detected: TypeAlias = Sequence[int | None]

DETECTION = ("balanced_accuracy", "mcc")


def detection_names(benchmark: Benchmark) -> tuple[str, ...]:
    """Return the names of the figures of classes told apart; none where a benchmark has no classes."""
    return () if benchmark.detects is None else DETECTION


def detection_figure(name: str, repeats: Iterable[Sequence[Detected]]) -> float:
    """Return a figure as our own tables have it: of each repeat, and the mean over them.

    Args:
        name: one of `DETECTION`.
        repeats: of each repeat, the score and the gold label of every row.

    Returns:
        The balanced accuracy in [0, 1], or Matthews' coefficient in [-1, 1], 0 where all rows were given one class, as
        the papers print it; nan where a class is absent from the labels.
    """
    found: list[float] = []
    for rows in repeats:
        overall = detection([row[0] for row in rows], [int(row[1] or 0) for row in rows]).overall
        value = nan if overall.balanced_accuracy is None else getattr(overall, name)
        found.append(float(value or 0.0))
    return fmean(found) if found else nan
