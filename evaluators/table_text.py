"""The tables as text: for a terminal, or as Markdown."""

import unicodedata
from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

from lengthwise.evaluators.benchmark_types import GridTable
from lengthwise.evaluators.figure_text import percent, signed
from lengthwise.evaluators.main_table import ARROWS, Table, TableCell
from lengthwise.evaluators.pair_table import PAIR_HEAD, pair_notes, pair_row, pair_title
from lengthwise.evaluators.results import Results

Format: TypeAlias = Literal["text", "markdown"]
Grid: TypeAlias = list[list[str]]

LEGEND = (
    "accuracy in %, exact 95 % interval in brackets, n = examples; arrows compare with the reference row in (1), "
    "{best} marks the best model of a row"
)


def figure(cell: TableCell | None, markdown: bool = False) -> str:
    """Return a table's figure as text: accuracy, arrow, interval, number of examples."""
    if cell is None:
        return ""
    accuracy = cell.result.accuracy
    value = percent(accuracy.value)
    mark = (f"**{value}**" if markdown else f"{value}●") if cell.best else value
    star = (r"\*" if markdown else "*") if cell.starred else ""
    arrow = f" {ARROWS[cell.arrow]}{star}" if cell.arrow else ""
    return f"{mark}{arrow} [{percent(accuracy.low)}, {percent(accuracy.high)}] n={cell.result.n}"


def render_table(table: Table, format: Format = "text") -> str:
    """Return a table as text.

    Args:
        table: what to draw.
        format: "text" for a terminal (aligned), or "markdown".
    """
    markdown = format == "markdown"
    head = ["variant", *(column.label for column in table.columns)]
    grid: Grid = []
    sections: set[int] = set()
    for section in table.sections:
        sections.add(len(grid))
        grid.append([section.title, *("" for _ in table.columns)])
        grid += [[row.config, *(figure(cell, markdown) for cell in row.cells)] for row in section.rows]
    legend = LEGEND.format(best="bold" if markdown else "●")
    if markdown:
        lines = [f"### {escape(table.title)}", "", *_markdown(head, grid, sections), "", f"{legend}."]
        return "\n".join([*lines, *(f"\n{escape(note)}" for note in table.notes)])
    return "\n".join([table.title, "", *_aligned(head, grid, sections), "", legend, *table.notes])


def render_grid(title: str, head: Sequence[str], rows: Sequence[Sequence[str]], format: Format = "text") -> str:
    """Return any small table as text."""
    grid = [list(row) for row in rows]
    if format == "markdown":
        return "\n".join([f"### {escape(title)}", "", *_markdown(list(head), grid, set())])
    return "\n".join([title, "", *_aligned(list(head), grid, set())])


def render_own(table: GridTable, format: Format = "text") -> str:
    """Return a benchmark's own table as text."""
    text = render_grid(table.title, table.head, table.rows, format)
    return "\n\n".join(part for part in (text, below(table.notes, format)) if part)


def render_details(run: Results, format: Format = "text") -> str:
    """Return what Table 2 leaves out, per cell: outcomes, first word, decoys, length error, tokens.

    Columns that say nothing of any cell are left out: other benchmarks have no decoys.
    """
    head = ["config", "split", "outcomes", "first word", "decoys given", "length error", "tokens out"]
    rows = [
        [
            cell.config,
            cell.split,
            ", ".join(f"{count} {kind}" for kind, count in cell.outcomes.items() if count),
            "–" if cell.first_word is None else f"{percent(cell.first_word)} % of {cell.parsed_wrong}",
            _decoys(cell.decoy_hits, cell.decoys_unknown),
            signed(cell.length_error),
            "–" if cell.output_tokens is None else f"{cell.output_tokens:,.0f}",
        ]
        for cell in run.cells
    ]
    kept = [place for place in range(len(head)) if place < 3 or any(row[place] != "–" for row in rows)]
    said = [[row[place] for place in kept] for row in rows]
    return render_grid(f"{run.label}: how the examples ended", [head[place] for place in kept], said, format)


