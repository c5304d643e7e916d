"""The figures that only runs of multi-instance processing have: per cell, and over all cells of a setting."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from lengthwise.evaluators.contracts import Outcome
from lengthwise.evaluators.instance_experiments import Experiment, experiments_of, summary_of
from lengthwise.metrics.instance_summary import InstanceSummary

# The paper's cells of one setting: seven tasks at ten sizes, and news articles at seven (4.3, 4.4).
PAPER_CELLS = 77


@dataclass(frozen=True, slots=True)
class SeedRates:
    """Success and invalid rate of the experiments of one seed, in [0, 1], over `n` experiments."""

    seed: int
    n: int
    success_rate: float
    invalid_rate: float


@dataclass(frozen=True, slots=True)
class InstanceCell:
    """The figures of one cell.

    Attributes:
        config: its config.
        split: its split.
        summary: over its experiments, all repeats.
        seeds: success and invalid rate by seed.
        tokens_per_prompt: mean input tokens of a call.
        cost: US dollars, summed over all repeats; None where no price is known.
    """

    config: str
    split: str
    summary: InstanceSummary
    seeds: tuple[SeedRates, ...]
    tokens_per_prompt: float
    cost: float | None


@dataclass(frozen=True, slots=True)
class SettingTotals:
    """The figures of one setting over all tasks and sizes: a row of Table 2 or Table 3.

    Attributes:
        setting: "aggregate" or "instances".
        paper: whether they are over the paper's cells alone; a run that has none of them is shown over all it has.
        cells: how many (task, size) they are over; the paper has 77.
        tasks: how many tasks.
        pools: kinds of pools that the instances come from.
        summary: mean and deviation over the seeds; its `n` counts experiments.
        cost_per_task: US dollars for all sizes of a task with one seed, the mean over tasks, seeds and repeats; None
            where no price is known.
    """

    setting: str
    paper: bool
    cells: int
    tasks: int
    pools: tuple[str, ...]
    summary: InstanceSummary
    cost_per_task: float | None


@dataclass(frozen=True, slots=True)
class FailureRow:
    """How the experiments of one variant at one size ended, over all tasks and repeats (the bars of Figure 5)."""

    variant: str
    size: int
    summary: InstanceSummary


@dataclass(frozen=True, slots=True)
class InstanceFigures:
    """All of it for one run.

    Attributes:
        cells: in the order of the run.
        totals: one for each setting that the run has in its plain form.
        failures: by variant and size, in the order of the run.
    """

    cells: tuple[InstanceCell, ...]
    totals: tuple[SettingTotals, ...]
    failures: tuple[FailureRow, ...]

    def total(self, setting: str) -> SettingTotals | None:
        """Return the totals of a setting; None if the run has none of it."""
        return next((one for one in self.totals if one.setting == setting), None)

    def to_json(self) -> dict[str, Any]:
        """Return the figures as JSON types."""
        return asdict(self)


def instance_figures(
    rows: Mapping[str, Mapping[str, Any]], outcomes: Mapping[tuple[str, int], Outcome]
) -> InstanceFigures:
    """Work out the figures of a run.

    Args:
        rows: short columns of its examples by id, with `config` and `split`.
        outcomes: by (example id, repeat).
    """
    experiments = experiments_of(rows, outcomes)
    cells: dict[tuple[str, str], list[Experiment]] = {}
    failures: dict[tuple[str, int], list[Experiment]] = {}
    for one in experiments:
        cells.setdefault((one.config, rows[one.example_id]["split"]), []).append(one)
        failures.setdefault((one.variant, one.size), []).append(one)
    totals = (_totals(setting, experiments) for setting in ("aggregate", "instances"))
    return InstanceFigures(
        cells=tuple(_cell(*cell, of_cell) for cell, of_cell in cells.items()),
        totals=tuple(one for one in totals if one is not None),
        failures=tuple(FailureRow(*key, summary_of(group)) for key, group in failures.items()),
    )


def _cell(config: str, split: str, experiments: Sequence[Experiment]) -> InstanceCell:
    return InstanceCell(
        config=config,
        split=split,
        summary=summary_of(experiments),
        seeds=seed_rates(experiments),
        tokens_per_prompt=sum(one.input_tokens for one in experiments) / sum(max(one.calls, 1) for one in experiments),
        cost=total_cost(experiments),
    )


def seed_rates(experiments: Sequence[Experiment]) -> tuple[SeedRates, ...]:
    """Return success and invalid rate by seed, seeds in their order."""
    seeds: dict[int, list[Experiment]] = {}
    for one in experiments:
        seeds.setdefault(one.seed, []).append(one)
    return tuple(
        SeedRates(seed, len(group), _share([one.correct for one in group]), _share([one.invalid for one in group]))
        for seed, group in sorted(seeds.items())
    )


def _share(holds: Sequence[bool]) -> float:
    return sum(holds) / len(holds)


def total_cost(experiments: Sequence[Experiment]) -> float | None:
    """Return what some experiments cost together in US dollars; None where no price is known."""
    costs = [one.cost for one in experiments if one.cost is not None]
    return sum(costs) if costs else None


def paper_or_all(experiments: Sequence[Experiment]) -> tuple[bool, list[Experiment]]:
    """Return the experiments of the paper's cells, and True; if there are none, all of them, and False."""
    of_paper = [one for one in experiments if one.paper]
    return bool(of_paper), of_paper or list(experiments)


def _totals(setting: str, experiments: Sequence[Experiment]) -> SettingTotals | None:
    plain = [one for one in experiments if one.plain and one.setting == setting]
    if not plain:
        return None
    paper, chosen = paper_or_all(plain)
    cost = total_cost(chosen)
    # A task with one seed in one repeat is what the paper calls a run.
    runs = {(one.task, one.seed, one.repeat) for one in chosen}
    return SettingTotals(
        setting=setting,
        paper=paper,
        cells=len({(one.task, one.size) for one in chosen}),
        tasks=len({one.task for one in chosen}),
        pools=tuple(dict.fromkeys(one.pool for one in chosen)),
        summary=summary_of(chosen),
        cost_per_task=None if cost is None else cost / len(runs),
    )
