"""Success, failures and errors of prompts over many instances, from raw replies."""

from dataclasses import asdict
from typing import Any

import datasets
import evaluate

from lengthwise.metrics.instance_replies import diagnose_reply
from lengthwise.metrics.instance_summary import summarise_instances
from lengthwise.metrics.module_inputs import Check, CheckedInputs, gold_answer, per_row, reply_or_answer

_DESCRIPTION = """
How models fare when one prompt asks to solve many instances and to aggregate them: success and invalid rates with
their deviation over seeds, the kinds of failure, and, where exact match is all zeros, the error of the aggregate and
the share of right instances. A row is one prompt; its reply is an aggregate alone, or a table of all instance answers.
"""

_KWARGS_DESCRIPTION = """
Args:
    predictions: raw replies (text), or answers already parsed (a whole number, a Decimal, a dict); None is a call
        without a reply.
    references: for each reply the gold aggregate (a whole number, or a decimal as text), or the gold table of instance
        answers, a dict or its JSON text: {"1": 0, "2": 1, ...}; summary keys may be left out of it.
    aggregation: for tables, how the summary keys follow from the instances: a label to count or "sum", e.g.
        {"odd": 1, "even": 0} or {"total": "sum"}; the first key is the one whose error is measured. One for all rows,
        or a list with one for each.
    answer_type: "integer" (the default) or "decimal", for aggregates alone; one for all rows, or a list.
    overlong: a list with True for each row whose prompt did not fit the window.
    seeds: a list with the seed of each row's sample, for means and deviations over seeds.
Returns:
    success_rate, invalid_rate, wrong_experiment_share: means over seeds, in [0, 1], each with `..._sd` (ddof 1).
    wrong_instances_per_failed_experiment: mean over seeds, 1 or more, with `..._sd`.
    omission_share: share of tables that leave some instance out, in [0, 1].
    failures: rows by kind (parse, overlong, key, individual, aggregation, combined; `wrong` for aggregates alone). An
        aggregation error is a summary that is not that of the reply's own instances.
    failures_by_gold: the same, an aggregation error being a summary that is not the gold one.
    signed_error, absolute_error: mean error of the readable aggregates, in the unit of the aggregate.
    relative_error: mean of the absolute error over the size of the gold, golds of 0 left out; 0 or more.
    per_instance_accuracy: mean share of right instances, in [0, 1]; `answered_...` over readable tables.
    n, n_seeds: rows; seeds.
    n_reported, n_relative: rows with a readable aggregate; of these with a gold that is not 0.
    A figure that has nothing to be computed from is None.
Examples:
    >>> import evaluate
    >>> from lengthwise.metrics.modules import module_path
    >>> metric = evaluate.load(module_path("multi_instance"))
    >>> found = metric.compute(predictions=['{"answer": 7}', "The answer is 4."], references=[7, 5], seeds=[1, 2])
    >>> found["success_rate"], round(found["success_rate_sd"], 3), found["signed_error"], found["relative_error"]
    (0.5, 0.707, -0.5, 0.1)
    >>> table = '{"1": 1, "2": 0, "3": 0, "odd": 1, "even": 2, "reasoning": "by last digit"}'
    >>> gold = {"1": 1, "2": 0, "3": 1}
    >>> found = metric.compute(predictions=[table], references=[gold], aggregation={"odd": 1, "even": 0})
    >>> found["failures"]["individual"], found["failures_by_gold"]["combined"]
    (1, 1)
    >>> round(found["per_instance_accuracy"], 3)
    0.667
"""

_CITATION = """
@misc{multi_instance,
    title = {Understanding LLM Performance Degradation in Multi-Instance Processing:
        The Roles of Instance Count and Context Length},
    author = {Jingxuan Chen and Mohammad Taher Pilehvar and Jose Camacho-Collados},
    eprint = {2603.22608},
    archivePrefix = {arXiv},
}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class MultiInstance(CheckedInputs, evaluate.Metric):
    """Wraps `lengthwise.metrics.instance_summary.summarise_instances`."""

    def checks(self) -> dict[str, Check]:
        """Return the check of each input."""
        return {"predictions": reply_or_answer, "references": gold_answer}

    def _info(self) -> evaluate.MetricInfo:
        text = datasets.Value("string")
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_KWARGS_DESCRIPTION,
            features=datasets.Features({"predictions": text, "references": text}),
        )

    def _compute(
        self,
        predictions: list[str],
        references: list[str],
        aggregation: dict[str, Any] | list[dict[str, Any] | None] | None = None,
        answer_type: str | list[str] = "integer",
        overlong: list[bool] | None = None,
        seeds: list[Any] | None = None,
    ) -> dict[str, Any]:
        """Diagnose every reply and return the figures as one flat dict."""
        n = len(references)
        options = zip(
            per_row(aggregation, n, "aggregation"),
            per_row(answer_type, n, "answer_type"),
            per_row(False if overlong is None else overlong, n, "overlong"),
            strict=True,
        )
        diagnoses = [
            diagnose_reply(text, gold, aggregation=how, answer_type=kind, overlong=bool(too_long))
            for text, gold, (how, kind, too_long) in zip(predictions, references, options, strict=True)
        ]
        return asdict(summarise_instances(diagnoses, seeds))
