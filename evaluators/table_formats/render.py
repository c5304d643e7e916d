"""Tables in the format that was asked for, as one text."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from lengthwise.evaluators.table_formats.grid import GridTable, file_names, make_grid
from lengthwise.evaluators.table_formats.latex import latex_table
from lengthwise.evaluators.table_formats.markdown import escape, markdown_table
from lengthwise.evaluators.table_formats.plain import plain_table
from lengthwise.evaluators.table_formats.tidy import Origins, tidy_rows, write_csv

Format: TypeAlias = Literal["text", "markdown", "latex", "csv"]
_NOBODY: Origins = {}


def render_tables(
    tables: Sequence[GridTable], format: Format = "text", above: Sequence[str] = (), origins: Origins = _NOBODY
) -> str:
    """Return some tables as one text.

    Args:
        tables: in order.
        format: "text" for a terminal, "markdown", "latex" (floats for `booktabs`), or "csv": one row a number of all
            tables together, see `tidy`.
        above: lines that head them. CSV leaves them out: what they say of a run is its column `complete`.
        origins: of the runs, for CSV; see `tidy.Origins`.
    """
    if format == "text":
        return "\n\n".join([*filter(None, above), *map(plain_table, tables)])
    if format == "markdown":
        return "\n\n".join([*filter(None, above), *map(markdown_table, tables)])
    names = file_names(tables)
    if format == "latex":
        heading = [f"% {' '.join(line.split())}" for line in above if line]
        return "\n\n".join([*heading, *map(latex_table, tables, names)])
    rows = [row for table, name in zip(tables, names, strict=True) for row in tidy_rows(table, name, origins)]
    return write_csv(rows)


def render_grid(title: str, head: Sequence[str], rows: Sequence[Sequence[str]], format: Format = "text") -> str:
    """Return any small table of texts, as `render_tables` does."""
    return render_tables([make_grid(title, head, rows)], format)


def below(notes: Sequence[str], format: Format = "text") -> str:
    """Return lines that stand by themselves; in Markdown each is a paragraph, in LaTeX a comment."""
    if format == "markdown":
        return "\n\n".join(map(escape, notes))
    return "\n".join(f"% {' '.join(note.split())}" if format == "latex" else note for note in notes)
