"""`lengthwise quickstart`: a thin shell over `lengthwise.evaluators.quickstart.quickstart`."""

from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("quickstart")(quickstart)


def quickstart(
    out: Annotated[Path, typer.Option(help="Folder for the data, the runs and the page.")] = Path(
        "lengthwise-quickstart"
    ),
    local: Annotated[bool, typer.Option(help="Run a small model on this CPU beside the reference models.")] = True,
    quiet: Annotated[bool, typer.Option("--quiet", help="No bars, no notes; results only.")] = False,
) -> None:
    """Build a small data set, run models on it, and write a page: no key, no GPU, no Hub."""
    from lengthwise.evaluators.quickstart import quickstart as start
    from lengthwise.evaluators.tables import render_results

    made = start(
        out, local=local, progress=not quiet, notify=lambda line: None if quiet else typer.echo(line, err=True)
    )
    typer.echo(render_results(made.results))
    typer.echo()
    if made.without_local is not None:
        typer.echo(f"without the local model: {made.without_local}")
    typer.echo(f"data    {made.data}  (load_dataset({str(made.data)!r}, 'lex-locate'))")
    typer.echo(f"page    {made.report}")
    typer.echo(f"next    lengthwise run {made.data} --model http://HOST:PORT/v1#MODEL --out {out / 'runs' / 'mine'}")
