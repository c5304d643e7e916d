"""The gold class of a LongNovel row, and its gold faults: injected sentences, or what a summary's arbiter named."""

from collections.abc import Mapping
from typing import Any

from lengthwise.metrics.answers import parse_consistency_score
from lengthwise.metrics.classification import THRESHOLD
from lengthwise.metrics.hallucinations import Fault, fault, reported_points
from lengthwise.metrics.parsed import Unparsed


def gold_label(columns: Mapping[str, Any]) -> int:
    """Return 1 for a hallucinated summary, 0 for a faithful one.

    A row of a config of ready prompts has no column for it, but its gold reply gives the score.

    Args:
        columns: the row: `hallucinated`, or else `answer_text`.

    Raises:
        ValueError: the row has neither.

    >>> gold_label({"hallucinated": 0}), gold_label({"answer_text": '{"score": 2, "reason": "Event: no"}'})
    (0, 1)
    """
    if "hallucinated" in columns:
        return int(columns["hallucinated"])
    score = parse_consistency_score(str(columns.get("answer_text") or ""))
    if isinstance(score, Unparsed):
        raise ValueError(f"row {columns.get('id')}: neither `hallucinated` nor an `answer_text` with a score")
    return int(score.value < THRESHOLD)


def gold_faults(columns: Mapping[str, Any]) -> list[Fault]:
    """Return the gold faults of a row, in the order of `injections`; none for a faithful one.

    A row of a model's own summary (origin mma) has no injections; its faults are the points of its gold reason, each
    with its words in place of the sentence.

    Args:
        columns: the row: what `gold_label` takes, `injections`, and `types` and `reason` where they are known.

    >>> row = {"hallucinated": 1, "injections": [], "types": ["event"], "reason": "Event: he never fell"}
    >>> [(one.type.value, one.sentence) for one in gold_faults(row)]
    [('event', 'he never fell')]
    """
    if not gold_label(columns):
        return []
    injections = columns.get("injections") or ()
    if injections:
        return [
            fault({"type": one["type"], "sentence": one["hallucinated"], "original": one["original"]})
            for one in injections
        ]
    points = reported_points(str(columns.get("reason") or ""), list(columns.get("types") or ()))
    return [Fault(point.type, point.text) for point in points]
