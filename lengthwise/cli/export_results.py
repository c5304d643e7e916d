"""`lengthwise export-results`: a thin shell over `evaluators.every_eval_ever`."""

from pathlib import Path
from typing import Annotated

import typer

from lengthwise.errors import InputError


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("export-results")(export_results)


def export_results(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of finished runs.")],
    out: Annotated[Path | None, typer.Option(help="Folder that data/BENCHMARK/DEVELOPER/MODEL goes into.")] = None,
    organization: Annotated[str | None, typer.Option(help="Who ran it.")] = None,
    relationship: Annotated[
        str, typer.Option(help="Of who ran it to the model: first_party, third_party, collaborative, other.")
    ] = "third_party",
    model: Annotated[
        str | None, typer.Option(help="DEVELOPER/MODEL, where the model's name in the run is not of that form.")
    ] = None,
) -> None:
    """Write runs' figures in the schema of Every Eval Ever, a shared database of evaluation results."""
    from lengthwise.evaluators.every_eval_ever import export_every_eval_ever

    if out is None:
        raise InputError("--out: name the folder that they go into")
    if organization is None:
        raise InputError("--organization: say who ran it")
    for run in runs:
        typer.echo(export_every_eval_ever(run, out, organization=organization, relationship=relationship, model=model))
