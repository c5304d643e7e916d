"""What `lengthwise score` prints: an incomplete run's heading, the main table, what its arrows rest on, details."""

from collections.abc import Sequence
from dataclasses import replace

from lengthwise.errors import InputError
from lengthwise.evaluators.again_table import changes_table
from lengthwise.evaluators.benchmarks import Benchmark, find_benchmark
from lengthwise.evaluators.cause_table import causes_table
from lengthwise.evaluators.main_table import incomplete, main_tables
from lengthwise.evaluators.naming import by_benchmark, distinct, distinguish
from lengthwise.evaluators.overview import overview
from lengthwise.evaluators.overview_table import overview_table
from lengthwise.evaluators.result_tables import budgets_table, details_table, main_grid, pairs_table
from lengthwise.evaluators.results import Results
from lengthwise.evaluators.scoring import Scored
from lengthwise.evaluators.sharding import partial_note
from lengthwise.evaluators.spent_table import spent_table
from lengthwise.evaluators.table_formats.grid import Block, GridTable
from lengthwise.evaluators.table_formats.render import Format, render_blocks, render_tables
from lengthwise.evaluators.table_origins import origins_of


def render_results(runs: Results | Sequence[Results], format: Format = "text") -> str:
    """Return all tables about some runs as one text, benchmark by benchmark.

    Args:
        runs: results of one run, or of several runs of any benchmarks.
        format: see `render_blocks`.

    Raises:
        InputError: there are no runs.
    """
    runs = distinguish([runs] if isinstance(runs, Results) else runs)
    return render_blocks(result_blocks(runs), format, origins_of(runs))


def result_blocks(runs: Sequence[Results]) -> list[Block]:
    """Return all tables about some runs, a block a benchmark.

    Args:
        runs: with labels that tell them apart (`distinguish`).

    Raises:
        InputError: there are no runs.
    """
    groups = by_benchmark(runs)
    return [
        Block(
            tuple(replace(table, benchmark=benchmark.name) for table in _tables(benchmark, of_benchmark)),
            heading=benchmark.layout.name if len(groups) > 1 else "",
            above=(
                *(partial_note(run.label, run.settings) for run in of_benchmark),
                *(incomplete(run) for run in of_benchmark if not run.complete),
            ),
        )
        for benchmark, of_benchmark in groups
    ]


def _tables(benchmark: Benchmark, runs: Sequence[Results]) -> list[GridTable]:
    found: list[GridTable | None] = [*map(main_grid, main_tables(runs, benchmark.layout)), *benchmark.tables(runs)]
    # How a reference model ends is known beforehand, unless there is nothing else to see.
    real = [run for run in runs if run.reference is None]
    found += map(pairs_table, real)
    for run in real or runs:
        details = details_table(run) if len(run.cells) <= benchmark.most_details else None
        found += [changes_table(run), details, causes_table(run), budgets_table(run)]
    found += map(spent_table, real)
    return [table for table in found if table is not None]


def overview_block(runs: Sequence[Scored]) -> Block:
    """Return one table over runs of any benchmarks, a row each: figure, bounds, how they ended, what they took."""
    ordered = [run for _, group in by_benchmark(distinct(runs)) for run in group]
    return Block((overview_table(overview(ordered)),))


def render_first_table(runs: Sequence[Results]) -> str:
    """Return the first of the main tables about some runs of one benchmark, as text: what to look at first.

    Raises:
        InputError: the runs are of different benchmarks.
    """
    runs = distinguish(runs)
    tables = main_tables(runs, find_benchmark(one_benchmark(runs)).layout)
    return render_tables([main_grid(tables[0])]) if tables else ""


def one_benchmark(runs: Sequence[Results]) -> str:
    """Return the benchmark that all runs are of.

    Raises:
        InputError: there are none, or they are of different ones.
    """
    names = sorted({run.benchmark for run in runs})
    if len(names) != 1:
        raise InputError(f"RUN: {' and '.join(names) or 'no runs'}: give runs of one benchmark at a time")
    return names[0]
