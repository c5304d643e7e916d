"""The paper's main table (Table 2): a small typed structure, built from results, that text and HTML both draw.

One row a config, in the sections of the paper; one column a run, or a split where one run is shown. An arrow compares
a cell with its reference row in the same column, and has a star where the difference is beyond chance; the best real
model of a row is marked; columns of reference models stand last, as ceiling and floor, and are never the best. Nor is
a run over chosen rows (`run --again`), which has no arrows.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from lengthwise.evaluators.benchmarks import Layout, TableGroup, find_benchmark
from lengthwise.evaluators.bounds import with_bounds
from lengthwise.evaluators.figure_text import percent
from lengthwise.evaluators.layouts import POOLED
from lengthwise.evaluators.references import Bound
from lengthwise.evaluators.results import CellResult, Results
from lengthwise.evaluators.table_formats.cells import ARROWS as ARROWS
from lengthwise.evaluators.table_formats.cells import Arrow
from lengthwise.evaluators.variant_pairs import LEVEL, VariantPair

STAR_NOTE = (
    f"* behind an arrow: the difference is beyond chance (p < {LEVEL}, Holm's correction over the run's differences)."
)

# Wider than this a table falls into one per length, or for a single run into parts of so many lengths.
_MOST_COLUMNS = 8
_COLUMNS_OF_PART = 5


@dataclass(frozen=True, slots=True)
class Column:
    """A column: one run at one split.

    Attributes:
        label: its heading.
        run: index of the run in the list given.
        split: the split shown; configs without splits by length show the one that they have.
        reference: whether the run is of a reference model.
        name: of the run, whatever else the heading says.
    """

    label: str
    run: int
    split: str
    reference: bool
    name: str = ""


@dataclass(frozen=True, slots=True)
class TableCell:
    """One figure.

    Attributes:
        result: what it is drawn from.
        arrow: against the reference row; None where there is none.
        best: whether it is the row's best among real models.
        pair: it and its reference row on shared lists; None where there is no arrow, and for reference models.
    """

    result: CellResult
    arrow: Arrow | None = None
    best: bool = False
    pair: VariantPair | None = None

    @property
    def starred(self) -> bool:
        """Whether what the arrow says is beyond chance."""
        # On the shared lists alone a small difference can turn round.
        return (
            self.pair is not None
            and self.pair.significant
            and self.arrow == ("up" if self.pair.difference > 0 else "down")
        )


@dataclass(frozen=True, slots=True)
class Row:
    """A config: its name, a caption for people, and a cell per column (None where it was not run)."""

    config: str
    caption: str
    cells: tuple[TableCell | None, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """Rows under one heading."""

    title: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """The whole table; `notes` are the lines below it."""

    title: str
    columns: tuple[Column, ...]
    sections: tuple[Section, ...]
    notes: tuple[str, ...]


def main_tables(runs: Sequence[Results], layout: Layout) -> tuple[Table, ...]:
    """Return the main table: one for a single run with its splits as columns, else one per split with runs as columns.

    A single run of more splits than a terminal has room for falls into several tables.

    Args:
        runs: results of runs of one benchmark, in the order wanted.
        layout: of that benchmark.
    """
    lengths = _splits(runs)
    if not lengths:
        return ()
    layout = layout.holding(cell.config for run in runs for cell in run.cells)
    alone = len(runs) == 1
    runs = with_bounds(runs)
    if alone and len(lengths) > 1:
        # One model over its lengths; one ceiling and one floor, over all of them.
        bounds = [column for column in _columns(runs, [POOLED]) if column.run > 0]
        if len(lengths) <= _MOST_COLUMNS:
            return (_table(runs, layout, [*_columns(runs[:1], lengths), *bounds], layout.title),)
        parts = [lengths[start : start + _COLUMNS_OF_PART] for start in range(0, len(lengths), _COLUMNS_OF_PART)]
        return tuple(
            _table(runs, layout, [*_columns(runs[:1], part), *bounds], f"{layout.title}, {part[0]} to {part[-1]}")
            for part in parts
        )
    real = [index for index, run in enumerate(runs) if run.reference is None]
    if len(lengths) == 1:
        return (_table(runs, layout, _columns(runs, lengths), layout.title),)
    if len(real) == 1 and len(runs) * len(lengths) <= _MOST_COLUMNS:
        # One model over several lengths: read along the row, with its ceiling and floor at each length behind.
        return (_table(runs, layout, _columns(runs, lengths, name_runs=True), layout.title),)
    return tuple(_table(runs, layout, _columns(runs, [split]), f"{layout.title}, {split}") for split in lengths)


def _splits(runs: Sequence[Results]) -> list[str]:
    """Return the splits by length, shortest first; "full" only if there is nothing else."""
    found = {cell.split for run in runs for cell in run.cells} - {POOLED}
    lengths = sorted(found - {"full"}, key=split_order)
    return lengths or sorted(found)


def split_order(split: str) -> tuple[int, str]:
    """Return a sort key for split names: by length ("4k", "16k") or number of instances ("n5", "n20"), others behind.

    >>> sorted(["full", "n20", "n5"], key=split_order), sorted(["16k", "4k"], key=split_order)
    (['n5', 'n20', 'full'], ['4k', '16k'])
    """
    digits = split.removesuffix("k").removeprefix("n")
    return (int(digits), split) if digits.isdecimal() and digits.isascii() else (1 << 30, split)


def _columns(runs: Sequence[Results], splits: Sequence[str], *, name_runs: bool = False) -> list[Column]:
    order = sorted(range(len(runs)), key=lambda index: _rank(runs[index]))
    columns = []
    for index in order:
        run = runs[index]
        for split in splits:
            name = run.label if run.reference is None else f"{bound_of(run) or 'reference'} ({run.reference})"
            label = name if len(splits) == 1 else f"{name} {split}" if name_runs or len(runs) > 1 else split
            columns.append(Column(label, index, split, run.reference is not None, name))
    return columns


def _rank(run: Results) -> int:
    """Return the place of a run among the columns: real models, then ceilings, then floors."""
    if run.reference is None:
        return 0
    return {"ceiling": 1, "floor": 2}.get(bound_of(run) or "", 3)


def bound_of(run: Results) -> Bound | None:
    """Return what the figures of a reference model's run bound; None for a real model, or a reference of old."""
    known = find_benchmark(run.benchmark).references
    return known[run.reference].bound if run.reference is not None and run.reference in known else None


