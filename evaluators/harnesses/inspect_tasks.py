"""Tasks for inspect_ai: `inspect eval lengthwise/predicate --model ... -T data=./plb -T configs=lex-locate`.

inspect finds this module by the entry point `inspect_ai` of the package, and names its tasks `lengthwise/...`: one for
each benchmark, under its name and its aliases.
"""

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageUser, GenerateConfig, ModelOutput, get_model
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, accuracy, metric, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver

from lengthwise import __version__
from lengthwise.contracts import Reply, ReplyError, Request
from lengthwise.errors import InputError
from lengthwise.evaluators.asking import has_answer_of
from lengthwise.evaluators.benchmarks import BENCHMARKS, PREDICATELONGBENCH, Benchmark, find_benchmark
from lengthwise.evaluators.contracts import OUTCOME_KINDS, Example, Method
from lengthwise.evaluators.examples import LONG_COLUMNS, ids_by_cell
from lengthwise.evaluators.harnesses.figures import detection_figure, detection_names
from lengthwise.evaluators.harnesses.inspect_outputs import overlength_message, read_output
from lengthwise.evaluators.harnesses.kept import KEPT, Kept, check_method, ended, follow, one_call
from lengthwise.evaluators.method_parts import Resources
from lengthwise.evaluators.methods import method_kind
from lengthwise.evaluators.settings import RunSettings, prepare


def make_task(
    benchmark: Benchmark,
    data: str = "",
    configs: str | list[str] = "",
    splits: str | list[str] = "",
    limit: int | None = None,
    seed: int = 0,
    repeats: int = 1,
    method: str = "",
) -> Task:
    """Return a benchmark as a task: its prompts, the paper's sampling and method, our outcomes.

    Args:
        benchmark: of which the data must be.
        data: a folder that `lengthwise build` made, or a Hub id, as for `lengthwise run`.
        configs: which configs, parted by commas; none means all.
        splits: which splits, likewise.
        limit: how many rows, as the stratified sample that `lengthwise run --limit` takes; None means all.
        seed: of that sample.
        repeats: how many times each row is asked; inspect's epochs.
        method: as for `lengthwise run --method`; none means the benchmark's own.

    Raises:
        InputError: no such data, config, split or method, or none named, or a method that asks other models too.
    """
    if not data:
        raise InputError("name the data: -T data=DIR, a folder as `lengthwise build` makes it")
    if method:
        check_method(method, method_kind(method), "inspect")
    prepared = prepare(
        RunSettings(
            data,
            model="",
            configs=_names(configs),
            splits=_names(splits),
            method=method or None,
            limit=limit,
            seed=seed,
        )
    )
    sampling, found = prepared.sampling, prepared.data
    if prepared.benchmark is not benchmark:
        raise InputError(f"data {data!r} is of {prepared.benchmark.name}, not of {benchmark.name}")
    examples = {example.id: example for example in found.stream(ids_by_cell(prepared.examples))}
    samples = [
        Sample(example.prompt, target=example.columns["answer_text"], id=example.id, metadata=_short(example.columns))
        for example in examples.values()
    ]
    asks = prepared.method.make(Resources(sampling, has_answer_of(benchmark)))
    return Task(
        dataset=MemoryDataset(samples, name=benchmark.name, location=found.source),
        solver=_solver(examples, asks)(prepared.method_name),
        scorer=outcome(benchmark.name),
        metrics=_metrics(benchmark),
        config=GenerateConfig(max_tokens=sampling.max_tokens, temperature=sampling.temperature, top_p=sampling.top_p),
        epochs=repeats,
        # Without this, rows that end in an error leave the denominator.
        score_on_error=True,
        metadata={
            "lengthwise": __version__,
            "method": prepared.method_name,
            "data": found.source,
            "digest": found.digest,
            "revision": found.revision,
            "cells": {str(cell): found.cells[cell] for cell in prepared.cells},
        },
    )


def _task_of(benchmark: Benchmark) -> Callable[..., Task]:
    """Return what inspect calls for a task of the benchmark; it reads the names of `-T` off the signature."""

    def of_benchmark(
        data: str = "",
        configs: str | list[str] = "",
        splits: str | list[str] = "",
        limit: int | None = None,
        seed: int = 0,
        repeats: int = 1,
        method: str = "",
    ) -> Task:
        return make_task(benchmark, data, configs, splits, limit, seed, repeats, method)

    return of_benchmark


