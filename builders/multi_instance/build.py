"""`lengthwise build multi-instance`: from pools to a folder that is ready for the Hub."""

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tqdm import tqdm

from lengthwise.errors import InputError

from ..hub_folder import PARTS_FOLDER, SplitFacts, claim_folder, holds_build, read_build, write_split
from ..parts import Cell, Task, do_tasks, processes, read_parts, share_of
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
class InstanceBuild:
    """What a build left.

    Attributes:
        folder: where.
        finished: False after a shard, while parts of other shards are missing.
        digest: content digest of the data set; "" while it is not finished.
        splits: facts of each (config, split).
        pools: task -> pool.
        filtered: tasks whose pool a single-instance filter has been through.
        removed: tasks that the filter left nothing of, so that they were not built.
        reused: the very build was there already.
    """

    folder: Path
    finished: bool
    digest: str = ""
    splits: Mapping[Cell, SplitFacts] | None = None
    pools: Mapping[str, Pool] | None = None
    filtered: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    reused: bool = False

    def lines(self) -> list[str]:
        """Return what a person wants to read of it."""
        if not self.finished:
            return [f"this part is done; once all parts are in {self.folder}, the command without --shard ends it"]
        shown = []
        if self.splits is not None:
            rows = sum(fact.rows for fact in self.splits.values())
            configs = len({config for config, _ in self.splits})
            counts = [f"{rows:,} row", f"{configs} config", f"{len(self.splits)} split"]
            shown.append(", ".join(c if c.startswith("1 ") else f"{c}s" for c in counts) + f": {self.folder}")
        if self.removed:
            shown.append(f"left out, as the filter kept nothing of them: {', '.join(self.removed)}")
        if self.pools is not None:
            whole = [name for name in self.pools if name not in self.filtered]
            if whole:
                shown.append(f"whole pools, no single-instance filter: {', '.join(whole)} (see `lengthwise filter`)")
            kept = [name for name, pool in self.pools.items() if not pool.redistributable]
            if kept:
                shown.append(f"text that may not be passed on: {', '.join(kept)}")
        if self.reused:
            shown.append(f"{self.folder} holds this very build already; nothing to do")
        return [*shown, f"digest {self.digest}"]


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

    Raises:
        InputError: an argument cannot be used; nothing is half written.
        OSError: the disk is full or `out` cannot be written.
    """
    settings = settings or InstanceSettings()
    if workers < 1:
        raise InputError(f"workers must be at least 1, not {workers}")
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
    filtered = tuple(kept)
    if holds_build(folder, plan):
        shutil.rmtree(parts, ignore_errors=True)  # left where a build was killed at its very end
        digest = read_build(folder)["digest"]
        return InstanceBuild(folder, True, digest, pools=pools, filtered=filtered, removed=removed, reused=True)
    mine = share_of(tasks, shard)
    if workers > 1 and sum(task.payload.characters for task in mine) < _WORTH_WORKERS:
        workers = 1
    claim_folder(folder, plan)
    for pool in pools.values():
        keep_pool(pool_file(parts, pool), pool)
    with (
        processes(workers) as pool_of_workers,
        tqdm(total=sum(task.rows for task in mine), unit=" rows", desc="build", disable=not progress) as bar,
    ):
        for rows in do_tasks(parts, mine, make_rows, SCHEMA, pool_of_workers, workers):
            bar.update(rows)
    # A shard never finishes the folder: two that end at the same time would both do it.
    if shard is not None:
        return InstanceBuild(folder, False, pools=pools, filtered=filtered, removed=removed)
    facts = _write(folder, tasks, workers, progress)
    digest = finish_folder(folder, settings, facts, plan, pools)
    shutil.rmtree(parts)
    return InstanceBuild(folder, True, digest, facts, pools, filtered, removed)


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


def _write(folder: Path, tasks: Sequence[Task], workers: int, progress: bool) -> dict[Cell, SplitFacts]:
    by_cell: dict[Cell, list[Task]] = {}
    for task in tasks:
        for cell in task.cells:
            by_cell.setdefault(cell, []).append(task)

    def write(cell: Cell) -> SplitFacts:
        raw = sum(table.nbytes for table in read_parts(folder / PARTS_FOLDER, cell, by_cell[cell]))
        return write_split(folder, cell, read_parts(folder / PARTS_FOLDER, cell, by_cell[cell]), raw)

    # Compression runs outside the interpreter's lock, so threads serve.
    with ThreadPoolExecutor(workers) as pool:
        facts = tqdm(pool.map(write, by_cell), total=len(by_cell), unit=" splits", desc="write", disable=not progress)
        return dict(zip(by_cell, facts, strict=True))