def _table(runs: Sequence[Results], layout: Layout, columns: Sequence[Column], title: str) -> Table:
    sections = []
    known = {config for group in layout.groups for config in group.rows}
    others = tuple(dict.fromkeys(cell.config for run in runs for cell in run.cells if cell.config not in known))
    for group in (*layout.groups, TableGroup("Other", others)):
        rows = [_row(runs, layout, columns, config) for config in group.rows]
        shown = tuple(row for row in rows if _holds_any(row, columns))
        if shown:
            sections.append(Section(group.title, shown))
    cells = [cell for section in sections for row in section.rows for cell in row.cells]
    notes = (STAR_NOTE,) if any(cell is not None and cell.starred for cell in cells) else ()
    return Table(title, tuple(columns), tuple(sections), (*layout.notes, *notes, *_notes(runs)))


def _holds_any(row: Row, columns: Sequence[Column]) -> bool:
    """Whether a row has a figure other than those over all splits, which stand in every part of a table."""
    return any(cell is not None and column.split != POOLED for cell, column in zip(row.cells, columns, strict=True))


def _row(runs: Sequence[Results], layout: Layout, columns: Sequence[Column], config: str) -> Row:
    results = [_result(runs[column.run], config, column.split) for column in columns]
    reference = layout.references.get(config)
    references = [_result(runs[column.run], reference, column.split) if reference else None for column in columns]
    best = _best_by_split(runs, results, columns)
    cells = tuple(
        None
        if result is None
        else TableCell(
            result,
            None if runs[column.run].chosen else _arrow(result, reference),
            _is_rival(runs[column.run]) and result.accuracy.value == best.get(column.split),
            None if column.reference else _pair(runs[column.run], result),
        )
        for result, reference, column in zip(results, references, columns, strict=True)
    )
    return Row(config, layout.captions.get(config, config), cells)


