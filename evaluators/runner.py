"""A run from start to end: prepare, preflight, ask, record."""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

from lengthwise.errors import InputError
from lengthwise.evaluators.arrow_tables import release_memory
from lengthwise.evaluators.asking import Pass
from lengthwise.evaluators.bounds import BoundsLog
from lengthwise.evaluators.calls import CallOptions, Calls
from lengthwise.evaluators.contracts import Outcome
from lengthwise.evaluators.dormant import Dormant
from lengthwise.evaluators.gate import Rates
from lengthwise.evaluators.gathering import check_gathering, gather
from lengthwise.evaluators.left import has_ended, left_of
from lengthwise.evaluators.ordering import Jobs, Order, prefix_groups
from lengthwise.evaluators.preflight import check_fit
from lengthwise.evaluators.prices import PriceTable
from lengthwise.evaluators.progress import Progress
from lengthwise.evaluators.providers import Model, ModelOptions, make_model
from lengthwise.evaluators.providers.base import DEFAULT_TIMEOUT, Notify
from lengthwise.evaluators.retry import RetryPolicy
from lengthwise.evaluators.roles import RoleModels, entered, make_role_models
from lengthwise.evaluators.row_reader import RowReader
from lengthwise.evaluators.run_folder import BOUNDS_FILE, RUN_FILE, RunFolder, check_free
from lengthwise.evaluators.serving import serve_hint
from lengthwise.evaluators.serving_run import check_same_rope, rope_of_run, static_note
from lengthwise.evaluators.settings import Prepared, RunSettings, prepare
from lengthwise.evaluators.spending import Limits
from lengthwise.evaluators.stopping import RunStopped, Stop, heeding_signals


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How a run is carried out; none of it changes what the run is.

    Attributes:
        concurrency: calls under way at the same time (>= 1); fewer where the host refuses them.
        rates: what the host of the model allows; see `Rates`.
        limits: what the run may cost, earlier passes of the folder included; see `Limits`.
        order: of the rows; see `Order`. Nothing but time and cached tokens depends on it.
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
    rates: Rates = field(default_factory=Rates)
    limits: Limits = field(default_factory=Limits)
    order: Order = "prefix"
    timeout: float = DEFAULT_TIMEOUT
    retries: RetryPolicy = field(default_factory=RetryPolicy)
    prices: Path | None = None
    labels: Mapping[str, str | None] = field(default_factory=dict)
    progress: bool = False
    notify: Notify = lambda _: None
    command: tuple[str, ...] = ()
    bounds: bool = True
    watch: Callable[[Outcome], None] | None = None

    def calls(self) -> CallOptions:
        """Return the part of them that is about calls."""
        return CallOptions(self.concurrency, self.retries, self.rates, self.limits, self.notify)


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
        RunStopped: the run ended before its end, by a limit, SIGTERM or a server that stays away; what is on record is
            whole, and the same call goes on.
        KeyboardInterrupt: after Ctrl-C; likewise.
    """
    try:
        return asyncio.run(run(settings, out, options))
    except RunStopped as stopped:
        if stopped.kind == "interrupt":
            raise KeyboardInterrupt(stopped.reason) from None
        raise


async def run(
    settings: RunSettings, out: Path | str, options: RunOptions | None = None, stop: Stop | None = None
) -> RunFolder:
    """Do what `run_benchmark` does, for callers with an event loop; Ctrl-C ends in `RunStopped`.

    So does `stop`, where the caller gives one and asks it to; it is for one run alone.
    """
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
    check_gathering(model, prepared.method_name, prepared.method, options.limits)
    roles = make_role_models(settings.roles, with_model, settings.role_key_envs, prepared.sampling)
    stop = stop or Stop()
    before = _as_before(prepared, model, roles, out)
    if before is not None:
        prepared = replace(prepared, examples=before.examples())
    ended = before is not None and _needs_nobody(before, settings)
    if ended:
        model, roles = Dormant(model), {role: Dormant(one) for role, one in roles.items()}
    calls = Calls(model, roles, prices, options.calls(), stop)
    async with AsyncExitStack() as ready:
        if before is not None and ended:
            for one in (model, *roles.values()):
                await ready.enter_async_context(one)
            folder = before.relabel(options.labels)
        else:
            await ready.enter_async_context(model)
            await ready.enter_async_context(entered(roles, options.notify))
            folder = await _begin(prepared, model, roles, out, options)
        data, reserve = prepared.data, prepared.sampling.max_tokens or 0
        shared = prepared.benchmark.shared if options.order == "prefix" else ()
        # The rest of the columns is in the folder: of a hundred thousand rows it takes a hundred MB.
        examples = folder.examples(("id", "config", "split", *shared))
        prepared = replace(prepared, examples=examples)
        release_memory()
        total = len(examples) * settings.repeats
        with ExitStack() as stack:
            log = stack.enter_context(folder.log(calls.spending.known))
            several = prepared.method.most_calls > 1 or prepared.method.most
            settled = stack.enter_context(folder.predictions_log()) if several else None
            bounds = None
            if options.bounds and model.kind != "reference":
                bounds = stack.enter_context(BoundsLog(folder.path / BOUNDS_FILE))
            rows = stack.enter_context(RowReader(data, examples))
            progress = stack.enter_context(Progress(total, options.progress))
            jobs = Jobs(prefix_groups(examples, shared), settings.repeats, rows.read, options.concurrency)
            # Judging takes as long as the rest of our part of a call: it is done here only for who sees it.
            judged = options.progress or options.watch is not None
            pass_over = Pass(prepared, calls, log, settled, bounds, options.watch, judged)
            with heeding_signals(stop, options.notify):
                await gather(model, prepared, rows, len(examples), log, folder.path, stop)
                await pass_over.run(jobs, options.concurrency, progress, stop)
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
    if stop.stopped is not None:
        # By the log: this pass may not even have come to all that earlier ones got.
        left = left_of(folder).unended
        # Somebody who wanted it to end while its last calls were under way has what he wanted, and all replies.
        if left or stop.stopped.kind in ("limit", "away"):
            stop.end(f"{left:,} of {total:,} replies are left")
    return folder


async def _begin(prepared: Prepared, model: Model, roles: RoleModels, out: Path, options: RunOptions) -> RunFolder:
    """Check that the prompts fit, and make the folder of the run, or open it.

    Raises:
        InputError: they do not, or the folder is another run's.
    """
    settings, data = prepared.settings, prepared.data
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
    return RunFolder.create(out, content, fit.examples).relabel(options.labels)


def _needs_nobody(folder: RunFolder, settings: RunSettings) -> bool:
    """Return whether all replies are on record, so that the model need not be there; a factor given is looked at."""
    rope = folder.settings["model"].get("rope") or {}
    return settings.rope_factor in (None, rope.get("factor")) and has_ended(folder)


def _restart(settings: RunSettings, model: Model) -> str:
    return serve_hint(model.name, settings.data, settings.configs, settings.splits, settings.sampling.max_tokens)


def _as_before(prepared: Prepared, model: Model, roles: RoleModels, out: Path) -> RunFolder | None:
    """Return the folder of a run that goes on; refuse one of something else before anything costly starts."""
    if not (out / RUN_FILE).exists():
        check_free(out)
        return None
    folder = RunFolder.open(out)
    folder.check_same(prepared.run_json(model, {}, (), {}, None, roles))
    return folder
