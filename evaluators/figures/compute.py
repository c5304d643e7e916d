"""Accuracy by reasoning effort (the paper's Figure 9) and by output budget (Figure 10): section 4.6."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from lengthwise.evaluators.figures.choosing import INTERVALS, at_length, cell_at, plain_configs, shown
from lengthwise.evaluators.figures.model import Figure, Panel, Place, Point, Series, as_point, coloured_by_name
from lengthwise.evaluators.figures.places import variants_panel
from lengthwise.evaluators.naming import layout_of, name_of
from lengthwise.evaluators.results import BudgetResult, Results
from lengthwise.evaluators.scoring import Scored

_EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")


@dataclass(frozen=True, slots=True, order=True)
class _Level:
    """How much a run's model was asked to reason, in order from least to most; what is not set comes last."""

    effort_rank: int
    thinking_rank: float
    max_tokens: int
    effort: str
    thinking: int | None

    @property
    def name(self) -> str:
        """The level in words, without the output budget."""
        parts = [self.effort] if self.effort else []
        parts += [f"{self.thinking:,} thinking tokens"] if self.thinking is not None else []
        return ", ".join(parts) or "model's default"


def by_effort(runs: Sequence[Scored]) -> Figure | None:
    """Return bars per variant for each model that was run at two levels of reasoning or more."""
    models: dict[str, dict[_Level, list[Results]]] = {}
    for run in shown(runs):
        model: Any = run.results.settings.get("model") or {}
        name = str(model.get("name") or model.get("spec") or "run")
        models.setdefault(name, {}).setdefault(_level(run.results), []).append(run.results)
    configs = plain_configs(runs)
    captions = layout_of(runs).holding(configs).captions
    panels = []
    for name, levels in models.items():
        if len({level.name for level in levels}) > 1:
            ordered = sorted(levels)
            named = [(_distinct(level, ordered), _merged(levels[level])) for level in ordered]
            panel = variants_panel(name, named, configs, captions)
            if panel is not None and (panel := _in_two(panel)).places:
                panels.append(panel)
    if not panels:
        return None
    caption = (
        "Accuracy of the same model at different levels of reasoning effort, over the variants that were run at two "
        "levels or more, each at the longest length that these runs have in common; whiskers are "
        f"{INTERVALS}."
    )
    return Figure("effort", "Accuracy by reasoning effort", caption, coloured_by_name(panels))


def _level(run: Results) -> _Level:
    sampling: Any = run.settings.get("sampling") or {}
    effort, thinking = sampling.get("reasoning_effort"), sampling.get("thinking_tokens")
    rank = len(_EFFORTS) if effort not in _EFFORTS else _EFFORTS.index(effort)
    # An effort with a name that we do not know is still one that was set.
    rank += effort is None
    return _Level(
        rank,
        float("inf") if thinking is None else thinking,
        sampling.get("max_tokens") or 0,
        "" if effort is None else str(effort),
        thinking,
    )


def _distinct(level: _Level, levels: Sequence[_Level]) -> str:
    """Return a level's name, with its output budget where the levels were not all given the same."""
    if len({one.max_tokens for one in levels}) == 1:
        return level.name
    return f"{level.name}; {level.max_tokens:,} tokens out" if level.max_tokens else f"{level.name}; no output limit"


def _merged(runs: Sequence[Results]) -> Results:
    """Return runs of one model and level as one: a cell that several of them have is the first one's."""
    cells = {(cell.config, cell.split): cell for run in reversed(runs) for cell in reversed(run.cells)}
    return replace(runs[0], cells=tuple(reversed(cells.values())))


def _in_two(panel: Panel) -> Panel:
    """Return a panel with only the places at which two series have a point."""
    kept = [
        place for place in range(len(panel.places)) if sum(one.points[place] is not None for one in panel.series) > 1
    ]
    series = tuple(replace(one, points=tuple(one.points[place] for place in kept)) for one in panel.series)
    return replace(
        panel,
        places=tuple(panel.places[place] for place in kept),
        series=tuple(one for one in series if any(one.points)),
    )


def by_budget(runs: Sequence[Scored]) -> Figure | None:
    """Return, per run and family, a line per variant over the output budgets that the runs were scored under."""
    chosen = shown(runs)
    families: dict[str, list[str]] = {}
    for config in plain_configs(chosen):
        families.setdefault(layout_of(chosen).reference(config) or config, []).append(config)
    panels = [
        panel
        for run in chosen
        for reference, configs in families.items()
        if (panel := _budget_panel(run.results, reference, configs)) is not None
    ]
    if not panels:
        return None
    caption = (
        "Accuracy if replies that used more output tokens, reasoning included, had been cut and counted as wrong "
        "(16K is 16,000); budgets beyond a run's own are not shown. Each variant at the longest length of its run; "
        f"bands are {INTERVALS}. Budgets are evenly spaced."
    )
    unknown = any(one.unknown for run in chosen for one in run.results.budgets)
    note = " Replies that came without a token count are counted as they are." if unknown else ""
    return Figure("budget", "Accuracy by output budget", caption + note, coloured_by_name(panels))


def _budget_panel(run: Results, reference: str, configs: Sequence[str]) -> Panel | None:
    """Return the panel of a run and a family, the variants that share a reference row; None without two budgets."""
    found = {(one.config, one.split, one.tokens): one for one in run.budgets if not one.beyond_run}
    tokens = sorted({limit for _, _, limit in found})
    if len(tokens) < 2:
        return None
    family = reference.rpartition("-")[0]
    series, splits = [], set()
    for config in sorted(configs, key=lambda config: config != reference):
        cell = cell_at(run, config, None)
        if cell is None:
            continue
        n_replies = cell.n * cell.repeats
        points = tuple(_budget_point(found.get((config, cell.split, limit)), n_replies) for limit in tokens)
        if any(points):
            series.append(Series(config.removeprefix(f"{family}-"), points, 0))
            splits.add(cell.split)
    if not series:
        return None
    title = f"{name_of(run)}: {family}{at_length(splits.pop()) if len(splits) == 1 else ''}"
    return Panel(title, "lines", "output tokens", tuple(Place(_tokens(limit)) for limit in tokens), tuple(series))


def _budget_point(one: BudgetResult | None, n_replies: int) -> Point | None:
    """Return a point, None where nothing is known of the tokens that replies used."""
    return None if one is None or one.unknown >= n_replies else as_point(one.accuracy)


def _tokens(limit: int) -> str:
    """Return a number of tokens as the paper writes it.

    >>> _tokens(16_000), _tokens(1_500)
    ('16K', '1,500')
    """
    return f"{limit // 1000}K" if limit % 1000 == 0 else f"{limit:,}"
