"""`lengthwise quickstart`: a thin shell over `lengthwise.evaluators.quickstart.quickstart`."""

from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("quickstart")(quickstart)


def quickstart(
    out: Annotated[Path, typer.Option(help="Folder for the data, the runs and the pages.")] = Path(
        "lengthwise-quickstart"
    ),
    local: Annotated[bool, typer.Option(help="Run a small model on this CPU beside the reference models.")] = True,
    quiet: Annotated[bool, typer.Option("--quiet", help="No bars, no notes; results only.")] = False,
) -> None:
    """Build a little of each benchmark, run models on it, and write a page for each: no key, no GPU, no Hub."""
    from lengthwise.evaluators.quickstart import quickstart as start
    from lengthwise.evaluators.tables import render_first_table

    made = start(
        out, local=local, progress=not quiet, notify=lambda line: None if quiet else typer.echo(line, err=True)
    )
    for one in made.shown:
        typer.echo(f"{render_first_table(one.results)}\n")
    if made.without_local is not None:
        typer.echo(f"without the local model: {made.without_local}")
    for one in made.shown:
        config = one.results[-1].cells[0].config
        typer.echo(f"data    {one.data}  (load_dataset({str(one.data)!r}, {config!r}))")
    for one in made.shown:
        typer.echo(f"page    {one.report}")
    typer.echo(f"tables  lengthwise score {' '.join(str(run) for run in made.shown[0].runs)}")
    data = made.shown[0].data
    typer.echo(f"next    lengthwise run {data} --model http://HOST:PORT/v1#MODEL --out {out / 'runs' / 'mine'}")
