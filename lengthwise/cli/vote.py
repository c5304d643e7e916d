"""`lengthwise vote`: a thin shell over `vote_runs`."""

import sys
from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command()(vote)


def vote(
    runs: Annotated[
        list[Path], typer.Argument(metavar="RUN RUN...", help="Finished runs on the same LongNovel data.")
    ],
    out: Annotated[Path, typer.Option(help="Run folder of the vote.")],
    repeats: Annotated[
        int | None, typer.Option(help="Repeats of each run; as many as all have by default.", show_default=False)
    ] = None,
    label: Annotated[str | None, typer.Option(help="Name in tables.")] = None,
    group: Annotated[str | None, typer.Option(help="Group in tables.")] = None,
    size: Annotated[str | None, typer.Option(help="Model size in tables.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="No notes; results only.")] = False,
) -> None:
    """Let finished runs vote on each summary, and print the scores; no model is asked."""
    from lengthwise.evaluators.scoring import score_run
    from lengthwise.evaluators.tables import render_results
    from lengthwise.evaluators.vote_runs import vote_runs

    def notify(line: str) -> None:
        if not quiet:
            typer.echo(line, err=True)

    labels = {"label": label, "group": group, "size": size}
    vote_runs(runs, out, repeats=repeats, labels=labels, notify=notify, command=sys.argv)
    results = score_run(out)
    typer.echo(render_results(results))
    if not results.complete:
        raise typer.Exit(1)
