"""Names of configs, `<task>[-instances][-noise-POSITION][-shuffled|-shortest|-longest|-single]`, and their meaning."""

from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Literal, get_args

from lengthwise.errors import InputError, unknown_name

from .noise import POSITIONS, NoisePosition
from .tasks import KNOWN_TASKS, SEEDS, TASKS, InstanceTask

Setting = Literal["aggregate", "instances"]
SETTINGS: tuple[Setting, ...] = get_args(Setting)
# Which instances, in which order: random samples, the seed-1 samples in two other orders, by length, or each alone.
Choice = Literal["random", "shuffled", "shortest", "longest", "single"]
CHOICES: tuple[Choice, ...] = get_args(Choice)


@dataclass(frozen=True)
class InstanceConfig:
    """One config of the data set.

    Attributes:
        task: what is asked of each instance.
        setting: "aggregate" asks for the sum or count alone, "instances" for every answer and the summary (5.2).
        noise: where meaningless text is added to each instance, None for nowhere (6.1).
        choice: which instances are taken.
    """

    task: InstanceTask
    setting: Setting = "aggregate"
    noise: NoisePosition | None = None
    choice: Choice = "random"

    @property
    def name(self) -> str:
        """The config's name; see `parse_config` for the inverse."""
        parts = [self.task.name]
        parts += ["instances"] if self.setting == "instances" else []
        parts += [f"noise-{self.noise}"] if self.noise else []
        parts += [self.choice] if self.choice != "random" else []
        return "-".join(parts)

    @property
    def title(self) -> str:
        """A caption for tables.

        >>> parse_config("word-instances-noise-tail-shortest").title
        'Word, every instance answered, noise at the tail, shortest instances'
        """
        parts = [self.task.title]
        parts += ["every instance answered"] if self.setting == "instances" else []
        places = {"head": "at the head", "middle": "in the middle", "tail": "at the tail", "random": "anywhere"}
        parts += [f"noise {places[self.noise]}"] if self.noise else []
        orders = {
            "shuffled": "two other orders",
            "shortest": "shortest instances",
            "longest": "longest instances",
            "single": "one instance a prompt",
        }
        parts += [orders[self.choice]] if self.choice != "random" else []
        return ", ".join(parts)

    def in_paper(self, size: int, seed: int) -> bool:
        """Return whether the paper ran this config at this number of instances with this seed (0 where none is drawn).

        Noise at the tail went to 1,000 instances on seven tasks (news without 100), other positions and shuffled
        orders with seed 1 only; the instance-level setting was run on the plain samples alone.
        """
        if self.choice == "single":
            return size == 1 and self.setting == "aggregate" and self.noise is None
        seeds = {"random": SEEDS, "shuffled": SEEDS[:1]}.get(self.choice, (0,))
        if size not in self.task.sizes or seed not in seeds:
            return False
        if self.setting == "instances":
            return self.choice == "random" and self.noise is None
        if self.noise is None:
            return self.choice in ("random", "shuffled") or self.task.paper_noise
        ran = self.task.paper_noise and size <= 1000 and not (self.task.name == "category" and size == 100)
        return ran and self.choice == "random" and (self.noise == "tail" or seed == 1)


def parse_config(name: str) -> InstanceConfig:
    """Return what a config's name stands for.

    Raises:
        InputError: it is no such name.

    >>> config = parse_config("ner-noise-tail")
    >>> config.task.name, config.noise, config.name
    ('ner', 'tail', 'ner-noise-tail')
    """
    head, *rest = name.split("-")
    if head not in KNOWN_TASKS:
        raise _unknown(name)
    setting: Setting = "aggregate"
    noise: NoisePosition | None = None
    choice: Choice = "random"
    if rest[:1] == ["instances"]:
        setting, rest = "instances", rest[1:]
    if rest[:1] == ["noise"] and len(rest) > 1 and rest[1] in POSITIONS:
        noise, rest = rest[1], rest[2:]
    if len(rest) == 1 and rest[0] in CHOICES:
        choice = rest[0]
    config = InstanceConfig(KNOWN_TASKS[head], setting, noise, choice)
    if config.task.alone and config != InstanceConfig(config.task, choice="single"):
        raise InputError(
            f"config {name!r}: the paper's filter took {config.task.title} out, so it is only asked alone: "
            f"{config.task.name}-single"
        )
    if config.name != name:
        raise _unknown(name)
    return config


def _unknown(name: str) -> InputError:
    """Return the error for a name that is none, with the nearest that is: there are too many to list."""
    names = [
        InstanceConfig(task, setting, noise, choice).name
        for task in TASKS.values()
        for setting in SETTINGS
        for noise in (None, *POSITIONS)
        for choice in CHOICES
    ]
    turned = [known for known in names if sorted(known.split("-")) == sorted(name.split("-"))]
    near = turned or get_close_matches(name, names, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return InputError(
        f"unknown config {name!r}: {hint}A name is TASK[-instances][-noise-{'|'.join(POSITIONS)}]"
        f"[-{'|-'.join(choice for choice in CHOICES if choice != 'random')}], its parts in this order, or TASK-all; "
        f"tasks: {', '.join(TASKS)}"
    )


def paper_configs() -> tuple[InstanceConfig, ...]:
    """Return the configs of the default build, task by task: every experiment of the paper."""
    return tuple(
        config
        for task in TASKS.values()
        for config in (
            InstanceConfig(task),
            InstanceConfig(task, "instances"),
            *(InstanceConfig(task, noise=position) for position in POSITIONS),
            *(InstanceConfig(task, choice=choice) for choice in CHOICES if choice != "random"),
        )
    )


def find_configs(names: tuple[str, ...], setting: str | None = None) -> tuple[InstanceConfig, ...]:
    """Return the configs of these names; a task's name with `-all` means all configs of the task, no names all.

    Args:
        names: see `parse_config`.
        setting: put all of them into this setting, whatever their names say; None leaves them as they are.

    Raises:
        InputError: a name or the setting is unknown, or a config comes twice.

    >>> [config.name for config in find_configs(("ner-single", "wsd-noise-tail"), "instances")]
    ['ner-instances-single', 'wsd-instances-noise-tail']
    """
    if setting is not None:
        known = next((one for one in SETTINGS if one == setting), None)
        if known is None:
            raise unknown_name("setting", setting, SETTINGS)
        put = (replace(config, setting=known).name for config in find_configs(names))
        return tuple(parse_config(name) for name in dict.fromkeys(put))
    found: list[InstanceConfig] = []
    for name in names:
        if name.removesuffix("-all") in TASKS and name.endswith("-all"):
            found += [config for config in paper_configs() if config.task.name == name.removesuffix("-all")]
        else:
            found.append(parse_config(name))
    if len(set(config.name for config in found)) != len(found):
        raise InputError("a config is named twice; name each once")
    return tuple(found) or paper_configs()
