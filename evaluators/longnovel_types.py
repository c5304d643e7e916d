"""Recall per type of hallucination of a run (appendix F, Figure 3): the mean over its repeats of each one's own."""

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from lengthwise.evaluators.contracts import Outcome
from lengthwise.evaluators.novel_faults import gold_faults
from lengthwise.metrics.fault_types import HallucinationType
from lengthwise.metrics.hallucinations import type_recall
from lengthwise.metrics.intervals import wilson

# In the order of the paper's figure, and as it abbreviates them.
TYPE_LABELS: Mapping[str, str] = {
    HallucinationType.EVENT.value: "Evt",
    HallucinationType.ENTITY.value: "Ent",
    HallucinationType.RELATION.value: "Rel",
    HallucinationType.NUMERICAL.value: "Num",
    HallucinationType.TEMPORAL.value: "Tmp",
    HallucinationType.CAUSAL.value: "Cau",
    HallucinationType.LOGICAL_INVERSION.value: "Log",
    HallucinationType.EVENT_FABRICATION.value: "Fab",
}


@dataclass(frozen=True, slots=True)
class TypeShare:
    """How often one type was hit: a share in [0, 1] with its Wilson interval, over `n` summaries that have it."""

    value: float
    low: float
    high: float
    n: int


@dataclass(frozen=True, slots=True)
class TypeShares:
    """Recall by type.

    Attributes:
        by_type: a type -> its share; types that no summary has are not there.
        micro: all hits over all (type, summary).
        macro: mean over the types.
        n: hallucinated summaries.
        unread: of their gold faults, over all repeats, those without a verdict (0 for the matcher): they count as
            missed, unless a summary has none but those, which is left out.
    """

    by_type: Mapping[str, TypeShare]
    micro: float | None
    macro: float | None
    n: int
    unread: int = 0


def type_shares(
    rows: Mapping[str, Mapping[str, Any]],
    outcomes: Mapping[tuple[str, int], Outcome],
    repeats: int,
    verdicts: str,
) -> TypeShares:
    """Return the recall by type of a run.

    Args:
        rows: its examples by id.
        outcomes: by (example id, repeat).
        repeats: how many.
        verdicts: name of the detail that holds, for each gold fault, whether the reply points at it: "hits" of the
            matcher; "verdicts" of a judge, None where it gave none. A reply without it (empty, or none) hits nothing.
    """
    golds = {example: faults for example, row in rows.items() if (faults := gold_faults(row))}
    found, unread = [], 0
    for repeat in range(repeats):
        kept, given = [], []
        for example, faults in golds.items():
            details = outcomes[example, repeat].details
            said = details.get(verdicts, [False] * len(faults))
            missing = sum(one is None for one in said)
            unread += missing
            if missing < len(faults):
                kept.append(faults)
                given.append([bool(one) for one in said])
        found.append(type_recall(kept, given))
    by_type = {}
    for name in TYPE_LABELS:
        shares = [(recall, one.n[name]) for one in found if (recall := one.recall[name]) is not None]
        if shares:
            value, n = fmean(recall for recall, _ in shares), round(fmean(n for _, n in shares))
            low, high = wilson(min(value * n, n), n)
            by_type[name] = TypeShare(value, low, high, n)
    micros = [one.micro for one in found if one.micro is not None]
    macros = [one.macro for one in found if one.macro is not None]
    return TypeShares(
        by_type, fmean(micros) if micros else None, fmean(macros) if macros else None, len(golds), unread
    )
