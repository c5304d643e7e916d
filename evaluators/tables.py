"""What `lengthwise score` prints: an incomplete run's heading, the main table, what its arrows rest on, details."""

from collections.abc import Sequence

from lengthwise.errors import InputError
from lengthwise.evaluators.again_table import render_changes
from lengthwise.evaluators.benchmarks import Benchmark, find_benchmark
from lengthwise.evaluators.cause_table import render_causes
from lengthwise.evaluators.main_table import incomplete, main_tables
from lengthwise.evaluators.naming import by_benchmark, distinct, distinguish
from lengthwise.evaluators.overview import overview
from lengthwise.evaluators.overview_table import overview_table
from lengthwise.evaluators.results import Results
from lengthwise.evaluators.scoring import Scored
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
    """Return all tables about some runs as one text, benchmark by benchmark.

    Args:
        runs: results of one run, or of several runs of any benchmarks.
        format: "text" for a terminal, or "markdown".

    Raises:
        InputError: there are no runs.
    """
    groups = by_benchmark(distinguish([runs] if isinstance(runs, Results) else runs))
    parts = []
    for benchmark, of_benchmark in groups:
        if len(groups) > 1:
            parts.append(_heading(benchmark.layout.name, format))
        parts += _tables(benchmark, of_benchmark, format)
    return "\n\n".join(part for part in parts if part)


def _heading(name: str, format: Format) -> str:
    return f"## {name}" if format == "markdown" else f"{name}\n{'=' * len(name)}"


def _tables(benchmark: Benchmark, runs: Sequence[Results], format: Format) -> list[str]:
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
    return parts


def render_overview(runs: Sequence[Scored], format: Format = "text") -> str:
    """Return one table over runs of any benchmarks, a row each: figure, bounds, how they ended, what they took."""
    ordered = [run for _, group in by_benchmark(distinct(runs)) for run in group]
    return render_own(overview_table(overview(ordered)), format)


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
