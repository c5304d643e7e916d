"""The figures of a run, per cell (one config at one split): typed, and as JSON.

Every figure is worked out for each repeat by itself and then averaged over the repeats, never from pooled counts. A
cell's `outcomes`, `refusals` and `decoy_hits` are plain counts over all repeats.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from statistics import fmean
from typing import Any

from lengthwise.evaluators.again import Change
from lengthwise.evaluators.benchmark_types import OwnFigures
from lengthwise.evaluators.benchmarks import BENCHMARKS
from lengthwise.evaluators.budgets import apply_budget, output_tokens
from lengthwise.evaluators.causes import CAUSES, Cause, CauseCounts, count_causes
from lengthwise.evaluators.contracts import OUTCOME_KINDS, Outcome, Spent
from lengthwise.evaluators.variant_pairs import VariantPair
from lengthwise.metrics.intervals import clopper_pearson

CONFIDENCE = 0.95
# Of a run's settings, what results.json repeats.
_NAMING = ("lengthwise", "created", "data", "model", "method", "shard")


@dataclass(frozen=True, slots=True)
class Accuracy:
    """A share of right answers.

    Attributes:
        n: examples it is over, per repeat (the mean, where repeats differ).
        correct: right ones, per repeat (a mean, so it can be a fraction).
        value: the share, in [0, 1]; None of no examples.
        low: lower end of the exact 95 % interval.
        high: upper end. The interval is that of one run of n examples with the mean count right: repeats of the same
            examples are not independent, so it does not shrink with their number.
    """

    n: float
    correct: float
    value: float | None
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class CellResult:
    """The figures of one cell.

    Attributes:
        config: its config.
        split: its split.
        n: examples.
        repeats: how often each was asked.
        accuracy: over all examples, the headline: nothing leaves the denominator.
        accuracy_rest: over the examples that did not end in `error`.
        outcomes: how many ended in each way, over all repeats; every kind is present.
        refusals: of these, `refused`: counted as wrong and shown apart (Table 2's note).
        parsed_wrong: answers that parsed and were wrong, over all repeats.
        first_word: share of these that began with the right word (section 4.7); None if there are none.
        decoy_hits: of these, how many gave which kind of decoy, over all repeats.
        decoys_unknown: of these, how many could not be looked up, the data being gone.
        length_error: mean of words answered minus words of the gold over the parsed answers; None if there are none.
        output_tokens: mean over the replies whose usage the server reported; None if there are none.
        causes: why replies were not right, counted over all repeats (section 4.9).
    """

    config: str
    split: str
    n: int
    repeats: int
    accuracy: Accuracy
    accuracy_rest: Accuracy
    outcomes: Mapping[str, int]
    refusals: int
    parsed_wrong: int
    first_word: float | None
    decoy_hits: Mapping[str, int]
    decoys_unknown: int
    length_error: float | None
    output_tokens: float | None
    causes: CauseCounts


@dataclass(frozen=True, slots=True)
class BudgetResult:
    """A cell under an output budget.

    Attributes:
        tokens: the budget.
        config: the cell's config.
        split: the cell's split.
        accuracy: with replies over the budget counted as wrong.
        over: replies over the budget or cut by length, over all repeats.
        unknown: replies whose tokens the server did not report; they are left as they are.
        beyond_run: the run itself allowed fewer tokens, so that more budget could not show.
    """

    tokens: int
    config: str
    split: str
    accuracy: Accuracy
    over: int
    unknown: int
    beyond_run: bool


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


def accuracy_of(runs: Sequence[Sequence[Outcome]]) -> Accuracy:
    """Return the accuracy of a cell, given its outcomes repeat by repeat."""
    tried = [run for run in runs if run]
    if not tried:
        return Accuracy(0, 0, None, 0.0, 1.0)
    n = fmean(len(run) for run in tried)
    value = fmean(sum(outcome.kind == "correct" for outcome in run) / len(run) for run in tried)
    low, high = clopper_pearson(min(value * round(n), round(n)), round(n), CONFIDENCE)
    return Accuracy(n, value * n, value, low, high)


def cell_result(
    config: str, split: str, runs: Sequence[Sequence[Outcome]], causes: Sequence[Cause] = CAUSES
) -> CellResult:
    """Work out the figures of one cell.

    Args:
        config: its config.
        split: its split.
        runs: its outcomes, repeat by repeat; every repeat holds all examples.
        causes: that its benchmark knows.
    """
    everything = [outcome for run in runs for outcome in run]
    counts = Counter(outcome.kind for outcome in everything)
    wrong = [outcome for outcome in everything if outcome.kind == "wrong"]
    hits = Counter(hit["kind"] for outcome in wrong if (hit := outcome.details.get("decoy_hit")))
    tokens = [used for outcome in everything if (used := output_tokens(outcome)) is not None]
    return CellResult(
        config=config,
        split=split,
        n=len(runs[0]) if runs else 0,
        repeats=len(runs),
        accuracy=accuracy_of(runs),
        accuracy_rest=accuracy_of([[outcome for outcome in run if outcome.kind != "error"] for run in runs]),
        outcomes={kind: counts[kind] for kind in OUTCOME_KINDS},
        refusals=counts["refused"],
        parsed_wrong=len(wrong),
        first_word=_mean_of_means(
            [[outcome.details.get("first_word_right") for outcome in run if outcome.kind == "wrong"] for run in runs]
        ),
        decoy_hits=dict(sorted(hits.items())),
        decoys_unknown=sum(outcome.details.get("decoy_looked_up") is False for outcome in wrong),
        length_error=_mean_of_means(
            [
                [outcome.details.get("length_error") for outcome in run if outcome.kind in ("correct", "wrong")]
                for run in runs
            ]
        ),
        output_tokens=fmean(tokens) if tokens else None,
        causes=count_causes(everything, causes),
    )


def _mean_of_means(runs: Sequence[Sequence[float | None]]) -> float | None:
    """Return the mean over repeats of each repeat's mean; repeats without a figure are left out."""
    known = [[value for value in run if value is not None] for run in runs]
    means = [fmean(run) for run in known if run]
    return fmean(means) if means else None


def budget_result(
    config: str, split: str, runs: Sequence[Sequence[Outcome]], tokens: int, max_tokens: int | None
) -> BudgetResult:
    """Work out one cell under one output budget.

    Args:
        config: its config.
        split: its split.
        runs: its outcomes, repeat by repeat.
        tokens: the budget.
        max_tokens: what the run itself allowed, None if nobody set a limit.
    """
    within = [[apply_budget(outcome, tokens) for outcome in run] for run in runs]
    everything = [outcome for run in within for outcome in run]
    return BudgetResult(
        tokens=tokens,
        config=config,
        split=split,
        accuracy=accuracy_of(within),
        over=sum(outcome.kind == "truncated_output" for outcome in everything),
        unknown=sum(
            output_tokens(outcome) is None and outcome.kind not in ("error", "overlength") for outcome in everything
        ),
        beyond_run=max_tokens is not None and tokens > max_tokens,
    )
