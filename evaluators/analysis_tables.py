"""The analyses of any benchmark's runs: what `lengthwise score --analyses` prints, and `write_tables` writes."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from lengthwise.evaluators.instance_analyses.omissions import Tick
from lengthwise.evaluators.instance_analyses.table import all_analyses
from lengthwise.evaluators.longnovel_analyses.patterns import Tags
from lengthwise.evaluators.longnovel_analyses.table import novel_analyses
from lengthwise.evaluators.naming import by_benchmark
from lengthwise.evaluators.scoring import Scored
from lengthwise.evaluators.table_formats.grid import Block


def analysis_block(runs: Sequence[Scored], ticks: Mapping[str, Tick] | None = None, tags: Tags | None = None) -> Block:
    """Return the analyses of some runs, benchmark by benchmark; those with nothing to show are left out.

    Args:
        runs: at least one, with labels that tell them apart (`naming.distinct`).
        ticks: a person's judgements of omissions by key; see `omissions.read_omissions`.
        tags: a person's tags of LongNovel's replies by key; see `tags.read_tags`.
    """
    return Block(
        tuple(
            replace(table, benchmark=benchmark.name)
            for benchmark, group in by_benchmark(runs)
            for table in (*all_analyses(group, ticks), *novel_analyses(group, tags))
        )
    )
