"""How experiments of the instance-level setting failed, by number of instances (Figures 5 and 14 to 18)."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial

from lengthwise.builders.multi_instance.tasks import TASKS
from lengthwise.evaluators.figures.instance_panels import AXIS, as_point, averaged_over
from lengthwise.evaluators.figures.model import KINDS, Figure, Panel, Place, Series
from lengthwise.evaluators.instance_analyses.trials import (
    Trial,
    direct,
    grouped,
    plain,
    share_of,
    sizes_of,
    tasks_of,
    trials_of,
)
from lengthwise.evaluators.scoring import Scored

_CAPTION = (
    "How the prompts that ask for every instance failed, from the bottom: wrong answers (blue) whose keys do not span "
    "1 to n, with some instance wrong, with a wrong aggregate of right instances, with both; and invalid ones "
    "(orange), which cannot be read or did not fit. What is left up to 100 % is right. "
)
_OWN = "An aggregation error is an aggregate that is not that of the reply's own instance answers"


def failures(runs: Sequence[Scored]) -> Figure | None:
    """Return stacks of failures by number of instances (Figure 5); by both readings, where they differ."""
    found = _tables(runs)
    own, gold = _panel("", found, _kinds(found)), _panel("By the right aggregate", found, _kinds(found, True), True)
    if own is None or gold is None:
        return None
    alike = own.series == gold.series
    panels = (own,) if alike else (replace(own, title="By the reply's own answers"), gold)
    both = "" if alike else ", or, on the right, not the right one"
    caption = f"{_CAPTION}Over all tasks{averaged_over(found)}. {_OWN}{both}."
    return Figure("failures", "Failures by number of instances", caption, panels)


def failures_of_models(runs: Sequence[Scored]) -> Figure | None:
    """Return a panel a model (Figures 14 to 16)."""
    found = _tables(runs)
    kinds = _kinds(found)
    drawn = (_panel(name, of_model, kinds) for name, of_model in grouped(found, lambda one: one.model).items())
    panels = tuple(panel for panel in drawn if panel is not None)
    caption = f"{_CAPTION}Over all tasks, a panel a model. {_OWN}."
    return Figure("failures-of-models", "Failures by model", caption, panels) if len(panels) > 1 else None


def failures_of_tasks(runs: Sequence[Scored]) -> Figure | None:
    """Return a panel a task (Figures 17 and 18)."""
    found = _tables(runs)
    groups, kinds = grouped(found, lambda one: one.task), _kinds(found)
    drawn = (_panel(TASKS[task].title, groups[task], kinds) for task in tasks_of(found))
    panels = tuple(panel for panel in drawn if panel is not None)
    caption = f"{_CAPTION}A panel a task{averaged_over(found) if found else ''}. {_OWN}."
    return Figure("failures-of-tasks", "Failures by task", caption, panels) if panels else None


def _tables(runs: Sequence[Scored]) -> list[Trial]:
    return plain(direct(trials_of(runs)), "instances")


def _kinds(found: Sequence[Trial], by_gold: bool = False) -> Collection[str]:
    """Return the kinds of failure that a figure shows; all where nothing failed, so that this is seen."""
    return {kind for one in found if (kind := one.failure(by_gold)) is not None} or KINDS


def _panel(title: str, found: Sequence[Trial], kinds: Collection[str], by_gold: bool = False) -> Panel | None:
    """Return the stacks of some trials, a kind of failure a colour; None where nothing was run."""
    sizes = sizes_of(found)
    at_size = grouped(found, lambda one: one.size)
    series = tuple(
        Series(
            name,
            tuple(as_point(share_of(at_size[size], partial(_failed, kind, by_gold))) for size in sizes),
            place,
            kind=kind,
        )
        for place, (kind, (name, _)) in enumerate(KINDS.items())
        if kind in kinds
    )
    if not sizes:
        return None
    return Panel(title, "stacks", AXIS, tuple(Place(f"{size:,}") for size in sizes), series, "share of prompts")


def _failed(kind: str, by_gold: bool, one: Trial) -> bool:
    return one.failure(by_gold) == kind
