"""Heat maps: variants by models, and lengths by the position of the answer (PredicateLongBench, multi-instance)."""

from collections.abc import Sequence

from lengthwise.evaluators.figures.choosing import (
    INTERVALS,
    at_length,
    cell_at,
    plain_configs,
    point_of,
    shared_split,
    shown,
)
from lengthwise.evaluators.figures.ended import N_BINS, Ended, bin_names
from lengthwise.evaluators.figures.model import Figure, Panel, Place, Point, Series
from lengthwise.evaluators.figures.pooling import laid_together, pooled
from lengthwise.evaluators.naming import name_of
from lengthwise.evaluators.scoring import Scored

# Smaller than this a map says no more than bars do.
FEWEST_RUNS, FEWEST_VARIANTS = 2, 3
# Fewer examples a cell than this on average are noise in colour.
FEWEST_A_CELL = 4

BY_MODEL = "Variants by model"
BY_MODEL_CAPTION = (
    "Accuracy in % of each variant (rows) by each model (columns), a variant at the longest length that all of its "
    f"runs have in common, named where it is not the same for all. Empty: not run. In the numbers: {INTERVALS} and n."
)
BY_MODEL_SIZES_CAPTION = (
    "Success rate in % of each variant (rows) by each model (columns), a variant at the largest number of instances "
    "that all of its runs have in common (n50 is 50), named where it is not the same for all. Empty: not run. In the "
    f"numbers: {INTERVALS} and n."
)
BY_POSITION = "Length by position of the answer"
BY_POSITION_CAPTION = (
    "Accuracy in % by length (rows) and by where in the list the answer begins, in five equal parts (columns); a "
    "panel a model, the mean over the variants that it has at all of its lengths. Empty: no answer begins there. In "
    f"the numbers: {INTERVALS} over the different word lists, and their number."
)


def variants_by_model(runs: Sequence[Scored]) -> Figure | None:
    """Return a map of variants by runs; None of fewer than two runs or three variants."""
    return _by_model(runs, BY_MODEL_CAPTION, "accuracy")


def configs_by_model(runs: Sequence[Scored]) -> Figure | None:
    """Return the same map of multi-instance processing, whose lengths are numbers of instances."""
    return _by_model(runs, BY_MODEL_SIZES_CAPTION, "success rate")


def _by_model(runs: Sequence[Scored], caption: str, measure: str) -> Figure | None:
    chosen = shown(runs)
    results = [run.results for run in chosen]
    configs = plain_configs(chosen)
    if len(chosen) < FEWEST_RUNS or len(configs) < FEWEST_VARIANTS:
        return None
    splits = {config: shared_split(results, [config]) for config in configs}
    lengths = {split for split in splits.values() if split != "full"}
    alike = len(lengths) == 1 and None not in lengths
    series = []
    for config, split in splits.items():
        own = "" if alike or split == "full" else f", {split}" if split else ", each at its own longest"
        points = tuple(point_of(cell_at(run, config, split)) for run in results)
        series.append(Series(f"{config}{own}", points, 0))
    places = tuple(Place(name_of(run)) for run in results)
    title = at_length(lengths.pop()).removeprefix(", ") if alike else ""
    panel = Panel(title, "heat", "model", places, tuple(series), measure, rows="variant")
    return Figure("heat", BY_MODEL, caption, (panel,))


def length_by_position(runs: Sequence[Scored]) -> Figure | None:
    """Return a map of lengths by position for each run that has two lengths and examples enough."""
    panels = []
    for one in laid_together(shown(runs)):
        cells = one.cells()
        series = tuple(Series(split, _at_positions(cells[split]), 0) for split in one.lengths)
        counts = [point.n for row in series for point in row.points if point is not None]
        if sum(counts) >= FEWEST_A_CELL * N_BINS * len(one.lengths):
            axis = "where the answer begins (% of the list)"
            places = tuple(map(Place, bin_names()))
            panels.append(Panel(name_of(one.run.results), "heat", axis, places, series, rows="length"))
    if not panels:
        return None
    return Figure("heat-position", BY_POSITION, BY_POSITION_CAPTION, tuple(panels))


def _at_positions(cells: Sequence[Sequence[Ended]]) -> tuple[Point | None, ...]:
    """Return the accuracy over some cells in each part of the list."""
    return tuple(pooled([[one for one in of_cell if one.part == part] for of_cell in cells]) for part in range(N_BINS))
