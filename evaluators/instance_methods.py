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

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from lengthwise.builders.multi_instance.configs import parse_config
from lengthwise.builders.multi_instance.counting import prompt_counter
from lengthwise.builders.multi_instance.prompts import load_prompts
from lengthwise.contracts import Ask, Reply, Sampling
from lengthwise.errors import InputError
from lengthwise.evaluators.contracts import Example, Method, Prediction
from lengthwise.evaluators.instance_batches import (
    SplitRow,
    aggregate_reply,
    answers_whole,
    read_answer,
    split_row,
    table_reply,
)
from lengthwise.evaluators.method_parts import MethodKind, Part, Resources, ask_together, user_request
from lengthwise.evaluators.outcomes import sum_usage

if TYPE_CHECKING:
    import pyarrow as pa

ATTEMPTS = 3
_COLUMNS = ("task", "setting", "n_instances", "prompt_template")
# Holds no number in figures or words, so that nothing in it can be taken for an answer.
NO_ANSWER = "The instances were not answered in the form asked for, so they were not added up."


def _parts(size: int | None, tables: bool, example: Example) -> list[Part]:
    row = split_row(example, size, tables)
    columns = example.columns
    parts: list[Part] = []
    for batch, texts in enumerate(row.batches):
        prompt = row.prompt(batch)
        try:
            counter = prompt_counter(columns["tokenizer"])
            tokens = counter.count(parse_config(columns["config"]), row.question, texts, prompt)
        except InputError:
            # A tokenizer of someone's own, or a config of another version: as many as its share of the letters.
            tokens = -(-columns["n_tokens"] * len(prompt) // len(example.prompt))
        parts.append(Part(prompt, tokens))
    return parts


def _make(size: int | None, tables: bool, resources: Resources) -> Method:
    async def method(example: Example, ask: Ask) -> Prediction:
        row = split_row(example, size, tables)
        replies = _Replies(row, ask, resources.sampling)
        await replies.ask()
        return Prediction(replies.prediction())

    return method


class _Replies:
    """The replies to the batches of one example, and what was read in them."""

    def __init__(self, row: SplitRow, ask: Ask, sampling: Sampling) -> None:
        self._row = row
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
        batches = list(range(len(self._row.batches)))
        for _ in range(ATTEMPTS):
            requests = [user_request(self._row.prompt(batch), self._sampling) for batch in batches]
            replies = await ask_together(self._ask, requests)
            self._all += replies
            for batch, reply in zip(batches, replies, strict=True):
                self._last[batch] = reply
                answer, fault = read_answer(self._row, batch, reply.text or "")
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
        answers = [self._answers[batch] for batch in range(len(self._row.batches))]
        text = table_reply(self._row, answers) if self._row.whole else aggregate_reply(self._row, answers)
        return self._total(Reply(text, finish_reason="stop", model=self._last[0].model))

    def _unanswered(self, batch: int) -> Reply:
        reply = self._last[batch]
        # A table that cannot be added up may state a total; it is not what this method answers with.
        text = NO_ANSWER if answers_whole(self._row, reply.text or "") else reply.text
        note = f"{self._row.place(batch)} has no answer after {ATTEMPTS} attempts: {self._faults[batch]}"
        return self._total(replace(reply, text=text, reasoning=note))

    def _total(self, reply: Reply) -> Reply:
        costs = [one.cost for one in self._all if one.cost is not None]
        return replace(
            reply,
            usage=sum_usage([one.usage for one in self._all]),
            latency=sum(one.latency for one in self._all),
            cost=sum(costs) if costs else None,
        )


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
        smaller="a smaller --batch",
    )


BATCHED = replace(
    _kind("splits the instances into batches of --batch N, asks each, adds up in code (multi-instance)", False),
    needs_size=True,
)
DECOMPOSED = _kind(
    "asks for every instance's answer, adds up in code; in batches with --batch N (multi-instance)", True
)
