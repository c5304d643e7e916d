"""What `lengthwise score` prints: an incomplete run's heading, the main table, what its arrows rest on, details."""

from collections.abc import Sequence

from lengthwise.errors import InputError
from lengthwise.evaluators.again_table import render_changes
from lengthwise.evaluators.benchmarks import find_benchmark
from lengthwise.evaluators.cause_table import render_causes
from lengthwise.evaluators.main_table import incomplete, main_tables
from lengthwise.evaluators.naming import distinguish
from lengthwise.evaluators.results import Results
from lengthwise.evaluators.sharding import partial_note
from lengthwise.evaluators.spent_table import render_spent
from lengthwise.evaluators.table_text import (
    Format,
    render_budgets,
    render_details,
    render_own,
    render_pairs,
    render_table,
)


def render_results(runs: Results | Sequence[Results], format: Format = "text") -> str:
    """Return all tables about some runs as one text.

    Args:
        runs: results of one run, or of several runs of one benchmark.
        format: "text" for a terminal, or "markdown".

    Raises:
        InputError: the runs are of different benchmarks.
    """
    runs = distinguish([runs] if isinstance(runs, Results) else runs)
    benchmark = find_benchmark(one_benchmark(runs))
    parts = [partial_note(run.label, run.settings) for run in runs]
    parts += [incomplete(run) for run in runs if not run.complete]
    parts += [render_table(table, format) for table in main_tables(runs, benchmark.layout)]
    parts += [render_own(table, format) for table in benchmark.tables(runs)]
    # How a reference model ends is known beforehand, unless there is nothing else to see.
    real = [run for run in runs if run.reference is None]
    parts += [render_pairs(run, format) for run in real]
    for run in real or runs:
        details = render_details(run, format) if len(run.cells) <= benchmark.most_details else ""
        parts += [render_changes(run, format), details, render_causes(run, format), render_budgets(run, format)]
    parts += [render_spent(run, format) for run in real]
    return "\n\n".join(part for part in parts if part)


def render_first_table(runs: Sequence[Results]) -> str:
    """Return the first of the main tables about some runs of one benchmark, as text: what to look at first.

    Raises:
        InputError: the runs are of different benchmarks.
    """
    runs = distinguish(runs)
    tables = main_tables(runs, find_benchmark(one_benchmark(runs)).layout)
    return render_table(tables[0], "text") if tables else ""


def one_benchmark(runs: Sequence[Results]) -> str:
    """Return the benchmark that all runs are of.

    Raises:
        InputError: there are none, or they are of different ones.
    """
    names = sorted({run.benchmark for run in runs})
    if len(names) != 1:
        raise InputError(f"RUN: {' and '.join(names) or 'no runs'}: give runs of one benchmark at a time")
    return names[0]
