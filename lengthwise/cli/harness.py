"""`lengthwise harness`: our data and scores in other people's harnesses."""

from pathlib import Path
from typing import Annotated

import typer

from lengthwise.cli.options import parse_names


def register(app: typer.Typer) -> None:
    """Add the group of commands to the command line."""
    group = typer.Typer(no_args_is_help=True, help="Our data and scores in other harnesses: see docs/harnesses.md.")
    group.callback()(lambda: None)
    group.command(name="lm-eval")(lm_eval)
    app.add_typer(group, name="harness")


def lm_eval(
    data: Annotated[str, typer.Argument(metavar="DATA", help="A built folder (./plb), or a Hub id (ORG/NAME).")],
    configs: Annotated[
        list[str] | None, typer.Argument(metavar="[CONFIG]...", help="Configs; none means all.")
    ] = None,
    out: Annotated[Path, typer.Option("--out", help="Folder for the task files.")] = Path("tasks"),
    split: Annotated[list[str] | None, typer.Option(help="Splits, repeated or with commas; all by default.")] = None,
    repeats: Annotated[int, typer.Option(help="How many times each row is asked.")] = 1,
    method: Annotated[str | None, typer.Option(help="As for `run --method`; the benchmark's own by default.")] = None,
) -> None:
    """Write task files for lm-evaluation-harness, and print the command that runs them."""
    from lengthwise.evaluators.harnesses.lm_eval_files import write_lm_eval_tasks

    written = write_lm_eval_tasks(data, out, configs or (), parse_names(split), repeats, method)
    typer.echo(f"wrote {len(written)} files to {out}; now:")
    typer.echo(
        f"lm_eval --include_path {out} --tasks {written[0].stem} --model local-chat-completions --apply_chat_template "
        "--model_args base_url=http://HOST:PORT/v1/chat/completions,model=NAME,num_concurrent=8,timeout=3600"
    )
