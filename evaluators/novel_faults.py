"""The gold faults of a LongNovel row: the injected sentences, or what the arbiter of a model's summary named."""

from collections.abc import Mapping
from typing import Any

from lengthwise.metrics.hallucinations import Fault, fault, reported_points


def gold_faults(columns: Mapping[str, Any]) -> list[Fault]:
    """Return the gold faults of a row, in the order of `injections`; none for a faithful one.

    A row of a model's own summary (origin mma) has no injections; its faults are the points of its gold reason, each
    with its words in place of the sentence.

    Args:
        columns: the row: `hallucinated`, `injections`, and `types` and `reason` where they are known.

    >>> row = {"hallucinated": 1, "injections": [], "types": ["event"], "reason": "Event: he never fell"}
    >>> [(one.type.value, one.sentence) for one in gold_faults(row)]
    [('event', 'he never fell')]
    """
    if not int(columns["hallucinated"]):
        return []
    injections = columns.get("injections") or ()
    if injections:
        return [
            fault({"type": one["type"], "sentence": one["hallucinated"], "original": one["original"]})
            for one in injections
        ]
    points = reported_points(str(columns.get("reason") or ""), list(columns.get("types") or ()))
    return [Fault(point.type, point.text) for point in points]
