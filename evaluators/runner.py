"""A run from start to end: prepare, preflight, ask, record.

Everything about calls (concurrency, retries, cost, recording) is laid around the model's `ask` here, and the method
sees none of it.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

from lengthwise.contracts import Ask, Reply, ReplyError, Request
from lengthwise.errors import InputError
from lengthwise.evaluators.benchmarks import Benchmark
from lengthwise.evaluators.bounds import BoundsLog
from lengthwise.evaluators.contracts import Example, Method, Outcome
from lengthwise.evaluators.examples import ids_by_cell
from lengthwise.evaluators.methods import Resources
from lengthwise.evaluators.outcomes import decide, generated
from lengthwise.evaluators.preflight import check_fit
from lengthwise.evaluators.prices import PriceTable, priced
from lengthwise.evaluators.progress import Progress
from lengthwise.evaluators.providers import Model, ModelOptions, make_model
from lengthwise.evaluators.providers.base import DEFAULT_TIMEOUT, Notify
from lengthwise.evaluators.retry import RetryPolicy, retrying
from lengthwise.evaluators.roles import RoleModels, entered, make_role_models, routed
from lengthwise.evaluators.run_folder import BOUNDS_FILE, RUN_FILE, RunFolder, check_free
from lengthwise.evaluators.serving import serve_hint
from lengthwise.evaluators.serving_run import check_same_rope, rope_of_run, static_note
from lengthwise.evaluators.settings import Prepared, RunSettings, prepare
from lengthwise.recording import Failure, Key, ReplyLog, recorded
from lengthwise.workers import run_workers


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How a run is carried out; none of it changes what the run is.

    Attributes:
        concurrency: calls under way at the same time (>= 1).
        timeout: seconds for one reply (> 0).
        retries: see `RetryPolicy`.
        prices: a price file; None takes the package's.
        labels: `label`, `group` and `size` for tables; None leaves a label as it is.
        progress: whether to show a bar on stderr.
        notify: told what the user should know.
        command: the command line, for run.json.
        bounds: note how the solver and a random answer fare on each row, for the tables' ceiling and floor; a few
            milliseconds of processor time a row of 128K tokens.
        watch: told of every outcome as it comes, those of an earlier pass included.
    """

    concurrency: int = 8
    timeout: float = DEFAULT_TIMEOUT
    retries: RetryPolicy = field(default_factory=RetryPolicy)
    prices: Path | None = None
    labels: Mapping[str, str | None] = field(default_factory=dict)
    progress: bool = False
    notify: Notify = lambda _: None
    command: tuple[str, ...] = ()
    bounds: bool = True
    watch: Callable[[Outcome], None] = lambda _: None


def run_benchmark(settings: RunSettings, out: Path | str, options: RunOptions | None = None) -> RunFolder:
    """Run a model on a benchmark into a folder, or go on with the run that the folder holds.

    Every reply is on disk before the next step that needs it: after Ctrl-C, kill -9 or a power cut the same call goes
    on where the run was. Examples that ended in `error` are asked again then, all others are not.

    Args:
        settings: what the run is.
        out: the run folder; missing, empty, or of the same run.
        options: how it is carried out.

    Returns:
        The folder; `lengthwise.evaluators.scoring.score_run` makes the figures.

    Raises:
        InputError: settings that cannot be meant, prompts that do not fit the model, no such model, a folder of
            another run. Nothing is written then.
        KeyboardInterrupt: after Ctrl-C; the folder is whole.
    """
    return asyncio.run(run(settings, out, options))


