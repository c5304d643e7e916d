"""A table for a terminal: columns aligned, wide characters counted as two."""

import unicodedata
from collections.abc import Sequence

from lengthwise.evaluators.table_formats.grid import GridTable


def plain_table(table: GridTable) -> str:
    """Return a table as aligned text, its notes below it."""
    legend = [table.legend.format(best="●")] if table.legend else []
    text = "\n".join([table.title, "", *_aligned(table)])
    return "\n\n".join(part for part in (text, "\n".join([*legend, *table.notes])) if part)


def _aligned(table: GridTable) -> list[str]:
    body = [row for index, row in enumerate(table.rows) if index not in table.sections]
    widths = [max(map(width, column)) for column in zip(table.head, *body, strict=True)]

    def line(row: Sequence[str]) -> str:
        return "  ".join(map(_pad, row, widths)).rstrip()

    lines = [line(table.head), "  ".join("-" * wide for wide in widths)]
    return lines + [row[0] if index in table.sections else line(row) for index, row in enumerate(table.rows)]


def width(text: str) -> int:
    """Return how many terminal columns a text takes: two for a wide character, none for a combining one.

    >>> width("ab"), width("模型")
    (2, 4)
    """
    return sum(0 if unicodedata.combining(char) else 1 + (unicodedata.east_asian_width(char) in "WF") for char in text)


def _pad(text: str, wide: int) -> str:
    return text + " " * (wide - width(text))
