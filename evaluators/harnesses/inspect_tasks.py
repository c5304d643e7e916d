"""Tasks for inspect_ai: `inspect eval lengthwise/predicate --model ... -T data=./plb -T configs=lex-locate`.

inspect finds this module by the entry point `inspect_ai` of the package, and names its tasks `lengthwise/...`.
"""

import json
from collections.abc import Mapping
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig, ModelOutput
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, accuracy, metric, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver

from lengthwise import __version__
from lengthwise.contracts import Reply, ReplyError
from lengthwise.errors import InputError
from lengthwise.evaluators.benchmarks import PREDICATELONGBENCH, find_benchmark
from lengthwise.evaluators.contracts import OUTCOME_KINDS, Outcome
from lengthwise.evaluators.examples import ids_by_cell
from lengthwise.evaluators.harnesses.inspect_outputs import overlength_message, read_output
from lengthwise.evaluators.outcomes import decide
from lengthwise.evaluators.settings import RunSettings, prepare


@task
def predicate(
    data: str = "",
    configs: str | list[str] = "",
    splits: str | list[str] = "",
    limit: int | None = None,
    seed: int = 0,
    repeats: int = 1,
) -> Task:
    """Return PredicateLongBench as a task: the prompts as they are, the paper's sampling, our outcomes.

    Args:
        data: a folder that `lengthwise build` made, or a Hub id, as for `lengthwise run`.
        configs: which configs, parted by commas; none means all.
        splits: which splits, likewise.
        limit: how many rows, as the stratified sample that `lengthwise run --limit` takes; None means all.
        seed: of that sample.
        repeats: how many times each row is asked; inspect's epochs.

    Raises:
        InputError: no such data, config or split, or none named.
    """
    if not data:
        raise InputError("name the data: -T data=./plb, as `lengthwise build predicate --out ./plb` makes them")
    prepared = prepare(
        RunSettings(data, model="", configs=_names(configs), splits=_names(splits), limit=limit, seed=seed)
    )
    sampling, found = prepared.sampling, prepared.data
    if prepared.benchmark is not PREDICATELONGBENCH:
        raise InputError(f"data {data!r} is of {prepared.benchmark.name}, not of {PREDICATELONGBENCH.name}")
    samples = [
        Sample(example.prompt, target=example.columns["answer_text"], id=example.id, metadata=_short(example.columns))
        for example in found.stream(ids_by_cell(prepared.examples))
    ]
    return Task(
        dataset=MemoryDataset(samples, name=prepared.benchmark.name, location=found.source),
        solver=ask(),
        scorer=outcome(prepared.benchmark.name),
        config=GenerateConfig(max_tokens=sampling.max_tokens, temperature=sampling.temperature, top_p=sampling.top_p),
        epochs=repeats,
        # Without this, rows that end in an error leave the denominator.
        score_on_error=True,
        metadata={
            "lengthwise": __version__,
            "data": found.source,
            "digest": found.digest,
            "revision": found.revision,
            "cells": {str(cell): found.cells[cell] for cell in prepared.cells},
        },
    )


def _names(names: str | list[str]) -> tuple[str, ...]:
    """Return names that inspect read from `-T`: `a` is text to it, `a,b` a list."""
    listed = names.split(",") if isinstance(names, str) else [str(name) for name in names]
    return tuple(name.strip() for name in listed if name.strip())


def _short(columns: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in columns.items() if name != "question"}


@solver
def ask() -> Solver:
    """Ask once; a prompt that a server refuses as too long becomes an output that says so."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        try:
            return await generate(state)
        except RuntimeError as error:
            message = overlength_message(error)
            if message is None:
                raise
            # The form that inspect itself gives to the one kind of refusal that it knows.
            state.output = ModelOutput.from_content(
                model=str(state.model), content="", stop_reason="model_length", error=message
            )
            return state

    return solve


@metric
def count() -> Metric:
    """Return the metric that adds up: of how many rows this is the outcome (of repeats, the mean number)."""

    def add_up(scores: list[SampleScore]) -> float:
        return float(sum(score.score.as_float() for score in scores))

    return add_up


@scorer(metrics={kind: [accuracy(), stderr(), count()] if kind == "correct" else [count()] for kind in OUTCOME_KINDS})
def outcome(benchmark: str = PREDICATELONGBENCH.name) -> Scorer:
    """Return the scorer whose value holds a 1 under the row's one outcome and a 0 under all others.

    The score's answer is what was parsed, its explanation the reason where nothing was; its metadata hold `outcome`,
    `message` and the judge's `details`.
    """
    known = find_benchmark(benchmark)

    async def score(state: TaskState, target: Target) -> Score:
        replies: list[Reply] = []
        error: ReplyError | None = None
        try:
            replies.append(read_output(state.output))
        except ReplyError as ended:
            error = ended
        columns = {**state.metadata, "id": state.sample_id}
        found = decide(known, columns, replies, error, repeat=state.epoch - 1, prompt_of=lambda: state.input_text)
        return _score(found)

    return score


def _score(found: Outcome) -> Score:
    return Score(
        value={kind: int(kind == found.kind) for kind in OUTCOME_KINDS},
        answer=None if found.answer is None else json.dumps(found.answer, ensure_ascii=False),
        explanation=found.message or found.kind,
        metadata={"outcome": found.kind, "message": found.message, "details": dict(found.details)},
    )
