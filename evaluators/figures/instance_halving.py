"""Bars of the number of instances at which success halves, on a logarithmic axis (not in the paper)."""

import math
from collections.abc import Sequence

from lengthwise.builders.multi_instance.tasks import TASKS
from lengthwise.evaluators.figures.model import Figure, Panel, Place, Point, Series
from lengthwise.evaluators.instance_analyses.halving import (
    ALL_TASKS,
    NOTES,
    TITLE,
    Halving,
    half_text,
    halvings,
    halvings_of_tasks,
)
from lengthwise.evaluators.scoring import Scored
from lengthwise.metrics.halving import HalfSize

_TICKS = (2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)


def halving(runs: Sequence[Scored]) -> Figure | None:
    """Return a bar a model over all tasks, and a bar a task over all models; the table has them all by both."""
    found = halvings(runs)
    by_model = [one for one in found if one.task == ALL_TASKS] or list(found)
    by_task = halvings_of_tasks(runs)
    panels = [_panel("By model, over all tasks", "model", [(one.model, one) for one in by_model])]
    if len(by_task) > 1:
        over = "By task" + (", mean over the models" if len(by_model) > 1 else "")
        panels.append(_panel(over, "task", [(TASKS[one.task].title, one) for one in by_task]))
    drawn = tuple(panel for panel in panels if panel is not None)
    return Figure("halving", TITLE, " ".join(NOTES), drawn) if drawn else None


def _panel(title: str, axis: str, named: Sequence[tuple[str, Halving]]) -> Panel | None:
    known = [(name, one, one.half) for name, one in named if one.half is not None]
    if not known:
        return None
    smallest, largest = min(half.smallest for *_, half in known), max(half.largest for *_, half in known)
    points = tuple(_point(half, one.n, smallest, largest) for _, one, half in known)
    ticks = tuple((_along(size, smallest, largest), f"{size:,}") for size in _ticks(smallest, largest))
    places = tuple(Place(name) for name, *_ in known)
    return Panel(title, "bars", axis, places, (Series("", points, 0),), TITLE.lower(), ticks)


def _ticks(smallest: int, largest: int) -> list[int]:
    """Return the sizes to mark: the ends and round ones between, not so close that they touch."""
    marked = [size for size in _TICKS if smallest <= size <= largest] or [smallest, largest]
    return marked if len(marked) < 7 else [size for size in marked if str(size).strip("0") in ("1", "2")]


def _along(size: float, smallest: int, largest: int) -> float:
    """Return how far along the axis a size lies; an infinite one at its end."""
    if math.isinf(size):
        return 1.0
    return math.log(size / smallest) / math.log(largest / smallest)


def _point(half: HalfSize, n: int, smallest: int, largest: int) -> Point:
    low, high = (half.size if end is None else end for end in (half.low, half.high))
    at, start, end = (_along(size, smallest, largest) for size in (half.size, low, high))
    return Point(at, start, end, n, half_text(half).partition(" [")[0])
