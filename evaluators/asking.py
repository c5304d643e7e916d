"""One pass over the examples of a run: each goes through the method once, and ends in one outcome.

What lies around the calls of the method is made elsewhere (`lengthwise.evaluators.calls`), and it sees none of it.
"""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace

from lengthwise.contracts import Ask, Reply, ReplyError, Request
from lengthwise.evaluators.benchmarks import Benchmark
from lengthwise.evaluators.bounds import BoundsLog
from lengthwise.evaluators.calls import Calls
from lengthwise.evaluators.contracts import Example, Method, Outcome
from lengthwise.evaluators.methods import Resources
from lengthwise.evaluators.ordering import Job, Jobs
from lengthwise.evaluators.outcomes import decide, generated, unjudged
from lengthwise.evaluators.progress import Progress
from lengthwise.evaluators.settings import Prepared
from lengthwise.evaluators.stopping import RunStopped, Stop
from lengthwise.recording import Failure, Key, ReplyLog, recorded
from lengthwise.workers import run_workers

# Seconds in which a request is on its way.
_SENT = 0.005


class Pass:
    """One pass of a method over the examples of a run.

    Attributes:
        cut_short: how many outcomes came of prompts that the server seems to have cut off; some do so in silence.
        cut_early: how many came of replies cut by length below their budget; vLLM lowers a budget that its window has
            no room for, and does not say so.
        first_error: what the first example that ended in an error ended with; None if none did.
    """

    def __init__(
        self,
        prepared: Prepared,
        calls: Calls,
        log: ReplyLog,
        settled: ReplyLog | None,
        bounds: BoundsLog | None,
        watch: Callable[[Outcome], None] | None,
        judged: bool,
    ) -> None:
        self._benchmark = prepared.benchmark
        self._method = prepared.method.make(Resources(prepared.sampling, has_answer_of(prepared.benchmark)))
        self._whole = prepared.method.parts is None
        self._calls = calls
        self._log = log
        self._settled = settled
        self._bounds = bounds
        self._watch = watch
        self._judged = judged
        self._budget = prepared.sampling.max_tokens or 0
        self.cut_short = 0
        self.cut_early = 0
        self.first_error: str | None = None

    async def run(self, jobs: Jobs, concurrency: int, progress: Progress, stop: Stop) -> None:
        """Work through the jobs, some at a time: only their prompts, and those of few that follow, are in memory."""

        async def worker() -> None:
            while stop.stopped is None and (job := await jobs.take()) is not None:
                try:
                    outcome = await self._one(job)
                except RunStopped:
                    return
                finally:
                    jobs.done(job)
                progress.add(outcome)
                if self._watch is not None:
                    self._watch(outcome)

        await run_workers(worker, concurrency)

    async def _one(self, job: Job) -> Outcome:
        example, repeat = replace(job.example, shared=job.shared) if job.shared else job.example, job.repeat
        ask = self._calls.ask_for(example, repeat)
        running = run_example(
            self._method, self._benchmark, example, repeat, ask, self._log, self._settled, self._judged
        )
        # Once for each row.
        bounds = self._bounds if not repeat else None
        outcome = await (running if bounds is None else self._noting(bounds, example, running))
        if outcome.kind == "error" and self.first_error is None:
            self.first_error = outcome.message
        own = generated(outcome)
        counted = own.usage.input
        # Tokenizers differ, but not by half; what a part of a prompt counts tells nothing of the whole.
        if self._whole and counted is not None and 2 * counted < example.columns["n_tokens"] * own.calls:
            self.cut_short += 1
        spent = outcome.details.get("output_tokens")
        if outcome.details.get("finish_reason") == "length" and spent is not None and spent < self._budget:
            self.cut_early += 1
        return outcome

    async def _noting(self, bounds: BoundsLog, example: Example, running: Coroutine[None, None, Outcome]) -> Outcome:
        """Note the bounds of a row while its calls are under way: the server is not to wait for that."""
        noted = False

        def note() -> None:
            nonlocal noted
            bounds.note(self._benchmark, example)
            noted = True

        sent = asyncio.get_running_loop().call_later(_SENT, note)
        try:
            outcome = await running
        finally:
            sent.cancel()
        # It came sooner, or the note could not be written and says so now.
        if not noted:
            note()
        return outcome


async def run_example(
    method: Method,
    benchmark: Benchmark,
    example: Example,
    repeat: int,
    ask: Ask,
    log: ReplyLog,
    predictions: ReplyLog | None = None,
    judged: bool = True,
) -> Outcome:
    """Run a method on one example, with its calls recorded in (or replayed from) a log, and decide how it ended.

    Args:
        method: see `Method`.
        benchmark: whose judge decides.
        example: what to ask about.
        repeat: 0-based.
        ask: asks the model; retries and limits are its own.
        log: of the run.
        predictions: where to note what the method settled on; None where its one call's reply can only be that.
        judged: False leaves it at what `unjudged` tells: scoring judges by itself.
    """
    replies: list[Reply] = []
    recorded_ask = recorded(ask, log, example.id, repeat, heard=replies.append)
    failures: list[ReplyError] = []

    async def noting_ask(request: Request) -> Reply:
        try:
            return await recorded_ask(request)
        except ReplyError as error:
            failures.append(error)
            raise

    error: ReplyError | None = None
    scored: Reply | None = None
    try:
        scored = (await method(example, noting_ask)).reply
    except ReplyError as ended:
        error = ended
    if predictions is not None:
        # An error of a call is on record already; one of the method's own would be nowhere.
        own = Failure("error", str(error)) if error is not None and not failures else None
        if (settled := scored or own) is not None and predictions.get(key := _key(example, repeat)) != settled:
            predictions.append(key, settled)
    columns = {**example.columns, "id": example.id}
    if not judged:
        return unjudged(columns, replies, error, scored=scored, repeat=repeat)
    return decide(benchmark, columns, replies, error, scored=scored, repeat=repeat, prompt_of=lambda: example.prompt)


def _key(example: Example, repeat: int) -> Key:
    return Key(example.id, repeat, 0, "prediction")


def has_answer_of(benchmark: Benchmark) -> Callable[[Example, Reply], bool]:
    """Return what tells a reply that the benchmark's judge can read an answer off from one that it cannot."""

    def has_answer(example: Example, reply: Reply) -> bool:
        return benchmark.judge(example.columns, reply.text or "", lambda: example.prompt).parsed

    return has_answer
