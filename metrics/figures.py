"""The figures of hallucination detection as functions of counts: one table, or thousands of resampled ones at a time.

Counts have the cells on their first axis, in the order of `CELLS`; a figure takes counts of any further shape and
returns an array of that shape, NaN where it is undefined. An unparsed reply is a wrong one here (LongNovel,
section 5.1).
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .bootstrap import Statistic
    from .resampling import Array

# The items of each gold class by how they ended: the hallucinated ones, then the others.
CELLS = ("hallucinated_right", "hallucinated_wrong", "hallucinated_invalid", "right", "wrong", "invalid")


def confusion_counts(counts: "Array") -> "tuple[Array, Array, Array, Array]":
    """Return true positives, false negatives, true negatives and false positives from counts, (`CELLS`, ...)."""
    return counts[0], counts[1] + counts[2], counts[3], counts[4] + counts[5]


def recall_hallucinated(counts: "Array") -> "Array":
    """Return the share of hallucinated items found so, from counts, (`CELLS`, ...); NaN of none."""
    right, missed, _, _ = confusion_counts(counts)
    return right / (right + missed)


def recall_non_hallucinated(counts: "Array") -> "Array":
    """Return the share of the other items found so, from counts, (`CELLS`, ...); NaN of none."""
    _, _, right, missed = confusion_counts(counts)
    return right / (right + missed)


def balanced_accuracy(counts: "Array") -> "Array":
    """Return the mean of the two recalls, from counts, (`CELLS`, ...); NaN if a class is absent (section 4.3)."""
    return (recall_hallucinated(counts) + recall_non_hallucinated(counts)) / 2


def mcc(counts: "Array") -> "Array":
    """Return the Matthews correlation coefficient, from counts, (`CELLS`, ...); NaN if a margin is empty."""
    import numpy as np

    tp, fn, tn, fp = confusion_counts(counts)
    margins = (tp + fn) * (tn + fp) * (tp + fp) * (tn + fn)
    return np.asarray((tp * tn - fp * fn) / np.sqrt(margins))


def accuracy(counts: "Array") -> "Array":
    """Return the share of right items, from counts, (`CELLS`, ...); NaN of none."""
    import numpy as np

    return np.asarray((counts[0] + counts[3]) / counts.sum(axis=0))


STATISTICS: "Mapping[str, Statistic]" = MappingProxyType(
    {
        "balanced_accuracy": balanced_accuracy,
        "mcc": mcc,
        "recall_hallucinated": recall_hallucinated,
        "recall_non_hallucinated": recall_non_hallucinated,
    }
)


def detection_statistics(undefined_as_zero: bool = False) -> "dict[str, Statistic]":
    """Return the four figures over all items and, as `answered_...`, over the answered ones, as statistics."""
    import numpy as np

    def made(statistic: "Statistic", answered: bool) -> "Statistic":
        def compute(counts: "Array") -> "Array":
            if answered:
                zero = np.zeros_like(counts[0])
                counts = np.stack([counts[0], counts[1], zero, counts[3], counts[4], zero])
            values = statistic(counts)
            return np.nan_to_num(values, nan=0.0) if undefined_as_zero else values

        return compute

    return {
        ("answered_" if answered else "") + name: made(statistic, answered)
        for answered in (False, True)
        for name, statistic in STATISTICS.items()
    }


def joint_profiles(runs: Sequence[Sequence[int]], n: int) -> "Array":
    """Return what each item adds to the counts of all runs, (n, runs * `CELLS`), run behind run.

    Args:
        runs: where in `CELLS` each of the n items ended, run by run.
        n: items.
    """
    import numpy as np

    width = len(CELLS)
    return np.concatenate([np.eye(width)[np.asarray(run, np.intp)] for run in runs] or [np.zeros((n, 0))], axis=1)


def mean_over_runs(statistic: "Statistic", start: int, count: int, *, undefined_as_zero: bool = False) -> "Statistic":
    """Return the mean of a figure over some of the runs that joint counts hold.

    Args:
        statistic: of the counts of one run.
        start: the first of the runs, from 0.
        count: how many, >= 1.
        undefined_as_zero: whether a run's undefined figure is 0; else it leaves the mean undefined.
    """
    import numpy as np

    width = len(CELLS)

    def compute(counts: "Array") -> "Array":
        values = [statistic(counts[width * run : width * (run + 1)]) for run in range(start, start + count)]
        known = [np.nan_to_num(value, nan=0.0) if undefined_as_zero else value for value in values]
        return np.asarray(sum(known) / count)

    return compute


def printed_mcc(counts: "Array") -> "Array":
    """Return the MCC as the paper prints it: 0 where all items were given one class; NaN if a class is absent."""
    import numpy as np

    tp, fn, tn, fp = confusion_counts(counts)
    return np.where(((tp + fn) == 0) | ((tn + fp) == 0), np.nan, np.nan_to_num(mcc(counts), nan=0.0))
