"""`lengthwise push`: data sets, metrics and results onto the Hugging Face Hub; thin shells over `push_...`."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from lengthwise.hub_upload import Pushed

Repo = Annotated[str, typer.Argument(metavar="ORG/NAME", help="Repository on the Hub; made if there is none.")]
Pull = Annotated[bool, typer.Option("--pull-request", help="Open a pull request instead.")]
Private = Annotated[bool, typer.Option("--private", help="Make the repository private, if it is made.")]
Revision = Annotated[
    str | None, typer.Option(help="A branch, made if it is missing; refs/pr/N goes on with a pull request.")
]


def register(app: typer.Typer) -> None:
    """Add the group of commands to the command line."""
    group = typer.Typer(
        no_args_is_help=True,
        help="Put a data set, a metric or results on the Hub; the token is the one of `hf auth login` or HF_TOKEN.",
    )
    group.callback()(lambda: None)
    group.command("dataset")(dataset)
    group.command("metric")(metric)
    group.command("results")(results)
    app.add_typer(group, name="push")


def dataset(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="What `lengthwise build` or `export --recipe` made.")],
    repo: Repo,
    pull_request: Pull = False,
    private: Private = False,
    revision: Revision = None,
    workers: Annotated[int | None, typer.Option(help="Processes. \\[default: one a core]")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress bars.")] = False,
) -> None:
    """Validate a data set, push what it consists of, and tag it by its digest; the same again sends nothing."""
    from lengthwise.builders.push_dataset import push_dataset

    _silence(quiet)
    pushed = push_dataset(
        folder,
        repo,
        revision=revision,
        pull_request=pull_request,
        private=private,
        workers=(os.cpu_count() or 1) if workers is None else workers,
        progress=not quiet,
    )
    _say(pushed)


def metric(
    name: Annotated[str, typer.Argument(help="Of the metric, e.g. hallucination_detection.")],
    repo: Annotated[
        str, typer.Argument(metavar="ORG/NAME", help="Space of the metric's name; made if there is none.")
    ],
    pull_request: Pull = False,
    private: Private = False,
    revision: Revision = None,
) -> None:
    """Push a metric as a Space that works without this package: `evaluate.load("ORG/NAME")`."""
    from lengthwise.metrics.push_metric import push_metric

    _say(push_metric(name, repo, revision=revision, pull_request=pull_request, private=private))


def results(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Folder of a finished run.")],
    repo: Annotated[str, typer.Argument(metavar="ORG/NAME", help="Repository of the model that was run.")],
    dataset: Annotated[
        str | None,
        typer.Option(metavar="ORG/NAME", help="Where the data are on the Hub, if the run was on a folder of them."),
    ] = None,
    source_url: Annotated[str | None, typer.Option(help="Where more is to be seen, such as the report.")] = None,
    pull_request: Pull = False,
    revision: Revision = None,
) -> None:
    """Push a run's figures to a model's .eval_results, from where the Hub's leaderboards take them."""
    from lengthwise.evaluators.push_results import push_results

    pushed = push_results(
        run, repo, dataset=dataset, source_url=source_url, revision=revision, pull_request=pull_request
    )
    _say(pushed)
    if pushed.left_out:
        typer.echo(f"left out, as no task of the data set's eval.yaml: {', '.join(pushed.left_out)}")


def _silence(quiet: bool) -> None:
    from huggingface_hub.utils.tqdm import disable_progress_bars

    if quiet:
        disable_progress_bars()


def _say(pushed: "Pushed") -> None:
    sent = f"{len(pushed.sent)} {'file' if len(pushed.sent) == 1 else 'files'} sent"
    removed = f", {len(pushed.removed)} removed" if pushed.removed else ""
    if pushed.sent or pushed.removed:
        typer.echo(f"{sent}{removed}, {pushed.unchanged} unchanged: {pushed.pull_request or pushed.url}")
    else:
        typer.echo(f"nothing to send, all {pushed.unchanged} files are there already: {pushed.url}")
    typer.echo(f"commit {pushed.commit}" + (f", tag {pushed.tag}" if pushed.tag else ""))
