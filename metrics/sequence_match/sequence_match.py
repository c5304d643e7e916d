"""Exact match of sequences of words with gold ones, from raw replies."""

from dataclasses import asdict
from typing import Any

import datasets
import evaluate

from lengthwise.metrics.answers import parse_sequence, parse_sequences
from lengthwise.metrics.module_inputs import Check, CheckedInputs, gold_words, reply
from lengthwise.metrics.sequence_figures import gold_sequences, sequence_figures

_DESCRIPTION = """
Whether replies give the gold sequence of words in their <answer> block, word for word, and how near the wrong ones
come. An answer that contains the gold sequence and more is wrong. A reply without an answer block is wrong.
"""

_KWARGS_DESCRIPTION = """
Args:
    predictions: raw replies (text) with the answer as `<answer>w1 w2 ...</answer>`; None is a call without a reply.
    references: the gold words with blanks between, several sequences with " | " between, "" where there is none: the
        column `answer_text` of PredicateLongBench; or its column `answer` or `answers`, lists of words.
    confidence_level: of the exact (Clopper-Pearson) `..._ci` pairs.
Returns:
    exact_match: share of the rows with one gold sequence whose last block is it, in [0, 1].
    set_match: share of all rows whose final blocks are the gold sequences, no more and no fewer, in [0, 1].
    first_word_accuracy: share of the parsed but wrong answers that begin with the right word, in [0, 1].
    precision: mean share of the answered words that the gold holds, in [0, 1].
    longest_common_run: mean length in words of the longest run shared with the gold, 0 or more.
    invalid_rate: share of replies without an answer, in [0, 1].
    exact_match_ci, set_match_ci: (low, high).
    n, n_single, n_wrong: rows; with one gold sequence; of these parsed but wrong.
    A figure that has nothing to be computed from is None.
Examples:
    >>> import evaluate
    >>> from lengthwise.metrics.modules import module_path
    >>> metric = evaluate.load(module_path("sequence_match"))
    >>> replies = ["I see it. <answer>ab bc cd</answer>", "<answer>ab bc cd de</answer>", "I do not know."]
    >>> found = metric.compute(predictions=replies, references=["ab bc cd", "ab bc cd", "ab bc cd"])
    >>> round(found["exact_match"], 3), found["first_word_accuracy"], round(found["invalid_rate"], 3)
    (0.333, 1.0, 0.333)
    >>> two = "<answer>ab bc</answer> <answer>xy yz</answer>"
    >>> found = metric.compute(predictions=[two, two], references=["xy yz | ab bc", "ab bc"])
    >>> found["set_match"], found["exact_match"]
    (0.5, 0.0)
"""

_CITATION = """
@misc{predicatelongbench,
    title = {Understanding Axes of Difficulty For Long Context Tasks Via PredicateLongBench},
}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class SequenceMatch(CheckedInputs, evaluate.Metric):
    """Wraps `lengthwise.metrics.sequence_figures.sequence_figures`."""

    def checks(self) -> dict[str, Check]:
        """Return the check of each input."""
        return {"predictions": reply, "references": gold_words}

    def _info(self) -> evaluate.MetricInfo:
        text = datasets.Value("string")
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_KWARGS_DESCRIPTION,
            features=datasets.Features({"predictions": text, "references": text}),
        )

    def _compute(
        self, predictions: list[str], references: list[str], confidence_level: float = 0.95
    ) -> dict[str, Any]:
        """Parse the replies both ways and return the figures as one flat dict."""
        return asdict(
            sequence_figures(
                [parse_sequence(text).value for text in predictions],
                [parse_sequences(text).value for text in predictions],
                [gold_sequences(text) for text in references],
                confidence_level=confidence_level,
            )
        )
