"""Ways out that the multi-instance paper names and does not try (its Limitations): smaller prompts, sums by code.

`batched:N` splits the instances of a prompt into batches of N, in their order, and asks each with the same question:
the batch is a whole prompt of its own, numbered from 1. What is left to do is done in code and exactly: in the
aggregate setting the batches' answers are added up; in the instance-level setting the answers are renumbered into one
table, and its summary is worked out from them. So a model is spared the length, and in part the aggregation.

`decomposed` asks for every instance's answer in one call, with the instance-level question (a row of the aggregate
setting gets the package's template of that), and works out the aggregate in code from these answers alone. The
question is not changed: a model still states a summary, as in the plain setting, but nobody reads it. So the model is
left with solving, and against a plain run in the instance-level setting only the adding up differs. `decomposed:N`
does this in batches of N.

All batches are asked together, and those without an answer again together, up to three times in all. What counts as
an answer is what the judge of the whole would take: a number, or a table, whose missing keys stay missing in the
whole. Where a sum is to be taken over a table for the aggregate setting, each instance must have an answer, a number
where numbers are summed: an omission must not count as nought. If one batch stays without an answer so does the whole,
and its last reply stands for it, so that a refusal or a spent budget is told as such.

The prediction is a text in the form that the row's prompt asks for; its usage, latency and cost are those of all
calls, so a budget of output tokens that is laid on it afterwards is one for the row, not for each call.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from lengthwise.builders.multi_instance.configs import parse_config
from lengthwise.builders.multi_instance.counting import prompt_counter
from lengthwise.builders.multi_instance.prompts import assemble, load_prompts, read_instances
from lengthwise.builders.multi_instance.tasks import InstanceTask, find_task
from lengthwise.contracts import Ask, Reply, Sampling
from lengthwise.errors import InputError
from lengthwise.evaluators.contracts import Example, Method, Prediction
from lengthwise.evaluators.method_parts import MethodKind, Part, Resources, ask_together, user_request
from lengthwise.evaluators.outcomes import sum_usage
from lengthwise.metrics.answers import parse_aggregate, parse_instances
from lengthwise.metrics.instances import SUM, number_of
from lengthwise.metrics.parsed import Unparsed

if TYPE_CHECKING:
    import pyarrow as pa

ATTEMPTS = 3
_COLUMNS = ("task", "setting", "n_instances", "prompt_template")
# Holds no number in figures or words, so that nothing in it can be taken for an answer.
NO_ANSWER = "The instances were not answered in the form asked for, so they were not added up."


@dataclass(frozen=True, slots=True)
class _Plan:
    """An example taken apart.

    Attributes:
        task: of the row.
        question: asked of each batch.
        batches: the texts of the instances as the prompt shows them, noise included.
        tables: whether a batch is answered by a table of instance answers, not by its aggregate alone.
        whole: whether the row asks for such a table.
    """

    task: InstanceTask
    question: str
    batches: tuple[tuple[str, ...], ...]
    tables: bool
    whole: bool

    def prompt(self, batch: int) -> str:
        return assemble(self.task, self.question, self.batches[batch])

    def place(self, batch: int) -> str:
        """Say which batch that is."""
        start = sum(map(len, self.batches[:batch]))
        return (
            f"batch {batch + 1} of {len(self.batches)} (instances {start + 1} to {start + len(self.batches[batch])})"
        )


def _plan(example: Example, size: int | None, tables: bool) -> _Plan:
    """Take an example apart into batches of `size`, or into one; `tables` asks for instance answers whatever it is."""
    task, whole = find_task(example.columns["task"]), example.columns["setting"] == "instances"
    found = read_instances(example.prompt)
    texts = found[1] if found is not None else []
    frame = assemble(task, "", texts)
    if len(texts) != example.columns["n_instances"] or not example.prompt.endswith(frame):
        raise InputError(
            f"{example.id}: cannot be split, because its prompt does not show {example.columns['n_instances']} "
            f"{task.items} between the lines '=== Here are the {task.items} ===' and '=== End of {task.items} ===', "
            f"each behind '{task.item} NUMBER: '; ask it with --method reask"
        )
    question = example.prompt.removesuffix(frame)
    if tables and not whole:
        question = load_prompts().question(task, "instances")
    size = size or len(texts)
    batches = tuple(tuple(texts[start : start + size]) for start in range(0, len(texts), size))
    return _Plan(task, question, batches, tables or whole, whole)


def _parts(size: int | None, tables: bool, example: Example) -> list[Part]:
    plan = _plan(example, size, tables)
    columns = example.columns
    parts: list[Part] = []
    for batch, texts in enumerate(plan.batches):
        prompt = plan.prompt(batch)
        try:
            counter = prompt_counter(columns["tokenizer"])
            tokens = counter.count(parse_config(columns["config"]), plan.question, texts, prompt)
        except InputError:
            # A tokenizer of someone's own, or a config of another version: as many as its share of the letters.
            tokens = -(-columns["n_tokens"] * len(prompt) // len(example.prompt))
        parts.append(Part(prompt, tokens))
    return parts


def _make(size: int | None, tables: bool, resources: Resources) -> Method:
    async def method(example: Example, ask: Ask) -> Prediction:
        plan = _plan(example, size, tables)
        replies = _Replies(plan, ask, resources.sampling)
        await replies.ask()
        return Prediction(replies.prediction())

    return method


class _Replies:
    """The replies to the batches of one example, and what was read in them."""

    def __init__(self, plan: _Plan, ask: Ask, sampling: Sampling) -> None:
        self._plan = plan
        self._ask = ask
        self._sampling = sampling
        self._all: list[Reply] = []
        self._last: dict[int, Reply] = {}
        self._answers: dict[int, Any] = {}
        self._faults: dict[int, str] = {}

    async def ask(self) -> None:
        """Ask every batch, and those without an answer again.

        In rounds, not each batch as soon as its reply is there: calls are found again by their numbers, and these must
        not hang on which reply came first.
        """
        batches = list(range(len(self._plan.batches)))
        for _ in range(ATTEMPTS):
            requests = [user_request(self._plan.prompt(batch), self._sampling) for batch in batches]
            replies = await ask_together(self._ask, requests)
            self._all += replies
            for batch, reply in zip(batches, replies, strict=True):
                self._last[batch] = reply
                answer, fault = _read(self._plan, batch, reply.text or "")
                if fault is None:
                    self._answers[batch] = answer
                else:
                    self._faults[batch] = fault
            batches = [batch for batch in batches if batch not in self._answers]
            if not batches:
                break

    def prediction(self) -> Reply:
        """Return the reply that stands for the whole."""
        open_batches = [batch for batch in self._last if batch not in self._answers]
        if open_batches:
            return self._unanswered(min(open_batches))
        answers = [self._answers[batch] for batch in range(len(self._plan.batches))]
        text = _table(self._plan, answers) if self._plan.whole else _aggregate(self._plan, answers)
        return self._total(Reply(text, finish_reason="stop", model=self._last[0].model))

    def _unanswered(self, batch: int) -> Reply:
        reply = self._last[batch]
        # A table that cannot be added up may state a total; it is not what this method answers with.
        text = NO_ANSWER if _answers_whole(self._plan, reply.text or "") else reply.text
        note = f"{self._plan.place(batch)} has no answer after {ATTEMPTS} attempts: {self._faults[batch]}"
        return self._total(replace(reply, text=text, reasoning=note))

    def _total(self, reply: Reply) -> Reply:
        costs = [one.cost for one in self._all if one.cost is not None]
        return replace(
            reply,
            usage=sum_usage([one.usage for one in self._all]),
            latency=sum(one.latency for one in self._all),
            cost=sum(costs) if costs else None,
        )


def _read(plan: _Plan, batch: int, text: str) -> tuple[Any, str | None]:
    """Return what a reply answers to its batch, or why that is nothing."""
    if not plan.tables:
        parsed = parse_aggregate(text, plan.task.answer_type)
        if isinstance(parsed, Unparsed):
            return None, parsed.reason
        return (str(parsed.value), None) if number_of(parsed.value) is not None else (None, "the number is too long")
    size = len(plan.batches[batch])
    table = parse_instances(text, [*map(str, range(1, size + 1)), *plan.task.aggregation])
    if isinstance(table, Unparsed):
        return None, table.reason
    fault = None if plan.whole else _not_addable(plan.task, table.value, size)
    return table.value, fault


def _not_addable(task: InstanceTask, table: Mapping[str, Any], size: int) -> str | None:
    """Say why no aggregate can be worked out from a table."""
    missing = [str(number) for number in range(1, size + 1) if str(number) not in table]
    if missing:
        more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
        return f"the table has no answer for {', '.join(missing[:5])}{more}"
    answers = {str(number): table[str(number)] for number in range(1, size + 1)}
    if SUM in task.aggregation.values():
        odd = next((key for key, answer in answers.items() if number_of(answer) is None), None)
        return None if odd is None else f"the answer for {odd} is no number"
    return None


def _answers_whole(plan: _Plan, text: str) -> bool:
    if plan.whole:
        n = sum(map(len, plan.batches))
        return parse_instances(text, [*map(str, range(1, n + 1)), *plan.task.aggregation]).value is not None
    return parse_aggregate(text, plan.task.answer_type).value is not None


def _aggregate(plan: _Plan, answers: Sequence[Any]) -> str:
    """Return the reply that gives the aggregate over all batches."""
    task = plan.task
    if plan.tables:
        every = [
            str(table[str(number)])
            for table, texts in zip(answers, plan.batches, strict=True)
            for number in range(1, len(texts) + 1)
        ]
        total = task.summary(every)[task.headline]
    elif task.aggregation[task.headline] == SUM:
        total = task.summary(answers)[task.headline]
    else:
        total = str(sum(map(int, answers)))
    return json.dumps({"reasoning": "added up in code", "answer": _typed(task, total)})


def _table(plan: _Plan, tables: Sequence[Mapping[str, Any]]) -> str:
    """Return the reply that gives one table of all batches, with the summary that its answers come to."""
    task, start, whole = plan.task, 0, dict[str, Any]()
    for number, (table, texts) in enumerate(zip(tables, plan.batches, strict=True), 1):
        own = {str(place): str(start + place) for place in range(1, len(texts) + 1)}
        for key, value in table.items():
            if key in own:
                whole[own[key]] = value
            elif key not in task.aggregation:
                # A key that was not asked for must stay one, and not become another batch's.
                whole[key if len(plan.batches) == 1 else f"batch {number}: {key}"] = value
        start += len(texts)
    answers = [str(whole[str(place)]) for place in range(1, start + 1) if str(place) in whole]
    if SUM not in task.aggregation.values() or all(number_of(answer) is not None for answer in answers):
        whole |= {key: _typed(task, value) for key, value in task.summary(answers).items()}
    # Exact decimals go as their text, as the prompt asks for them.
    return json.dumps({**whole, "reasoning": "put together and added up in code"}, default=str)


def _typed(task: InstanceTask, value: str) -> str | int:
    return value if task.answer_type == "decimal" else int(value)


def _check(tables: bool, model: str, rows: "pa.Table") -> None:
    if missing := [name for name in _COLUMNS if name not in rows.column_names]:
        raise InputError(
            f"--method: this one splits the instances of a prompt, and these rows have none (no column {missing[0]}); "
            "it is for the multi-instance benchmark"
        )
    if model.startswith("reference:") and model != "reference:solver":
        raise InputError(
            f"--model {model}: answers for the whole row, whatever part of it is asked; with this method take "
            "reference:solver, which reads its prompt"
        )
    if tables:
        aggregate = {
            template
            for template, setting in zip(rows["prompt_template"].to_pylist(), rows["setting"].to_pylist(), strict=True)
            if setting == "aggregate"
        }
        if aggregate - {load_prompts().digest}:
            raise InputError(
                "--method decomposed: these rows were built with other templates than this version's, and the rows of "
                "the aggregate setting do not hold the one that asks for every instance; run it on the -instances "
                "configs, which do"
            )


def _kind(about: str, tables: bool, size: int | None = None) -> MethodKind:
    return MethodKind(
        about,
        make=partial(_make, size, tables),
        most_calls=ATTEMPTS,
        parts=partial(_parts, size, tables),
        check=partial(_check, tables),
        sized=lambda number: _kind(about, tables, number),
    )


BATCHED = replace(
    _kind("splits the instances into batches of --batch N, asks each, adds up in code (multi-instance)", False),
    needs_size=True,
)
DECOMPOSED = _kind(
    "asks for every instance's answer, adds up in code; in batches with --batch N (multi-instance)", True
)
