r"""A table as LaTeX: `booktabs` rules in a float with caption and label, and what it needs in the comment above it.

Wide tables are drawn small, and shrunk to the line where even that is too wide; the widest stand upright on a page of
their own. Long ones fall into parts.
"""

import re
from collections.abc import Iterable, Sequence

from lengthwise.evaluators.table_formats.cells import Figure, Marked
from lengthwise.evaluators.table_formats.grid import GridTable
from lengthwise.evaluators.table_formats.latex_text import escape, needs_unicode
from lengthwise.evaluators.table_formats.plain import width

PACKAGES = r"\usepackage[T1]{fontenc} \usepackage{booktabs,graphicx,rotating}"
_UNICODE = (
    "% has letters that pdflatex lacks: compile with xelatex or lualatex and a font that has them, e.g.\n"
    r"% \usepackage{fontspec} \usepackage{xeCJK} \setCJKmainfont{Noto Serif CJK SC}"
)
# The hyphen of a number below zero.
_MINUS = re.compile(r"(?<![\w.-])-(?=\d)")
# Rows that stand on one page, and characters that stand on a line: upright, and sideways.
_MOST_ROWS = 40
_LINE, _SMALL, _SHRUNK = 85, 100, 140


def latex_table(table: GridTable, name: str) -> str:
    r"""Return a table as one float, or as several where it is long.

    Args:
        table: what to draw.
        name: its label is `tab:<name>`; parts behind the first have `-2` and so on behind it.
    """
    starts = range(0, max(len(table.rows), 1), _MOST_ROWS)
    parts = []
    for number, start in enumerate(starts, 1):
        caption = escape(table.title) + (f" (part {number} of {len(starts)})" if len(starts) > 1 else "")
        label = f"tab:{name}" + (f"-{number}" if number > 1 else "")
        rows = list(enumerate(table.rows))[start : start + _MOST_ROWS]
        # What to know of it stands below the whole of it.
        notes = _notes(table) if number == len(starts) else []
        parts.append(_float(table, rows, caption, label, notes))
    above = [f"% {PACKAGES}", *([_UNICODE] if needs_unicode(_all_text(table)) else [])]
    return "\n".join([*above, "\n".join(parts)])


def _float(
    table: GridTable, rows: Sequence[tuple[int, Sequence[str]]], caption: str, label: str, notes: Sequence[str]
) -> str:
    wide = _characters(table)
    kind = "sidewaystable" if wide > _SHRUNK else "table"
    columns = "".join(_alignment(table, place) for place in range(len(table.head)))
    body = [r"\toprule", _line(map(escape, table.head)), r"\midrule"]
    for index, row in rows:
        if _heads_others(table, index, row):
            body += [] if index == rows[0][0] else [r"\midrule"]
            body.append(rf"\multicolumn{{{len(row)}}}{{l}}{{\textit{{{escape(row[0])}}}}} \\")
        else:
            body.append(_line(map(_cell, row)))
    tabular = [rf"\begin{{tabular}}{{@{{}}{columns}@{{}}}}", *body, r"\bottomrule", r"\end{tabular}"]
    if wide > _SMALL:
        # No wider than the line, and never larger than it is.
        tabular[0] = rf"\resizebox{{\ifdim\width>\linewidth\linewidth\else\width\fi}}{{!}}{{%{chr(10)}{tabular[0]}"
        tabular[-1] += "%\n}"
    return "\n".join(
        [
            rf"\begin{{{kind}}}[{'p' if kind == 'sidewaystable' else 'tbp'}]",
            r"\centering",
            *([r"\small"] if wide > _LINE else []),
            rf"\caption{{{caption}}}",
            rf"\label{{{label}}}",
            *tabular,
            *(rf"\par\smallskip\parbox{{\linewidth}}{{\footnotesize {note}}}" for note in notes),
            rf"\end{{{kind}}}",
        ]
    )


def _heads_others(table: GridTable, index: int, row: Sequence[str]) -> bool:
    return index in table.sections or (len(row) > 1 and bool(row[0]) and not any(row[1:]))


def _line(cells: Iterable[str]) -> str:
    return rf"{' & '.join(cells)} \\"


def _cell(cell: str) -> str:
    if not isinstance(cell, Marked):
        return _MINUS.sub("$-$", escape(cell)) if isinstance(cell, Figure) else escape(cell)
    figure = rf"\textbf{{{escape(cell.figure)}}}" if cell.best else escape(cell.figure)
    sign = {"up": r"$\uparrow$", "down": r"$\downarrow$", "same": "$=$"}[cell.arrow] if cell.arrow else ""
    star = r"\textsuperscript{*}" if cell.starred else ""
    return " ".join(part for part in (figure, sign + star, escape(cell.tail).removeprefix("{}")) if part)


def _alignment(table: GridTable, place: int) -> str:
    """Return `r` for a column of figures and `l` for one of words."""
    cells = [row[place] for row in table.rows]
    return "r" if place and any(isinstance(cell, Figure) and _is_number(cell) for cell in cells) else "l"


def _is_number(cell: Figure) -> bool:
    return len(cell.numbers) == 1


def _characters(table: GridTable) -> int:
    """Return how many characters the widest line of a table takes, gaps between columns among them."""
    body = [row for index, row in enumerate(table.rows) if not _heads_others(table, index, row)]
    widths = [max(map(width, column)) for column in zip(table.head, *body, strict=True)]
    return sum(widths) + 2 * (len(widths) - 1)


def _notes(table: GridTable) -> list[str]:
    legend = [escape(table.legend).replace(r"\{best\}", r"\textbf{bold}") + "."] if table.legend else []
    return [*legend, *map(_with_code, table.notes)]


def _with_code(note: str) -> str:
    """Return a note whose parts between backticks are code."""
    parts = enumerate(note.split("`"))
    return "".join(rf"\texttt{{{_text(part)}}}" if place % 2 else _text(part) for place, part in parts)


def _text(part: str) -> str:
    # The spaces at its ends part it from what stands beside it.
    around = " " * part[:1].isspace(), " " * part[-1:].isspace()
    return f"{around[0]}{escape(part)}{around[1]}" if part.strip() else part


def _all_text(table: GridTable) -> str:
    return "".join([table.title, *table.head, *table.notes, *(cell for row in table.rows for cell in row)])


def latex_document(names: Sequence[str]) -> str:
    r"""Return a document that shows some tables, for a look at them: `xelatex all.tex` where they lie.

    Args:
        names: of their files, without `.tex`.
    """
    lines = [
        r"\documentclass[a4paper]{article}",
        r"\usepackage{iftex}",
        r"\ifPDFTeX\usepackage[T1]{fontenc}\else\usepackage{fontspec}\IfFileExists{xeCJK.sty}{\usepackage{xeCJK}}{}\fi",
        r"\usepackage{booktabs,graphicx,rotating}",
        r"\usepackage[margin=2cm]{geometry}",
        r"\begin{document}",
        *(rf"\input{{{name}}}\clearpage" for name in names),
        r"\end{document}",
    ]
    return "\n".join(lines) + "\n"
