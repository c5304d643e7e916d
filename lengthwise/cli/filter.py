"""`lengthwise filter`: a thin shell over `evaluators.instance_filter`."""

from pathlib import Path
from typing import Annotated

import typer

from lengthwise.cli.options import TableFormat


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("filter")(filter_)


def filter_(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN", help="Runs of <task>-single; one or more models.")],
    out: Annotated[
        Path | None,
        typer.Option(help="File for the indices that are left; `build multi-instance --retained` takes it."),
    ] = None,
    model_mean: Annotated[
        float, typer.Option(help="Keep models whose success, averaged over the tasks, is over so many %.")
    ] = 95.0,
    task_least: Annotated[float, typer.Option(help="... and on each task over so many %.")] = 90.0,
    agreement: Annotated[
        float, typer.Option(help="Keep tasks of whose instances all kept models solve over so many %.")
    ] = 85.0,
    format: Annotated[TableFormat, typer.Option(help="How to print the tables.")] = TableFormat.text,
) -> None:
    """Keep the instances that every model solves alone: the single-instance filter of multi-instance processing."""
    from lengthwise.evaluators.instance_filter import filter_runs, render_filter
    from lengthwise.metrics.instance_filter import FilterRules

    found = filter_runs(runs, FilterRules(model_mean, task_least, agreement))
    typer.echo(render_filter(found, format.value))
    if out is not None:
        found.write(out)
        left = found.filtered.retained
        counts = ", ".join(f"{len(indices):,} of {task}" for task, indices in left.items())
        typer.echo(f"\nretained {counts}: {out}")
