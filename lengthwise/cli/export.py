"""`lengthwise export`: a build as a recipe without its text, or a LongNovel build as training data."""

from pathlib import Path
from typing import Annotated

import typer

from lengthwise.cli.options import parse_names
from lengthwise.errors import InputError


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("export")(export)


def export(
    build: Annotated[Path, typer.Argument(help="A folder that `lengthwise build` made.")],
    out: Annotated[Path | None, typer.Option(help="Folder, new or empty.")] = None,
    recipe: Annotated[
        bool,
        typer.Option("--recipe", help="Offsets and hashes, by which who has the source builds the very rows."),
    ] = False,
    sft: Annotated[
        bool,
        typer.Option("--sft", help="Training data and configurations for LLaMA-Factory and its fork by 360."),
    ] = False,
    stage: Annotated[
        list[str] | None, typer.Option(help="With --sft: 2k, 16k, 32k; all that there are rows for by default.")
    ] = None,
    origins: Annotated[str, typer.Option(help="With --sft: all, or mma for models' own summaries alone.")] = "all",
    system: Annotated[
        bool, typer.Option("--system", help="With --sft: the instruction as a system message (Llama).")
    ] = False,
    model: Annotated[str, typer.Option(help="With --sft: what is trained.")] = "Qwen/Qwen3-8B",
    template: Annotated[str, typer.Option(help="With --sft: its chat template in LLaMA-Factory.")] = "qwen3",
) -> None:
    """Give a build another form: a recipe for text that may not be passed on, or (LongNovel) training data."""
    if out is None:
        raise InputError("--out: name the folder that it goes into")
    if recipe == sft:
        raise InputError("--recipe, --sft: give one of them")
    if recipe:
        from lengthwise.builders.hub_folder import read_build
        from lengthwise.builders.recipes import export_recipe

        command = export_recipe(build, out).command(read_build(build))
        typer.echo(f"recipe in {out}: `{command.replace('RECIPE', str(out))}` follows it")
        return
    from lengthwise.builders.longnovel.sft import export_sft

    files = export_sft(build, out, parse_names(stage), origins=origins, system=system, model=model, template=template)
    for one in files:
        typer.echo(f"{one.name}: {one.rows:,} rows, the longest of {one.most_tokens:,} tokens")
    typer.echo(f"data, dataset_info.json and training configurations are in {out}")
