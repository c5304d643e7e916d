"""`lengthwise build multi-instance`: from pools to a folder that is ready for the Hub."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lengthwise.errors import InputError

from ..folder_build import Built, FolderBuild
from ..hub_folder import PARTS_FOLDER
from ..parts import Task
from ..plan_recipe import Rebuild
from .card import finish_folder
from .configs import InstanceConfig, find_configs
from .plan import config_tasks, describe, keep_pool, make_rows, pool_file, selections_of
from .pools.pool import Pool
from .retained import Retained
from .schema import SCHEMA
from .settings import InstanceSettings

# Below so many characters of prompts in all, starting worker processes costs more than it saves.
_WORTH_WORKERS = 20_000_000

PoolSource = Callable[[str], Pool]


@dataclass(frozen=True)
class InstanceBuild(Built):
    """What a build left.

    Attributes:
        pools: task -> pool.
        filtered: tasks whose pool a single-instance filter has been through.
        removed: tasks that the filter left nothing of, so that they were not built.
    """

    pools: Mapping[str, Pool] = field(default_factory=dict)
    filtered: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    def notes(self) -> list[str]:
        """Return what a person should know of the pools."""
        shown = []
        if self.removed:
            shown.append(f"left out, as the filter kept nothing of them: {', '.join(self.removed)}")
        whole = [name for name in self.pools if name not in self.filtered]
        if whole:
            shown.append(f"whole pools, no single-instance filter: {', '.join(whole)} (see `lengthwise filter`)")
        kept = [name for name, pool in self.pools.items() if not pool.redistributable]
        if kept:
            shown.append(f"text that may not be passed on: {', '.join(kept)}")
        return shown


def build_multi_instance(
    out: str | os.PathLike[str],
    configs: Sequence[str] = (),
    *,
    pool_of: PoolSource | None = None,
    settings: InstanceSettings | None = None,
    retained: Mapping[str, Retained] | None = None,
    workers: int = 1,
    shard: tuple[int, int] | None = None,
    progress: bool = False,
    rebuild: Rebuild | None = None,
) -> InstanceBuild:
    """Build the multi-instance benchmark into a folder: Parquet per config and split, a card, and `build.json`.

    The same arguments give the same rows on any machine and in any number of processes. A build that was stopped goes
    on where it was; one that is finished is recognised and left as it is.

    Args:
        out: folder; new, empty, or holding this very build, finished or not.
        configs: names, see `configs.parse_config`; `<task>-all` is all of a task, none is all of the paper's.
        pool_of: task -> its pool; the generated pools by default.
        settings: parameters of the construction.
        retained: task -> what a single-instance filter left; None uses whole pools. A task that is not there did not
            pass: its configs are left out, and may not be named.
        workers: processes.
        shard: (I, N) to build only part I of N, 1-based; the call without it makes what is missing and finishes.
        progress: show a bar on stderr.
        rebuild: the recipe that plan and rows must be of.

    Raises:
        InputError: an argument cannot be used; nothing is half written.
        OSError: the disk is full or `out` cannot be written.
    """
    settings = settings or InstanceSettings()
    folder = Path(out)
    chosen, removed = _left(find_configs(tuple(configs)), bool(configs), retained)
    pools = _pools([config.task.name for config in chosen], pool_of)
    kept = _retained(retained or {}, pools)
    parts = folder / PARTS_FOLDER
    tasks: list[Task] = []
    for config in chosen:
        pool = pools[config.task.name]
        selections = selections_of(config, pool, kept.get(pool.task, range(len(pool.instances))), settings)
        tasks += config_tasks(config, selections, pool, pool_file(parts, pool), settings)
    plan = describe(settings, tasks, pools, kept)
    if rebuild is not None:
        rebuild.check(plan)

    def keep_pools() -> None:
        for pool in pools.values():
            keep_pool(pool_file(parts, pool), pool)

    build = FolderBuild(
        folder,
        plan,
        tasks,
        make_rows,
        SCHEMA,
        lambda facts: (
            finish_folder(folder, settings, facts, plan, pools) if rebuild is None else rebuild.finish(folder, facts)
        ),
        prepare=keep_pools,
        cost=lambda task: int(task.payload.characters),
        worth_workers=_WORTH_WORKERS,
    )
    result = InstanceBuild(folder, pools=pools, filtered=tuple(kept), removed=removed)
    return build.run(result, workers, shard, progress)


def _left(
    chosen: Sequence[InstanceConfig], named: bool, retained: Mapping[str, Retained] | None
) -> tuple[list[InstanceConfig], tuple[str, ...]]:
    """Return the configs of tasks that passed the filter, and the tasks that did not.

    Raises:
        InputError: a config of a task that did not pass was asked for by name, or none is left.
    """
    if retained is None:
        return list(chosen), ()
    removed = tuple(dict.fromkeys(config.task.name for config in chosen if config.task.name not in retained))
    left = [config for config in chosen if config.task.name in retained]
    if removed and (named or not left):
        raise InputError(
            f"--retained: the filter kept nothing of {', '.join(removed)}; name configs of {', '.join(retained)}, or "
            "build the others without --retained"
        )
    return left, removed


def _pools(names: Sequence[str], pool_of: PoolSource | None) -> dict[str, Pool]:
    if pool_of is None:
        from .pools.generated_pools import generated_pool

        pool_of = generated_pool
    return {name: pool_of(name) for name in dict.fromkeys(names)}


def _retained(retained: Mapping[str, Retained], pools: Mapping[str, Pool]) -> dict[str, tuple[int, ...]]:
    """Return the retained indices of the tasks that are built, checked against their pools."""
    for name, pool in pools.items():
        if name in retained:
            retained[name].check(pool)
    return {name: retained[name].indices for name in pools if name in retained}
