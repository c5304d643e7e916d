"""Every table about some runs as files: Markdown to read on, LaTeX to put into a paper, CSV to compute with."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from lengthwise.errors import InputError
from lengthwise.evaluators.analysis_tables import analysis_block
from lengthwise.evaluators.instance_analyses.omissions import Tick
from lengthwise.evaluators.longnovel_analyses.patterns import Tags
from lengthwise.evaluators.naming import by_benchmark, distinct
from lengthwise.evaluators.paired_runs import paired_table
from lengthwise.evaluators.scoring import Scored, score_outcomes
from lengthwise.evaluators.table_formats.cells import Name
from lengthwise.evaluators.table_formats.grid import Block, GridTable, file_names
from lengthwise.evaluators.table_formats.latex import latex_document, latex_table
from lengthwise.evaluators.table_formats.markdown import markdown_table
from lengthwise.evaluators.table_formats.tidy import Origins, tidy_rows, write_csv
from lengthwise.evaluators.table_origins import origins_of
from lengthwise.evaluators.tables import overview_block, result_blocks

INDEX, ALL = "index.md", "all"


def table_blocks(
    runs: Sequence[Scored], ticks: Mapping[str, Tick] | None = None, tags: Tags | None = None
) -> list[Block]:
    """Return all tables about some runs: one over all of them, each benchmark's, runs in pairs, and the analyses.

    Args:
        runs: at least one, of any benchmarks, with labels that tell them apart (`naming.distinct`).
        ticks: a person's judgements of omissions by key; see `omissions.read_omissions`.
        tags: a person's tags of LongNovel's replies by key; see `tags.read_tags`.
    """
    pairs = [table for _, group in by_benchmark(runs) if (table := paired_table(group)) is not None]
    blocks = [*result_blocks([run.results for run in runs]), Block(tuple(pairs))]
    return [overview_block(runs), *blocks, analysis_block(runs, ticks, tags)]


def write_tables(
    runs: Sequence[Scored | Path | str],
    folder: Path | str,
    ticks: Mapping[str, Tick] | None = None,
    tags: Tags | None = None,
) -> list[Path]:
    """Write every table about some runs as `<name>.md`, `<name>.tex` and `<name>.csv`.

    A name is made of benchmark, table and, where a table is about one run, its label, so that it stays when other runs
    are added. Beside them: `index.md` lists them, `all.csv` holds the rows of all CSV files, and `all.tex` is a
    document that shows all tables. Files of these names are replaced; others in the folder are left alone. The columns
    of the CSV files are `table_formats.tidy.COLUMNS`.

    Args:
        runs: run folders, or what `scoring.score_outcomes` made of them; at least one, of any benchmarks.
        folder: made if it is not there.
        ticks: see `table_blocks`.
        tags: likewise.

    Returns:
        The files, the index first.

    Raises:
        InputError: no runs, not a run folder, or `folder` cannot be written.
    """
    scored = distinct([run if isinstance(run, Scored) else score_outcomes(run, write=False) for run in runs])
    blocks = table_blocks(scored, ticks, tags)
    tables = [table for block in blocks for table in block.tables]
    names = file_names(tables)
    above = [line for block in blocks for line in block.above if line]
    files = {INDEX: _index(tables, names, above)} | _files(tables, names, origins_of([run.results for run in scored]))
    return [_write(Path(folder), name, text) for name, text in files.items()]


def _files(tables: Sequence[GridTable], names: Sequence[str], origins: Origins) -> dict[str, str]:
    files: dict[str, str] = {}
    everything = []
    for table, name in zip(tables, names, strict=True):
        rows = list(tidy_rows(table, name, origins))
        everything += rows
        files[f"{name}.md"] = markdown_table(table) + "\n"
        files[f"{name}.tex"] = latex_table(table, name) + "\n"
        files[f"{name}.csv"] = write_csv(rows)
    return files | {f"{ALL}.csv": write_csv(everything), f"{ALL}.tex": latex_document(names)}


def _index(tables: Sequence[GridTable], names: Sequence[str], above: Sequence[str]) -> str:
    """Return the list of files, below what is to be known of incomplete runs."""
    listed = markdown_table(
        GridTable(
            "Tables",
            ("table", "Markdown", "LaTeX", "CSV"),
            tuple(
                (Name(one.title), *(_link(name, end) for end in ("md", "tex", "csv")))
                for one, name in zip(tables, names, strict=True)
            ),
        )
    )
    together = (
        f"[{ALL}.csv]({ALL}.csv) holds the rows of all CSV files, [{ALL}.tex]({ALL}.tex) shows all tables "
        "(`xelatex all.tex`, in this folder)."
    )
    return "\n\n".join([listed, together, *above]) + "\n"


def _link(name: str, ending: str) -> str:
    return f"[{name}.{ending}]({name}.{ending})"


def _write(folder: Path, name: str, text: str) -> Path:
    path, part = folder / name, folder / f"{name}.part"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # A label can hold half a surrogate pair; it is shown as an escape. CSV brings its own line ends.
        part.write_text(text, "utf-8", errors="backslashreplace", newline="")
        os.replace(part, path)
    except OSError as error:
        raise InputError(f"--tables {folder}: {name} cannot be written ({error.strerror})") from error
    return path
