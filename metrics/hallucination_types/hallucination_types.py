"""Recall of each of the eight types of hallucination, from raw replies and gold faults."""

from dataclasses import asdict
from typing import Any

import datasets
import evaluate

from lengthwise.metrics.hallucinations import fault, hits, read_points, type_recall
from lengthwise.metrics.module_inputs import Check, CheckedInputs, faults, reply

_DESCRIPTION = """
Which types of hallucination a model finds. A summary may hold several; a type in a summary is hit if the reply's
reasons point at a gold fault of that type. An offline matcher decides (same type, and the hallucinated sentence quoted
or both key terms named), or a judge's verdicts that are handed in.
"""

_KWARGS_DESCRIPTION = """
Args:
    predictions: raw replies (text); None is a call without a reply.
    references: for each reply the list of its gold faults, dicts with `type` (one of the eight by any of its names,
        English or Chinese), and optionally `sentence` (the hallucinated one), `original` (what is right), and
        `key_terms` (the wrong and the right term). An empty list is a faithful summary.
    verdicts: a judge's, for each reply a list with True or False for each gold fault; None for a reply leaves it to
        the offline matcher, and so does leaving verdicts out.
Returns:
    recall: type -> share of its summaries in which it was hit, in [0, 1]; None where no summary has it.
    n: type -> summaries that have it.
    n_hits: type -> those in which it was hit.
    micro: all hits over all types in all summaries, in [0, 1]; None of none.
    macro: mean of the recalls that are not None, in [0, 1].
Examples:
    >>> import evaluate
    >>> from lengthwise.metrics.modules import module_path
    >>> metric = evaluate.load(module_path("hallucination_types"))
    >>> gold = [[{"type": "Entity Hallucination", "sentence": "Bob sank the ship.", "original": "Al sank the ship."}]]
    >>> reply = '{"score": 2, "reason": "Entity Hallucination: Al sank it, not Bob"}'
    >>> found = metric.compute(predictions=[reply], references=gold)
    >>> found["recall"]["entity"], found["n"]["entity"], found["recall"]["causal"]
    (1.0, 1, None)
    >>> metric.compute(predictions=[reply], references=gold, verdicts=[[False]])["micro"]
    0.0
"""

_CITATION = """
@misc{longnovel,
    title = {LongNovel: A Multi-Scale Benchmark for Hallucination Detection in Long-Context Novel Summarization},
    note = {Appendices B and F},
}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class HallucinationTypes(CheckedInputs, evaluate.Metric):
    """Wraps `lengthwise.metrics.hallucinations.type_recall`."""

    def checks(self) -> dict[str, Check]:
        """Return the check of each input."""
        return {"predictions": reply, "references": faults}

    def _info(self) -> evaluate.MetricInfo:
        text = datasets.Value("string")
        gold = {"type": text, "sentence": text, "original": text, "key_terms": [text]}
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_KWARGS_DESCRIPTION,
            features=datasets.Features({"predictions": text, "references": [gold]}),
        )

    def _compute(
        self,
        predictions: list[str],
        references: list[list[dict[str, Any]]],
        verdicts: list[list[bool] | None] | None = None,
    ) -> dict[str, Any]:
        """Match the replies with the gold faults, unless a judge did, and return the figures as one dict."""
        golds = [[fault(entry) for entry in entries] for entries in references]
        given = verdicts if verdicts is not None else [None] * len(golds)
        matched = [
            hits(read_points(text), gold) if verdict is None else verdict
            for text, gold, verdict in zip(predictions, golds, given, strict=True)
        ]
        return asdict(type_recall(golds, matched))
