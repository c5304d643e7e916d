"""Bars of the number of instances at which success halves, on a logarithmic axis (not in the paper)."""

import math
from collections.abc import Sequence

from lengthwise.builders.multi_instance.tasks import TASKS
from lengthwise.evaluators.figures.instance_panels import numbered
from lengthwise.evaluators.figures.model import Figure, Panel, Place, Point, Series
from lengthwise.evaluators.instance_analyses.halving import ALL_TASKS, NOTES, Halving, half_text, halvings
from lengthwise.evaluators.scoring import Scored

_TICKS = (2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)


def halving(runs: Sequence[Scored]) -> Figure | None:
    """Return a bar a model, over all tasks, and for each task."""
    found = [one for one in halvings(runs) if one.half is not None]
    if not found:
        return None
    models = numbered(one.model for one in found)
    tasks = [task for task in (ALL_TASKS, *TASKS) if any(one.task == task for one in found)]
    smallest = min(one.half.smallest for one in found if one.half is not None)
    largest = max(one.half.largest for one in found if one.half is not None)
    known = {(one.model, one.task): one for one in found}
    series = tuple(
        Series(
            model,
            tuple(_point(known.get((model, task)), smallest, largest) for task in tasks),
            colour,
            model.endswith(" (reference)"),
        )
        for model, colour in models.items()
    )
    places = tuple(Place(TASKS[task].title if task in TASKS else task) for task in tasks)
    ticks = tuple((_along(size, smallest, largest), f"{size:,}") for size in _ticks(smallest, largest))
    panel = Panel("", "bars", "task", places, series, "instances at which success halves", ticks)
    return Figure("halving", "Number of instances at which success halves", " ".join(NOTES), (panel,))


def _ticks(smallest: int, largest: int) -> list[int]:
    """Return the sizes to mark: the ends and round ones between, not so close that they touch."""
    marked = [size for size in _TICKS if smallest <= size <= largest] or [smallest, largest]
    return marked if len(marked) < 7 else [size for size in marked if str(size).strip("0") in ("1", "2")]


def _along(size: float, smallest: int, largest: int) -> float:
    """Return how far along the axis a size lies; an infinite one at its end."""
    if math.isinf(size):
        return 1.0
    return math.log(size / smallest) / math.log(largest / smallest)


def _point(one: Halving | None, smallest: int, largest: int) -> Point | None:
    if one is None or one.half is None:
        return None
    half = one.half
    low, high = (half.size if end is None else end for end in (half.low, half.high))
    at, start, end = (_along(size, smallest, largest) for size in (half.size, low, high))
    return Point(at, start, end, one.n, half_text(half).partition(" [")[0])
