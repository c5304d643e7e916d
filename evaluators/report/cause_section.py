"""The sections on single replies, counted: why they were not right (section 4.9), and what asking again changed."""

from collections.abc import Sequence

from lengthwise.evaluators.again_table import change_head, change_note, change_rows
from lengthwise.evaluators.cause_table import cause_head, cause_notes, cause_row, causes_in
from lengthwise.evaluators.naming import name_of
from lengthwise.evaluators.report.markup import Child, Html, join, long_table, table, tag
from lengthwise.evaluators.scoring import Scored


def causes(runs: Sequence[Scored]) -> Html:
    """Return how many replies show which cause, a row a cell with any reply that is not right."""
    # Why a reference model is wrong is known beforehand.
    real = [run.results for run in runs if run.results.reference is None]
    found = [(run, row) for run in real for cell in run.cells if (row := cause_row(cell, causes_in(run))) is not None]
    if not found:
        return Html("")
    several = len(real) > 1
    rows: list[list[Child]] = [
        [f"{config} {split}", *([name_of(run)] if several else []), *counts] for run, (config, split, *counts) in found
    ]
    caption, *notes = cause_notes(real)
    drawn = long_table(["cell", *(["run"] if several else []), *cause_head(real[0])[2:]], rows, caption)
    return join(drawn, *(tag("p", note, class_="quiet") for note in notes))


def asked_again(runs: Sequence[Scored]) -> Html:
    """Return how rows of an earlier run ended then and now, a table for each run that asks some again."""
    return join(
        *(
            table([*change_head(run)], [[*row] for row in change_rows(run)], f"{name_of(run)}: {change_note(run)}")
            for run in (scored.results for scored in runs)
            if run.changes
        )
    )
