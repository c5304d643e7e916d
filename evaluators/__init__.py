"""Examples and a model to replies, outcomes, tables and a report."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lengthwise.evaluators.pipeline_evaluator import BenchmarkEvaluator

__all__ = ["evaluator"]


def evaluator(task: str) -> "BenchmarkEvaluator":
    """Return the evaluator of a benchmark, used as what `evaluate.evaluator` returns.

    Args:
        task: name of a benchmark or an alias: "longnovel", "storyworld", "mip", "predicate".

    Raises:
        InputError: there is none of that name.

    >>> from lengthwise.evaluators import evaluator
    >>> row = {"language": "en", "hallucinated": 1, "prompt": "Is the summary borne out by the text? ..."}
    >>> found = evaluator("longnovel").compute(lambda prompts: ["Score: 1/5" for _ in prompts], data=[row])
    >>> found["recall_hallucinated"], found["n"]
    (1.0, 1)
    """
    from lengthwise.evaluators.benchmarks import find_benchmark
    from lengthwise.evaluators.pipeline_evaluator import BenchmarkEvaluator

    return BenchmarkEvaluator(find_benchmark(task))