for _benchmark in BENCHMARKS.values():
    for _name in (_benchmark.name, *_benchmark.aliases):
        task(name=_name)(_task_of(_benchmark))


def _metrics(benchmark: Benchmark) -> Any:
    kinds = {kind: [accuracy(), stderr(), count()] if kind == "correct" else [count()] for kind in OUTCOME_KINDS}
    figures = {"balanced_accuracy": balanced_accuracy, "mcc": mcc}
    of_classes = [figures[name]() for name in detection_names(benchmark)]
    return [kinds, *of_classes] if of_classes else kinds


def _names(names: str | list[str]) -> tuple[str, ...]:
    """Return names that inspect read from `-T`: `a` is text to it, `a,b` a list."""
    listed = names.split(",") if isinstance(names, str) else [str(name) for name in names]
    return tuple(name.strip() for name in listed if name.strip())


def _short(columns: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in columns.items() if name not in LONG_COLUMNS}


def _solver(examples: Mapping[str, Example], asks: Method) -> Any:
    """Return the solver of some rows; what it is made with would be written into the log, the rows with it."""

    @solver(name="ask")
    def ask(method: str) -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            kept = await follow(asks, examples[str(state.sample_id)], partial(_ask, state))
            state.store.set(KEPT, kept.to_json())
            return state

        return solve

    return ask


async def _ask(state: TaskState, request: Request) -> Reply:
    """Ask inspect's model; a prompt that a server refuses as too long becomes an output that says so."""
    messages = [ChatMessageUser(content=message.content) for message in request.messages]
    try:
        output = await get_model().generate(list(messages))
    except RuntimeError as error:
        message = overlength_message(error)
        if message is None:
            raise
        # The form that inspect itself gives to the one kind of refusal that it knows.
        output = ModelOutput.from_content(
            model=str(state.model), content="", stop_reason="model_length", error=message
        )
    state.output = output
    state.messages = [*messages, *([] if output.empty else [output.message])]
    return read_output(output)


@metric
def count() -> Metric:
    """Return the metric that adds up: of how many rows this is the outcome (of repeats, the mean number)."""

    def add_up(scores: list[SampleScore]) -> float:
        return float(sum(score.score.as_float() for score in scores))

    return add_up


@metric(scores="unreduced")
def balanced_accuracy() -> Metric:
    """Return the metric of classes told apart: the mean of the recalls; of repeats, the mean."""
    return partial(_detection, "balanced_accuracy")


@metric(scores="unreduced")
def mcc() -> Metric:
    """Return Matthews' correlation coefficient; of repeats, the mean."""
    return partial(_detection, "mcc")


def _detection(name: str, scores: list[SampleScore]) -> float:
    repeats: dict[int, list[list[int | None]]] = {}
    for one in scores:
        about = one.score.metadata or {}
        if about.get("detected"):
            repeats.setdefault(about["repeat"], []).append(about["detected"])
    return detection_figure(name, repeats.values())


@scorer(metrics={kind: [accuracy(), stderr(), count()] if kind == "correct" else [count()] for kind in OUTCOME_KINDS})
def outcome(benchmark: str = PREDICATELONGBENCH.name) -> Scorer:
    """Return the scorer whose value holds a 1 under the row's one outcome and a 0 under all others.

    The score's answer is what was parsed, its explanation the reason where nothing was; its metadata hold `outcome`,
    `message`, the judge's `details`, `repeat` (from 0), and of a benchmark of two classes `detected`: score and label.
    """
    known = find_benchmark(benchmark)

    async def score(state: TaskState, target: Target) -> Score:
        columns = {**state.metadata, "id": state.sample_id}
        found = ended(known, columns, _kept(state), state.epoch - 1, lambda: state.input_text)
        detected = None if known.detects is None else list(known.detects(columns, found))
        return Score(
            value={kind: int(kind == found.kind) for kind in OUTCOME_KINDS},
            answer=None if found.answer is None else json.dumps(found.answer, ensure_ascii=False),
            explanation=found.message or found.kind,
            metadata={
                "outcome": found.kind,
                "message": found.message,
                "details": dict(found.details),
                "repeat": found.repeat,
                **({} if detected is None else {"detected": detected}),
            },
        )

    return score


def _kept(state: TaskState) -> Kept:
    """Return what our solver kept; of another solver's sample, or one that ended in an error, the output."""
    kept = state.store.get(KEPT)
    if kept is not None:
        return Kept.from_json(kept)
    try:
        return one_call("", read_output(state.output), None)
    except ReplyError as error:
        return one_call("", None, error)
