"""Why replies were not right, a row a cell: what the terminal's table and the page's have in common."""

from collections.abc import Sequence

from lengthwise.evaluators.benchmarks import find_benchmark
from lengthwise.evaluators.causes import Cause
from lengthwise.evaluators.results import CellResult, Results
from lengthwise.evaluators.table_text import Format, render_grid

CAUSE_TITLE = "why replies were not right"
CAUSE_NOTE = "Counts of replies over all repeats; one reply can show several causes."


def causes_in(run: Results) -> tuple[Cause, ...]:
    """Return the causes that the benchmark of a run knows."""
    return find_benchmark(run.benchmark).causes


def cause_head(run: Results) -> tuple[str, ...]:
    """Return what heads the columns of `cause_row`."""
    return ("config", "split", "not right", *(cause.title for cause in causes_in(run)), "none of these")


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
    return [cell.config, cell.split, str(causes.replies), *counts, str(causes.unexplained)]


def _count(cell: CellResult, cause: Cause) -> str:
    unknown = cell.causes.not_looked_up.get(cause.name)
    return str(cell.causes.by_cause.get(cause.name, 0)) + (f" ({unknown} not looked up)" if unknown else "")


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


def render_causes(run: Results, format: Format = "text") -> str:
    """Return the causes of a run as text; empty if no reply was wrong."""
    rows = [row for cell in run.cells if (row := cause_row(cell, causes_in(run))) is not None]
    if not rows:
        return ""
    table = render_grid(f"{run.label}: {CAUSE_TITLE}", cause_head(run), rows, format)
    return "\n\n".join([table, ("\n\n" if format == "markdown" else "\n").join(cause_notes([run]))])
