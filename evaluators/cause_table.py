"""Why replies were not right, a row a cell: what the terminal's table and the page's have in common."""

from collections.abc import Sequence

from lengthwise.evaluators.benchmarks import find_benchmark
from lengthwise.evaluators.causes import Cause
from lengthwise.evaluators.naming import name_of
from lengthwise.evaluators.results import CellResult, Results
from lengthwise.evaluators.table_formats.cells import Figure, Name, Number
from lengthwise.evaluators.table_formats.grid import GridTable

CAUSE_TITLE = "why replies were not right"
CAUSE_NOTE = "Counts of replies over all repeats; one reply can show several causes."


def causes_in(run: Results) -> tuple[Cause, ...]:
    """Return the causes that the benchmark of a run knows."""
    return find_benchmark(run.benchmark).causes


def cause_head(run: Results) -> tuple[str, ...]:
    """Return what heads the columns of `cause_row`."""
    causes = (Name(cause.title, metric="cause", part=f"cause={cause.name}") for cause in causes_in(run))
    return ("config", "split", "not right", *causes, Name("none of these", metric="cause", part="cause=none"))


def cause_row(cell: CellResult, known: Sequence[Cause]) -> list[str] | None:
    """Return the row of a cell; None if it has no reply that is not right.

    Args:
        cell: of a run.
        known: of `causes_in`.
    """
    causes = cell.causes
    if not causes.replies:
        return None
    counts = [_count(cell, cause) for cause in known]
    of_all = Figure(str(causes.replies), Number(causes.replies))
    rest = Figure(str(causes.unexplained), Number(causes.unexplained, n=causes.replies))
    return [cell.config, cell.split, of_all, *counts, rest]


def _count(cell: CellResult, cause: Cause) -> Figure:
    shown, unknown = cell.causes.by_cause.get(cause.name, 0), cell.causes.not_looked_up.get(cause.name)
    numbers = [Number(shown, n=cell.causes.replies)]
    if unknown:
        numbers.append(Number(unknown, metric="cause_not_looked_up"))
    return Figure(f"{shown} ({unknown} not looked up)" if unknown else str(shown), *numbers)


def cause_notes(runs: Sequence[Results]) -> list[str]:
    """Return how to read the counts, and when each cause holds that some reply of these runs shows, a line each."""
    cells = [cell.causes for run in runs for cell in run.cells]
    shown = [
        cause
        for cause in (causes_in(runs[0]) if runs else ())
        if any(counts.by_cause.get(cause.name) or counts.not_looked_up.get(cause.name) for counts in cells)
    ]
    lines = [f"{cause.title}: {cause.about}" for cause in shown]
    if any(counts.not_looked_up for counts in cells):
        lines.append("not looked up: the data are gone or have changed")
    return [CAUSE_NOTE, *lines]


def causes_table(run: Results) -> GridTable | None:
    """Return the causes of a run as a table; None if no reply was wrong."""
    rows = tuple(tuple(row) for cell in run.cells if (row := cause_row(cell, causes_in(run))) is not None)
    if not rows:
        return None
    title = f"{run.label}: {CAUSE_TITLE}"
    return GridTable(title, cause_head(run), rows, tuple(cause_notes([run])), name="causes", run=name_of(run))
