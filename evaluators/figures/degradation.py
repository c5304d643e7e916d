"""How accuracy falls with length, over all variants of PredicateLongBench at once: a line a run, ceiling and floor."""

from collections.abc import Mapping, Sequence
from statistics import fmean

from lengthwise.evaluators.figures.bound_lines import bound_cells, bound_lines
from lengthwise.evaluators.figures.choosing import INTERVALS, shown
from lengthwise.evaluators.figures.model import Figure, Panel, Place, Point, Series
from lengthwise.evaluators.figures.places import colours
from lengthwise.evaluators.figures.pooling import laid_together, pooled
from lengthwise.evaluators.main_table import split_order
from lengthwise.evaluators.naming import name_of
from lengthwise.evaluators.results import CellResult
from lengthwise.evaluators.scoring import Scored
from lengthwise.metrics.intervals import clopper_pearson

TITLE = "Accuracy by length, all variants together"
CAPTION = (
    f"Mean accuracy over {{variants}} at each length; bands are {INTERVALS} over the different word lists, since "
    "variants of one list do not count twice. Lengths are evenly spaced, whatever their distance. Dashed: ceiling and "
    "floor on the same rows, where they are known."
)
SHARED = "the variants that all runs have at all of their lengths ({names})"
OWN = "the variants that a run has at all of its lengths (not the same for all runs: compare a line with itself)"


def by_length_of_all(runs: Sequence[Scored]) -> Figure | None:
    """Return a line a run over the lengths; None where no run has two lengths with two variants in common."""
    chosen = shown(runs)
    laid = laid_together(chosen)
    if not laid or max(len(one.configs) for one in laid) < 2:
        return None
    lengths = sorted({split for one in laid for split in one.lengths}, key=split_order)
    series = []
    n_lists = dict.fromkeys(lengths, 0)
    numbered = colours([run.results for run in chosen])
    for one in laid:
        cells = one.cells()
        points = tuple(pooled(cells.get(split, ())) for split in lengths)
        for split, point in zip(lengths, points, strict=True):
            n_lists[split] = max(n_lists[split], point.n if point else 0)
        series.append(Series(name_of(one.run.results), points, *numbered[one.place]))
    alike = len({one.configs for one in laid}) == 1
    if alike and not any(one.reference for one in series):
        series += _bounds(runs, laid[0].configs, n_lists)
    named = SHARED.format(names=", ".join(laid[0].configs)) if alike else OWN
    panel = Panel("", "lines", "tokens of the whole prompt", tuple(map(Place, lengths)), tuple(series))
    return Figure("degradation", TITLE, CAPTION.format(variants=named), (panel,))


def _bounds(runs: Sequence[Scored], configs: Sequence[str], n_lists: Mapping[str, int]) -> tuple[Series, ...]:
    """Return ceiling and floor, each at the lengths at which it is known of all these variants."""
    points = {
        name: [_bound([cells.get((config, split)) for config in configs], n) for split, n in n_lists.items()]
        for name, cells in bound_cells(runs).items()
    }
    return bound_lines(runs[0].results.benchmark, points)


def _bound(cells: Sequence[CellResult | None], n: int) -> Point | None:
    values = [cell.accuracy.value for cell in cells if cell is not None and cell.accuracy.value is not None]
    if len(values) < len(cells):
        return None
    value = fmean(values)
    return Point(value, *clopper_pearson(min(value * n, n), n), n)