def render_pairs(run: Results, format: Format = "text") -> str:
    """Return each variant of a run against its reference row, a row a cell; empty if the run has no such rows."""
    if not run.pairs:
        return ""
    text = render_grid(f"{run.label}: {pair_title([run])}", PAIR_HEAD, [pair_row(pair) for pair in run.pairs], format)
    return "\n\n".join([text, below(pair_notes([run]), format)])


def below(notes: Sequence[str], format: Format = "text") -> str:
    """Return the lines below a table; in Markdown each is a paragraph of its own."""
    return "\n\n".join(map(escape, notes)) if format == "markdown" else "\n".join(notes)


def _decoys(hits: object, unknown: int) -> str:
    parts = [f"{count} {kind}" for kind, count in hits.items()] if isinstance(hits, dict) else []
    return ", ".join([*parts, *([f"{unknown} not looked up"] if unknown else [])]) or "–"


def render_budgets(run: Results, format: Format = "text") -> str:
    """Return the accuracy of a run under each output budget, a row a cell; empty if no budget was asked for."""
    budgets = list(dict.fromkeys(budget.tokens for budget in run.budgets))
    if not budgets:
        return ""
    found = {(one.config, one.split, one.tokens): one for one in run.budgets}
    head = ["config", "split", *(f"{tokens:,}" for tokens in budgets)]
    rows = [
        [
            cell.config,
            cell.split,
            *(
                f"{percent(one.accuracy.value)} ({one.over} over){'?' * bool(one.unknown)}{'+' * one.beyond_run}"
                for tokens in budgets
                if (one := found[cell.config, cell.split, tokens])
            ),
        ]
        for cell in run.cells
    ]
    text = render_grid(f"{run.label}: accuracy in % by output budget in tokens", head, rows, format)
    notes = ["over: replies of more tokens, and those that the run itself cut"]
    if any(one.unknown for one in run.budgets):
        notes.append("with ?: some replies came without token counts and were left as they are")
    if any(one.beyond_run for one in run.budgets):
        notes.append("with +: more than the run itself allowed")
    return "\n\n".join([text, below(notes, format)])


def escape(text: str) -> str:
    r"""Return text that Markdown shows as it is, on one line and inside a table cell.

    >>> escape("a|b_c*")
    'a\\|b\\_c\\*'
    """
    return "".join(f"\\{char}" if char in "\\|*_`<>[]" else char for char in " ".join(text.split()))


def _markdown(head: list[str], grid: Grid, sections: set[int]) -> list[str]:
    # Figures carry bold of our own, so only names are escaped.
    rows = [
        [
            f"**{escape(row[0])}**" if index in sections else escape(row[0]),
            *(cell.replace("|", "\\|") for cell in row[1:]),
        ]
        for index, row in enumerate(grid)
    ]
    lines = [[escape(name) for name in head], [":--", *("--:" for _ in head[1:])], *rows]
    return ["| " + " | ".join(line) + " |" for line in lines]


def _aligned(head: list[str], grid: Grid, sections: set[int]) -> list[str]:
    body = [row for index, row in enumerate(grid) if index not in sections]
    widths = [max(map(width, column)) for column in zip(head, *body, strict=True)]
    line: Callable[[list[str]], str] = lambda row: "  ".join(map(_pad, row, widths)).rstrip()  # noqa: E731
    lines = [line(head), "  ".join("-" * wide for wide in widths)]
    return lines + [row[0] if index in sections else line(row) for index, row in enumerate(grid)]


def width(text: str) -> int:
    """Return how many terminal columns a text takes: two for a wide character, none for a combining one."""
    return sum(0 if unicodedata.combining(char) else 1 + (unicodedata.east_asian_width(char) in "WF") for char in text)


def _pad(text: str, wide: int) -> str:
    return text + " " * (wide - width(text))
