"""`lengthwise review`: a thin shell over `builders.longnovel.review`."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lengthwise.cli.options import TableFormat, parse_names
from lengthwise.errors import InputError

if TYPE_CHECKING:
    from lengthwise.builders.longnovel.review.server import ServerSettings


class Mode(StrEnum):
    """What is reviewed."""

    pairs = "pairs"
    summaries = "summaries"


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("review")(review)


def review(
    build: Annotated[Path, typer.Argument(metavar="BUILD", help="Folder of a LongNovel build.")],
    annotator: Annotated[
        list[str] | None, typer.Option(help="Who works on it; repeated or with commas, the page asks which of them.")
    ] = None,
    mode: Annotated[
        Mode, typer.Option(help="Minimal pairs of a finished build, or the summaries of its units.")
    ] = Mode.pairs,
    sample: Annotated[
        int | None, typer.Option(help="Pairs to draw, by length and language in proportion; 102 as in the paper.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Of the draw and the order of the two summaries; 42.")] = None,
    split: Annotated[str | None, typer.Option(help="Which pairs are drawn from; test.")] = None,
    labels_needed: Annotated[int, typer.Option(help="First labels that a pair needs before it is decided.")] = 2,
    summary: Annotated[
        bool,
        typer.Option("--summary", help="Print kappas, pair agreement and what is to be discussed, and end."),
    ] = False,
    format: Annotated[TableFormat, typer.Option(help="Of --summary.")] = TableFormat.text,
    export_label_studio: Annotated[
        Path | None, typer.Option(help="Write the pairs and labels as Label Studio's JSON, and end.")
    ] = None,
    import_label_studio: Annotated[
        Path | None, typer.Option(help="Take labels from Label Studio's JSON, and end.")
    ] = None,
    export_summaries: Annotated[
        Path | None,
        typer.Option(help="Write units and their last summaries as JSON Lines, which `build` takes, and end."),
    ] = None,
    language: Annotated[str, typer.Option(help="Of the page: en or zh.")] = "en",
    host: Annotated[
        str, typer.Option(help="Address to listen on. Whoever reaches it can write under any name.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="0 takes any that is free.")] = 8620,
) -> None:
    """Serve a page on which people label minimal pairs side by side with the text, or write the units' summaries."""
    from lengthwise.builders.longnovel.review import files
    from lengthwise.builders.longnovel.review.server import ServerSettings

    if summary:
        from lengthwise.evaluators.table_formats.render import render_grid

        shown = files.summarise(build) if mode is Mode.pairs else files.summarise_summaries(build)
        typer.echo("\n\n".join(render_grid(one.title, one.head, one.rows, format.value) for one in shown))
        return
    if import_label_studio is not None:
        taken = files.import_label_studio(build, import_label_studio)
        typer.echo(f"{taken.labels} labels and {taken.decisions} decisions taken, {taken.known} were there")
        for line in taken.skipped:
            typer.echo(f"skipped: {line}", err=True)
    if export_label_studio is not None:
        count, interface = files.export_label_studio(build, export_label_studio, sample, seed, split)
        typer.echo(f"{count} tasks in {export_label_studio}, their labelling interface in {interface}")
    if export_summaries is not None:
        units, finished = files.export_summaries(build, export_summaries)
        typer.echo(f"{units} units in {export_summaries}, {finished} of them finished")
    if import_label_studio is None and export_label_studio is None and export_summaries is None:
        names = parse_names(annotator)
        if not names:
            raise InputError("--annotator: give the name under which labels are kept")
        if labels_needed < 1:
            raise InputError(f"--labels-needed {labels_needed}: must be at least 1")
        settings = ServerSettings(language, host, port)
        _serve(build, mode, tuple(dict.fromkeys(names)), (sample, seed, split), labels_needed, settings)


def _serve(
    build: Path,
    mode: Mode,
    names: tuple[str, ...],
    draw: tuple[int | None, int | None, str | None],
    needed: int,
    settings: "ServerSettings",
) -> None:
    import asyncio

    from lengthwise.builders.longnovel.review.desk import PairDesk, open_pairs
    from lengthwise.builders.longnovel.review.revisions import SummaryDesk
    from lengthwise.builders.longnovel.review.server import LOOPBACK, serve
    from lengthwise.builders.longnovel.review.store import ReviewLog

    def ready(url: str) -> None:
        typer.echo(f"{url}  (Ctrl+C ends it; everything is saved as it is made)")
        if settings.host not in (LOOPBACK, "localhost", "::1"):
            typer.echo(f"note: {settings.host} may be reached by others, and nobody logs in", err=True)

    try:
        if mode is Mode.summaries:
            with SummaryDesk(build, names) as desk:
                asyncio.run(serve(desk, settings, ready))
        else:
            with ReviewLog(build) as log:
                pairs = open_pairs(build, log, *draw)
                typer.echo(f"{len(pairs)} minimal pairs")
                asyncio.run(serve(PairDesk(pairs, log, names, needed), settings, ready))
    except KeyboardInterrupt:
        typer.echo("ended", err=True)
