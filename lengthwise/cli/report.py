"""`lengthwise score`, `report` and `omissions`: thin shells over `evaluators.scoring` and `evaluators.report`."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from lengthwise.cli.options import TableFormat, parse_numbers
from lengthwise.errors import InputError

_Runs = Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders that `lengthwise run` made.")]
_Budgets = Annotated[
    str, typer.Option("--budget-tokens", help="Output budgets to score under as well, e.g. 8000,16000,32000.")
]
_Omissions = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Your judgements of replies that leave instances out, as `lengthwise omissions` or the page saved them.",
        show_default=False,
    ),
]

_Tags = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Your tags of LongNovel replies (failure patterns), as the report page saved them.",
        show_default=False,
    ),
]


class Language(StrEnum):
    """Languages of the page; `evaluators.report.language` has their texts."""

    en = "en"
    zh = "zh"


_Tables = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        help="Folder for every table as Markdown, LaTeX (booktabs) and CSV; its index.md lists them.",
        show_default=False,
    ),
]


def register(app: typer.Typer) -> None:
    """Add the commands to the command line."""
    app.command()(score)
    app.command()(report)
    app.command()(omissions)


def score(
    runs: _Runs,
    budget_tokens: _Budgets = "",
    analyses: Annotated[
        bool,
        typer.Option(
            "--analyses",
            help="Print the analyses as well. Multi-instance: correlations, noise, ranks, halving, costs; LongNovel: "
            "failure patterns, place and distance of the evidence.",
        ),
    ] = False,
    omissions: _Omissions = None,
    tags: _Tags = None,
    judge: Annotated[
        str | None,
        typer.Option(
            metavar="SPEC",
            help="First have this model judge which faults each reply points at (LongNovel, recall by type); "
            "verdicts are kept in the run folder.",
            show_default=False,
        ),
    ] = None,
    judge_key_env: Annotated[
        str | None, typer.Option(help="Variable with the judge's key, for a host of your own.", show_default=False)
    ] = None,
    concurrency: Annotated[int, typer.Option(help="Calls to the judge under way at the same time.")] = 8,
    format: Annotated[
        TableFormat, typer.Option(help="How to print the tables; csv has one row a figure, of all tables together.")
    ] = TableFormat.text,
    tables: _Tables = None,
) -> None:
    """Score runs anew from their replies, print the paper's tables, write results.json and outcomes.parquet."""
    from lengthwise.evaluators.analysis_tables import analysis_block
    from lengthwise.evaluators.instance_analyses.omissions import read_omissions
    from lengthwise.evaluators.longnovel_analyses.tags import read_tags
    from lengthwise.evaluators.naming import distinct
    from lengthwise.evaluators.scoring import score_outcomes
    from lengthwise.evaluators.table_files import write_tables
    from lengthwise.evaluators.table_formats.render import render_blocks
    from lengthwise.evaluators.table_origins import origins_of
    from lengthwise.evaluators.tables import overview_block, result_blocks

    ticks = None if omissions is None else read_omissions(omissions)
    given = None if tags is None else read_tags(tags)
    if judge is not None:
        _judge(runs, judge, judge_key_env, concurrency)
    scored = distinct([score_outcomes(run, parse_numbers("--budget-tokens", budget_tokens)) for run in runs])
    results = [one.results for one in scored]
    blocks = result_blocks(results)
    if len(blocks) > 1:
        blocks.insert(0, overview_block(scored))
    wanted = analyses or omissions is not None or tags is not None
    analysed = analysis_block(scored, ticks, given) if wanted else None
    if analysed is not None:
        blocks.append(analysed)
    typer.echo(render_blocks(blocks, format.value, origins_of(results)), nl=format is not TableFormat.csv)
    if analysed is not None and not analysed.tables:
        # What a program reads holds the tables alone.
        apart = format not in (TableFormat.text, TableFormat.markdown)
        typer.echo("no analyses: these runs hold nothing that they could be worked out from", err=apart)
    if tables is not None:
        write_tables(scored, tables, ticks, given)
        typer.echo(f"wrote its tables to {tables}", err=True)


def _judge(runs: list[Path], spec: str, api_key_env: str | None, concurrency: int) -> None:
    from lengthwise.evaluators.longnovel_judge import JudgeOptions, judge_run

    def notify(line: str) -> None:
        typer.echo(line, err=True)

    for run in runs:
        judged = judge_run(run, spec, JudgeOptions(api_key_env, concurrency, notify=notify))
        cost = "" if judged.cost is None else f", ${judged.cost:,.2f}"
        notify(f"{run}: {judged.asked:,} verdicts on {judged.replies:,} replies{cost}")
        if judged.failed:
            notify(f"{judged.failed:,} verdicts are missing; the same command asks for them again")


def report(
    runs: _Runs,
    out: Annotated[Path, typer.Option("--out", help="The HTML file to write.")] = Path("report.html"),
    budget_tokens: Annotated[
        str | None,
        typer.Option(
            help="Output budgets to show as well, e.g. 8000,16000,32000; by default the paper's (8K to 128K) as far "
            "as a run allowed them.",
            show_default=False,
        ),
    ] = None,
    figures: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Folder for every figure as PNG and SVG; by default one beside the page, e.g. report-figures.",
            show_default=False,
        ),
    ] = None,
    no_figures: Annotated[bool, typer.Option("--no-figures", help="Write no figures as files.")] = False,
    tables: _Tables = None,
    omissions: _Omissions = None,
    tags: _Tags = None,
    language: Annotated[Language, typer.Option(help="Of the page's own texts: English or Chinese.")] = Language.en,
) -> None:
    """Write one self-contained HTML page about runs of any benchmarks: summary, tables, figures, every reply.

    The figures are written as files, too.
    """
    from lengthwise.evaluators.figures import INSTALL, can_write_figures
    from lengthwise.evaluators.report import write_report

    if figures is not None and no_figures:
        raise InputError("--figures and --no-figures: give one of them")
    # Only who asks for files has to have what draws them.
    wanted = not no_figures and (figures is not None or can_write_figures())
    folder = (figures or out.with_name(f"{out.stem}-figures")) if wanted else None
    budgets = None if budget_tokens is None else parse_numbers("--budget-tokens", budget_tokens)
    written = write_report(
        runs,
        out,
        budgets=budgets,
        figures=folder,
        tables=tables,
        omissions=omissions,
        tags=tags,
        language=language.value,
    )
    typer.echo(f"wrote {written}")
    if folder is not None:
        typer.echo(f"wrote its figures as PNG and SVG to {folder}")
    elif not no_figures:
        typer.echo(f"its figures as PNG and SVG need matplotlib: {INSTALL}")
    if tables is not None:
        typer.echo(f"wrote its tables as Markdown, LaTeX and CSV to {tables}")


def omissions(
    runs: _Runs,
    out: Annotated[Path, typer.Option("--out", help="The CSV file to write; judgements in it are kept.")] = Path(
        "omissions.csv"
    ),
) -> None:
    """List the replies that leave instances out, for you to say in each line whether it suggests batches."""
    from lengthwise.evaluators.instance_analyses.omissions import COLUMN, find_omissions, write_omissions
    from lengthwise.evaluators.naming import distinct
    from lengthwise.evaluators.scoring import score_outcomes

    found = find_omissions(distinct([score_outcomes(run, write=False) for run in runs]))
    written = write_omissions(found, out)
    typer.echo(f"{len(found):,} omissions: {written}")
    typer.echo(f"write yes or no into {COLUMN}; `lengthwise score --omissions {written} RUN...` counts them")
