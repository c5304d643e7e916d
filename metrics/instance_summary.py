"""Figures over many experiments of many instances each: mean and deviation over seeds, failures, sizes of errors.

Figures with a deviation are computed for each seed and then averaged, with the sample standard deviation (ddof 1) over
the seeds: Table 2 of the multi-instance paper is the mean and deviation of five such figures.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from statistics import fmean

from lengthwise.errors import InputError

from .instances import INVALID, WRONG, Diagnosis, Failure
from .repeats import over_runs


@dataclass(frozen=True, slots=True)
class InstanceSummary:
    """Figures of a set of experiments; shares are in [0, 1], None is a figure that has nothing to be computed from.

    Attributes:
        n: experiments.
        n_seeds: different seeds among them; a deviation needs two.
        success_rate: share of experiments that are right in every key, mean over seeds.
        success_rate_sd: its sample standard deviation over seeds.
        invalid_rate: share without a readable answer or with a prompt that did not fit, mean over seeds.
        invalid_rate_sd: its deviation.
        wrong_experiment_share: share with complete keys and some wrong instance, mean over seeds (Table 3).
        wrong_experiment_share_sd: its deviation.
        wrong_instances_per_failed_experiment: wrong instances in such an experiment, mean within and then over seeds.
        wrong_instances_per_failed_experiment_sd: its deviation.
        omission_share: share with some instance left out (section 5.2).
        failures: experiments by kind of failure, reading *own* (see `lengthwise.metrics.instances`).
        failures_by_gold: the same, reading *gold*.
        signed_error: mean of reported minus gold aggregate, over the `n_reported` that report one.
        absolute_error: mean of its size.
        relative_error: mean of its size over that of the gold; a gold of 0 is left out, `n_relative` says how many
            remain.
        n_reported: experiments with a readable aggregate.
        n_relative: those of them whose gold is not 0.
        per_instance_accuracy: mean over experiments of the share of right instances; an invalid one has none right.
        answered_per_instance_accuracy: the same over experiments whose table could be read.
    """

    n: int
    n_seeds: int
    success_rate: float | None
    success_rate_sd: float | None
    invalid_rate: float | None
    invalid_rate_sd: float | None
    wrong_experiment_share: float | None
    wrong_experiment_share_sd: float | None
    wrong_instances_per_failed_experiment: float | None
    wrong_instances_per_failed_experiment_sd: float | None
    omission_share: float | None
    failures: dict[str, int]
    failures_by_gold: dict[str, int]
    signed_error: float | None
    absolute_error: float | None
    relative_error: float | None
    n_reported: int
    n_relative: int
    per_instance_accuracy: float | None
    answered_per_instance_accuracy: float | None


def summarise_instances(diagnoses: Sequence[Diagnosis], seeds: Sequence[Hashable] | None = None) -> InstanceSummary:
    """Return the figures of a set of experiments.

    Args:
        diagnoses: one an experiment, of `diagnose` or `diagnose_aggregate`.
        seeds: the seed of each experiment; one seed for all where left out.

    Raises:
        InputError: if there are not as many seeds as experiments.

    >>> from lengthwise.metrics.instances import diagnose_aggregate
    >>> found = summarise_instances([diagnose_aggregate(5, 5), diagnose_aggregate(8, 4)], seeds=[1, 2])
    >>> found.success_rate, round(found.success_rate_sd, 4), found.signed_error, found.relative_error
    (0.5, 0.7071, 2.0, 0.5)
    """
    if seeds is not None and len(seeds) != len(diagnoses):
        raise InputError(f"seeds: {len(seeds)} for {len(diagnoses)} experiments; give one for each")
    groups: dict[Hashable, list[Diagnosis]] = {}
    for diagnosis, seed in zip(diagnoses, seeds if seeds is not None else [0] * len(diagnoses), strict=True):
        groups.setdefault(seed, []).append(diagnosis)
    seeded = list(groups.values())
    success = [_share(group, lambda one: one.failure is None) for group in seeded]
    invalid = [_share(group, lambda one: one.failure in INVALID) for group in seeded]
    # Wrong instances are a matter of tables: a seed without one says nothing about them.
    tables = [group for group in ([one for one in group if _is_table(one)] for group in seeded) if group]
    failed = [_share(group, lambda one: _wrong(one) > 0) for group in tables]
    wrong = [
        sum(counts) / len(counts)
        for group in tables
        if (counts := [wrong for one in group if (wrong := _wrong(one)) > 0])
    ]
    everything = [one for group in tables for one in group]
    errors = [one.error for one in diagnoses if one.error is not None]
    relative = [float(abs(one.error / one.gold)) for one in diagnoses if one.error is not None and one.gold != 0]
    read = [one for one in everything if one.instances is not None]
    return InstanceSummary(
        n=len(diagnoses),
        n_seeds=len(groups),
        success_rate=over_runs(success).mean,
        success_rate_sd=over_runs(success).std,
        invalid_rate=over_runs(invalid).mean,
        invalid_rate_sd=over_runs(invalid).std,
        wrong_experiment_share=over_runs(failed).mean,
        wrong_experiment_share_sd=over_runs(failed).std,
        wrong_instances_per_failed_experiment=over_runs(wrong).mean,
        wrong_instances_per_failed_experiment_sd=over_runs(wrong).std,
        omission_share=_mean([float(one.instances is not None and one.instances.missing > 0) for one in everything]),
        failures=_counts([one.failure for one in diagnoses]),
        failures_by_gold=_counts([one.failure_by_gold for one in diagnoses]),
        signed_error=_mean([float(error) for error in errors]),
        absolute_error=_mean([float(abs(error)) for error in errors]),
        relative_error=_mean(relative),
        n_reported=len(errors),
        n_relative=len(relative),
        per_instance_accuracy=_mean([one.share_right for one in everything]),
        answered_per_instance_accuracy=_mean([one.share_right for one in read]),
    )


def _mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None


def _share(group: Sequence[Diagnosis], holds: Callable[[Diagnosis], bool]) -> float:
    return sum(map(holds, group)) / len(group)


def _is_table(one: Diagnosis) -> bool:
    """Whether instance answers were asked for."""
    return one.n_instances is not None


def _wrong(one: Diagnosis) -> int:
    """Wrong instances of a table with complete keys: where keys are missing or extra, answers may be out of step."""
    counts = one.instances
    return counts.wrong if counts is not None and not counts.missing and not counts.extra else 0


def _counts(failures: Sequence[Failure | None]) -> dict[str, int]:
    """Return how often each kind occurs: every kind of a table, and `wrong` only where it does."""
    kinds: list[Failure] = [*INVALID, *WRONG]
    if "wrong" in failures:
        kinds.append("wrong")
    return {kind: failures.count(kind) for kind in kinds}
