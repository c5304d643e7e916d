"""Detecting hallucinations: consistency scores against gold labels (LongNovel, sections 3.4, 4.3 and 5.1).

A score of 3 to 5 says that the summary is free of hallucinations, 0 to 2 that it has some. A reply without a score
counts as the wrong class of its item *inside* the 2x2 table (a third class would make MCC another figure), so a model
that never answers has recalls of 0, balanced accuracy 0 and MCC -1. How it fares where it answers stands beside.

A figure that is undefined is None, with the reason: a recall and the balanced accuracy if a class is absent from the
gold labels, MCC if a row or a column of the table is empty. `undefined_as_zero=True` makes it 0, as printed in the
paper's tables.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from operator import index
from typing import TYPE_CHECKING, Any

from lengthwise.errors import InputError

from .figures import CELLS, STATISTICS, detection_statistics

if TYPE_CHECKING:
    from .bootstrap import Estimate, IntervalMethod
    from .resampling import Population

THRESHOLD = 3
HIGHEST = 5
HALLUCINATED = 1


@dataclass(frozen=True, slots=True)
class Confusion:
    """The 2x2 table; "positive" is hallucinated.

    Attributes:
        true_positive: hallucinated and found so.
        false_negative: hallucinated and not found so, or not answered.
        true_negative: not hallucinated and found so.
        false_positive: not hallucinated and not found so, or not answered.
    """

    true_positive: int
    false_negative: int
    true_negative: int
    false_positive: int


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures over some items.

    Attributes:
        balanced_accuracy: mean of the two recalls, in [0, 1].
        mcc: Matthews correlation coefficient, in [-1, 1].
        recall_hallucinated: share of the hallucinated items that were found so.
        recall_non_hallucinated: share of the others that were found so.
        n: items.
        confusion_matrix: the counts.
        reasons: why a figure is undefined, by its name.
    """

    balanced_accuracy: float | None
    mcc: float | None
    recall_hallucinated: float | None
    recall_non_hallucinated: float | None
    n: int
    confusion_matrix: Confusion
    reasons: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Detection:
    """How well hallucinations were detected.

    Attributes:
        overall: over all items; unparsed replies count as wrong.
        answered: over the items with a parsed reply.
        invalid_rate: share of the items without one; None of no items.
        intervals: bootstrap estimates by name of the figure, `answered_` and `_naive` names among them; empty unless
            they were asked for.
    """

    overall: Figures
    answered: Figures
    invalid_rate: float | None
    intervals: Mapping[str, "Estimate"] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return one flat dict: the figures, `answered_...`, `..._ci`, and `reasons` for each that is None."""
        flat: dict[str, Any] = {}
        reasons: dict[str, str] = {}
        for prefix, part in (("", self.overall), ("answered_", self.answered)):
            flat |= {prefix + name: getattr(part, name) for name in STATISTICS}
            flat[prefix + "n"] = part.n
            flat[prefix + "confusion_matrix"] = asdict(part.confusion_matrix)
            reasons |= {prefix + name: reason for name, reason in part.reasons.items()}
        flat["invalid_rate"] = self.invalid_rate
        if self.invalid_rate is None:
            reasons["invalid_rate"] = "there are no items"
        for name, estimate in self.intervals.items():
            base, naive, _ = name.partition("_naive")
            flat[f"{base}_ci{naive}"] = estimate.interval
        flat["reasons"] = reasons
        return flat


def detection(
    predictions: Sequence[int | None],
    references: Sequence[int],
    *,
    clusters: Sequence[Hashable] | None = None,
    confidence_level: float | None = None,
    n_resamples: int = 10_000,
    seed: int = 0,
    method: "IntervalMethod" = "percentile",
    undefined_as_zero: bool = False,
) -> Detection:
    """Compare consistency scores with gold labels.

    Args:
        predictions: scores 0 to 5; None for a reply that could not be parsed.
        references: gold labels: 1 is hallucinated, 0 is not.
        clusters: the source of each item (its book): intervals then resample sources instead of items, and the
            `_naive` interval, which takes items for independent, stands beside.
        confidence_level: of the intervals, in (0, 1); None for no intervals.
        n_resamples: of the bootstrap, which keeps the class sizes (without `clusters`).
        seed: of the bootstrap.
        method: "percentile" or "bca".
        undefined_as_zero: whether an undefined figure is 0, in resamples too, and not None.

    Raises:
        InputError: lengths differ, a score is not an integer from 0 to 5, a label is neither 0 nor 1, or an option is
            out of its range.

    >>> found = detection([1, 4, None, 5], [1, 1, 0, 0])
    >>> found.overall.balanced_accuracy, found.overall.mcc, found.answered.n
    (0.5, 0.0, 3)
    """
    cells = cells_of(predictions, references)
    if clusters is not None and len(clusters) != len(cells):
        raise InputError(f"clusters has {len(clusters)} entries for {len(cells)} predictions: give one for each")
    counts = [cells.count(cell) for cell in range(len(CELLS))]
    n_invalid = counts[2] + counts[5]
    intervals: dict[str, Estimate] = {}
    if confidence_level is not None:
        from .bootstrap import bootstrap
        from .resampling import from_counts, from_items

        options: dict[str, Any] = {
            "confidence": confidence_level, "n_resamples": n_resamples, "seed": seed, "method": method,
        }  # fmt: skip
        populations: dict[str, Population] = {"": from_counts(counts[:3], counts[3:])}
        if clusters is not None:
            import numpy as np

            populations = {
                "": from_items(np.eye(len(CELLS))[cells], clusters=clusters),
                "_naive": populations[""],
            }
        for suffix, population in populations.items():
            found = bootstrap(population, detection_statistics(undefined_as_zero), **options)
            intervals |= {name + suffix: estimate for name, estimate in found.items()}
    return Detection(
        overall=_figures(counts, undefined_as_zero),
        answered=_figures([*counts[:2], 0, *counts[3:5], 0], undefined_as_zero),
        invalid_rate=n_invalid / len(cells) if cells else None,
        intervals=intervals,
    )


def cells_of(predictions: Sequence[int | None], references: Sequence[int]) -> list[int]:
    """Return where in `CELLS` each item ended.

    Raises:
        InputError: as `detection` says.
    """
    if len(predictions) != len(references):
        raise InputError(
            f"predictions has {len(predictions)} entries, references {len(references)}: give one of each for an item"
        )
    return [
        _cell(place, score, label) for place, (score, label) in enumerate(zip(predictions, references, strict=True))
    ]


def _cell(place: int, score: int | None, label: int) -> int:
    if label not in (0, 1):
        raise InputError(f"references[{place}] is {label!r}: give 1 for hallucinated, 0 for not")
    first = 0 if label == HALLUCINATED else 3
    if score is None:
        return first + 2
    try:
        value = -1 if isinstance(score, bool) else index(score)
    except TypeError:
        value = -1
    if not 0 <= value <= HIGHEST:
        raise InputError(
            f"predictions[{place}] is {score!r}: give an integer score from 0 to 5, None if there is none"
        )
    found_hallucinated = value < THRESHOLD
    return first + (found_hallucinated != (label == HALLUCINATED))


def _figures(counts: Sequence[int], undefined_as_zero: bool) -> Figures:
    import numpy as np

    table = np.asarray(counts, np.float64)
    values: dict[str, float | None] = {}
    reasons: dict[str, str] = {}
    with np.errstate(divide="ignore", invalid="ignore"):
        for name in STATISTICS:
            value = float(STATISTICS[name](table))
            if np.isnan(value):
                reasons[name] = _why_undefined(name, counts)
            values[name] = (0.0 if undefined_as_zero else None) if np.isnan(value) else value
    confusion = Confusion(counts[0], counts[1] + counts[2], counts[3], counts[4] + counts[5])
    return Figures(**values, n=sum(counts), confusion_matrix=confusion, reasons=reasons)


def _why_undefined(name: str, counts: Sequence[int]) -> str:
    if not sum(counts):
        return "there are no items"
    absent = [kind for kind, row in (("", counts[:3]), ("non-", counts[3:])) if not sum(row)]
    if name.startswith("recall"):
        absent = ["non-" if "non" in name else ""]
    if absent:
        return f"no item is {absent[0]}hallucinated by its gold label"
    return "all items were given one class"
