"""Arms of a comparison: the same samples put to the same models in several ways, with noise or without."""

from collections.abc import Callable, Iterable, Sequence
from statistics import fmean
from typing import TypeVar

from lengthwise.evaluators.instance_analyses.trials import Trial

NONE, TAIL, ANYWHERE = "no noise", "noise at the tail", "noise anywhere"
PLACES = {None: NONE, "head": "noise at the head", "middle": "noise in the middle", "tail": TAIL}

Arm = TypeVar("Arm")
Key = TypeVar("Key")


def matched(trials: Iterable[Trial], arm: Callable[[Trial], Arm], key: Callable[[Trial], Key]) -> list[Trial]:
    """Return the trials whose key is there in every arm, so that the arms are over the same models and samples."""
    trials = list(trials)
    arms: dict[Key, set[Arm]] = {}
    for one in trials:
        arms.setdefault(key(one), set()).add(arm(one))
    everywhere = set().union(*arms.values()) if arms else set()
    return [one for one in trials if arms[key(one)] == everywhere]


def noise_place(one: Trial) -> str:
    """Return where noise was added, in words."""
    return PLACES.get(one.config.noise, ANYWHERE)


def noise_trials(found: Sequence[Trial]) -> list[Trial]:
    """Return the trials of random samples in their own order in the aggregate setting, with noise or without."""
    return [one for one in found if one.config.setting == "aggregate" and one.config.choice == "random"]


def with_and_without(found: Sequence[Trial]) -> list[Trial]:
    """Return the trials without noise and with noise at the tail, of the samples that a model was given in both."""
    arms = [one for one in noise_trials(found) if one.config.noise in (None, "tail")]
    kept = matched(arms, noise_place, lambda one: (one.model, one.sample))
    return kept if len({noise_place(one) for one in kept}) > 1 else []


def all_places(found: Sequence[Trial]) -> list[Trial]:
    """Return the trials of the samples of seed 1 that a model was given without noise and with it in every place."""
    arms = [one for one in noise_trials(found) if one.seed == 1]
    kept = matched(arms, noise_place, lambda one: (one.model, one.sample))
    return kept if len({noise_place(one) for one in kept}) > 2 else []


def tokens_each(found: Sequence[Trial]) -> float:
    """Return the mean tokens of the prompt per instance."""
    return fmean(one.prompt_tokens / one.size for one in found)
