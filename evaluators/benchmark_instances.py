"""Multi-instance processing as the evaluator knows it."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from lengthwise.builders.multi_instance.configs import InstanceConfig, paper_configs, parse_config
from lengthwise.contracts import Sampling
from lengthwise.errors import InputError
from lengthwise.evaluators.benchmark_types import Benchmark
from lengthwise.evaluators.instance_figures import instance_figures
from lengthwise.evaluators.instance_tables import instance_tables
from lengthwise.evaluators.judging_instances import judge_instances
from lengthwise.evaluators.layouts import Layout, Place, TableGroup
from lengthwise.evaluators.references_instances import INSTANCE_REFERENCES

# Sections of the main table: heading, and the part of a config's name behind its task.
_GROUPS = (
    ("(1) The aggregate alone", ("",)),
    ("(2) Every instance answered", ("-instances",)),
    ("(3) Meaningless text added to each instance", ("-noise-head", "-noise-middle", "-noise-tail", "-noise-random")),
    ("(4) Other orders, other lengths", ("-shuffled", "-shortest", "-longest")),
    ("(5) One instance a prompt", ("-single",)),
)


def _instance_layout() -> Layout:
    """Return the layout of the main table, read off the configs of the default build."""
    configs = {config.name: config for config in paper_configs()}
    groups = (
        TableGroup(title, tuple(n for tail in tails for n, config in configs.items() if n == config.task.name + tail))
        for title, tails in _GROUPS
    )
    return Layout(
        name="Multi-instance processing",
        title="Multi-instance processing: success rate by number of instances (%)",
        groups=tuple(groups),
        references={name: ref for name, config in configs.items() if (ref := _reference(config)) is not None},
        captions={name: config.title for name, config in configs.items()},
        basis="sample",
        place=_instance_place,
    )


def _reference(config: InstanceConfig) -> str | None:
    """Return the plain config of a task for its variants; single instances are in no way comparable."""
    return None if config.choice == "single" or config.name == config.task.name else config.task.name


def _instance_place(config: str) -> Place | None:
    """Return the place of a combination: behind the plain or the instance-level row of its task."""
    try:
        known = parse_config(config)
    except InputError:  # of a version that had other tasks
        return None
    row = InstanceConfig(known.task, known.setting)
    return Place(row.name, known.title)


def selection_source(row: Mapping[str, Any]) -> tuple[str, str]:
    """Return the task and the sample of instances of a row; its settings, noise and orders share both.

    >>> selection_source({"task": "ner", "selection": "random_20_seed1_shuffle2"})
    ('ner', 'ner/random_20_seed1')
    """
    return str(row["task"]), f"{row['task']}/{str(row['selection']).partition('_shuffle')[0]}"


MULTI_INSTANCE = Benchmark(
    name="multi-instance",
    aliases=("mip",),
    description="solve 2 to 2,000 small instances in one prompt and add the answers up",
    sampling=Sampling(max_tokens=20_000, temperature=0.0),
    method="reask",
    judge=judge_instances,
    source=selection_source,
    # Sections 3.1 and 5.2: wrong answers, and invalid ones by parsing or by length.
    categories=MappingProxyType(
        {
            "correct": ("correct",),
            "wrong": ("wrong",),
            "invalid by parsing": ("unparsed", "empty", "refused", "truncated_output"),
            "invalid by length": ("overlength",),
            "not run": ("error",),
        }
    ),
    layout=_instance_layout(),
    references=INSTANCE_REFERENCES,
    bounds=("solver", "random", "constant"),
    # A cell has five rows: by itself it could never show a difference.
    pooled_pairs=True,
    most_details=40,
    summarise=instance_figures,
    tables=instance_tables,
    # Table 2: the plain tasks, by the aggregate alone where that was run.
    leading=(0, 1),
)
