"""Success with meaningless text added to each instance: by size, place and length (Figures 6, 7 and 19 to 24)."""

import math
from collections.abc import Sequence
from statistics import fmean

from lengthwise.builders.multi_instance.tasks import TASKS
from lengthwise.evaluators.figures.instance_panels import (
    INTERVALS,
    MEASURE,
    as_point,
    averaged_over,
    lines_by_size,
    numbered,
)
from lengthwise.evaluators.figures.model import Figure, Panel, Place, Series
from lengthwise.evaluators.instance_analyses.arms import (
    ANYWHERE,
    NONE,
    PLACES,
    TAIL,
    all_places,
    noise_place,
    tokens_each,
    with_and_without,
)
from lengthwise.evaluators.instance_analyses.trials import (
    Trial,
    direct,
    grouped,
    sizes_of,
    success_of,
    tasks_of,
    trials_of,
)
from lengthwise.evaluators.scoring import Scored

_PAIRED = "only samples that were run with and without it"


def noise(runs: Sequence[Scored]) -> Figure | None:
    """Return success with noise at the tail and without, by number of instances (Figure 6)."""
    found = with_and_without(direct(trials_of(runs)))
    panel = _panel("", found)
    if panel is None:
        return None
    arms = grouped(found, noise_place)
    tokens = [f"{tokens_each(arms[name]):,.0f}" for name in (NONE, TAIL)]
    caption = (
        f"Success rate{averaged_over(found)}, with meaningless text behind each instance and without; {_PAIRED}. The "
        f"prompt has {tokens[0]} tokens an instance without it and {tokens[1]} with it (mean over prompts, "
        f"instructions included). {INTERVALS}"
    )
    return Figure("noise", "With and without noise", caption, (panel,))


def noise_places(runs: Sequence[Scored]) -> Figure | None:
    """Return success by where the noise stands, on the samples of seed 1 (Figure 7)."""
    found = all_places(direct(trials_of(runs)))
    panel = _panel("", found)
    if panel is None:
        return None
    caption = (
        f"Success rate{averaged_over(found)} by where in each instance the noise stands, on the samples of seed 1; "
        f"only samples that were run in all of these ways. {INTERVALS}"
    )
    return Figure("noise-places", "Places of the noise", caption, (panel,))


def noise_by_length(runs: Sequence[Scored]) -> Figure | None:
    """Return success with noise and without by tokens of the prompt, in powers of two (Figure 19)."""
    found = with_and_without(direct(trials_of(runs)))
    arms = {name: grouped(of_arm, _length) for name, of_arm in grouped(found, noise_place).items()}
    powers = sorted({power for of_arm in arms.values() for power in of_arm})
    if len(powers) < 2:
        return None
    series = tuple(
        Series(name, tuple(as_point(success_of(arms[name].get(power, ()))) for power in powers), colour)
        for name, colour in numbered((*PLACES.values(), ANYWHERE)).items()
        if name in arms
    )
    places = tuple(Place(_tokens(power), f"{1 << power - 1:,} to {1 << power:,} tokens") for power in powers)
    panel = Panel("", "lines", "tokens of the prompt, up to", places, series, MEASURE)
    caption = (
        f"The same prompts as above by their length in tokens (the provider's count, ours where it gives none), in "
        f"powers of two{averaged_over(found)}: at one length a prompt with noise has fewer instances. "
        f"{INTERVALS}"
    )
    return Figure("noise-by-length", "With and without noise, by length of the prompt", caption, (panel,))


def _length(one: Trial) -> int:
    return max(1, math.ceil(math.log2(max(one.prompt_tokens, 1))))


def _tokens(power: int) -> str:
    return f"{1 << power - 10}k" if power >= 10 else f"{1 << power}"


def noise_of_models(runs: Sequence[Scored]) -> Figure | None:
    """Return a panel a model (Figures 20 to 22)."""
    groups = grouped(with_and_without(direct(trials_of(runs))), lambda one: one.model)
    panels = [_panel(model, of_model) for model, of_model in groups.items()]
    caption = f"Success rate over all tasks, a panel a model; {_PAIRED}. {INTERVALS}"
    return _figure("noise-of-models", "With and without noise, by model", caption, panels) if len(groups) > 1 else None


def noise_of_tasks(runs: Sequence[Scored]) -> Figure | None:
    """Return a panel a task (Figures 23 and 24)."""
    found = with_and_without(direct(trials_of(runs)))
    groups = grouped(found, lambda one: one.task)
    panels = [_panel(TASKS[task].title, groups[task]) for task in tasks_of(found)]
    caption = f"Success rate by task{averaged_over(found) if found else ''}; {_PAIRED}. {INTERVALS}"
    return _figure("noise-of-tasks", "With and without noise, by task", caption, panels)


def _panel(title: str, found: Sequence[Trial]) -> Panel | None:
    arms = grouped(found, noise_place)
    named = {name: arms[name] for name in (*PLACES.values(), ANYWHERE) if name in arms}
    captions = {}
    for size in sizes_of(found):
        tokens = (fmean(one.prompt_tokens for one in of_arm if one.size == size) for of_arm in named.values())
        captions[size] = " / ".join(f"{mean:,.0f}" for mean in tokens) + " prompt tokens"
    return lines_by_size(title, named, numbered((*PLACES.values(), ANYWHERE)), captions)


def _figure(name: str, title: str, caption: str, panels: Sequence[Panel | None]) -> Figure | None:
    drawn = tuple(panel for panel in panels if panel is not None)
    return Figure(name, title, caption, drawn) if drawn else None
