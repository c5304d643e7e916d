"""The command line: every command is a thin shell over one documented function."""

import os
import sys

import typer

from lengthwise import __version__
from lengthwise.cli import (
    build,
    card,
    compare,
    export,
    export_results,
    filter,
    harness,
    imports,
    lists,
    merge,
    push,
    quickstart,
    report,
    review,
    run,
    serve,
    vote,
)
from lengthwise.errors import InputError

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"lengthwise {__version__}")
        raise typer.Exit


@app.callback()
def root(version: bool = typer.Option(False, "--version", callback=_print_version, is_eager=True)) -> None:
    """Measure how language models fare as their input grows."""


for command in (
    quickstart,
    build,
    export,
    serve,
    run,
    merge,
    vote,
    filter,
    report,
    compare,
    review,
    card,
    lists,
    harness,
    imports,
    push,
    export_results,
):
    command.register(app)


def main() -> None:
    """Run the command line; bad input ends with one clear line and exit code 2, a full disk or the like with 1."""
    # pyarrow's own allocator takes twice the memory for columns of many sizes, and keeps it.
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    try:
        app()
    except InputError as error:
        typer.echo(f"error: {error}", err=True)
        sys.exit(2)
    except OSError as error:
        typer.echo(f"error: {error}", err=True)
        sys.exit(1)
