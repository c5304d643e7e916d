"""The tables about single runs and the main one, as grids that every format draws and that keep their numbers."""

from collections.abc import Mapping
from dataclasses import replace

from lengthwise.evaluators.figure_text import percent, signed
from lengthwise.evaluators.main_table import Table, TableCell
from lengthwise.evaluators.naming import name_of
from lengthwise.evaluators.pair_table import PAIR_HEAD, pair_notes, pair_row, pair_title
from lengthwise.evaluators.results import Accuracy, BudgetResult, CellResult, Results
from lengthwise.evaluators.table_formats.cells import Figure, Marked, Name, Number, whole
from lengthwise.evaluators.table_formats.grid import GridTable

LEGEND = (
    "accuracy in %, exact 95 % interval in brackets, n = examples; arrows compare with the reference row in (1), "
    "{best} marks the best model of a row"
)
_DETAILS = (
    "config",
    "split",
    "outcomes",
    Name("first word", metric="first_word"),
    "decoys given",
    Name("length error", metric="length_error"),
    Name("tokens out", metric="output_tokens"),
)


def accuracy_number(accuracy: Accuracy) -> Number:
    """Return an accuracy with its interval and what it is over."""
    return Number(accuracy.value, accuracy.low, accuracy.high, accuracy.n)


def main_grid(table: Table) -> GridTable:
    """Return the main table as a grid."""
    columns = [Name(column.label, run=column.name, split=column.split, metric="accuracy") for column in table.columns]
    rows: list[tuple[str, ...]] = []
    sections = set()
    for section in table.sections:
        sections.add(len(rows))
        rows.append((section.title, *("" for _ in columns)))
        rows += [(Name(row.config, config=row.config), *map(_main_cell, row.cells)) for row in section.rows]
    return GridTable(
        table.title,
        ("variant", *columns),
        tuple(rows),
        table.notes,
        name="main" + "".join(f"-{split}" for split in _one_split(table)),
        sections=frozenset(sections),
        legend=LEGEND,
    )


def _one_split(table: Table) -> list[str]:
    """Return the split of a table that shows one alone, else nothing."""
    splits = list(dict.fromkeys(column.split for column in table.columns))
    return splits if len(splits) == 1 else []


def _main_cell(cell: TableCell | None) -> str:
    if cell is None:
        return ""
    accuracy = cell.result.accuracy
    return Marked.make(
        percent(accuracy.value),
        f"[{percent(accuracy.low)}, {percent(accuracy.high)}] n={cell.result.n}",
        # A figure of documents stands in the column of any length.
        replace(accuracy_number(accuracy), split=cell.result.split),
        arrow=cell.arrow,
        starred=cell.starred,
        best=cell.best,
    )


def details_table(run: Results) -> GridTable:
    """Return what Table 2 leaves out, per cell: outcomes, first word, decoys, length error, tokens.

    Columns that say nothing of any cell are left out: other benchmarks have no decoys.
    """
    rows = [
        (
            cell.config,
            cell.split,
            _counts(cell.outcomes, "outcomes", "outcome"),
            _first_word(cell),
            _decoys(cell.decoy_hits, cell.decoys_unknown),
            signed(cell.length_error),
            whole(cell.output_tokens),
        )
        for cell in run.cells
    ]
    kept = [place for place in range(len(_DETAILS)) if place < 3 or any(row[place] != "–" for row in rows)]
    return GridTable(
        f"{run.label}: how the examples ended",
        tuple(_DETAILS[place] for place in kept),
        tuple(tuple(row[place] for place in kept) for row in rows),
        name="details",
        run=name_of(run),
    )


def _counts(counts: Mapping[str, int], metric: str, each: str) -> Figure:
    """Return how many of each kind there are, as text those that there are."""
    said = ", ".join(f"{count} {kind}" for kind, count in counts.items() if count)
    return Figure(said, *(Number(count, metric=metric, part=f"{each}={kind}") for kind, count in counts.items()))


def _first_word(cell: CellResult) -> Figure:
    if cell.first_word is None:
        return Figure("–")
    said = f"{percent(cell.first_word)} % of {cell.parsed_wrong}"
    return Figure(said, Number(cell.first_word, n=cell.parsed_wrong))


def _decoys(hits: Mapping[str, int], unknown: int) -> Figure:
    parts = [f"{count} {kind}" for kind, count in hits.items()]
    numbers = [Number(count, metric="decoy_hits", part=f"decoy={kind}") for kind, count in hits.items()]
    if unknown:
        parts.append(f"{unknown} not looked up")
        numbers.append(Number(unknown, metric="decoys_unknown"))
    return Figure(", ".join(parts) or "–", *numbers)


def pairs_table(run: Results) -> GridTable | None:
    """Return each variant of a run against its reference row, a row a cell; None if the run has no such rows."""
    if not run.pairs:
        return None
    title = f"{run.label}: {pair_title([run])}"
    rows = tuple(tuple(pair_row(pair)) for pair in run.pairs)
    return GridTable(title, PAIR_HEAD, rows, pair_notes([run]), name="pairs", run=name_of(run))


def budgets_table(run: Results) -> GridTable | None:
    """Return the accuracy of a run under each output budget, a row a cell; None if no budget was asked for."""
    budgets = list(dict.fromkeys(budget.tokens for budget in run.budgets))
    if not budgets:
        return None
    found = {(one.config, one.split, one.tokens): one for one in run.budgets}
    rows = tuple(
        (cell.config, cell.split, *(_budget(found[cell.config, cell.split, tokens]) for tokens in budgets))
        for cell in run.cells
    )
    notes = ["over: replies of more tokens, and those that the run itself cut"]
    if any(one.unknown for one in run.budgets):
        notes.append("with ?: some replies came without token counts and were left as they are")
    if any(one.beyond_run for one in run.budgets):
        notes.append("with +: more than the run itself allowed")
    columns = (Name(f"{tokens:,}", metric="accuracy", part=f"budget_tokens={tokens}") for tokens in budgets)
    title = f"{run.label}: accuracy in % by output budget in tokens"
    return GridTable(title, ("config", "split", *columns), rows, tuple(notes), name="budgets", run=name_of(run))


def _budget(one: BudgetResult) -> Figure:
    said = f"{percent(one.accuracy.value)} ({one.over} over){'?' * bool(one.unknown)}{'+' * one.beyond_run}"
    return Figure(
        said,
        accuracy_number(one.accuracy),
        Number(one.over, metric="over_budget"),
        Number(one.unknown, metric="without_token_count"),
    )