def _is_rival(run: Results) -> bool:
    """Whether a run can be the best of a row: not one of a reference model, nor one over chosen rows."""
    return run.reference is None and not run.chosen


def _best_by_split(
    runs: Sequence[Results], results: Sequence[CellResult | None], columns: Sequence[Column]
) -> dict[str, float]:
    """Return the best accuracy at each split; a best of one model, or of nothing but zeros, says nothing."""
    found: dict[str, list[float]] = {}
    for result, column in zip(results, columns, strict=True):
        if result is not None and result.accuracy.value is not None and _is_rival(runs[column.run]):
            found.setdefault(column.split, []).append(result.accuracy.value)
    return {split: max(values) for split, values in found.items() if len(values) > 1 and max(values) > 0}


def _result(run: Results, config: str, split: str) -> CellResult | None:
    return run.cell(config, split) or run.cell(config, "full")


def _pair(run: Results, result: CellResult) -> VariantPair | None:
    place = (result.config, result.split)
    return next((pair for pair in run.pairs if (pair.config, pair.split) == place), None)


def _arrow(result: CellResult, reference: CellResult | None) -> Arrow | None:
    if reference is None or reference.accuracy.value is None or result.accuracy.value is None:
        return None
    if result.accuracy.value == reference.accuracy.value:
        return "same"
    return "up" if result.accuracy.value > reference.accuracy.value else "down"


def _notes(runs: Sequence[Results]) -> tuple[str, ...]:
    notes = []
    if any(cell.repeats > 1 for run in runs for cell in run.cells):
        notes.append("With repeats, a figure is the mean over them and the interval that of one run.")
    for run in runs:
        if run.chosen and run.reference is None:
            notes.append(
                f"{run.label}: only rows chosen by how they ended in an earlier run: no accuracy of a variant, so "
                "without arrows and never the best."
            )
        for cell, count in run.excluded.items():
            notes.append(f"{run.label}: {count:,} of {cell} do not fit the model and were left out.")
        if run.reference is None and (refused := sum(cell.refusals for cell in run.cells)):
            notes.append(f"{run.label}: {refused:,} refusals count as wrong.")
        solved = {cell.config for cell in run.cells if cell.split == POOLED}
        if solved and any(cell.config not in solved for one in runs for cell in one.cells):
            notes.append(f"{bound_of(run)} ({run.reference}): blank where no rule solves the task.")
    return tuple(notes)


def incomplete(run: Results) -> str:
    """Return the line that heads an incomplete run.

    Args:
        run: results whose `complete` is False.
    """
    parts = [f"{run.n_missing:,} not asked yet"] if run.n_missing else []
    failed = run.n_error - run.n_missing
    parts += [f"{failed:,} ended in an error"] if failed else []
    return (
        f"INCOMPLETE {run.label}: of {run.n_expected:,} examples {' and '.join(parts)}; they count as wrong. "
        f"Over the rest: {rest(run)}."
    )


def rest(run: Results) -> str:
    """Return the accuracy of a run's cells over the examples that did not end in an error, the first cells alone."""
    shown = [
        f"{cell.config} {cell.split} {percent(cell.accuracy_rest.value)} % of {cell.accuracy_rest.n:g}"
        for cell in run.cells
        if cell.outcomes["error"]
    ]
    more = len(shown) - _MOST_COLUMNS
    return ", ".join(shown[:_MOST_COLUMNS]) + (f", and {more:,} more cells" if more > 0 else "")
