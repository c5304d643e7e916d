"""What the figures of multi-instance processing share: shares as points, and panels by number of instances."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from lengthwise.evaluators.figures.bound_lines import bound_cells, bound_lines
from lengthwise.evaluators.figures.model import Panel, Place, Point, Series
from lengthwise.evaluators.instance_analyses.trials import (
    Share,
    Trial,
    grouped,
    is_plain,
    models_of,
    sizes_of,
    success_of,
)
from lengthwise.evaluators.scoring import Scored
from lengthwise.metrics.intervals import clopper_pearson

AXIS = "instances in the prompt"
MEASURE = "success rate"
INTERVALS = (
    "The 95 % intervals (in the numbers; drawn where lines are few) are exact, over the n prompts of a point: several "
    "models' replies to one prompt are averaged and do not narrow them."
)


def as_point(share: Share | None) -> Point | None:
    """Return a share as a point, with its exact interval over the prompts."""
    if share is None:
        return None
    low, high = clopper_pearson(min(share.value * share.n, share.n), share.n)
    return Point(share.value, low, high, share.n)


def lines_by_size(
    title: str,
    named: Mapping[str, Sequence[Trial]],
    colours: Mapping[str, int],
    captions: Mapping[int, str] | None = None,
) -> Panel | None:
    """Return success by number of instances, a line a group of trials; None where no line has two points.

    Args:
        title: of the panel.
        named: the trials of each line.
        colours: number of each line's colour.
        captions: what to say of a size, if anything.
    """
    sizes = sizes_of(one for of_line in named.values() for one in of_line)
    series = []
    for name, of_line in named.items():
        at_size = grouped(of_line, lambda one: one.size)
        points = tuple(as_point(success_of(at_size.get(size, ()))) for size in sizes)
        if any(points):
            series.append(Series(name, points, colours[name], name.endswith(" (reference)")))
    if not any(sum(point is not None for point in one.points) > 1 for one in series):
        return None
    places = tuple(Place(f"{size:,}", (captions or {}).get(size, "")) for size in sizes)
    return Panel(title, "lines", AXIS, places, tuple(series), MEASURE)


def with_bounds(panel: Panel | None, runs: Sequence[Scored], setting: str) -> Panel | None:
    """Return a panel of default samples by number of instances with ceiling and floor where they are known.

    A bound is drawn at a size at which it is known of all prompts of a line: where no rule solves a task, none is.

    Args:
        panel: of `lines_by_size`, its places rising sizes.
        runs: that it is of.
        setting: of its prompts.
    """
    if panel is None or any(one.reference for one in panel.series):
        return panel
    points: dict[str, list[Point | None]] = {}
    for name, cells in bound_cells(runs).items():
        counts: dict[str, list[tuple[float, int]]] = {}
        for (config, split), cell in cells.items():
            if cell.accuracy.value is not None and is_plain(config, setting):
                counts.setdefault(split, []).append((cell.accuracy.value * cell.n, cell.n))
        points[name] = []
        for place, at in enumerate(panel.places):
            found = counts.get(f"n{at.name.replace(',', '')}", [])
            n = sum(n for _, n in found)
            whole = n >= max((point.n for one in panel.series if (point := one.points[place])), default=1)
            points[name].append(as_point(Share(sum(right for right, _ in found) / n, n)) if whole else None)
    return replace(panel, series=(*panel.series, *bound_lines(runs[0].results.benchmark, points)))


def numbered(names: Iterable[str]) -> dict[str, int]:
    """Return a colour number for each name, in order."""
    return {name: number for number, name in enumerate(dict.fromkeys(names))}


def averaged_over(trials: Sequence[Trial]) -> str:
    """Return over which models a figure is the mean, as the end of a sentence."""
    models = models_of(trials)
    return f" of {models[0]}" if len(models) == 1 else f", mean over {len(models)} models"
