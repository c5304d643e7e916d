"""The trials of multi-instance runs: one model's reply to one prompt, with what the analyses ask of it.

Unlike the experiments of one run (`lengthwise.evaluators.instance_experiments`), trials are of all runs together.

Runs of one model are put together, so that it does not matter whether a model's tasks were run one by one or all at
once. The paper's analyses are over prompts that hold all instances; runs that split them up (`METHODS_APART`) are
compared with these, and never mixed with them.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from statistics import fmean
from typing import Any, TypeVar

from lengthwise.builders.multi_instance.configs import InstanceConfig, parse_config
from lengthwise.builders.multi_instance.tasks import TASKS
from lengthwise.errors import InputError
from lengthwise.evaluators.benchmarks import find_benchmark
from lengthwise.evaluators.contracts import Outcome
from lengthwise.evaluators.scoring import Scored

# Methods that do not send all instances of a row in one prompt.
METHODS_APART = ("batched", "decomposed")
NOT_RUN = "not run"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Trial:
    """One reply to one prompt.

    Attributes:
        model: what tables call the model.
        method: how it was asked.
        config: what the prompt's config stands for.
        row: its short columns.
        outcome: how it ended.
        run: index of its run in the list given.
    """

    model: str
    method: str
    config: InstanceConfig
    row: Mapping[str, Any]
    outcome: Outcome
    run: int

    @property
    def apart(self) -> bool:
        """Whether its method splits the instances up ("batched:20")."""
        return self.method.partition(":")[0] in METHODS_APART

    @property
    def task(self) -> str:
        """Name of the task."""
        return self.config.task.name

    @property
    def size(self) -> int:
        """How many instances the prompt holds."""
        return int(self.row["n_instances"])

    @property
    def seed(self) -> int:
        """Of its sample; 0 where nothing is drawn."""
        return int(self.row["seed"] or 0)

    @property
    def sample(self) -> tuple[str, str]:
        """Task and sample of instances, whatever their order, setting or noise."""
        return self.task, str(self.row["selection"]).partition("_shuffle")[0]

    @property
    def right(self) -> bool:
        """Whether the answer is right in every key."""
        return self.outcome.kind == "correct"

    @property
    def invalid(self) -> bool:
        """Whether it ended without a readable answer, or did not fit (section 3.1); not if nothing was sent."""
        return self.outcome.kind not in ("correct", "wrong", "error")

    def failure(self, by_gold: bool = False) -> str | None:
        """Return how it failed: a kind of `lengthwise.metrics.instances.Failure`, or "not run"; None if it did not.

        Args:
            by_gold: whether an aggregation error is one against the gold, instead of the reply's own instances.
        """
        if self.outcome.kind in ("correct", "wrong"):
            kind = self.outcome.details.get("failure_by_gold" if by_gold else "failure")
            return None if self.right else str(kind or "wrong")
        return {"overlength": "overlong", "error": NOT_RUN}.get(self.outcome.kind, "parse")

    @property
    def prompt_tokens(self) -> float:
        """Tokens of the prompt by the provider's count, a call's mean; ours where it reported none."""
        used, calls = self.outcome.usage.input, self.outcome.calls
        if used is None or not calls or self.apart:
            return float(self.row["n_tokens"])
        return used / calls


@lru_cache(maxsize=1024)
def _config(name: str) -> InstanceConfig | None:
    try:
        return parse_config(name)
    except InputError:  # of a version that had other tasks
        return None


def trials_of(runs: Sequence[Scored]) -> list[Trial]:
    """Return all experiments of some runs but single instances, those of reference models only if there are no others.

    Runs that ask a part of an earlier run again are left out, unless there is nothing else. Where two runs of one
    label and method hold the same prompt, the second goes by a label of its own.
    """
    chosen = [run for run in runs if run.results.reference is None] or list(runs)
    chosen = [run for run in chosen if not run.results.chosen] or chosen
    taken: dict[tuple[str, str], set[str]] = defaultdict(set)
    found = []
    for run in chosen:
        method = str(run.results.settings.get("method") or "reask")
        model = _label(run)
        if taken[model, method] & run.rows.keys():
            model = _distinct_label(run)
        taken[model, method] |= run.rows.keys()
        place = next(place for place, one in enumerate(runs) if one is run)
        for (example, _), outcome in run.outcomes.items():
            row = run.rows[example]
            config = _config(str(row["config"]))
            if config is not None and config.choice != "single":
                found.append(Trial(model, method, config, row, outcome, place))
    return found


def _label(run: Scored) -> str:
    """Return the label that the run folder has, without what tells apart runs of one label: a number, its method."""
    if run.results.reference is not None:
        return f"{run.results.reference} (reference)"
    own = find_benchmark(run.results.benchmark).method
    return replace(run.results, settings={**run.run.settings, "method": own}).label


def _distinct_label(run: Scored) -> str:
    return f"{_label(run)} #2" if run.results.label == _label(run) else run.results.label


def direct(found: Iterable[Trial]) -> list[Trial]:
    """Return the experiments whose prompts held all instances; where a model has them by two methods, both names."""
    kept = [one for one in found if not one.apart]
    methods: dict[str, set[str]] = defaultdict(set)
    for one in kept:
        methods[one.model].add(one.method)
    return [one if len(methods[one.model]) == 1 else replace(one, model=f"{one.model} ({one.method})") for one in kept]


def plain(found: Iterable[Trial], setting: str = "aggregate") -> list[Trial]:
    """Return the experiments of the default samples: random, in their own order, without noise."""
    return [one for one in found if _is_plain(one.config, setting)]


def is_plain(name: str, setting: str) -> bool:
    """Return whether a config of this name is one of the default samples in a setting."""
    config = _config(name)
    return config is not None and _is_plain(config, setting)


def _is_plain(config: InstanceConfig, setting: str) -> bool:
    return config.setting == setting and config.noise is None and config.choice == "random"


def in_paper(found: Sequence[Trial]) -> list[Trial]:
    """Return the experiments that the paper ran as well; all of them where it ran none."""
    return [one for one in found if one.row["paper"]] or list(found)


def paper_note(found: Sequence[Trial]) -> str:
    """Return which of these experiments `in_paper` keeps, as a sentence."""
    ran = sum(bool(one.row["paper"]) for one in found)
    if ran == len(found):
        return "Over the paper's cells."
    if not ran:
        return "None of these cells is one of the paper's (other sizes or seeds)."
    return f"Over the paper's cells; {len(found) - ran:,} experiments of other sizes or seeds are left out."


def grouped(found: Iterable[Trial], key: Callable[[Trial], T]) -> dict[T, list[Trial]]:
    """Return the experiments by a key, keys in the order in which they first come."""
    groups: dict[T, list[Trial]] = {}
    for one in found:
        groups.setdefault(key(one), []).append(one)
    return groups


def sizes_of(found: Iterable[Trial]) -> list[int]:
    """Return the numbers of instances, rising."""
    return sorted({one.size for one in found})


def models_of(found: Iterable[Trial]) -> list[str]:
    """Return the models in the order in which they first come."""
    return list(dict.fromkeys(one.model for one in found))


def tasks_of(found: Iterable[Trial]) -> list[str]:
    """Return the tasks in the order of the paper's table."""
    known = {one.task for one in found}
    return [task for task in TASKS if task in known]


@dataclass(frozen=True, slots=True)
class Share:
    """A share of experiments.

    Attributes:
        value: the mean over prompts of each prompt's share over the models and repeats that answered it, in [0, 1].
        n: different prompts.
    """

    value: float
    n: int


def share_of(found: Iterable[Trial], holds: Callable[[Trial], bool]) -> Share | None:
    """Return for which share of some experiments something holds; None of no experiments.

    Answers of several models to one prompt are no independent evidence about prompts of its kind, so they are averaged
    and `n` counts the prompts.
    """
    by_prompt: dict[str, list[bool]] = {}
    for one in found:
        by_prompt.setdefault(str(one.row["id"]), []).append(holds(one))
    if not by_prompt:
        return None
    return Share(fmean(sum(held) / len(held) for held in by_prompt.values()), len(by_prompt))


def success_of(found: Iterable[Trial]) -> Share | None:
    """Return the success rate of some experiments: the share that is right in every key."""
    return share_of(found, lambda one: one.right)
