"""`lengthwise card`: a thin shell over `evaluators.card_figures`."""

import os
from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command()(card)


def card(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that `lengthwise build` made.")],
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Finished runs on this very data.")],
    workers: Annotated[int | None, typer.Option(help="Processes. \\[default: one a core]")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress bar.")] = False,
) -> None:
    """Validate a data set, and write what its runs have shown (ceiling, floor, models) on its card."""
    from lengthwise.evaluators.card_figures import publish_figures

    publish_figures(folder, runs, workers=(os.cpu_count() or 1) if workers is None else workers, progress=not quiet)
    count = "1 run" if len(runs) == 1 else f"{len(runs)} runs"
    typer.echo(f'{folder / "README.md"}: section "What was seen" written from {count}; all rows proven right')
