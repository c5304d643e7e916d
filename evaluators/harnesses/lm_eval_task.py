"""The task that the YAML files of `lengthwise harness lm-eval` name; lm-evaluation-harness imports it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from lm_eval.api.task import ConfigurableTask

from lengthwise.contracts import Reply
from lengthwise.errors import InputError
from lengthwise.evaluators.benchmarks import BENCHMARKS
from lengthwise.evaluators.contracts import OutcomeKind
from lengthwise.evaluators.examples import ids_by_cell, open_data
from lengthwise.evaluators.harnesses.lm_eval_files import METRICS
from lengthwise.evaluators.harnesses.lm_eval_fit import Asked, check_uncut
from lengthwise.evaluators.harnesses.lm_eval_replies import KeptReply, keep_replies
from lengthwise.evaluators.outcomes import decide


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
        examples = data.stream(ids_by_cell(data.short_columns(cells)))
        rows = ({**one.columns, "prompt": one.prompt, "benchmark": data.benchmark} for one in examples)
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
        if chat and self.config.repeats == 1:
            # lm-eval's cache of replies leaves out whatever is sampled, so that repeats are no copies. Chat models do
            # not look at this setting, and a run that broke off can go on from the cache.
            for one in self.instances:
                one.args[1].pop("do_sample", None)
        check_uncut(
            model, self.config.task, (Asked(one.doc["id"], one.args[0], one.args[1]) for one in self.instances)
        )


def process_results(doc: Mapping[str, Any], results: Sequence[Any]) -> dict[str, float]:
    """Return the share of a row's repeats that ended under each outcome.

    Args:
        doc: the row.
        results: a list that holds the list of its replies, by `take_first_k`, or one reply.
    """
    replies = results[0] if isinstance(results[0], list) else [results[0]]
    kinds = Counter(_outcome(doc, reply) for reply in replies)
    shares = {str(kind): number / len(replies) for kind, number in kinds.items()}
    shares["accuracy"] = shares.pop("correct", 0.0)
    return {metric: shares.get(metric, 0.0) for metric in METRICS}


def _outcome(doc: Mapping[str, Any], text: str) -> OutcomeKind:
    if isinstance(text, KeptReply):
        replies, error = [text.reply] if text.reply is not None else [], text.error
    else:
        # Local engines return text alone; why it ended is not known.
        replies, error = [Reply(text, finish_reason="other")], None
    return decide(BENCHMARKS[doc["benchmark"]], doc, replies, error, prompt_of=lambda: doc["prompt"]).kind


def _asks_by_chat(model: Any) -> bool:
    from lm_eval.models.openai_completions import LocalChatCompletion

    return isinstance(model, LocalChatCompletion)
