"""Share of minimal pairs of which both items are right, from raw replies or scores."""

from dataclasses import asdict
from typing import Any

import datasets
import evaluate

from lengthwise.metrics.answers import parse_consistency_score
from lengthwise.metrics.module_inputs import Check, CheckedInputs, group, label, reply_or_score
from lengthwise.metrics.pairs import pair_accuracy_of_scores

_DESCRIPTION = """
A pair is one text with a hallucinated and a faithful summary; it counts only if both are told right, so that answering
alike for everything scores 0 and guessing scores a quarter.
"""

_KWARGS_DESCRIPTION = """
Args:
    predictions: raw replies (text), or consistency scores (whole numbers 0 to 5, 3 and more is faithful); None is a
        reply without a score, which is wrong.
    references: gold labels, 1 for hallucinated and 0 for not; a pair holds one of each.
    pairs: the name or number of each item's pair; each comes exactly twice, in any order.
    confidence_level: of the exact (Clopper-Pearson) `pair_accuracy_ci`.
Returns:
    pair_accuracy: share of pairs with both items right, in [0, 1]; None of no pairs.
    item_accuracy: share of items that are right, in [0, 1].
    pair_accuracy_ci: (low, high).
    n_pairs, both, one, neither: pairs, and those with two, one or no item right.
Examples:
    >>> import evaluate
    >>> from lengthwise.metrics.modules import module_path
    >>> metric = evaluate.load(module_path("pair_accuracy"))
    >>> found = metric.compute(predictions=[1, 5, 4, 5], references=[1, 0, 1, 0], pairs=["a", "a", "b", "b"])
    >>> found["pair_accuracy"], found["item_accuracy"]
    (0.5, 0.75)
    >>> metric.compute(predictions=["Score: 2", None], references=[1, 0], pairs=[7, 7])["pair_accuracy"]
    0.0
"""

_CITATION = """
@misc{longnovel,
    title = {LongNovel: A Multi-Scale Benchmark for Hallucination Detection in Long-Context Novel Summarization},
    note = {Section 3.4; the pairs are in the manner of NoCha (Karpinska et al., 2024)},
}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class PairAccuracy(CheckedInputs, evaluate.Metric):
    """Wraps `lengthwise.metrics.pairs.pair_accuracy_of_scores`."""

    def checks(self) -> dict[str, Check]:
        """Return the check of each input."""
        return {"predictions": reply_or_score, "references": label, "pairs": group}

    def _info(self) -> evaluate.MetricInfo:
        text = datasets.Value("string")
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_KWARGS_DESCRIPTION,
            features=datasets.Features({"predictions": text, "references": datasets.Value("int64"), "pairs": text}),
        )

    def _compute(
        self, predictions: list[str], references: list[int], pairs: list[str], confidence_level: float = 0.95
    ) -> dict[str, Any]:
        """Parse the replies and return the figures as one flat dict."""
        scores = [parse_consistency_score(text).value for text in predictions]
        found = asdict(pair_accuracy_of_scores(scores, references, pairs, confidence_level=confidence_level))
        found["pair_accuracy_ci"] = found.pop("interval")
        return found
