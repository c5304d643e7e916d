"""`lengthwise score` and `lengthwise report`: thin shells over `evaluators.scoring` and `evaluators.report`."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from lengthwise.errors import InputError


class _Format(StrEnum):
    text = "text"
    markdown = "markdown"


_Runs = Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders that `lengthwise run` made.")]
_Budgets = Annotated[
    str, typer.Option("--budget-tokens", help="Output budgets to score under as well, e.g. 8000,16000,32000.")
]


def register(app: typer.Typer) -> None:
    """Add the two commands to the command line."""
    app.command()(score)
    app.command()(report)


def score(
    runs: _Runs,
    budget_tokens: _Budgets = "",
    format: Annotated[_Format, typer.Option(help="How to print the tables.")] = _Format.text,
) -> None:
    """Score runs anew from their replies, print the paper's tables, write results.json and outcomes.parquet."""
    from lengthwise.evaluators.scoring import score_run
    from lengthwise.evaluators.tables import render_results

    results = [score_run(run, parse_budgets(budget_tokens)) for run in runs]
    typer.echo(render_results(results, format.value))


def report(
    runs: _Runs,
    out: Annotated[Path, typer.Option("--out", help="The HTML file to write.")] = Path("report.html"),
    budget_tokens: _Budgets = "8000,16000,32000",
) -> None:
    """Write one self-contained HTML page about runs: tables, charts, and every reply."""
    from lengthwise.evaluators.report import write_report

    written = write_report(runs, out, budgets=parse_budgets(budget_tokens))
    typer.echo(f"wrote {written}")


def parse_budgets(text: str) -> list[int]:
    """Return the budgets that an option value names.

    Raises:
        InputError: not whole numbers, parted by commas.
    """
    parts = [part.strip().replace("_", "") for part in text.split(",") if part.strip()]
    if not all(part.isdecimal() for part in parts):
        raise InputError(f"--budget-tokens {text!r}: give whole numbers of tokens parted by commas, e.g. 8000,16000")
    return [int(part) for part in parts]
