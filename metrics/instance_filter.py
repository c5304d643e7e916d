"""The single-instance filter: which models, tasks and instances a comparison over many instances may rest on.

Many instances in one prompt say something about their number only if each is easy alone. So every model first answers
each instance of a pool by itself, and three rules follow (multi-instance paper, section 3.2), in this order:

1. a model is kept if its success, averaged over the tasks, exceeds 95 %, and its success on every task exceeds 90 %;
2. a task is kept if its agreement exceeds 85 %: the share of its instances that all kept models solve;
3. an instance of a kept task is retained if all kept models solve it.

Shares are compared as exact fractions: 2,375 of 2,500 do not exceed 95 %.

The paper's own table (6) has kept models with under 90 % on tasks that rule 2 then removes, and averages that take
these tasks in. `exempt` names such tasks: they count towards the average and not for the rule on every task.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from lengthwise.errors import InputError

MODEL_MEAN = 95.0
TASK_LEAST = 90.0
AGREEMENT = 85.0


@dataclass(frozen=True, slots=True)
class FilterRules:
    """The thresholds, each in percent, from 0 up to but not including 100; a figure must exceed its threshold.

    Attributes:
        model_mean: of a model's success averaged over the tasks, each task with the same weight.
        task_least: of a model's success on every task that is not exempt.
        agreement: of the share of a task's instances that all kept models solve.

    Raises:
        InputError: a threshold is out of its range.
    """

    model_mean: float = MODEL_MEAN
    task_least: float = TASK_LEAST
    agreement: float = AGREEMENT

    def __post_init__(self) -> None:
        for name in ("model_mean", "task_least", "agreement"):
            value = getattr(self, name)
            if not 0 <= value < 100:
                raise InputError(
                    f"{name}={value:g}: is a percentage that must be exceeded, so from 0 to less than 100 (0 drops "
                    "the rule but for what nobody solves)"
                )


@dataclass(frozen=True, slots=True)
class ModelVerdict:
    """What the filter says of a model.

    Attributes:
        success: task -> share of its instances that the model solves alone, in [0, 1].
        mean: of these shares.
        too_low: the tasks, not exempt, on which it is at or below the threshold.
        low_mean: whether the mean is at or below its threshold.
    """

    success: Mapping[str, Fraction]
    mean: Fraction
    too_low: tuple[str, ...]
    low_mean: bool

    @property
    def kept(self) -> bool:
        """Whether the model passes both rules."""
        return not self.too_low and not self.low_mean


@dataclass(frozen=True, slots=True)
class TaskVerdict:
    """What the filter says of a task.

    Attributes:
        n: instances of its pool.
        solved: places of those that all kept models solve, rising, from 0; whether or not the task is kept.
        agreement: their share of n, in [0, 1].
        highest: the best success of a kept model; None without one.
        lowest: the worst.
        kept: whether the agreement exceeds the threshold; False where no model is kept.
    """

    n: int
    solved: tuple[int, ...]
    agreement: Fraction
    highest: Fraction | None
    lowest: Fraction | None
    kept: bool


@dataclass(frozen=True, slots=True)
class Filtered:
    """What the filter decides.

    Attributes:
        models: by name, in the order given.
        tasks: by name, in the order given.
        rules: by which.
    """

    models: Mapping[str, ModelVerdict]
    tasks: Mapping[str, TaskVerdict]
    rules: FilterRules

    @property
    def retained(self) -> dict[str, tuple[int, ...]]:
        """The retained instances of each kept task."""
        return {name: task.solved for name, task in self.tasks.items() if task.kept}


def filter_instances(
    solved: Mapping[str, Mapping[str, Sequence[bool]]],
    rules: FilterRules | None = None,
    *,
    exempt: Collection[str] = (),
) -> Filtered:
    """Apply the three rules.

    Args:
        solved: model -> task -> whether it solves each instance of the task's pool alone, in the pool's order.
        rules: the thresholds; None takes the paper's.
        exempt: tasks that rule 1 does not look at one by one.

    Raises:
        InputError: no model, models with other tasks or pools of another size than the first, or an empty pool.

    >>> alone = {"a": {"parity": [True, True, True]}, "b": {"parity": [True, True, False]}}
    >>> found = filter_instances(alone, FilterRules(model_mean=60, task_least=60, agreement=60))
    >>> found.retained, str(found.tasks["parity"].agreement), filter_instances(alone).models["b"].kept
    ({'parity': (0, 1)}, '2/3', False)
    """
    rules = rules or FilterRules()
    sizes = _sizes(solved)
    models = {name: _judge_model(tasks, rules, exempt) for name, tasks in solved.items()}
    kept = {name: solved[name] for name, verdict in models.items() if verdict.kept}
    tasks = {task: _judge_task(n, [of_model[task] for of_model in kept.values()], rules) for task, n in sizes.items()}
    return Filtered(models, tasks, rules)


def _sizes(solved: Mapping[str, Mapping[str, Sequence[bool]]]) -> dict[str, int]:
    if not solved:
        raise InputError("solved: holds no model; give at least one with what it solves of each task")
    first, *others = solved
    sizes = {task: len(instances) for task, instances in solved[first].items()}
    if not sizes or not all(sizes.values()):
        raise InputError(f"solved: {first!r} has no task, or a task without instances")
    for name in others:
        if solved[name].keys() != sizes.keys():
            odd = ", ".join(sorted(solved[name].keys() ^ sizes.keys()))
            raise InputError(
                f"solved: {first!r} and {name!r} must have the same tasks, but only one of them has {odd}; averages "
                "over other tasks do not compare"
            )
        for task, n in sizes.items():
            if len(solved[name][task]) != n:
                raise InputError(
                    f"solved: {task} has {n} instances for {first!r} and {len(solved[name][task])} for {name!r}; all "
                    "models must have answered the same pool"
                )
    return sizes


def _judge_model(tasks: Mapping[str, Sequence[bool]], rules: FilterRules, exempt: Collection[str]) -> ModelVerdict:
    success = {task: Fraction(sum(map(bool, instances)), len(instances)) for task, instances in tasks.items()}
    return judge_success(success, rules, exempt)


def judge_success(
    success: Mapping[str, Fraction], rules: FilterRules | None = None, exempt: Collection[str] = ()
) -> ModelVerdict:
    """Apply the rules on models to one model's success per task.

    Args:
        success: task -> share solved, in [0, 1].
        rules: the thresholds; None takes the paper's.
        exempt: tasks that are averaged and not looked at one by one.
    """
    rules = rules or FilterRules()
    mean = sum(success.values(), Fraction()) / len(success)
    too_low = tuple(
        task for task, share in success.items() if task not in exempt and not _exceeds(share, rules.task_least)
    )
    return ModelVerdict(success, mean, too_low, not _exceeds(mean, rules.model_mean))


def _judge_task(n: int, of_models: Sequence[Sequence[bool]], rules: FilterRules) -> TaskVerdict:
    if not of_models:
        return TaskVerdict(n, (), Fraction(), None, None, False)
    solved = tuple(place for place in range(n) if all(instances[place] for instances in of_models))
    agreement = Fraction(len(solved), n)
    rates = [Fraction(sum(map(bool, instances)), n) for instances in of_models]
    return TaskVerdict(n, solved, agreement, max(rates), min(rates), _exceeds(agreement, rules.agreement))


def _exceeds(share: Fraction, percent: float) -> bool:
    # By way of its text, 89.6 means what it says and not the nearest binary fraction.
    return 100 * share > Fraction(str(percent))
