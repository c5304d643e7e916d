"""A benchmark in the shape of `evaluate.Evaluator`: one call from a pipeline and data to a metric's figures.

For people who use `evaluate` already. `lengthwise run` does more: it checks that prompts fit, records every reply,
goes on after a crash and tells apart why replies are not right.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Literal

from lengthwise.errors import InputError
from lengthwise.evaluators.benchmarks import Benchmark
from lengthwise.evaluators.default_metrics import DEFAULT_METRICS, Row, default_metric
from lengthwise.evaluators.examples import ids_by_cell, open_data
from lengthwise.evaluators.pipelines import ask_all
from lengthwise.metrics.modules import MODULES, module_path


@dataclass(frozen=True, slots=True)
class BenchmarkEvaluator:
    """Evaluates models on one benchmark; see `lengthwise.evaluators.evaluator`.

    Attributes:
        benchmark: its entry.
    """

    benchmark: Benchmark

    def compute(
        self,
        model_or_pipeline: Any = None,
        data: Any = None,
        subset: str | None = None,
        split: str | None = None,
        metric: Any = None,
        tokenizer: Any = None,
        feature_extractor: Any = None,
        strategy: Literal["simple", "bootstrap"] = "simple",
        confidence_level: float = 0.95,
        n_resamples: int = 9999,
        device: Any = None,
        random_state: int | None = None,
        input_column: str = "prompt",
        label_column: str | None = None,
        label_mapping: Mapping[Any, Any] | None = None,
        generation_kwargs: Mapping[str, Any] | None = None,
        metric_kwargs: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Ask for the replies to all rows and return a metric's figures of them, with the time that they took.

        The arguments are those of `evaluate.Evaluator.compute`, and two more.

        Args:
            model_or_pipeline: a transformers text-generation pipeline, the name of a model or a model, or any
                function from a list of prompts to a list of replies. A pipeline whose tokenizer has a chat template
                gets each prompt as a user's message; it generates as the benchmark's paper has it.
            data: rows of the benchmark: a `datasets.Dataset` or a list of dicts, a folder that `lengthwise build`
                made, or a Hub id.
            subset: which config of a folder or Hub id; None means all.
            split: which split likewise.
            metric: an `evaluate` module or its name, this package's or another; None is the benchmark's own.
            tokenizer: for a model that is no pipeline yet.
            feature_extractor: must be None; these models read text.
            strategy: "bootstrap" adds intervals, rows being resampled.
            confidence_level: of these, in (0, 1).
            n_resamples: for these, >= 1.
            device: for a model that is no pipeline yet.
            random_state: seed of the resampling.
            input_column: of the prompts; where rows have none of that name, the prompt is made of them.
            label_column: of the references; None takes what the benchmark's own metric takes.
            label_mapping: from a reference to what the metric is to get for it.
            generation_kwargs: further arguments of every call, over the paper's: {"max_new_tokens": 100}.
            metric_kwargs: further arguments of the metric.

        Returns:
            The metric's dict, with `total_time_in_seconds`, `samples_per_second` and `latency_in_seconds`. With
            "bootstrap" each figure that is a number is a dict: `score`, `confidence_interval` (percentiles; low, high)
            and `standard_error`; others are as they were.

        Raises:
            InputError: no such data, no rows, a column that is missing, replies that are not one a prompt, or an
                option out of its range.
        """
        if strategy not in ("simple", "bootstrap"):
            raise InputError(f"strategy={strategy!r}: must be 'simple' or 'bootstrap'")
        if feature_extractor is not None:
            raise InputError("feature_extractor: these benchmarks are text; leave it out")
        if strategy == "bootstrap" and (not 0 < confidence_level < 1 or n_resamples < 1):
            raise InputError(
                f"confidence_level={confidence_level}, n_resamples={n_resamples}: must be in (0, 1), and at least 1"
            )
        rows, prompts = self._rows(data, subset, split, input_column)
        scores = _Scores(*self._metric(metric, rows, label_column, label_mapping), dict(metric_kwargs or {}))
        ask = ask_all(
            model_or_pipeline,
            self.benchmark.sampling,
            tokenizer=tokenizer,
            device=device,
            generation=generation_kwargs,
        )
        started = perf_counter()
        replies = ask(prompts)
        took = max(perf_counter() - started, 1e-9)
        found = scores.over(replies, range(len(rows)))
        if strategy == "bootstrap":
            found = _with_intervals(scores, replies, found, confidence_level, n_resamples, random_state)
        return {
            **found,
            "total_time_in_seconds": took,
            "samples_per_second": len(rows) / took,
            "latency_in_seconds": took / len(rows),
        }

    def _rows(
        self, data: Any, subset: str | None, split: str | None, input_column: str
    ) -> tuple[list[Row], list[str]]:
        """Return the rows and their prompts."""
        if data is None or isinstance(data, Mapping):
            raise InputError("data is missing: a Dataset, a list of rows, a built folder or a Hub id")
        if isinstance(data, str) or hasattr(data, "__fspath__"):
            rows, prompts = self._rows_of_folder(str(data), subset, split, input_column)
        else:
            rows = [dict(row) for row in data]
            prompts = [self._prompt(row, input_column) for row in rows]
        if not rows:
            raise InputError("data has no rows")
        return rows, prompts

    def _rows_of_folder(
        self, source: str, subset: str | None, split: str | None, input_column: str
    ) -> tuple[list[Row], list[str]]:
        found, cells = open_data(source, [subset] if subset else (), [split] if split else ())
        if found.benchmark != self.benchmark.name:
            raise InputError(f"data={source!r} is of {found.benchmark}, not of {self.benchmark.name}")
        rows: list[Row] = []
        prompts: list[str] = []
        for example in found.stream(ids_by_cell(found.short_columns(cells))):
            rows.append(example.columns)
            texts = {**example.columns, **example.texts, "prompt": example.prompt}
            if input_column not in texts:
                raise InputError(f"input_column={input_column!r}: rows of {source} have {', '.join(texts)}")
            prompts.append(str(texts[input_column]))
        return rows, prompts

    def _prompt(self, row: Row, input_column: str) -> str:
        if input_column in row:
            return str(row[input_column])
        try:
            if input_column == "prompt":
                return self.benchmark.compose(row, None)
        except KeyError as error:
            raise InputError(
                f"data: a row has no prompt, and none can be made of it: no column {error}; it has {', '.join(row)}"
            ) from error
        raise InputError(f"input_column={input_column!r}: the rows have {', '.join(row)}")

    def _metric(
        self, metric: Any, rows: Sequence[Row], label_column: str | None, mapping: Mapping[Any, Any] | None
    ) -> tuple[Any, list[Any], dict[str, list[Any]]]:
        """Return the metric, the references, and its further arguments that have an entry for each row."""
        import evaluate

        own = DEFAULT_METRICS.get(self.benchmark.name)
        name = metric if metric is not None else default_metric(self.benchmark.name).module
        if isinstance(name, str):
            metric = evaluate.load(module_path(name) if name in MODULES else name)
        if label_column is None and own is None:
            raise InputError(f"label_column: {self.benchmark.name} has no metric of its own; name the column")
        try:
            references = [
                own.reference(row) if label_column is None and own is not None else row[str(label_column)]
                for row in rows
            ]
        except KeyError as error:
            raise InputError(f"label_column: a row has no column {error}; it has {', '.join(rows[0])}") from error
        if mapping is not None:
            references = [mapping.get(one, one) for one in references]
        is_own = own is not None and getattr(metric, "name", None) == own.module
        return metric, references, own.options(rows) if own is not None and is_own else {}


