"""The experiments of a run of multi-instance processing: each reply with its place in the paper's design.

An experiment is one prompt in one repeat. What a reply came to is kept as a `Diagnosis`, from which the metrics of
`lengthwise.metrics.instance_summary` and all analyses are worked out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from lengthwise.evaluators.contracts import Outcome, OutcomeKind
from lengthwise.metrics.instance_summary import InstanceSummary, summarise_instances
from lengthwise.metrics.instances import INVALID, Diagnosis, Failure, InstanceCounts


@dataclass(frozen=True, slots=True)
class Experiment:
    """One prompt of a run in one repeat, and how it ended.

    Attributes:
        example_id: the row.
        config: its config, e.g. "word-noise-tail".
        task: its task.
        variant: the config without its task: "" for the plain aggregate, "instances", "noise-tail", "shuffled", ...
        setting: "aggregate" or "instances".
        noise: where noise was added, or "none".
        selection: name of the sample, e.g. "random_20_seed1_shuffle2".
        size: number of instances.
        seed: of the sample; 0 where nothing is drawn.
        paper: whether the paper ran this cell.
        pool: "generated", "hub" or "folder".
        repeat: 0-based.
        kind: how it ended.
        diagnosis: what of it is right. An experiment that ended in an error is a failure of no further kind, not an
            invalid one.
        details: the judge's; see `judge_instances`.
        input_tokens: of all calls, as the provider counts; ours of one prompt if it does not say.
        output_tokens: of all calls; None where nobody says.
        calls: requests made.
        cost: US dollars; None where no price is known.
    """

    example_id: str
    config: str
    task: str
    variant: str
    setting: str
    noise: str
    selection: str
    size: int
    seed: int
    paper: bool
    pool: str
    repeat: int
    kind: OutcomeKind
    diagnosis: Diagnosis
    details: Mapping[str, Any]
    input_tokens: int
    output_tokens: int | None
    calls: int
    cost: float | None

    @property
    def plain(self) -> bool:
        """Whether it is of the random samples in their own order without noise, on which Tables 2 and 3 rest."""
        return self.variant in ("", "instances")

    @property
    def correct(self) -> bool:
        """Whether every key is right."""
        return self.diagnosis.failure is None

    @property
    def invalid(self) -> bool:
        """Whether there is no readable answer, or the prompt did not fit (section 3.1)."""
        return self.diagnosis.failure in INVALID


def experiments_of(
    rows: Mapping[str, Mapping[str, Any]], outcomes: Mapping[tuple[str, int], Outcome]
) -> tuple[Experiment, ...]:
    """Return the experiments of a scored run, in the order of its outcomes.

    Args:
        rows: short columns of the run's examples by id, with `config` (`Scored.rows`).
        outcomes: by (example id, repeat) (`Scored.outcomes`).
    """
    return tuple(_experiment(rows[example], outcome) for (example, _), outcome in outcomes.items())


def _experiment(row: Mapping[str, Any], outcome: Outcome) -> Experiment:
    counted = outcome.usage.input
    return Experiment(
        example_id=outcome.example_id,
        config=row["config"],
        task=row["task"],
        variant=str(row["config"]).partition("-")[2],
        setting=row["setting"],
        noise=row["noise"],
        selection=row["selection"],
        size=row["n_instances"],
        seed=row["seed"],
        paper=row["paper"],
        pool=row["pool"],
        repeat=outcome.repeat,
        kind=outcome.kind,
        diagnosis=diagnosis_of(row, outcome),
        details=outcome.details,
        input_tokens=row["n_tokens"] if counted is None else counted,
        output_tokens=outcome.usage.output,
        calls=outcome.calls,
        cost=outcome.cost,
    )


def diagnosis_of(row: Mapping[str, Any], outcome: Outcome) -> Diagnosis:
    """Return the diagnosis of an outcome, rebuilt from its details.

    Args:
        row: `setting`, `answer` and `n_instances`.
        outcome: its outcome.
    """
    gold = Decimal(row["answer"])
    asked = row["n_instances"] if row["setting"] == "instances" else None
    if outcome.kind == "error":
        return Diagnosis("wrong", "wrong", gold, None, asked)
    if outcome.kind not in ("correct", "wrong"):
        kind: Failure = "overlong" if outcome.kind == "overlength" else "parse"
        return Diagnosis(kind, kind, gold, None, asked)
    details = outcome.details
    counts = None
    if details["right"] is not None:
        counts = InstanceCounts(*(details[name] for name in ("right", "wrong", "missing", "extra")))
    error = details["error"]
    return Diagnosis(
        details["failure"],
        details["failure_by_gold"],
        gold,
        None if error is None else gold + Decimal(error),
        asked,
        counts,
    )


def summary_of(experiments: Sequence[Experiment]) -> InstanceSummary:
    """Return the figures of some experiments, with means and deviations over their seeds; repeats are pooled."""
    return summarise_instances([one.diagnosis for one in experiments], [one.seed for one in experiments])
