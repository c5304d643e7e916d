"""Shares over several variants at once: which variants can be laid together, and over how many word lists they are.

Each variant counts alike. Variants of one list are no independent evidence, so the interval is the exact one of as
many examples as there are different lists; it is never too narrow, whatever the variants have in common.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from lengthwise.evaluators.contracts import OutcomeKind
from lengthwise.evaluators.figures.choosing import plain_configs
from lengthwise.evaluators.figures.ended import Ended, ended_of
from lengthwise.evaluators.figures.model import Point
from lengthwise.evaluators.main_table import split_order
from lengthwise.evaluators.scoring import Scored
from lengthwise.metrics.intervals import clopper_pearson


@dataclass(frozen=True, slots=True)
class Laid:
    """A run with the variants of it that are laid together.

    Attributes:
        run: scored.
        place: of the run among all.
        configs: the variants, in the table's order.
        lengths: at each of which it has all of them, the shortest first.
    """

    run: Scored
    place: int
    configs: tuple[str, ...]
    lengths: tuple[str, ...]

    def cells(self) -> dict[str, list[Sequence[Ended]]]:
        """Return by length the replies of each variant."""
        replies = ended_of(self.run)
        return {split: [replies.get((config, split), ()) for config in self.configs] for split in self.lengths}


def laid_together(runs: Sequence[Scored]) -> list[Laid]:
    """Return the runs with the variants that a figure over all of them is about.

    They are what every run has at each of its own lengths; where the runs have no such variant in common, what each
    one has. A run with less than two lengths, or without such a variant, is left out.

    Args:
        runs: of one benchmark.
    """
    configs = plain_configs(runs)
    whole = []
    for place, run in enumerate(runs):
        # Documents have no lengths.
        found = {cell.split for cell in run.results.cells if cell.config in configs} - {"full"}
        lengths = tuple(sorted(found, key=split_order))
        kept = tuple(config for config in configs if all(run.results.cell(config, split) for split in lengths))
        if len(lengths) > 1 and kept:
            whole.append(Laid(run, place, kept, lengths))
    shared = tuple(config for config in configs if all(config in one.configs for one in whole))
    return [replace(one, configs=shared or one.configs) for one in whole]


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
