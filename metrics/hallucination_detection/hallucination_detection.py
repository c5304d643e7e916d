"""Balanced accuracy and Matthews correlation of hallucination detection, from raw replies or scores."""

from typing import Any, Literal

import datasets
import evaluate

from lengthwise.metrics.answers import parse_consistency_score
from lengthwise.metrics.classification import detection
from lengthwise.metrics.module_inputs import Check, CheckedInputs, label, reply_or_score

_DESCRIPTION = """
How well a model tells hallucinated summaries from faithful ones by a consistency score from 0 to 5: 3 and more is
faithful, less is hallucinated. Replies are scored raw; one without a readable score counts as wrong for its class.
"""

_KWARGS_DESCRIPTION = """
Args:
    predictions: raw replies (text), or scores (whole numbers 0 to 5); None is a reply without a score.
    references: gold labels, 1 for hallucinated and 0 for not.
    clusters: the source of each item, such as its book. Intervals then resample sources, and the interval that takes
        items for independent stands beside each as `..._ci_naive`.
    confidence_level: of the `..._ci` pairs, e.g. 0.95; None (the default) for no intervals.
    n_resamples: of the stratified bootstrap.
    seed: of the bootstrap.
    method: "percentile" or "bca".
    undefined_as_zero: report an undefined figure as 0, as some published tables do, and not as None.
Returns:
    balanced_accuracy: mean of the two recalls, in [0, 1].
    mcc: Matthews correlation coefficient, in [-1, 1].
    recall_hallucinated, recall_non_hallucinated: share of each class found so, in [0, 1].
    invalid_rate: share of replies without a score, in [0, 1].
    n: number of items.
    confusion_matrix: the four counts; "positive" is hallucinated.
    answered_...: the same figures over the items with a score.
    ..._ci: (low, high), if asked for.
    reasons: for each figure that is None, why.
Examples:
    >>> import evaluate
    >>> from lengthwise.metrics.modules import module_path
    >>> metric = evaluate.load(module_path("hallucination_detection"))
    >>> replies = ['{"score": 1, "reason": "Entity Hallucination: Bob, not Al"}', "Score: 4/5", "I cannot tell."]
    >>> found = metric.compute(predictions=replies, references=[1, 0, 0])
    >>> found["balanced_accuracy"], found["recall_non_hallucinated"], found["answered_balanced_accuracy"]
    (0.75, 0.5, 1.0)
    >>> metric.compute(predictions=[1, 4, 2, 5], references=[1, 1, 0, 0])["mcc"]
    0.0
    >>> one_class = metric.compute(predictions=[5, 5], references=[0, 0])
    >>> one_class["mcc"], one_class["reasons"]["mcc"]
    (None, 'no item is hallucinated by its gold label')
"""

_CITATION = """
@misc{longnovel,
    title = {LongNovel: A Multi-Scale Benchmark for Hallucination Detection in Long-Context Novel Summarization},
    note = {Section 4.3},
}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class HallucinationDetection(CheckedInputs, evaluate.Metric):
    """Wraps `lengthwise.metrics.classification.detection`."""

    def checks(self) -> dict[str, Check]:
        """Return the check of each input."""
        return {"predictions": reply_or_score, "references": label}

    def _info(self) -> evaluate.MetricInfo:
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_KWARGS_DESCRIPTION,
            features=datasets.Features(
                {"predictions": datasets.Value("string"), "references": datasets.Value("int64")}
            ),
        )

    def _compute(
        self,
        predictions: list[str],
        references: list[int],
        clusters: list[Any] | None = None,
        confidence_level: float | None = None,
        n_resamples: int = 10_000,
        seed: int = 0,
        method: Literal["percentile", "bca"] = "percentile",
        undefined_as_zero: bool = False,
    ) -> dict[str, Any]:
        """Parse the replies and return the figures as one flat dict."""
        return detection(
            [parse_consistency_score(text).value for text in predictions],
            references,
            clusters=clusters,
            confidence_level=confidence_level,
            n_resamples=n_resamples,
            seed=seed,
            method=method,
            undefined_as_zero=undefined_as_zero,
        ).to_dict()