@dataclass(frozen=True, slots=True)
class _Scores:
    """A metric with all that it takes but the replies."""

    metric: Any
    references: Sequence[Any]
    per_row: Mapping[str, Sequence[Any]]
    options: Mapping[str, Any]

    def over(self, replies: Sequence[str], places: Sequence[int]) -> dict[str, Any]:
        """Return the figures over the rows at some places."""
        given = {name: [values[place] for place in places] for name, values in self.per_row.items()}
        found = self.metric.compute(
            predictions=[replies[place] for place in places],
            references=[self.references[place] for place in places],
            **{**given, **self.options},
        )
        # As with `evaluate`: some metrics return a bare number.
        return dict(found) if isinstance(found, Mapping) else {str(self.metric.name): found}


def _with_intervals(
    scores: _Scores,
    replies: Sequence[str],
    found: Mapping[str, Any],
    confidence_level: float,
    n_resamples: int,
    random_state: int | None,
) -> dict[str, Any]:
    import numpy as np

    names = [name for name, value in found.items() if isinstance(value, int | float) and not isinstance(value, bool)]
    random = np.random.default_rng(random_state)
    drawn: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(n_resamples):
        one = scores.over(replies, random.integers(0, len(replies), len(replies)).tolist())
        for name in names:
            # Undefined where a class is absent from the sample, say.
            if one.get(name) is not None:
                drawn[name].append(float(one[name]))
    tail = (1 - confidence_level) / 2
    return {
        name: {
            "score": value,
            "confidence_interval": tuple(map(float, np.quantile(drawn[name], [tail, 1 - tail]))),
            "standard_error": float(np.std(drawn[name], ddof=1)) if len(drawn[name]) > 1 else None,
        }
        if drawn.get(name)
        else value
        for name, value in found.items()
    }
