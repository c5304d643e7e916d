"""`lengthwise compare`: a thin shell over `evaluators.comparing`."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from lengthwise.cli.options import TableFormat


class _Format(StrEnum):
    text = "text"
    markdown = "markdown"
    latex = "latex"
    csv = "csv"
    json = "json"


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command()(compare)


def compare(
    first: Annotated[Path, typer.Argument(metavar="RUN", help="A folder that `lengthwise run` made.")],
    second: Annotated[Path, typer.Argument(metavar="RUN", help="Another, on the same data.")],
    budget_tokens: Annotated[
        int | None, typer.Option("--budget-tokens", help="Count replies of more output tokens as wrong, in both.")
    ] = None,
    confidence: Annotated[float, typer.Option(help="Of the intervals.")] = 0.95,
    resamples: Annotated[int, typer.Option(help="Of the bootstrap.")] = 10_000,
    seed: Annotated[int, typer.Option(help="Of the bootstrap.")] = 0,
    format: Annotated[_Format, typer.Option(help="How to print the table.")] = _Format.text,
) -> None:
    """Compare two runs on the examples that both have: first minus second, paired intervals and tests."""
    from lengthwise.evaluators.comparing import compare_runs
    from lengthwise.evaluators.comparing_tables import render_comparison

    found = compare_runs(
        first, second, budget=budget_tokens, confidence_level=confidence, n_resamples=resamples, seed=seed
    )
    if format is _Format.json:
        import json

        typer.echo(json.dumps(found.to_dict(), ensure_ascii=False, indent=2))
    else:
        typer.echo(render_comparison(found, TableFormat(format.value).value), nl=format is not _Format.csv)
