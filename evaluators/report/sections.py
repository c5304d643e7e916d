"""The sections that are tables, one function each: from scored runs to HTML. One with nothing to show is empty."""

from collections.abc import Sequence
from typing import Any

from lengthwise.evaluators.benchmarks import find_benchmark
from lengthwise.evaluators.figure_text import percent, signed
from lengthwise.evaluators.main_table import ARROWS, Column, Table, TableCell, main_tables
from lengthwise.evaluators.naming import layout_of, name_of
from lengthwise.evaluators.pair_table import PAIR_HEAD, pair_notes, pair_row, pair_title, pair_words
from lengthwise.evaluators.report.markup import MOST_ROWS, Child, Html, join, long_table, table, tag
from lengthwise.evaluators.results import Results
from lengthwise.evaluators.scoring import Scored
from lengthwise.evaluators.table_formats.grid import GridTable

_ARROW_WORDS = {
    "up": "above its reference row",
    "down": "below its reference row",
    "same": "equal to its reference row",
}

# Rows of a table that is shown without being asked for.
_MOST_OPEN = 20
# Parts of the main table, tables of a run each, and lines below, likewise.
_MOST_TABLES = 4
_MOST_NOTES = 8


def main_table(runs: Sequence[Scored]) -> Html:
    """Return the main table, or all of its parts: many of them stand behind a line each."""
    tables = main_tables([run.results for run in runs], layout_of(runs))
    legend_line = tag(
        "p",
        "Accuracy in %, arrows against the reference row in (1), the exact 95 % interval and the number of examples "
        "below. Bold marks the best model of a row; reference models bound what can be scored.",
        class_="quiet",
    )
    drawn = [_table(one) for one in tables]
    if len(tables) > _MOST_TABLES:
        named = zip(tables, drawn, strict=True)
        drawn = [tag("details", tag("summary", one.title), of_size) for one, of_size in named]
    # What is said of the runs is the same below each part.
    notes = _notes(list(dict.fromkeys(note for one in tables for note in one.notes)))
    return join(legend_line, *drawn, notes, _pairs([run.results for run in runs]))


def _notes(notes: Sequence[str]) -> Html:
    """Return lines below a table; many of them stand behind one."""
    drawn = [tag("p", note, class_="quiet") for note in notes]
    if len(notes) <= _MOST_NOTES:
        return join(*drawn)
    return tag("details", tag("summary", f"{len(notes):,} notes"), *drawn)


def _pairs(runs: Sequence[Results]) -> Html:
    """Return each variant of the real models against its reference row; empty if there is none."""
    real = [run for run in runs if run.reference is None and run.pairs]
    rows: list[list[Child]] = [
        [*pair_row(pair), *([name_of(run)] if len(real) > 1 else [])] for run in real for pair in run.pairs
    ]
    if not rows:
        return Html("")
    found = sum(pair.significant for run in real for pair in run.pairs)
    drawn = table([*PAIR_HEAD, *(["run"] if len(real) > 1 else [])], rows, pair_notes(real)[0])
    notes = (tag("p", note, class_="quiet") for note in pair_notes(real)[1:])
    heading = f"{pair_title(real).capitalize()}: {found:,} of {len(rows):,} differences beyond chance"
    return tag("details", tag("summary", heading), drawn, *notes, open=len(rows) <= _MOST_OPEN)


def _table(one: Table) -> Html:
    head = tag(
        "tr",
        tag("th", "variant", scope="col"),
        *(
            tag("th", column.label, scope="col", class_="reference" if column.reference else None)
            for column in one.columns
        ),
    )
    body = []
    for section in one.sections:
        body.append(
            tag("tr", tag("th", section.title, colspan=len(one.columns) + 1, scope="colgroup"), class_="section")
        )
        for row in section.rows:
            name = tag("th", row.config, tag("small", row.caption), scope="row")
            cells = (_figure(cell, column) for cell, column in zip(row.cells, one.columns, strict=True))
            body.append(tag("tr", name, *cells))
    drawn = tag("table", tag("caption", one.title), tag("thead", head), tag("tbody", *body), class_="main")
    return tag("div", drawn, class_="scroll", tabindex=0)


def _figure(cell: TableCell | None, column: Column) -> Html:
    css = "reference" if column.reference else None
    if cell is None:
        return tag("td", "", class_=css)
    accuracy = cell.result.accuracy
    arrow = Html("")
    if cell.arrow is not None:
        words = _ARROW_WORDS[cell.arrow] + (f": {pair_words(cell.pair)}" if cell.pair is not None else "")
        arrow = tag("span", f" {ARROWS[cell.arrow]}{'*' * cell.starred}", title=words)
    value = tag("span", percent(accuracy.value), class_="value best" if cell.best else "value")
    small = tag("small", f"{percent(accuracy.low)}–{percent(accuracy.high)} · n={cell.result.n}")
    return tag("td", value, arrow, small, class_=css, style=f"--share:{accuracy.value or 0:.3f}")


