"""`lengthwise build multi-instance`: a thin shell over `build_multi_instance`."""

import os
from pathlib import Path
from typing import Annotated

import typer

from lengthwise.cli.options import parse_names, parse_numbers, parse_shard
from lengthwise.errors import InputError


def multi_instance(
    configs: Annotated[
        list[str] | None,
        typer.Argument(help="Configs, e.g. ner, ner-instances, ner-noise-tail-shortest, ner-all; all by default."),
    ] = None,
    setting: Annotated[
        str | None,
        typer.Option(
            help="Put all of these configs into one setting: aggregate (the sum or count alone) or instances (every "
            "answer). \\[default: as named]"
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Folder; the same command goes on with a stopped build.")] = None,
    size: Annotated[
        str, typer.Option(help="Numbers of instances, rising, e.g. 2,5,10. \\[default: the paper's, 2 to 2000]")
    ] = "",
    seed: Annotated[str, typer.Option(help="Seeds of the samples.")] = "1,2,3,4,5",
    pool: Annotated[
        str, typer.Option(help="generated, hub, or a folder in the authors' layout (news/2500_news_text.txt ...).")
    ] = "generated",
    pool_size: Annotated[int, typer.Option(help="Instances of a generated pool.")] = 2500,
    pool_seed: Annotated[int, typer.Option(help="Of generated pools.")] = 42,
    ner_source: Annotated[
        str, typer.Option(help="For --pool hub: universal-ner (what the authors used) or wikiann (what they name).")
    ] = "universal-ner",
    wsd_folder: Annotated[
        Path | None, typer.Option(help="For --pool hub: CoarseWSD-20's folder of apple, which is on no Hub.")
    ] = None,
    retained: Annotated[
        Path | None, typer.Option(help="Indices that the single-instance filter left (`lengthwise filter`).")
    ] = None,
    prompts: Annotated[
        Path | None,
        typer.Option(help="Folder with your own templates: arithmetic.txt, arithmetic-instances.txt, ..."),
    ] = None,
    recipe: Annotated[
        Path | None,
        typer.Option(help="What `export --recipe` wrote: build its rows from --pool (and --prompts), nothing else."),
    ] = None,
    tokenizer: Annotated[str, typer.Option(help="qwen3, qwen3.6, tiktoken:NAME, or a tokenizer.json.")] = "qwen3",
    workers: Annotated[int | None, typer.Option(help="Processes. \\[default: one a core]")] = None,
    shard: Annotated[str | None, typer.Option(help="Build part I of N only, as in 1/4.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress bar.")] = False,
) -> None:
    """Build the multi-instance benchmark: prompts of 2 to 2,000 small instances to solve and add up."""
    from lengthwise.builders.multi_instance.build import build_multi_instance
    from lengthwise.builders.multi_instance.configs import find_configs
    from lengthwise.builders.multi_instance.pools.sources import pool_source
    from lengthwise.builders.multi_instance.retained import read_retained
    from lengthwise.builders.multi_instance.settings import InstanceSettings

    if out is None:
        raise InputError("--out: name the folder that the data set goes into")
    names = parse_names(configs)
    if setting is not None:
        names = tuple(config.name for config in find_configs(names, setting))
    pool_of = pool_source(pool, pool_size=pool_size, pool_seed=pool_seed, ner_source=ner_source, wsd_folder=wsd_folder)
    processes = (os.cpu_count() or 1) if workers is None else workers
    if recipe is not None:
        from lengthwise.builders.multi_instance.recipe import rebuild_instances

        digest = rebuild_instances(recipe, pool_of, out, prompts=prompts, workers=processes, progress=not quiet)
        typer.echo(f"digest {digest}, as the recipe says: {out}")
        return
    settings = InstanceSettings(
        sizes=parse_numbers("--size", size), seeds=parse_numbers("--seed", seed), tokenizer=tokenizer, prompts=prompts
    )
    try:
        result = build_multi_instance(
            out,
            names,
            pool_of=pool_of,
            settings=settings,
            retained=read_retained(retained) if retained else None,
            workers=processes,
            shard=parse_shard(shard),
            progress=not quiet,
        )
    except KeyboardInterrupt:
        typer.echo(f"stopped; the same command goes on with what is in {out}", err=True)
        raise typer.Exit(130) from None
    for line in result.lines():
        typer.echo(line)
