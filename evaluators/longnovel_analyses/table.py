"""The analyses of LongNovel runs, in order: what `lengthwise score --analyses` prints and the report page shows."""

from collections.abc import Sequence

from lengthwise.evaluators.benchmarks import find_benchmark
from lengthwise.evaluators.longnovel_analyses.evidence import evidence_table
from lengthwise.evaluators.longnovel_analyses.patterns import Tags, pattern_table
from lengthwise.evaluators.longnovel_analyses.rag_costs import rag_cost_table, segment_table
from lengthwise.evaluators.longnovel_patterns import NOVEL_CAUSES
from lengthwise.evaluators.scoring import Scored
from lengthwise.evaluators.table_formats.grid import GridTable


def is_novel(runs: Sequence[Scored]) -> bool:
    """Return whether the runs are of LongNovel or the story world."""
    return bool(runs) and find_benchmark(runs[0].results.benchmark).causes is NOVEL_CAUSES


def novel_analyses(runs: Sequence[Scored], tags: Tags | None = None) -> tuple[GridTable, ...]:
    """Return the analyses of some scored runs; those with nothing to show are left out.

    Args:
        runs: all of one benchmark; of any but LongNovel and the story world there are none.
        tags: a person's, by key; see `tags.read_tags`.
    """
    if not is_novel(runs):
        return ()
    whole = [run for run in runs if not run.results.chosen]
    tables = (pattern_table(runs, tags), evidence_table(whole), rag_cost_table(whole), segment_table(whole))
    return tuple(table for table in tables if table is not None)
