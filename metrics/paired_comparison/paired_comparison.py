"""Two systems on the same items: difference, paired bootstrap interval and p-value, exact McNemar, Holm."""

from collections.abc import Mapping
from typing import Any

import datasets
import evaluate

from lengthwise.errors import unknown_name
from lengthwise.metrics.module_inputs import Check, CheckedInputs, label, number
from lengthwise.metrics.paired_replies import TASKS, to_figures

_DESCRIPTION = """
Whether two systems differ on the same items: the difference of each figure of a task with its interval and p-value by
the paired, stratified bootstrap, McNemar's exact test, and Holm's adjustment for several figures.
"""

_KWARGS_DESCRIPTION = """
The second argument of `evaluate.load` is the task: "hallucination_detection" (the default), "pair_accuracy",
"sequence_match", "multi_instance", or "values" for any number per item (an error, a share), which takes no references.
Args:
    predictions1: the first system's raw replies (text, or scores for hallucination detection), or its numbers.
    predictions2: the second's, for the same items in the same order.
    references: gold labels (1 for hallucinated), sequences or aggregates, as the task's own metric takes them.
    pairs: the name or number of each item's pair, for "pair_accuracy" alone.
    aggregation, answer_type: as the metric `multi_instance` takes them, for that task alone.
    strata: the stratum of each item, beside its gold class; resamples keep their sizes.
    clusters: the source of each item, such as its book; sources are resampled whole.
    confidence_level: of the intervals.
    n_resamples: of the bootstrap.
    seed: of the bootstrap.
    method: "percentile" or "bca".
Returns:
    For each figure of the task a dict:
    first, second: the two systems' figures; None where undefined.
    difference: first minus second.
    difference_ci: (low, high).
    p_value: two-sided, of no difference, in [0, 1].
    p_value_holm: the same, adjusted for the number of figures.
    only_first, only_second, mcnemar_p_value: items that one system alone has right, and the exact test of them.
    n: number of items.
Examples:
    >>> import evaluate
    >>> from lengthwise.metrics.modules import module_path
    >>> comparison = evaluate.load(module_path("paired_comparison"))
    >>> found = comparison.compute(predictions1=[1, 1, 5, 5], predictions2=[1, 4, 5, 1], references=[1, 1, 0, 0])
    >>> found["balanced_accuracy"]["difference"], found["accuracy"]["mcnemar_p_value"]
    (0.5, 0.5)
    >>> comparison = evaluate.load(module_path("paired_comparison"), "values")
    >>> found = comparison.compute(predictions1=[1, 1, 1, 0], predictions2=[1, 0, 0, 0])
    >>> found["mean"]["first"], found["mean"]["second"], found["mean"]["only_first"]
    (0.75, 0.25, 2)
"""

_CITATION = """
@misc{longnovel,
    title = {LongNovel: A Multi-Scale Benchmark for Hallucination Detection in Long-Context Novel Summarization},
    note = {Section 5.1},
}
"""

_TYPES: dict[Check, str] = {label: "int64", number: "float64"}


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class PairedComparison(CheckedInputs, evaluate.Comparison):
    """Wraps `lengthwise.metrics.paired_replies`."""

    def checks(self) -> Mapping[str, Check]:
        """Return the check of each input, of the task that was loaded."""
        return TASKS[self.task].checks

    def _info(self) -> evaluate.ComparisonInfo:
        self.task = "hallucination_detection" if self.config_name == "default" else self.config_name
        if self.task not in TASKS:
            raise unknown_name("task", self.task, TASKS)
        columns = {name: datasets.Value(_TYPES.get(check, "string")) for name, check in self.checks().items()}
        return evaluate.ComparisonInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_KWARGS_DESCRIPTION,
            features=datasets.Features(columns),
        )

    def _compute(
        self,
        predictions1: list[Any],
        predictions2: list[Any],
        references: list[Any] | None = None,
        pairs: list[Any] | None = None,
        aggregation: dict[str, Any] | list[dict[str, Any] | None] | None = None,
        answer_type: str | list[str] | None = None,
        strata: list[Any] | None = None,
        clusters: list[Any] | None = None,
        confidence_level: float = 0.95,
        n_resamples: int = 10_000,
        seed: int = 0,
        method: str = "percentile",
    ) -> dict[str, Any]:
        """Compare the two and return one dict a figure."""
        own = {"pairs": pairs, "aggregation": aggregation, "answer_type": answer_type}
        compared = TASKS[self.task].compare(
            predictions1,
            predictions2,
            references,
            strata=strata,
            clusters=clusters,
            confidence_level=confidence_level,
            n_resamples=n_resamples,
            seed=seed,
            method=method,
            **{name: value for name, value in own.items() if value is not None},
        )
        return to_figures(compared)
