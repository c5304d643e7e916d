"""Accuracy by variant, by length, and by the position of the answer in the list."""

from collections.abc import Mapping, Sequence

from lengthwise.evaluators.figures.choosing import (
    INTERVALS,
    at_length,
    cell_at,
    plain_configs,
    point_of,
    shared_split,
    shown,
)
from lengthwise.evaluators.figures.ended import N_BINS, bin_names, ended_of, share_of_kind
from lengthwise.evaluators.figures.model import Figure, Panel, Place, Series
from lengthwise.evaluators.main_table import split_order
from lengthwise.evaluators.naming import layout_of, name_of
from lengthwise.evaluators.results import Results
from lengthwise.evaluators.scoring import Scored

# Fewer examples than this would leave bins of one or two.
FEWEST_TO_BIN = 20


def by_variant(runs: Sequence[Scored]) -> Figure | None:
    """Return bars per variant, a colour a run, at the longest length that all runs of the variant share."""
    results = [run.results for run in runs]
    configs = plain_configs(runs)
    captions = layout_of(runs).holding(configs).captions
    panel = variants_panel("", [(name_of(run), run) for run in results], configs, captions)
    if panel is None:
        return None
    caption = (
        "Accuracy per variant, at the longest length that all runs of the variant have in common; whiskers are "
        f"{INTERVALS}."
    )
    return Figure("variants", "Accuracy by variant", caption, (panel,))


def variants_panel(
    title: str, named: Sequence[tuple[str, Results]], configs: Sequence[str], captions: Mapping[str, str]
) -> Panel | None:
    """Return bars per config, a series per named result, each config at the longest length that all share.

    Args:
        title: of the panel.
        named: what each series is called, and its figures.
        configs: which configs, in order; those that none of the results has are left out.
        captions: a readable name per config.
    """
    results = [result for _, result in named]
    configs = [config for config in configs if any(cell_at(run, config, None) for run in results)]
    if not configs:
        return None
    shared = {config: shared_split(results, [config]) for config in configs}
    lengths = {split for split in shared.values() if split not in (None, "full")}
    one_length = len(lengths) == 1 and None not in shared.values()
    places = []
    for config, split in shared.items():
        length = "" if one_length or split in (None, "full") else f" {split}"
        own = " (each at its own longest length)" if split is None else ""
        places.append(Place(f"{config}{length}", f"{captions.get(config, '')}{own}"))
    series = tuple(
        Series(name, tuple(point_of(cell_at(run, config, shared[config])) for config in configs), colour, reference)
        for (name, run), (colour, reference) in zip(named, colours(results), strict=True)
    )
    headed = ", ".join(part for part in (title, *(lengths if one_length else ())) if part)
    return Panel(headed, "bars", "variant", tuple(places), series)


def colours(runs: Sequence[Results]) -> list[tuple[int, bool]]:
    """Return the colour number of each run, and whether it is a reference model's; each kind counts for itself."""
    counts = {True: 0, False: 0}
    numbered = []
    for run in runs:
        reference = run.reference is not None
        numbered.append((counts[reference], reference))
        counts[reference] += 1
    return numbered


def by_length(runs: Sequence[Scored]) -> Figure | None:
    """Return a line panel per variant that some run has at two lengths or more."""
    results = [run.results for run in runs]
    panels = []
    for config in plain_configs(runs):
        splits = {cell.split for run in results for cell in run.cells if cell.config == config} - {"full"}
        ordered = sorted(splits, key=split_order)
        series = tuple(
            Series(name_of(run), points, colour, reference)
            for run, (colour, reference) in zip(results, colours(results), strict=True)
            if any(points := tuple(point_of(run.cell(config, split)) for split in ordered))
        )
        if any(sum(point is not None for point in one.points) > 1 for one in series):
            places = tuple(Place(split) for split in ordered)
            panels.append(Panel(config, "lines", "tokens of the whole prompt", places, series))
    if not panels:
        return None
    caption = (
        f"Accuracy by length, a panel per variant; bands are {INTERVALS}. Lengths are evenly spaced, whatever their "
        "distance."
    )
    return Figure("length", "Accuracy by length", caption, tuple(panels))


def by_position(runs: Sequence[Scored]) -> Figure | None:
    """Return a line panel per variant over five equal parts of the list in which the answer begins."""
    chosen = shown(runs)
    results = [run.results for run in chosen]
    replies = [ended_of(run) for run in chosen]
    panels = []
    for config in plain_configs(chosen):
        split = shared_split(results, [config])
        series = []
        for run, of_run, (colour, reference) in zip(chosen, replies, colours(results), strict=True):
            cell = cell_at(run.results, config, split)
            if cell is None or cell.n < FEWEST_TO_BIN:
                continue
            of_cell = of_run[config, cell.split]
            points = tuple(share_of_kind([one for one in of_cell if one.part == part]) for part in range(N_BINS))
            series.append(Series(name_of(run.results), points, colour, reference))
        if series:
            places = tuple(map(Place, bin_names()))
            axis = "where the answer begins (% of the list)"
            panels.append(Panel(f"{config}{at_length(split)}", "lines", axis, places, tuple(series)))
    if not panels:
        return None
    caption = (
        "Accuracy by where in the list the answer begins, in five equal parts, at the longest length that all models "
        f"shown have in common; bands are {INTERVALS}. Only variants with at least {FEWEST_TO_BIN} examples."
    )
    return Figure("position", "Accuracy by position of the answer", caption, tuple(panels))
