"""`lengthwise merge`: a thin shell over `merge_runs`."""

import sys
from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command()(merge)


def merge(
    shards: Annotated[
        list[Path], typer.Argument(metavar="SHARD SHARD...", help="Folders of `lengthwise run --shard I/N`.")
    ],
    out: Annotated[Path, typer.Option(help="Run folder for all of them.")],
    partial: Annotated[bool, typer.Option("--partial", help="Join what is there, if shards are missing too.")] = False,
    first: Annotated[bool, typer.Option("--first", help="Of a shard named twice, take the first folder.")] = False,
    label: Annotated[str | None, typer.Option(help="Name in tables.")] = None,
    group: Annotated[str | None, typer.Option(help="Group in tables.")] = None,
    size: Annotated[str | None, typer.Option(help="Model size in tables.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="No notes; results only.")] = False,
) -> None:
    """Join the shards of a run into one run folder, and print its scores; no model is asked."""
    from lengthwise.evaluators.merging import merge_runs
    from lengthwise.evaluators.scoring import score_run
    from lengthwise.evaluators.tables import render_results

    def notify(line: str) -> None:
        if not quiet:
            typer.echo(line, err=True)

    labels = {"label": label, "group": group, "size": size}
    merge_runs(shards, out, partial=partial, first=first, labels=labels, notify=notify, command=sys.argv)
    results = score_run(out)
    typer.echo(render_results(results))
    if not results.complete:
        raise typer.Exit(1)
