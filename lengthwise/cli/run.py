"""`lengthwise run`: a thin shell over `run_benchmark`, `plan_run` and `again_settings`."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lengthwise.cli.engine import Engine, EngineKind
from lengthwise.cli.options import parse_names, parse_shard
from lengthwise.contracts import Role, Sampling
from lengthwise.errors import InputError

if TYPE_CHECKING:
    from lengthwise.evaluators.settings import RunSettings


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("run")(run)


def run(
    data: Annotated[
        str | None, typer.Argument(help="Folder, or Hub id ORG/NAME\\[@REVISION]; with --again, a run folder.")
    ] = None,
    configs: Annotated[list[str] | None, typer.Argument(help="Configs; all by default.")] = None,
    model: Annotated[
        str | None, typer.Option(help="http://host:port/v1#name, or kind:name; see `lengthwise list models`.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Run folder; the same command goes on with it.")] = None,
    split: Annotated[list[str] | None, typer.Option(help="Splits, repeated or with commas; all by default.")] = None,
    limit: Annotated[int | None, typer.Option(help="How many rows: a seeded sample, spread over the cells.")] = None,
    repeats: Annotated[int | None, typer.Option(help="Calls for each row. \\[default: 1]", show_default=False)] = None,
    method: Annotated[str | None, typer.Option(help="See `lengthwise list methods`.")] = None,
    batch: Annotated[
        int | None,
        typer.Option(
            help="For --method batched, decomposed: instances in a prompt; rag: characters of a segment; minicheck: "
            "tokens of a chunk."
        ),
    ] = None,
    embed: Annotated[
        str | None,
        typer.Option(
            help="Model of embeddings, for --method rag: sentence-transformers:NAME, http://host:port/v1#NAME."
        ),
    ] = None,
    judge: Annotated[str | None, typer.Option(help="Second model, for a method that asks a judge.")] = None,
    seed: Annotated[int | None, typer.Option(help="Of the sample. \\[default: 0]", show_default=False)] = None,
    max_tokens: Annotated[int | None, typer.Option(help="Output tokens; the paper's by default.")] = None,
    temperature: Annotated[float | None, typer.Option(help="The paper's by default.")] = None,
    top_p: Annotated[float | None, typer.Option(help="The paper's by default.")] = None,
    reasoning_effort: Annotated[str | None, typer.Option(help="A word of the provider's: low, high, none.")] = None,
    thinking_tokens: Annotated[int | None, typer.Option(help="Reasoning budget, where the host takes one.")] = None,
    only_fitting: Annotated[bool, typer.Option(help="Leave out rows that do not fit the model's window.")] = False,
    concurrency: Annotated[int, typer.Option(help="Calls under way at the same time, at most.")] = 8,
    rpm: Annotated[int | None, typer.Option(help="Requests a minute that the provider allows.")] = None,
    tpm: Annotated[int | None, typer.Option(help="Tokens a minute that it allows, prompts and output.")] = None,
    max_cost: Annotated[
        float | None, typer.Option(help="US dollars: stop before a call that could cost more, in all.")
    ] = None,
    max_tokens_total: Annotated[
        int | None, typer.Option(help="Stop before a call that could take more tokens, prompts and output, in all.")
    ] = None,
    patience: Annotated[
        float, typer.Option(help="Seconds that the server may be away before the run ends, to go on later.")
    ] = 600.0,
    timeout: Annotated[float, typer.Option(help="Seconds for one reply.")] = 3600.0,
    api_key_env: Annotated[str | None, typer.Option(help="Variable with the key, for a host of your own.")] = None,
    embed_key_env: Annotated[str | None, typer.Option(help="The same for --embed.")] = None,
    judge_key_env: Annotated[str | None, typer.Option(help="The same for --judge.")] = None,
    rope_factor: Annotated[
        float | None, typer.Option(help="Rope scaling that the server was started with, for run.json; 1 means none.")
    ] = None,
    prices: Annotated[Path | None, typer.Option(help="Price file, instead of the package's.")] = None,
    label: Annotated[str | None, typer.Option(help="Name in tables.")] = None,
    group: Annotated[str | None, typer.Option(help="Group in tables.")] = None,
    size: Annotated[str | None, typer.Option(help="Model size in tables.")] = None,
    from_: Annotated[Path | None, typer.Option("--from", help="run.json of a run to repeat.")] = None,
    again: Annotated[
        list[str] | None,
        typer.Option(help="Ask rows of a finished run again that ended so, e.g. truncated_output; DATA is that run."),
    ] = None,
    shard: Annotated[
        str | None, typer.Option(help="Run part I of N only, as in 1/4; `lengthwise merge` joins the parts.")
    ] = None,
    engine: Annotated[
        EngineKind, typer.Option(help="Where: in this process, or all shards on a Ray cluster (lengthwise\\[ray]).")
    ] = EngineKind.here,
    shards: Annotated[int | None, typer.Option(help="For --engine ray: into how many parts.")] = None,
    ray_address: Annotated[
        str | None, typer.Option(help="Cluster; the one of RAY_ADDRESS or of this machine by default.")
    ] = None,
    ray_cpus: Annotated[float | None, typer.Option(help="CPUs for each shard. \\[default: 1]")] = None,
    ray_gpus: Annotated[
        float | None, typer.Option(help="GPUs for each shard. \\[default: 1 for a model that each loads, else 0]")
    ] = None,
    no_bounds: Annotated[
        bool, typer.Option("--no-bounds", help="Leave out ceiling and floor, which take time for long lists of words.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print calls, tokens and cost; send nothing.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No bar, no notes; results only.")] = False,
) -> None:
    """Run a model on a data set, and print its scores; exit code 1 where rows are left without a reply."""
    sampling = Sampling(max_tokens, temperature, top_p, reasoning_effort, thinking_tokens)
    notify = _silent if quiet else _note
    where = Engine(engine, shards, ray_address, ray_cpus, ray_gpus)
    rows: dict[str, Any] = {"splits": parse_names(split) or None, "limit": limit, "seed": seed}
    changes: dict[str, Any] = {
        "model": model,
        "repeats": repeats,
        "method": method,
        "only_fitting": only_fitting or None,
        "api_key_env": api_key_env,
        "rope_factor": rope_factor,
    }
    if again is not None:
        settings = _again_settings(data, parse_names(again), tuple(configs or ()), from_, rows, notify)
    else:
        settings = _settings(data, tuple(configs or ()), from_, model)
        changes.update(rows)
    settings = replace(settings, **{name: value for name, value in changes.items() if value is not None})
    settings = _with_roles(
        settings, {"embed": embed, "judge": judge}, {"embed": embed_key_env, "judge": judge_key_env}
    )
    if batch is not None:
        from lengthwise.evaluators.methods import method_name

        settings = replace(settings, method=method_name(settings.method, batch))
    if (part := parse_shard(shard)) is not None:
        from lengthwise.evaluators.sharding import Shard

        settings = replace(settings, shard=Shard(*part))
    given = {name: value for name, value in asdict(sampling).items() if value is not None}
    settings = replace(settings, sampling=replace(settings.sampling, **given))
    if dry_run:
        from lengthwise.evaluators.plan import plan_run

        for line in plan_run(settings, prices).lines():
            typer.echo(line)
        return
    if out is None:
        raise InputError("--out: name the folder that the run goes into")
    from lengthwise.evaluators.gate import Rates
    from lengthwise.evaluators.runner import RunOptions
    from lengthwise.evaluators.spending import Limits

    options = RunOptions(
        concurrency=concurrency,
        rates=Rates(rpm, tpm, patience),
        limits=Limits(max_cost, max_tokens_total),
        timeout=timeout,
        prices=prices,
        labels={"label": label, "group": group, "size": size},
        progress=not quiet,
        notify=notify,
        command=tuple(sys.argv),
        bounds=not no_bounds,
    )
    where.run(settings, out, options)
    if not _print_scores(out):
        raise typer.Exit(1)


def _with_roles(
    settings: "RunSettings", specs: Mapping[Role, str | None], key_envs: Mapping[Role, str | None]
) -> "RunSettings":
    """Return settings with the given models of roles in the place of their own, and the others as they are."""
    given = {role: spec for role, spec in specs.items() if spec is not None}
    # The key of a run that is repeated goes to no other model than its own.
    kept = {role: name for role, name in settings.role_key_envs.items() if role not in given}
    keys = {role: name for role, name in key_envs.items() if name is not None}
    return replace(settings, roles={**settings.roles, **given}, role_key_envs={**kept, **keys})


def _again_settings(
    run_dir: str | None,
    kinds: tuple[str, ...],
    configs: tuple[str, ...],
    from_: Path | None,
    rows: dict[str, Any],
    notify: Callable[[str], None],
) -> "RunSettings":
    from lengthwise.evaluators.again_selection import again_settings

    if from_ is not None:
        raise InputError(
            f"--from: a run.json says already which rows are asked; for --again name the run: {from_.parent}"
        )
    if run_dir is None:
        raise InputError("RUN: with --again, name the folder of the run whose rows are to be asked again")
    return again_settings(
        run_dir,
        kinds,
        configs=configs,
        splits=rows["splits"] or (),
        limit=rows["limit"],
        seed=rows["seed"],
        notify=notify,
    )


def _settings(data: str | None, configs: tuple[str, ...], from_: Path | None, model: str | None) -> "RunSettings":
    from lengthwise.evaluators.settings import RunSettings, settings_from

    if from_ is not None:
        if data is not None:
            raise InputError("--from: names data and configs already; leave them out, or leave out --from")
        return settings_from(from_)
    if data is None:
        raise InputError("DATA: name a folder that `lengthwise build` made, or a Hub id (or --from RUN/run.json)")
    if model is None:
        raise InputError("--model: name one, e.g. reference:solver; `lengthwise list models` shows the kinds")
    return RunSettings(data=data, model=model, configs=configs)


def _print_scores(out: Path) -> bool:
    """Print the scores of a run; return whether every row has a reply, so that a script can tell."""
    from lengthwise.evaluators.scoring import score_run
    from lengthwise.evaluators.tables import render_results

    results = score_run(out)
    typer.echo(render_results(results))
    return results.complete


def _note(line: str) -> None:
    from tqdm import tqdm

    # Above the bar, not through it.
    tqdm.write(line, file=sys.stderr)


def _silent(line: str) -> None:
    pass