async def run(settings: RunSettings, out: Path | str, options: RunOptions | None = None) -> RunFolder:
    """Do what `run_benchmark` does, for callers with an event loop."""
    options = options or RunOptions()
    if options.concurrency < 1:
        raise InputError(f"--concurrency {options.concurrency}: must be at least 1")
    out = Path(out)
    prices = PriceTable.load(options.prices)
    prepared = prepare(settings)
    with_model = ModelOptions(settings.api_key_env, options.timeout, options.notify)
    model = make_model(settings.model, with_model)
    model.check(prepared.sampling)
    model.check_benchmark(prepared.benchmark.name)
    roles = make_role_models(settings.roles, with_model, settings.role_key_envs, prepared.sampling)
    prepared = _as_before(prepared, model, roles, out)
    async with model, entered(roles, options.notify):
        data = prepared.data
        window, reserve = await model.window(), prepared.sampling.max_tokens or 0
        rope = rope_of_run(model.name, window, settings.rope_factor)
        if (out / RUN_FILE).exists():
            check_same_rope(RunFolder.open(out).settings["model"].get("rope"), rope, out)
        fit = check_fit(
            prepared.examples,
            window,
            reserve,
            stream=data.stream,
            only_fitting=settings.only_fitting,
            splits=tuple(dict.fromkeys(cell.split for cell in data.cells)),
            restart=_restart(settings, model) if model.kind == "http" else None,
            parts=prepared.method.parts,
            smaller=prepared.method.smaller,
            # Rows that fit may be in the other shards.
            may_be_empty=settings.shard is not None,
        )
        static = static_note(model.name, rope, fit.examples["n_tokens"].to_pylist(), reserve)
        for note in (*fit.notes, *([static] if static else [])):
            options.notify(note)
        content = prepared.run_json(model, options.labels, options.command, fit.excluded, rope, roles)
        folder = RunFolder.create(out, content, fit.examples).relabel(options.labels)
        wanted = ids_by_cell(folder.examples())
        total = sum(len(ids) for ids in wanted.values()) * settings.repeats
        with ExitStack() as stack:
            log = stack.enter_context(folder.log())
            several = prepared.method.most_calls > 1 or prepared.method.most
            settled = stack.enter_context(folder.predictions_log()) if several else None
            bounds = None
            if options.bounds and model.kind != "reference":
                bounds = stack.enter_context(BoundsLog(folder.path / BOUNDS_FILE))
            progress = stack.enter_context(Progress(total, options.progress))
            jobs = ((example, repeat) for example in data.stream(wanted) for repeat in range(settings.repeats))
            pass_over = _Pass(prepared, model, roles, log, settled, bounds, options, prices)
            await pass_over.run(jobs, progress)
    if pass_over.cut_short:
        options.notify(
            f"careful: for {pass_over.cut_short} of {total} the server counted less than half of the prompt's tokens; "
            "it may cut prompts off without saying so (raise its context length)"
        )
    if pass_over.cut_early:
        options.notify(
            f"careful: {pass_over.cut_early} of {total} replies were cut by length before their budget of "
            f"{reserve:,} tokens was spent: the server's window was full, or it has a limit of its own"
        )
    if progress.kinds["error"]:
        options.notify(
            f"incomplete: {progress.kinds['error']} of {total} ended in error, the first with: "
            f"{pass_over.first_error}; to ask these again: lengthwise run --from {out / RUN_FILE} --out {out}"
        )
    return folder


def _restart(settings: RunSettings, model: Model) -> str:
    return serve_hint(model.name, settings.data, settings.configs, settings.splits, settings.sampling.max_tokens)


def _as_before(prepared: Prepared, model: Model, roles: RoleModels, out: Path) -> Prepared:
    """Refuse a folder of something else before anything costly starts; take the rows of a run that goes on."""
    if not (out / RUN_FILE).exists():
        check_free(out)
        return prepared
    folder = RunFolder.open(out)
    folder.check_same(prepared.run_json(model, {}, (), {}, None, roles))
    return replace(prepared, examples=folder.examples())


class _Pass:
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
        model: Model,
        roles: RoleModels,
        log: ReplyLog,
        settled: ReplyLog | None,
        bounds: BoundsLog | None,
        options: RunOptions,
        prices: PriceTable,
    ) -> None:
        self._benchmark = prepared.benchmark
        self._method = prepared.method.make(Resources(prepared.sampling, _has_answer(prepared.benchmark)))
        self._whole = prepared.method.parts is None
        self._model = model
        self._roles = roles
        self._log = log
        self._settled = settled
        self._bounds = bounds
        self._options = options
        self._prices = prices
        self._slots = asyncio.Semaphore(options.concurrency)
        self._budget = prepared.sampling.max_tokens or 0
        self.cut_short = 0
        self.cut_early = 0
        self.first_error: str | None = None

    async def run(self, jobs: Iterator[tuple[Example, int]], progress: Progress) -> None:
        """Work through the jobs, `concurrency` at a time: only their prompts are in memory."""

        async def worker() -> None:
            # All workers pull from one iterator; there is no await inside it, so no two are in it at once.
            for example, repeat in jobs:
                outcome = await self._one(example, repeat)
                progress.add(outcome)
                self._options.watch(outcome)

        await run_workers(worker, self._options.concurrency)

    async def _one(self, example: Example, repeat: int) -> Outcome:
        ask = priced(self._model.ask_for(example, repeat), self._prices.find(self._model.name))
        ask = routed(ask, self._roles, self._prices, example, repeat)
        ask = _limited(retrying(ask, self._options.retries), self._slots)
        if self._bounds is not None:
            self._bounds.note(self._benchmark, example)
        outcome = await run_example(self._method, self._benchmark, example, repeat, ask, self._log, self._settled)
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


async def run_example(
    method: Method,
    benchmark: Benchmark,
    example: Example,
    repeat: int,
    ask: Ask,
    log: ReplyLog,
    predictions: ReplyLog | None = None,
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
    return decide(benchmark, columns, replies, error, scored=scored, repeat=repeat, prompt_of=lambda: example.prompt)


def _key(example: Example, repeat: int) -> Key:
    return Key(example.id, repeat, 0, "prediction")


def _has_answer(benchmark: Benchmark) -> Callable[[Example, Reply], bool]:
    def has_answer(example: Example, reply: Reply) -> bool:
        return benchmark.judge(example.columns, reply.text or "", lambda: example.prompt).parsed

    return has_answer


def _limited(ask: Ask, slots: asyncio.Semaphore) -> Ask:
    """Hold one of the slots through a call and its retries: who was told to wait must not make room for the next."""

    async def limited_ask(request: Request) -> Reply:
        async with slots:
            return await ask(request)

    return limited_ask
