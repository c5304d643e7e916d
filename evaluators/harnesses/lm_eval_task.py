"""The task that the YAML files of `lengthwise harness lm-eval` name; lm-evaluation-harness imports it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from lm_eval.api.task import ConfigurableTask

from lengthwise.contracts import Reply
from lengthwise.errors import InputError
from lengthwise.evaluators.asking import has_answer_of
from lengthwise.evaluators.benchmarks import BENCHMARKS, Benchmark
from lengthwise.evaluators.contracts import Example, Outcome
from lengthwise.evaluators.examples import ids_by_cell, open_data
from lengthwise.evaluators.harnesses.figures import Detected, detection_figure, detection_names
from lengthwise.evaluators.harnesses.kept import Kept, check_method, ended, one_call
from lengthwise.evaluators.harnesses.lm_eval_files import CALLS, METRICS
from lengthwise.evaluators.harnesses.lm_eval_fit import Asked, check_uncut
from lengthwise.evaluators.harnesses.lm_eval_methods import Followed, follow_methods
from lengthwise.evaluators.harnesses.lm_eval_replies import KeptReply, keep_replies
from lengthwise.evaluators.method_parts import MethodKind, Resources
from lengthwise.evaluators.methods import method_kind


class Rows(list[dict[str, Any]]):
    """The rows of a config and split, prompts included; lm-eval asks a data set for its `features` too."""

    @property
    def features(self) -> Mapping[str, Any]:
        """The columns by name."""
        return dict.fromkeys(self[0]) if self else {}


class HarnessTask(ConfigurableTask):
    """One config at one split, asked as our own runner asks.

    Args:
        config: the YAML.

    Raises:
        InputError: the data are not there, or not those that the YAML was written for.
    """

    def __init__(self, config: Mapping[str, Any]) -> None:
        super().__init__(config={name: value for name, value in config.items() if name != "class"})

    def download(self, dataset_kwargs: Mapping[str, Any] | None = None, **_: Any) -> None:
        """Read the rows as they are: `load_dataset` would keep a copy of its own."""
        source, config, split = self.config.dataset_path, self.config.dataset_name, self.config.test_split
        data, cells = open_data(source, [config], [split])
        wanted = (dataset_kwargs or {}).get("digest")
        if wanted != data.cells[cells[0]]:
            raise InputError(
                f"{self.config.task}: {source} holds other data than this task was written for; "
                "run `lengthwise harness lm-eval` again"
            )
        name = (dataset_kwargs or {}).get("method") or BENCHMARKS[data.benchmark].method
        self.method_kind: MethodKind = method_kind(name)
        check_method(name, self.method_kind, "lm-eval")
        columns = data.short_columns(cells)
        if self.method_kind.check is not None:
            self.method_kind.check("", columns)
        self.benchmark = BENCHMARKS[data.benchmark]
        self.examples: dict[str, Example] = {one.id: one for one in data.stream(ids_by_cell(columns))}
        rows = ({**one.columns, "prompt": one.prompt, "benchmark": data.benchmark} for one in self.examples.values())
        self.dataset = {split: Rows(rows)}

    def fewshot_docs(self) -> None:
        """Return none: lm-eval would copy the rows for it."""

    def build_all_requests(self, **settings: Any) -> None:
        """Build the requests, once it is sure that the model gets them whole and once each.

        Raises:
            InputError: a flag with which lm-eval would ask something else; prompts that it would cut.
        """
        if settings.get("cache_requests"):
            raise InputError("--cache_requests: finds prompts by the name of the task, whatever data it was; omit it")
        template = settings.get("chat_template")
        # The one place where a task gets hold of the model: the template is its bound method.
        model = getattr(template, "__self__", None)
        if not settings.get("apply_chat_template") or model is None:
            raise InputError(f"{self.config.task}: prompts are messages to a chat model; add --apply_chat_template")
        chat = _asks_by_chat(model)
        if chat:
            keep_replies(model)
        super().build_all_requests(**settings)
        kind = self.method_kind
        if chat:
            # lm-eval's cache of replies leaves out whatever is sampled, so that repeats are no copies, and finds the
            # others by the row's own prompt. Chat models do not look at this setting, and a run that broke off can go
            # on from the cache if one call a row, with that prompt, is all there is.
            sampled = self.config.repeats > 1 or kind.most_calls > 1 or kind.parts is not None
            for one in self.instances:
                one.args[1]["do_sample"] = sampled
        resources = Resources(self.benchmark.sampling, has_answer_of(self.benchmark))
        follow_methods(model, self.config.task, Followed(kind.make(resources), self.examples))
        check_uncut(model, self.config.task, self._asked(template))

    def _asked(self, template: Any) -> Iterator[Asked]:
        """Yield all that the method asks at least, in the chat template."""
        for one in self.instances:
            row = one.doc["id"]
            parts = None if self.method_kind.parts is None else self.method_kind.parts(self.examples[row])
            texts: Iterable[Any] = (
                [one.args[0]]
                if parts is None
                else (template([{"role": "user", "content": part.prompt}]) for part in parts)
            )
            yield from (Asked(row, text, one.args[1]) for text in texts)


def process_results(doc: Mapping[str, Any], results: Sequence[Any]) -> dict[str, Any]:
    """Return what lm-eval aggregates of a row: the share of its repeats that ended under each outcome, and the calls.

    Args:
        doc: the row.
        results: a list that holds the list of its replies, by `take_first_k`, or one reply.

    Returns:
        A share for each of `METRICS`; of a benchmark of two classes the score and label in each repeat, for each of
        its figures; and `CALLS`, what was kept of each repeat.
    """
    benchmark = BENCHMARKS[doc["benchmark"]]
    replies = results[0] if isinstance(results[0], list) else [results[0]]
    kept = [_kept(reply) for reply in replies]
    outcomes = [ended(benchmark, doc, one, repeat, lambda: doc["prompt"]) for repeat, one in enumerate(kept)]
    kinds = Counter(one.kind for one in outcomes)
    shares = {str(kind): number / len(replies) for kind, number in kinds.items()}
    shares["accuracy"] = shares.pop("correct", 0.0)
    return {
        **{metric: shares.get(metric, 0.0) for metric in METRICS},
        **{name: _detected(benchmark, doc, outcomes) for name in detection_names(benchmark)},
        CALLS: [one.to_json() for one in kept],
    }


def balanced_accuracy(rows: Sequence[Sequence[Detected]]) -> float:
    """Aggregate what `process_results` gives of the rows; see `detection_figure`."""
    return detection_figure("balanced_accuracy", zip(*rows, strict=True))


def mcc(rows: Sequence[Sequence[Detected]]) -> float:
    """Aggregate what `process_results` gives of the rows; see `detection_figure`."""
    return detection_figure("mcc", zip(*rows, strict=True))


def count_calls(rows: Sequence[Sequence[Mapping[str, Any]]]) -> float:
    """Return how many calls all rows took together, in all repeats."""
    return float(sum(len(kept["calls"]) for row in rows for kept in row))


def _detected(benchmark: Benchmark, doc: Mapping[str, Any], outcomes: Sequence[Outcome]) -> list[Detected]:
    return [] if benchmark.detects is None else [list(benchmark.detects(doc, one)) for one in outcomes]


def _kept(text: str) -> Kept:
    if not isinstance(text, KeptReply):
        # Local engines return text alone; why it ended is not known.
        return one_call("", Reply(text, finish_reason="other"), None)
    # Out of lm-eval's cache may come what a run that broke off left there, call by call.
    return text.kept or one_call("", text.reply, text.error)


def _asks_by_chat(model: Any) -> bool:
    from lm_eval.models.openai_completions import LocalChatCompletion

    return isinstance(model, LocalChatCompletion)
