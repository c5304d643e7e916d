"""Asks a model which gold faults the replies of a run point at: recorded in the run folder, replayed, resumable."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from lengthwise.contracts import ReplyError, Sampling
from lengthwise.errors import InputError
from lengthwise.evaluators.benchmarks import find_benchmark
from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.longnovel_verdicts import (
    JUDGE_FILE,
    VERDICTS_FILE,
    Judge,
    Questions,
    add_verdicts,
    questions,
)
from lengthwise.evaluators.novel_faults import gold_faults
from lengthwise.evaluators.prices import PriceTable, priced
from lengthwise.evaluators.providers import Model, ModelOptions, make_model
from lengthwise.evaluators.providers.base import DEFAULT_TIMEOUT, Notify
from lengthwise.evaluators.retry import RetryPolicy, retrying
from lengthwise.evaluators.run_folder import RunFolder, write_json
from lengthwise.recording import ReplyLog, recorded
from lengthwise.workers import run_workers

SAMPLING = Sampling(max_tokens=4096, temperature=0.0)


@dataclass(frozen=True, slots=True)
class JudgeOptions:
    """How a judge is asked; no option changes a verdict.

    Attributes:
        api_key_env: the environment variable with its key.
        concurrency: calls under way at the same time (>= 1).
        timeout: seconds for one reply.
        retries: see `RetryPolicy`.
        notify: told what the user should know.
    """

    api_key_env: str | None = None
    concurrency: int = 8
    timeout: float = DEFAULT_TIMEOUT
    retries: RetryPolicy = field(default_factory=RetryPolicy)
    notify: Notify = lambda _: None


@dataclass
class Judged:
    """What came of it.

    Attributes:
        replies: to hallucinated rows, all repeats.
        asked: verdicts on record for them, those of before included.
        failed: calls that brought none; the same command asks for them again.
        cost: US dollars of all these verdicts; None where no price is known.
    """

    replies: int = 0
    asked: int = 0
    failed: int = 0
    cost: float | None = None


def judge_run(run_dir: Path | str, spec: str, options: JudgeOptions | None = None) -> Judged:
    """Have a model judge, for each reply to a hallucinated row, which of the row's gold faults its reasons point at.

    Verdicts are appended to the run folder as they come: after a kill the same call goes on where it was, and what is
    on record is not asked again. `score_run` counts them.

    Args:
        run_dir: a folder that `lengthwise run` made on LongNovel or the story world.
        spec: the judge, as `--model` takes it.
        options: how it is asked.

    Raises:
        InputError: not such a folder, a judge that cannot be meant, or another one's verdicts are there already.
    """
    return asyncio.run(_judge(RunFolder.open(Path(run_dir)), spec, options or JudgeOptions()))


async def _judge(run: RunFolder, spec: str, options: JudgeOptions) -> Judged:
    benchmark = find_benchmark(run.settings["benchmark"])
    if benchmark.add_recorded is not add_verdicts:
        raise InputError(f"--judge {spec}: {run.path} is a run of {benchmark.name}, which has no faults to point at")
    model = make_model(spec, ModelOptions(options.api_key_env, options.timeout, options.notify))
    if model.kind == "reference":
        raise InputError(f"--judge {spec}: a reference model knows answers, it judges none; name a model")
    model.check(SAMPLING)
    judge, before = Judge(model.spec, model.name, SAMPLING), Judge.read(run.path)
    if before is not None and before != judge:
        raise InputError(
            f"--judge {spec}: {run.path} holds verdicts of {before.spec}; go on with that one, or delete {JUDGE_FILE} "
            f"and {VERDICTS_FILE} there"
        )
    rows = {row["id"]: row for row in run.examples().to_pylist()}
    if not any(map(gold_faults, rows.values())):
        raise InputError(
            f"--judge {spec}: no row of {run.path} has faults on record to point at; faithful rows have none, and "
            "rows of a -prompt config do not carry them: run the config without -prompt"
        )
    judged = Judged()
    prices = PriceTable.load()
    async with model:
        await model.window()
        with ReplyLog(run.path / VERDICTS_FILE) as log:
            write_json(run.path / JUDGE_FILE, judge.to_json())
            jobs = iter(questions(run.path, rows, SAMPLING))
            await run_workers(lambda: _work(jobs, model, prices, log, options, judged), options.concurrency)
    return judged


async def _work(
    jobs: Iterator[Questions], model: Model, prices: PriceTable, log: ReplyLog, options: JudgeOptions, judged: Judged
) -> None:
    # All workers pull from one iterator; there is no await inside it, so no two are in it at once.
    for job in jobs:
        judged.replies += 1
        ask = priced(
            retrying(model.ask_for(Example(job.example, "", {}), job.repeat), options.retries), prices.find(model.name)
        )
        known = recorded(ask, log, job.example, job.repeat)
        for request in job.requests or ():
            try:
                reply = await known(request)
            except ReplyError as error:
                judged.failed += 1
                if judged.failed == 1:
                    options.notify(f"the judge gave no verdict on {job.example}: {error}")
                continue
            judged.asked += 1
            if reply.cost is not None:
                judged.cost = (judged.cost or 0.0) + reply.cost
