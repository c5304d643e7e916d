"""What a build is to make: the selections of each config, cut into tasks that any process can do."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from lengthwise.errors import InputError

from ..hub_folder import write_text
from ..parts import Cell, Task
from .configs import InstanceConfig, parse_config
from .pools.pool import Instance, Pool
from .prompts import load_prompts
from .rows import Selection, make_row
from .selections import SHUFFLE_SEEDS, length_selections, random_selections, shuffled
from .settings import BENCHMARK, VERSION, InstanceSettings
from .tasks import SIZES

# Single instances are many and short: a task makes so many of them.
_SINGLES = 500


def sizes_of(config: InstanceConfig, settings: InstanceSettings, available: int) -> tuple[int, ...]:
    """Return the numbers of instances of a config, checked against how many there are.

    Raises:
        InputError: more instances are asked for than the pool holds.
    """
    sizes = settings.sizes or config.task.sizes
    if settings.sizes and max(sizes) > available:
        raise InputError(
            f"{config.name}: {max(sizes):,} instances in a prompt, where the pool has {available:,}; give smaller "
            "--size, a larger --pool-size, or other --retained indices"
        )
    fitting = tuple(size for size in sizes if size <= available)
    if not fitting:
        raise InputError(f"{config.name}: the pool has {available} instances, fewer than the smallest size")
    return fitting


def selections_of(
    config: InstanceConfig, pool: Pool, retained: Sequence[int], settings: InstanceSettings
) -> list[Selection]:
    """Return what the rows of a config hold, sizes rising, seeds in order within a size."""
    if config.choice == "single":
        return [Selection(f"single_{index}", 1, 0, (index,)) for index in sorted(retained)]
    sizes = sizes_of(config, settings, len(retained))
    if config.choice in ("shortest", "longest"):
        found = length_selections(pool.lengths, retained, sizes)
        return [Selection(name, size, 0, tuple(found[name])) for size in sizes for name in [f"{config.choice}_{size}"]]
    # Shuffled orders are those of the samples with the first seed (5.1).
    seeds = settings.seeds if config.choice == "random" else settings.seeds[:1]
    drawn = _random_samples(retained, sizes, seeds)
    samples = [(size, seed, f"random_{size}_seed{seed}") for size in sizes for seed in seeds]
    if config.choice == "random":
        return [Selection(name, size, seed, tuple(drawn[name])) for size, seed, name in samples]
    return [
        Selection(f"{name}_shuffle{number}", size, seed, tuple(shuffled(drawn[name], order)))
        for size, seed, name in samples
        for number, order in enumerate(SHUFFLE_SEEDS, 1)
    ]


def _random_samples(retained: Sequence[int], sizes: Sequence[int], seeds: Sequence[int]) -> dict[str, list[int]]:
    """Return the random samples of some sizes.

    A sample hangs on the sizes drawn before it. So that `random_20_seed1` holds the same instances in every build,
    those of the paper's sizes are drawn along all of the paper's, and other sizes by themselves.
    """
    own = [size for size in sizes if size not in SIZES]
    along = [size for size in SIZES if size <= max(set(sizes).difference(own), default=0)]
    return random_selections(retained, along, seeds) | random_selections(retained, own, seeds)


@dataclass(frozen=True)
class Payload:
    """What a task is made from.

    Attributes:
        config: name of the config.
        selections: of its rows.
        pool: the file that `keep_pool` wrote.
        tokenizer: name of it.
        prompts: folder of templates, None for the package's.
        characters: of all prompts, about.
    """

    config: str
    selections: tuple[Selection, ...]
    pool: str
    tokenizer: str
    prompts: Path | None
    characters: int


def make_rows(payload: Payload) -> Iterable[tuple[Cell, Mapping[str, Any]]]:
    """Yield every row of a task with its cell; a function of the module, so that worker processes can import it."""
    config = parse_config(payload.config)
    pool, prompts = read_pool(payload.pool), load_prompts(payload.prompts)
    for selection in payload.selections:
        yield (config.name, selection.split), make_row(config, selection, pool, prompts, payload.tokenizer)


def pool_file(parts: Path, pool: Pool) -> Path:
    """Return where a pool lies while its rows are made."""
    return parts / "pools" / f"{pool.task}-{pool.digest[:16]}.json"


def keep_pool(path: Path, pool: Pool) -> None:
    """Write a pool where the workers can read it."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        about = {key: getattr(pool, key) for key in ("task", "kind", "source", "licence", "redistributable")}
        instances = [[one.text, one.label] for one in pool.instances]
        write_text(path, json.dumps({**about, "instances": instances}, ensure_ascii=False))


# Tasks of one pool follow each other, so a worker that keeps two of them reads each once.
@lru_cache(maxsize=2)
def read_pool(path: str) -> Pool:
    """Return the pool that `keep_pool` wrote."""
    about = json.loads(Path(path).read_text("utf-8"))
    return Pool(**{**about, "instances": tuple(Instance(*one) for one in about["instances"])})


def config_tasks(
    config: InstanceConfig, selections: Sequence[Selection], pool: Pool, pool_path: Path, settings: InstanceSettings
) -> list[Task]:
    """Return the tasks that make the rows of one config."""
    step = _SINGLES if config.choice == "single" else len(selections)
    tasks = []
    noise = 700 if config.noise else 0
    mean = sum(len(one.text) for one in pool.instances) / len(pool.instances) + 16 + noise
    for number, start in enumerate(range(0, len(selections), step)):
        some = tuple(selections[start : start + step])
        characters = round(sum(selection.size for selection in some) * mean)
        payload = Payload(config.name, some, str(pool_path), settings.tokenizer, settings.prompts, characters)
        cells = tuple(dict.fromkeys((config.name, selection.split) for selection in some))
        tasks.append(Task(f"{config.name}-{number:05d}", cells, len(some), payload))
    return tasks


def describe(
    settings: InstanceSettings,
    tasks: Sequence[Task],
    pools: Mapping[str, Pool],
    retained: Mapping[str, Sequence[int]],
) -> dict[str, Any]:
    """Return what identifies a build, as JSON types: equal plans give equal rows.

    Args:
        settings: of the build.
        tasks: all of it.
        pools: task -> pool.
        retained: task -> indices left by the filter; a task that is not there uses its whole pool.
    """
    return {
        "benchmark": BENCHMARK,
        "version": VERSION,
        # Which templates is told by their digest, wherever they lie.
        "settings": {
            "sizes": list(settings.sizes),
            "seeds": list(settings.seeds),
            "tokenizer": settings.tokenizer,
        },
        "prompt_template": load_prompts(settings.prompts).digest,
        "cells": list(dict.fromkeys("/".join(cell) for task in tasks for cell in task.cells)),
        "pools": {
            name: {
                "kind": pool.kind,
                "source": pool.source,
                "licence": pool.licence,
                "redistributable": pool.redistributable,
                "instances": len(pool.instances),
                "digest": pool.digest,
                "retained": sorted(retained[name]) if name in retained else None,
            }
            for name, pool in pools.items()
        },
    }
