"""`lengthwise import`: replies that another harness asked for, as a run folder; thin shells over `import_log`."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lengthwise.cli.options import parse_names

if TYPE_CHECKING:
    from lengthwise.evaluators.harnesses.logged import HarnessLog

_Data = Annotated[str, typer.Option("--data", help="The rows that were asked: a built folder, or a Hub id.")]
_Out = Annotated[Path, typer.Option("--out", help="Run folder to write; a new one.")]
_Config = Annotated[
    list[str] | None, typer.Option("--config", help="Configs, for tasks that are not ours; all by default.")
]
_Split = Annotated[
    list[str] | None, typer.Option("--split", help="Splits, for tasks that are not ours; all by default.")
]
_Only = Annotated[bool, typer.Option("--only-logged", help="Leave out rows that the log does not have.")]
_Label = Annotated[str | None, typer.Option(help="Name in tables.")]
_Group = Annotated[str | None, typer.Option(help="Group in tables.")]
_Size = Annotated[str | None, typer.Option(help="Model size in tables.")]
_Quiet = Annotated[bool, typer.Option("--quiet", help="No notes; results only.")]


def register(app: typer.Typer) -> None:
    """Add the group of commands to the command line."""
    group = typer.Typer(
        no_args_is_help=True, help="Score the replies in other harnesses' logs: see docs/harnesses.md."
    )
    group.callback()(lambda: None)
    group.command(name="lm-eval")(lm_eval)
    group.command(name="inspect")(inspect)
    app.add_typer(group, name="import")


def lm_eval(
    logs: Annotated[list[Path], typer.Argument(metavar="LOG...", help="Files samples_*.jsonl, or their folder.")],
    data: _Data,
    out: _Out,
    config: _Config = None,
    split: _Split = None,
    only_logged: _Only = False,
    label: _Label = None,
    group: _Group = None,
    size: _Size = None,
    quiet: _Quiet = False,
) -> None:
    """Import what lm_eval wrote with --log_samples, and print its scores; no model is asked."""
    from lengthwise.evaluators.harnesses.lm_eval_logs import read_lm_eval

    labels = {"label": label, "group": group, "size": size}
    _import(lambda: read_lm_eval(logs), data, out, config, split, only_logged, labels, quiet)


def inspect(
    log: Annotated[Path, typer.Argument(metavar="LOG", help="A log of inspect, .eval or .json.")],
    data: _Data,
    out: _Out,
    config: _Config = None,
    split: _Split = None,
    only_logged: _Only = False,
    label: _Label = None,
    group: _Group = None,
    size: _Size = None,
    quiet: _Quiet = False,
) -> None:
    """Import a log of inspect, and print its scores; no model is asked."""
    from lengthwise.evaluators.harnesses.inspect_logs import read_inspect

    labels = {"label": label, "group": group, "size": size}
    _import(lambda: read_inspect([log]), data, out, config, split, only_logged, labels, quiet)


def _import(
    read: "Callable[[], HarnessLog]",
    data: str,
    out: Path,
    config: list[str] | None,
    split: list[str] | None,
    only_logged: bool,
    labels: dict[str, str | None],
    quiet: bool,
) -> None:
    from lengthwise.evaluators.harnesses.importing import ImportOptions, import_log
    from lengthwise.evaluators.scoring import score_run
    from lengthwise.evaluators.tables import render_results

    def notify(line: str) -> None:
        if not quiet:
            typer.echo(line, err=True)

    options = ImportOptions(
        configs=parse_names(config),
        splits=parse_names(split),
        only_logged=only_logged,
        labels=labels,
        command=tuple(sys.argv),
        notify=notify,
    )
    run = import_log(read(), data, out, options)
    results = score_run(run.path)
    typer.echo(render_results(results))
    if not results.complete:
        raise typer.Exit(1)
