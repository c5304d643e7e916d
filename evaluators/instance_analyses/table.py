"""The table of analyses: what `lengthwise score --analyses` prints and the report page shows, in order."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

from lengthwise.evaluators.instance_analyses.agreement import agreement_table
from lengthwise.evaluators.instance_analyses.correlation import correlation_table
from lengthwise.evaluators.instance_analyses.costs import cost_table, methods_table
from lengthwise.evaluators.instance_analyses.halving import halving_table
from lengthwise.evaluators.instance_analyses.noise import noise_table, places_table
from lengthwise.evaluators.instance_analyses.omissions import Tick, find_omissions, omission_table
from lengthwise.evaluators.scoring import Scored
from lengthwise.evaluators.table_formats.grid import GridTable
from lengthwise.evaluators.table_formats.render import Format, render_tables

# Makes a table of scored runs; None where they hold nothing to show in it.
Maker: TypeAlias = Callable[[Sequence[Scored]], GridTable | None]

BENCHMARK = "multi-instance"
ANALYSES: Mapping[str, Maker] = MappingProxyType(
    {
        "rank-agreement": agreement_table,
        "correlations": correlation_table,
        "noise": noise_table,
        "noise-places": places_table,
        "halving": halving_table,
        "methods": methods_table,
        "costs": cost_table,
    }
)


def make_analyses(runs: Sequence[Scored]) -> tuple[GridTable, ...]:
    """Return the analyses of some scored runs but that of omissions; those with nothing to show are left out.

    Args:
        runs: all of one benchmark; of any but multi-instance processing there are none.
    """
    if not runs or runs[0].results.benchmark != BENCHMARK:
        return ()
    return tuple(table for make in ANALYSES.values() if (table := make(runs)) is not None)


def all_analyses(runs: Sequence[Scored], ticks: Mapping[str, Tick] | None = None) -> tuple[GridTable, ...]:
    """Return all analyses of some scored runs, that of omissions last; none where there is nothing to show.

    Args:
        runs: all of one benchmark.
        ticks: a person's judgements of omissions by key; see `omissions.read_omissions`.
    """
    tables = list(make_analyses(runs))
    if runs and runs[0].results.benchmark == BENCHMARK:
        counted = omission_table(runs, find_omissions(runs), ticks)
        tables += [] if counted is None else [counted]
    return tuple(tables)


def render_analyses(runs: Sequence[Scored], ticks: Mapping[str, Tick] | None = None, format: Format = "text") -> str:
    """Return all analyses of some scored runs as text; empty where there are none.

    Args:
        runs: all of one benchmark.
        ticks: see `all_analyses`.
        format: see `render_blocks`.
    """
    return render_tables(all_analyses(runs, ticks), format)
