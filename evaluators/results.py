"""The figures of a run, typed, and as JSON; those of each cell are in `cell_figures`."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from lengthwise.evaluators.again import Change
from lengthwise.evaluators.benchmark_types import OwnFigures
from lengthwise.evaluators.benchmarks import BENCHMARKS
from lengthwise.evaluators.cell_figures import (
    CONFIDENCE,
    Accuracy,
    BudgetResult,
    CellResult,
    accuracy_of,
    budget_result,
    cell_result,
)
from lengthwise.evaluators.contracts import Spent
from lengthwise.evaluators.variant_pairs import VariantPair

__all__ = [
    "CONFIDENCE",
    "Accuracy",
    "BudgetResult",
    "CellResult",
    "Results",
    "accuracy_of",
    "budget_result",
    "cell_result",
]

# Of a run's settings, what results.json repeats.
_NAMING = ("lengthwise", "created", "data", "model", "method", "shard")


@dataclass(frozen=True, slots=True)
class Results:
    """All figures of a run.

    Attributes:
        benchmark: name.
        settings: the run's run.json.
        cells: one per config and split, in the order of the run.
        budgets: one per budget and cell; empty if no budget was asked for.
        n_expected: examples times repeats.
        n_error: of these, how many ended in `error`, those never asked included.
        n_missing: of these, how many the run did not come to.
        excluded: rows per `config/split` that the run left out because they do not fit the model.
        cost: US dollars; None where no price is known.
        bounds: results of the solver and of a random answer on the same rows: the ceiling and the floor.
        pairs: each variant against its reference row, on shared lists.
        changes: how the rows ended in an earlier run and in this one, if it asks some of an earlier one's again.
        figures: what only runs of this benchmark have; None if it has none of its own.
        roles: what the calls took by role, where models in other roles than "generate" were asked too.
        spent: what all calls took together.
    """

    benchmark: str
    settings: Mapping[str, Any]
    cells: tuple[CellResult, ...]
    budgets: tuple[BudgetResult, ...]
    n_expected: int
    n_error: int
    n_missing: int
    excluded: Mapping[str, int]
    cost: float | None
    bounds: tuple["Results", ...] = ()
    pairs: tuple[VariantPair, ...] = ()
    changes: tuple[Change, ...] = ()
    figures: OwnFigures | None = None
    roles: Mapping[str, Spent] = field(default_factory=dict)
    spent: Spent = field(default_factory=Spent)

    @property
    def complete(self) -> bool:
        """Whether every example has a reply or cannot fit."""
        return self.n_error == 0

    @property
    def chosen(self) -> bool:
        """Whether its rows were chosen by how they ended in an earlier run: no figure over them is a variant's."""
        return bool(self.settings.get("again"))

    @property
    def label(self) -> str:
        """What tables call the run: its label, else the model's name with what sets the run apart.

        That is the reasoning effort or budget, if one was set, and the method, if it is not the benchmark's own.
        """
        if label := self.settings.get("labels", {}).get("label"):
            return str(label)
        model: Mapping[str, Any] = self.settings.get("model", {})
        sampling = self.settings.get("sampling", {})
        effort, thinking = sampling.get("reasoning_effort"), sampling.get("thinking_tokens")
        if not effort and thinking is not None:
            effort = f"{thinking:,} thinking tokens"
        method = self.settings.get("method")
        benchmark = BENCHMARKS.get(self.benchmark)
        own = benchmark is None or method == benchmark.method
        apart = ", ".join(str(part) for part in (effort, None if own else method) if part)
        return str(model.get("name") or model.get("spec") or "run") + (f" ({apart})" if apart else "")

    @property
    def reference(self) -> str | None:
        """Which reference model this is a run of ("gold", "random", ...); None for a real model."""
        spec = str(self.settings.get("model", {}).get("spec", ""))
        return spec.removeprefix("reference:") if spec.startswith("reference:") else None

    def cell(self, config: str, split: str) -> CellResult | None:
        """Return the figures of a cell, None if the run has none of it."""
        return next((cell for cell in self.cells if (cell.config, cell.split) == (config, split)), None)

    def to_json(self) -> dict[str, Any]:
        """Return the figures as JSON types; of the settings only what names the run."""
        return {
            "benchmark": self.benchmark,
            "label": self.label,
            "run": {name: self.settings.get(name) for name in _NAMING},
            "complete": self.complete,
            "n_expected": self.n_expected,
            "n_error": self.n_error,
            "n_missing": self.n_missing,
            "excluded": dict(self.excluded),
            "cost": self.cost,
            "spent": asdict(self.spent),
            "roles": {role: asdict(spent) for role, spent in self.roles.items()},
            "confidence": CONFIDENCE,
            "cells": [asdict(cell) for cell in self.cells],
            "budgets": [asdict(budget) for budget in self.budgets],
            "pairs": [pair.to_json() for pair in self.pairs],
            "changes": [asdict(change) for change in self.changes],
            "figures": self.figures.to_json() if self.figures is not None else None,
            "bounds": {bound.reference: [asdict(cell) for cell in bound.cells] for bound in self.bounds},
        }
