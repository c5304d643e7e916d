"""A table as Markdown (GitHub's)."""

from lengthwise.evaluators.table_formats.cells import ARROWS, Marked
from lengthwise.evaluators.table_formats.grid import GridTable


def markdown_table(table: GridTable) -> str:
    """Return a table as Markdown, each of its notes a paragraph below it."""
    # Figures carry bold of our own, so only names are escaped.
    rows = [
        [
            f"**{escape(row[0])}**" if index in table.sections else escape(row[0]),
            *(_figure(cell).replace("|", "\\|") for cell in row[1:]),
        ]
        for index, row in enumerate(table.rows)
    ]
    lines = [list(map(escape, table.head)), [":--", *("--:" for _ in table.head[1:])], *rows]
    drawn = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    legend = [table.legend.format(best="bold") + "."] if table.legend else []
    return "\n\n".join([f"### {escape(table.title)}", drawn, *legend, *map(escape, table.notes)])


def _figure(cell: str) -> str:
    if not isinstance(cell, Marked):
        return cell
    star = r"\*" if cell.starred else ""
    arrow = f" {ARROWS[cell.arrow]}{star}" if cell.arrow else ""
    return f"{f'**{cell.figure}**' if cell.best else cell.figure}{arrow} {cell.tail}"


def escape(text: str) -> str:
    r"""Return text that Markdown shows as it is, on one line and inside a table cell.

    >>> escape("a|b_c*")
    'a\\|b\\_c\\*'
    """
    return "".join(f"\\{char}" if char in "\\|*_`<>[]" else char for char in " ".join(text.split()))
