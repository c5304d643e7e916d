"""The number of instances at which success halves, by model and task, with an interval (not in the paper)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from lengthwise.builders.multi_instance.tasks import TASKS
from lengthwise.evaluators.instance_analyses.trials import (
    Trial,
    direct,
    grouped,
    plain,
    tasks_of,
    trials_of,
)
from lengthwise.evaluators.scoring import Scored
from lengthwise.evaluators.table_formats.cells import Figure, Name, Number
from lengthwise.evaluators.table_formats.grid import GridTable
from lengthwise.metrics.halving import HalfSize, half_size

ALL_TASKS = "all tasks"
TITLE = "Number of instances at which success halves"
NOTES = (
    "The size at which the success rate comes to half of what it is at the smallest size: rates are made to fall "
    "(isotonic regression) and read off straight lines between sizes on a logarithmic axis. The aggregate setting, "
    "default samples; over all tasks means those that have a size. The 95 % interval is of a bootstrap over the "
    "seeds: of five it is rough and rather too narrow. Where all seeds agree it would have no width and is not shown.",
    "“>”: never within the sizes run. A dash: no success at the smallest size, or only one size.",
)


@dataclass(frozen=True, slots=True)
class Halving:
    """Where a model's success halves on a task.

    Attributes:
        model: the model.
        task: name of the task, or `ALL_TASKS`.
        half: where; None where it cannot be told.
        n: prompts.
    """

    model: str
    task: str
    half: HalfSize | None
    n: int


def halvings(runs: Sequence[Scored]) -> tuple[Halving, ...]:
    """Return where each model's success halves, over all tasks and by task; the aggregate setting, default samples."""
    found = plain(direct(trials_of(runs)))
    tasks = tasks_of(found)
    if len({one.size for one in found}) < 2:
        return ()
    made = []
    for model, of_model in grouped(found, lambda one: one.model).items():
        if len(tasks) > 1:
            made.append(_halving(model, ALL_TASKS, of_model))
        of_task = grouped(of_model, lambda one: one.task)
        made += [_halving(model, task, of_task[task]) for task in tasks if task in of_task]
    return tuple(made)


def halvings_of_tasks(runs: Sequence[Scored]) -> tuple[Halving, ...]:
    """Return where success halves on each task, the mean over all models."""
    found = plain(direct(trials_of(runs)))
    groups = grouped(found, lambda one: one.task)
    return tuple(_halving("", task, groups[task]) for task in tasks_of(found))


def _halving(model: str, task: str, found: Sequence[Trial]) -> Halving:
    return Halving(model, task, half_size(_by_seed(found)), len({one.row["id"] for one in found}))


def _by_seed(found: Sequence[Trial]) -> dict[int, dict[int, tuple[float, int]]]:
    """Return seed -> size -> (right ones, prompts); a prompt that was asked several times counts once."""
    counts: dict[int, dict[int, tuple[float, int]]] = {}
    for (seed, size, _), of_prompt in grouped(found, lambda one: (one.seed, one.size, one.row["id"])).items():
        right, n = counts.setdefault(seed, {}).get(size, (0.0, 0))
        counts[seed][size] = (right + sum(one.right for one in of_prompt) / len(of_prompt), n + 1)
    return counts


def half_text(half: HalfSize | None) -> str:
    """Return where success halves, with its interval if that has a width: "120 [85, >2,000]".

    >>> half_text(HalfSize(1.0, 120.4, 85.2, float("inf"), 5, 2, 2000)), half_text(None)
    ('120 [85, >2,000]', '–')
    """
    if half is None:
        return "–"
    size = _size(half.size, half.largest)
    # Seeds that all agree leave an interval without width, which would claim more than so few can show.
    if half.low is None or half.high is None or half.low == half.high:
        return size
    return f"{size} [{_size(half.low, half.largest)}, {_size(half.high, half.largest)}]"


def _size(size: float, largest: int) -> str:
    if math.isinf(size):
        return f">{largest:,}"
    return f"{size:,.1f}" if size < 10 else f"{size:,.0f}"


def halving_table(runs: Sequence[Scored]) -> GridTable | None:
    """Return a row a model and a column a task; None where only one size was run."""
    found = halvings(runs)
    if not found:
        return None
    known = {(one.model, one.task): one for one in found}
    columns = [task for task in (ALL_TASKS, *TASKS) if any(one.task == task for one in found)]
    rows = []
    for model in dict.fromkeys(one.model for one in found):
        of_model = (known.get((model, task)) for task in columns)
        rows.append((model, *(_half(None if one is None else one.half) for one in of_model)))
    heads = (
        Name(TASKS[task].title if task in TASKS else task, metric="half_size", part=f"task={task}") for task in columns
    )
    return GridTable(TITLE, ("model", *heads), tuple(rows), NOTES, name="halving")


def _half(half: HalfSize | None) -> Figure:
    numbers = () if half is None else (Number(half.size, half.low, half.high),)
    return Figure(half_text(half), *numbers)
