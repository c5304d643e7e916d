"""The table of figures: what each benchmark's report draws, in order. A new figure is one entry."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TypeAlias

from lengthwise.evaluators.figures.arms import clustered_recovery, decoy_drop
from lengthwise.evaluators.figures.choosing import by_paper_names
from lengthwise.evaluators.figures.compute import by_budget, by_effort
from lengthwise.evaluators.figures.cost import cost_against_quality
from lengthwise.evaluators.figures.degradation import by_length_of_all
from lengthwise.evaluators.figures.endings import endings_by_length, endings_of_novels
from lengthwise.evaluators.figures.heats import configs_by_model, length_by_position, variants_by_model
from lengthwise.evaluators.figures.instance_distances import distances
from lengthwise.evaluators.figures.instance_failures import failures, failures_of_models, failures_of_tasks
from lengthwise.evaluators.figures.instance_halving import halving
from lengthwise.evaluators.figures.instance_noise import (
    noise,
    noise_by_length,
    noise_of_models,
    noise_of_tasks,
    noise_places,
)
from lengthwise.evaluators.figures.instance_success import (
    models_of_tasks,
    orders,
    success_by_size,
    success_by_task,
    tasks_of_models,
)
from lengthwise.evaluators.figures.model import Figure
from lengthwise.evaluators.figures.novel_heats import length_by_evidence, lengths_by_model
from lengthwise.evaluators.figures.novel_scores import score_by_score, verdict_by_score
from lengthwise.evaluators.figures.novels import balanced_by_length, recall_by_evidence, recall_by_type
from lengthwise.evaluators.figures.picture import variants_picture
from lengthwise.evaluators.figures.places import by_length, by_position, by_variant
from lengthwise.evaluators.figures.sweeps import by_decoys, by_radius, by_targets
from lengthwise.evaluators.scoring import Scored

# Makes a figure of scored runs; None where they hold nothing to show in it.
Maker: TypeAlias = Callable[[Sequence[Scored]], Figure | None]

# What a page on several benchmarks has once for all of them.
COST = "cost"

_NOVELS: Mapping[str, Maker] = MappingProxyType(
    {
        "balanced-accuracy": balanced_by_length,
        "heat": lengths_by_model,
        "verdicts": verdict_by_score,
        "scores": score_by_score,
        "endings": endings_of_novels,
        "types": recall_by_type,
        "evidence": recall_by_evidence,
        "heat-evidence": length_by_evidence,
        COST: cost_against_quality,
    }
)

# Benchmark -> figure's id -> its maker.
FIGURES: Mapping[str, Mapping[str, Maker]] = MappingProxyType(
    {
        "predicatelongbench": MappingProxyType(
            {
                "degradation": by_length_of_all,
                "variants-picture": variants_picture,
                "variants": by_variant,
                "heat": variants_by_model,
                "decoy-drop": decoy_drop,
                "clustered-recovery": clustered_recovery,
                "effort": by_effort,
                "budget": by_budget,
                "length": by_length,
                "endings": endings_by_length,
                "position": by_position,
                "heat-position": length_by_position,
                "decoys": by_decoys,
                "radius": by_radius,
                "targets": by_targets,
                COST: cost_against_quality,
            }
        ),
        "multi-instance": MappingProxyType(
            {
                "sizes": success_by_size,
                "heat": configs_by_model,
                "tasks": success_by_task,
                "orders": orders,
                "failures": failures,
                "distances": distances,
                "noise": noise,
                "noise-by-length": noise_by_length,
                "noise-places": noise_places,
                "halving": halving,
                COST: cost_against_quality,
                "tasks-of-models": tasks_of_models,
                "models-of-tasks": models_of_tasks,
                "failures-of-models": failures_of_models,
                "failures-of-tasks": failures_of_tasks,
                "noise-of-models": noise_of_models,
                "noise-of-tasks": noise_of_tasks,
            }
        ),
        "longnovel": _NOVELS,
        "longnovel-storyworld": _NOVELS,
    }
)


# Figure's id -> the section that it shares with others.
GROUPS: Mapping[str, str] = MappingProxyType(
    {
        f"{what}-of-{each}": "By model and by task"
        for what, each in (
            ("tasks", "models"),
            ("models", "tasks"),
            ("failures", "models"),
            ("failures", "tasks"),
            ("noise", "models"),
            ("noise", "tasks"),
        )
    }
)

_RENAMED = "Points of a sweep at the builder's defaults go by the shorter name of their variant."
_AGAIN = "Runs that ask a part of an earlier run again are left out."


def make_figures(runs: Sequence[Scored]) -> tuple[Figure, ...]:
    """Return the figures of some scored runs, in the order of the table; those with nothing to show are left out.

    Runs that ask a part of an earlier run's rows again are over rows chosen by how they ended, and so are in no figure
    unless there are no others.

    Args:
        runs: at least one, all of one benchmark, with distinct labels.
    """
    makers = FIGURES.get(runs[0].results.benchmark, {})
    whole = [run for run in runs if not run.results.chosen] or list(runs)
    named = by_paper_names(whole)
    notes = []
    if any(new is not old for new, old in zip(named, whole, strict=True)):
        notes.append(_RENAMED)
    if len(whole) < len(runs):
        notes.append(_AGAIN)
    made = (figure for make in makers.values() if (figure := make(named)) is not None)
    made = (replace(figure, group=GROUPS.get(figure.id, "")) for figure in made)
    return tuple(
        replace(figure, caption=" ".join([figure.caption, *notes])) if figure.panels else figure for figure in made
    )
