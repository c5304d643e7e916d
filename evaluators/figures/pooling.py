"""Shares over several variants at once: which variants can be laid together, and over how many word lists they are.

Each variant counts alike. Variants of one list are no independent evidence, so the interval is the exact one of as
many examples as there are different lists; it is never too narrow, whatever the variants have in common.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from statistics import fmean
from typing import Any, TypeAlias

from lengthwise.evaluators.benchmarks import find_benchmark
from lengthwise.evaluators.contracts import Outcome
from lengthwise.evaluators.figures.choosing import plain_configs
from lengthwise.evaluators.figures.model import Point
from lengthwise.evaluators.main_table import split_order
from lengthwise.evaluators.scoring import Scored
from lengthwise.metrics.intervals import clopper_pearson

Row: TypeAlias = Mapping[str, Any]
# (config, split) -> its rows, each with one of its outcomes.
Replies: TypeAlias = Mapping[tuple[str, str], Sequence[tuple[Row, Outcome]]]


def replies_of(run: Scored) -> Replies:
    """Return the rows and outcomes of a run by cell."""
    found: dict[tuple[str, str], list[tuple[Row, Outcome]]] = {}
    for (example, _), outcome in run.outcomes.items():
        row = run.rows[example]
        found.setdefault((row["config"], row["split"]), []).append((row, outcome))
    return found


def lengths_of(run: Scored, configs: Collection[str]) -> list[str]:
    """Return the lengths at which a run has one of some configs, the shortest first; documents have none."""
    found = {cell.split for cell in run.results.cells if cell.config in configs} - {"full"}
    return sorted(found, key=split_order)


def laid_together(runs: Sequence[Scored]) -> dict[int, list[str]]:
    """Return by place of each run the variants that a figure over all of them is about, in the table's order.

    They are what every run has at each of its own lengths; where the runs have no such variant in common, what each
    one has. A run with less than two lengths, or without such a variant, is left out.

    Args:
        runs: of one benchmark.
    """
    configs = plain_configs(runs)
    whole: dict[int, list[str]] = {}
    for place, run in enumerate(runs):
        lengths = lengths_of(run, configs)
        kept = [config for config in configs if all(run.results.cell(config, split) for split in lengths)]
        if len(lengths) > 1 and kept:
            whole[place] = kept
    shared = [config for config in configs if all(config in kept for kept in whole.values())]
    return {place: shared or kept for place, kept in whole.items()}


def pooled(
    run: Scored, replies: Replies, cells: Collection[tuple[str, str]], holds: Callable[[Row, Outcome], bool]
) -> Point | None:
    """Return for which share of a run's replies something holds, the mean over some cells; None where it has none.

    Args:
        run: scored.
        replies: of `replies_of`, or a part of them.
        cells: which of them.
        holds: of a reply.
    """
    source = find_benchmark(run.results.benchmark).source
    known = [of_cell for cell in cells if (of_cell := replies.get(cell))]
    if not known:
        return None
    value = fmean(fmean(holds(row, outcome) for row, outcome in of_cell) for of_cell in known)
    n = len({source(row) for of_cell in known for row, _ in of_cell})
    low, high = clopper_pearson(min(value * n, n), n)
    return Point(value, low, high, n)


def is_right(row: Row, outcome: Outcome) -> bool:
    """Return whether a reply is right."""
    return outcome.kind == "correct"