def own_tables(runs: Sequence[Scored]) -> Html:
    """Return the tables that only this benchmark has; where there are many runs, those of one run behind a line."""
    results = [run.results for run in runs]
    many = len(runs) > _MOST_TABLES
    tables = find_benchmark(results[0].benchmark).tables(results)
    return join(*(grid_table(one, folded=many and bool(one.run)) for one in tables))


def grid_table(one: GridTable, folded: bool = False) -> Html:
    """Return a small table with its notes; a long one, or a `folded` one, behind a line."""
    rows: list[list[Child]] = [[*row] for row in one.rows]
    notes = join(*(tag("p", with_code(note), class_="quiet") for note in one.notes))
    if len(rows) <= MOST_ROWS and not folded:
        return join(tag("h3", one.title) if one.title else "", table([*one.head], rows, ""), notes)
    return tag("details", tag("summary", tag("strong", one.title)), table([*one.head], rows, ""), notes)


def with_code(note: str) -> Html:
    """Return a note whose parts between backticks are code."""
    return join(*(tag("code", part) if place % 2 else tag("span", part) for place, part in enumerate(note.split("`"))))


def wrong_answers(runs: Sequence[Scored]) -> Html:
    """Return, per cell with wrong answers, first-word accuracy (section 4.7), decoys given, and length error."""
    rows: list[list[Child]] = []
    parsed = [cell for run in runs for cell in run.results.cells if cell.parsed_wrong]
    if parsed and all(cell.length_error is None for cell in parsed):
        # Answers that are no sequences of words.
        return Html("")
    for run in runs:
        for cell in run.results.cells:
            if cell.parsed_wrong or cell.refusals:
                hits = [f"{count} {kind}" for kind, count in cell.decoy_hits.items()]
                hits += [f"{cell.decoys_unknown} not looked up"] if cell.decoys_unknown else []
                rows.append(
                    [
                        f"{cell.config} {cell.split}",
                        *([name_of(run.results)] if len(runs) > 1 else []),
                        cell.parsed_wrong,
                        f"{percent(cell.first_word)} %" if cell.first_word is not None else "–",
                        ", ".join(hits) or "–",
                        signed(cell.length_error),
                        cell.refusals,
                    ]
                )
    if not rows:
        return Html("")
    head: list[Child] = ["cell", *(["run"] if len(runs) > 1 else [])]
    head += ["wrong answers", "first word right", "decoys given", "mean length error (words)", "refusals"]
    caption = "Of the answers that parsed and were wrong. A decoy is given if its words are the answer, in any order."
    return long_table(head, rows, caption)


def budgets(runs: Sequence[Scored]) -> Html:
    """Return accuracy under each output budget: a panel a run, and a table; empty if no budget was asked for."""
    parts = []
    for run in runs:
        results = run.results
        tokens = list(dict.fromkeys(one.tokens for one in results.budgets))
        if not tokens or results.reference is not None:
            continue
        found = {(one.config, one.split, one.tokens): one for one in results.budgets}
        rows: list[list[Child]] = [
            [
                f"{cell.config} {cell.split}",
                *(_budget(found[cell.config, cell.split, limit]) for limit in tokens),
            ]
            for cell in results.cells
        ]
        head: list[Child] = ["cell", *(f"{limit:,}" for limit in tokens)]
        notes = []
        if any(one.unknown for one in results.budgets):
            notes.append("? some replies came without token counts and were left as they are")
        if any(one.beyond_run for one in results.budgets):
            notes.append("+ more tokens than the run itself allowed")
        said = "accuracy in % if longer replies count as wrong (replies over the budget, or cut by the run's own)"
        caption = f"{name_of(results)}: {said}"
        drawn = join(long_table(head, rows, caption), *(tag("p", note, class_="quiet") for note in notes))
        parts.append((name_of(results), drawn))
    if len(parts) <= _MOST_TABLES:
        return join(*(drawn for _, drawn in parts))
    return join(*(tag("details", tag("summary", name), drawn) for name, drawn in parts))


def _budget(one: Any) -> str:
    return f"{percent(one.accuracy.value)} ({one.over}){'?' * bool(one.unknown)}{'+' * one.beyond_run}"
