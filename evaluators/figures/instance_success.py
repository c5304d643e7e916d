"""Success by number of instances: by model and task (Figures 2, 3, 8 to 13), and in other orders (Figure 4)."""

from collections.abc import Sequence

from lengthwise.builders.multi_instance.tasks import TASKS
from lengthwise.evaluators.figures.instance_panels import (
    INTERVALS,
    averaged_over,
    lines_by_size,
    numbered,
    with_bounds,
)
from lengthwise.evaluators.figures.model import Figure, Panel
from lengthwise.evaluators.instance_analyses.arms import matched
from lengthwise.evaluators.instance_analyses.trials import (
    Trial,
    direct,
    grouped,
    models_of,
    plain,
    tasks_of,
    trials_of,
)
from lengthwise.evaluators.scoring import Scored

_SETTINGS = {"aggregate": "The aggregate alone", "instances": "Every instance answered"}
_RIGHT = "Success rate: the share of prompts answered right in every key"


def success_by_size(runs: Sequence[Scored]) -> Figure | None:
    """Return a line a model, over all tasks; a panel for each setting (Figure 2)."""
    found = direct(trials_of(runs))
    colours = numbered(models_of(found))
    panels = [
        with_bounds(
            lines_by_size(title, grouped(plain(found, setting), lambda one: one.model), colours), runs, setting
        )
        for setting, title in _SETTINGS.items()
    ]
    caption = (
        f"{_RIGHT}, over all tasks that have the size (in the paper, category ends at 200). Default samples, all "
        f"seeds; sizes are evenly spaced. Dashed: ceiling and floor on the same prompts, where they are known of all. "
        f"{INTERVALS}"
    )
    return _figure("sizes", "Success by number of instances", caption, panels)


def success_by_task(runs: Sequence[Scored]) -> Figure | None:
    """Return a line a task, over all models; a panel for each setting (Figure 3)."""
    found = direct(trials_of(runs))
    colours = _task_colours()
    panels = [lines_by_size(title, _by_task(plain(found, setting)), colours) for setting, title in _SETTINGS.items()]
    caption = f"{_RIGHT}, by task{averaged_over(found) if found else ''}. Default samples, all seeds. {INTERVALS}"
    return _figure("tasks", "Success by number of instances, by task", caption, panels)


def orders(runs: Sequence[Scored]) -> Figure | None:
    """Return success on the samples of seed 1 in their own order and in two others (Figure 4)."""
    found = [
        one
        for one in direct(trials_of(runs))
        if one.seed == 1 and one.config.setting == "aggregate" and one.config.noise is None
        and one.config.choice in ("random", "shuffled")
    ]  # fmt: skip
    kept = matched(found, _order, lambda one: (one.model, one.sample))
    arms = dict(sorted(grouped(kept, _order).items(), key=lambda arm: arm[0] != _DEFAULT))
    if len(arms) < 2:
        return None
    panel = lines_by_size("", arms, numbered(arms))
    caption = (
        f"{_RIGHT}{averaged_over(kept)}, on the samples of seed 1 in the order of the pool and in random orders of "
        f"the same instances; only samples that were run in all of these orders. {INTERVALS}"
    )
    return _figure("orders", "Success in other orders of the instances", caption, [panel])


_DEFAULT = "default order"


def _order(one: Trial) -> str:
    number = str(one.row["selection"]).partition("_shuffle")[2]
    return f"shuffled, order {number}" if number else _DEFAULT


def tasks_of_models(runs: Sequence[Scored]) -> Figure | None:
    """Return a panel a model, a line a task (Figures 8 to 11)."""
    found = plain(direct(trials_of(runs)))
    colours = _task_colours()
    panels = [
        lines_by_size(model, _by_task(of_model), colours)
        for model, of_model in grouped(found, lambda one: one.model).items()
    ]
    caption = f"{_RIGHT}, the aggregate alone, a panel a model. {INTERVALS}"
    return None if len(panels) < 2 else _figure("tasks-of-models", "Each model by task", caption, panels)


def models_of_tasks(runs: Sequence[Scored]) -> Figure | None:
    """Return a panel a task, a line a model (Figures 12 and 13)."""
    found = plain(direct(trials_of(runs)))
    colours = numbered(models_of(found))
    panels = [
        lines_by_size(title, grouped(of_task, lambda one: one.model), colours)
        for title, of_task in _by_task(found).items()
    ]
    caption = f"{_RIGHT}, the aggregate alone, a panel a task. {INTERVALS}"
    return _figure("models-of-tasks", "Each task by model", caption, panels)


def _by_task(found: Sequence[Trial]) -> dict[str, list[Trial]]:
    groups = grouped(found, lambda one: one.task)
    return {TASKS[task].title: groups[task] for task in tasks_of(found)}


def _task_colours() -> dict[str, int]:
    """Return the same colour for a task whatever others were run."""
    return numbered(task.title for task in TASKS.values())


def _figure(name: str, title: str, caption: str, panels: Sequence[Panel | None]) -> Figure | None:
    drawn = tuple(panel for panel in panels if panel is not None)
    return Figure(name, title, caption, drawn) if drawn else None
