"""Shares over several variants at once: which variants can be laid together, and over how many word lists they are.

Each variant counts alike. Variants of one list are no independent evidence, so the interval is the exact one of as
many examples as there are different lists; it is never too narrow, whatever the variants have in common.
"""

from collections.abc import Collection, Sequence
from statistics import fmean

from lengthwise.evaluators.contracts import OutcomeKind
from lengthwise.evaluators.figures.choosing import plain_configs
from lengthwise.evaluators.figures.ended import Ended
from lengthwise.evaluators.figures.model import Point
from lengthwise.evaluators.main_table import split_order
from lengthwise.evaluators.scoring import Scored
from lengthwise.metrics.intervals import clopper_pearson


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


def pooled(cells: Collection[Sequence[Ended]], kind: OutcomeKind = "correct") -> Point | None:
    """Return for which share of the replies of some cells it is so that they ended like this, the mean over the cells.

    None where there are no replies.

    Args:
        cells: the replies of each.
        kind: by default the right ones.
    """
    known = [of_cell for of_cell in cells if of_cell]
    if not known:
        return None
    value = fmean(fmean(one.kind == kind for one in of_cell) for of_cell in known)
    n = len({one.source for of_cell in known for one in of_cell})
    low, high = clopper_pearson(min(value * n, n), n)
    return Point(value, low, high, n)
