"""What `lengthwise compare` prints: the comparison of two runs as tables, and what to know about it."""

from lengthwise.evaluators.comparing import ComparedCell, RunComparison
from lengthwise.evaluators.comparing_classes import classes_table
from lengthwise.evaluators.figure_text import difference, p_text, percent
from lengthwise.evaluators.main_table import incomplete
from lengthwise.evaluators.sharding import partial_note
from lengthwise.evaluators.table_formats.cells import Name, count
from lengthwise.evaluators.table_formats.grid import GridTable
from lengthwise.evaluators.table_formats.render import Format, render_tables
from lengthwise.evaluators.table_origins import origins_of


def comparison_tables(found: RunComparison) -> tuple[GridTable, ...]:
    """Return a comparison as tables: balanced accuracy and MCC where there are classes, then the accuracy.

    A row a cell, all together last. In CSV a difference is of the first run, with `minus=<second>` as its part.
    """
    labels = found.first.label, found.second.label
    level, benchmark = found.confidence_level, found.first.benchmark
    cells = [(cell.config, cell.split, cell.detection) for cell in found.cells]
    classes = classes_table(labels, cells, benchmark, level)
    return (*([] if classes is None else [classes]), _accuracy_table(found, labels))


def _accuracy_table(found: RunComparison, labels: tuple[str, str]) -> GridTable:
    first, second = labels
    exact = any(cell.comparison.mcnemar for cell in found.cells)

    def both(text: str, metric: str) -> Name:
        return Name(text, run=first, metric=metric, part=f"minus={second}")

    head = ["config", "split", both("n", "n"), Name(first, run=first, metric="accuracy")]
    head += [Name(second, run=second, metric="accuracy"), both("difference", "difference"), both("p", "p_value")]
    head += [both("Holm", "p_value_holm")]
    if exact:
        head += [both("only 1st", "only_first"), both("only 2nd", "only_second")]
        head += [both("McNemar p", "mcnemar_p_value"), both("Holm", "mcnemar_p_value_holm")]
    rows = [_row(cell, exact) for cell in found.cells]
    if len(found.cells) > 1:
        rows.append(_row(found.overall, exact))
    return GridTable(
        f"{first} against {second}",
        tuple(head),
        tuple(rows),
        _notes(found, exact),
        name="comparison",
        benchmark=found.first.benchmark,
        confidence=found.confidence_level,
    )


def _notes(found: RunComparison, exact: bool) -> tuple[str, ...]:
    notes = [
        f"Accuracy in %, first minus second in points on the shared examples, {100 * found.confidence_level:g} % "
        "interval and p of a paired bootstrap; Holm: corrected for the number of rows."
    ]
    if exact:
        notes.append("McNemar: exact, on the examples that one run alone got right. Trust it where examples are few.")
    if any((ends := cell.comparison.difference.interval) and ends[0] == ends[1] for cell in found.cells):
        notes.append("An interval without width: all examples differ alike, and no resample shows anything else.")
    if found.budget is not None:
        notes.append(f"Replies of more than {found.budget:,} output tokens count as wrong.")
    for run, left_out in ((found.first, found.only_first), (found.second, found.only_second)):
        if left_out:
            notes.append(f"{run.label}: {left_out:,} examples are not in the other run and were left out.")
    notes += [
        f"{run.label}: only rows chosen by how they ended in an earlier run; a second try of bad rows looks better "
        "than the first by chance alone."
        for run in (found.first, found.second)
        if run.chosen
    ]
    return tuple(notes)


def render_comparison(found: RunComparison, format: Format = "text") -> str:
    """Return a comparison as one text; see `comparison_tables`, and `render_tables` for the formats."""
    runs = (found.first, found.second)
    above = [partial_note(run.label, run.settings) for run in runs]
    above += [incomplete(run) for run in runs if not run.complete]
    return render_tables(comparison_tables(found), format, above, origins_of(runs))


def _row(cell: ComparedCell, exact: bool) -> tuple[str, ...]:
    one = cell.comparison
    row = [cell.config or "all", cell.split or "", count(one.n), percent(one.first), percent(one.second)]
    row += [
        difference(one.difference.value, one.difference.interval),
        p_text(one.difference.p_value),
        p_text(cell.holm),
    ]
    if test := one.mcnemar:
        row += [count(test.only_first), count(test.only_second), p_text(test.p_value), p_text(cell.mcnemar_holm)]
    elif exact:
        row += ["–"] * 4
    return tuple(row)
