"""Tables in the format that was asked for, as one text."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, TypeAlias

from lengthwise.evaluators.table_formats.grid import Block, GridTable, file_names, make_grid
from lengthwise.evaluators.table_formats.latex import latex_table
from lengthwise.evaluators.table_formats.markdown import escape, markdown_table
from lengthwise.evaluators.table_formats.plain import plain_table
from lengthwise.evaluators.table_formats.tidy import Origins, tidy_rows, write_csv

Format: TypeAlias = Literal["text", "markdown", "latex", "csv"]
_NOBODY: Origins = {}


def render_blocks(blocks: Sequence[Block], format: Format = "text", origins: Origins = _NOBODY) -> str:
    """Return some blocks of tables as one text.

    Args:
        blocks: in order.
        format: "text" for a terminal, "markdown", "latex" (floats for `booktabs`), or "csv": one row a number of all
            tables together, see `tidy`.
        origins: of the runs, for CSV; see `tidy.Origins`. It leaves out headings and lines: that a run is incomplete
            stands in its column `complete`.
    """
    names = iter(file_names([table for block in blocks for table in block.tables]))
    if format == "csv":
        rows = [row for block in blocks for one in block.tables for row in tidy_rows(one, next(names), origins)]
        return write_csv(rows)
    parts = []
    for block in blocks:
        parts += [_HEADINGS[format](block.heading)] if block.heading else []
        parts += [_comment(line) if format == "latex" else line for line in block.above if line]
        for table in block.tables:
            name = next(names)
            parts.append(latex_table(table, name) if format == "latex" else _DRAWN[format](table))
    return "\n\n".join(parts)


def _comment(line: str) -> str:
    return f"% {' '.join(line.split())}"


_DRAWN: Mapping[str, Callable[[GridTable], str]] = {"text": plain_table, "markdown": markdown_table}
_HEADINGS: Mapping[str, Callable[[str], str]] = {
    "text": lambda name: f"{name}\n{'=' * len(name)}",
    "markdown": lambda name: f"## {name}",
    "latex": _comment,
}


def render_tables(
    tables: Sequence[GridTable], format: Format = "text", above: Sequence[str] = (), origins: Origins = _NOBODY
) -> str:
    """Return some tables as one text, with lines above them; see `render_blocks`."""
    return render_blocks([Block(tuple(tables), above=tuple(above))], format, origins)


def render_grid(title: str, head: Sequence[str], rows: Sequence[Sequence[str]], format: Format = "text") -> str:
    """Return any small table of texts, as `render_tables` does."""
    return render_tables([make_grid(title, head, rows)], format)


def lines_block(lines: Sequence[str], format: Format = "text") -> Block:
    """Return lines that stand by themselves; in Markdown each is a paragraph, in LaTeX a comment."""
    if format == "markdown":
        return Block((), above=tuple(map(escape, lines)))
    return Block((), above=("\n".join(lines),) if format == "text" else tuple(lines))
