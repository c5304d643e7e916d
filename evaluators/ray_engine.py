"""`--engine ray`: the shards of a run as actors on a Ray cluster, joined at the end.

Each actor calls the function that a run in one piece calls, into a run folder of its own on storage that all nodes
share; a local model is loaded in each. Ray only finds it a place: an actor that is lost with its node is started again
on another one, and goes on by the shard's log. Ray's own processor of HTTP requests is not used: it sends one request
at a time, takes no heed of `Retry-After`, and hands the bodies of errors back as answers.
"""

import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from lengthwise.errors import InputError
from lengthwise.evaluators.left import has_ended
from lengthwise.evaluators.merge_files import SHARDS_FOLDER, check_target
from lengthwise.evaluators.merging import merge_runs
from lengthwise.evaluators.progress import Progress
from lengthwise.evaluators.providers import ModelOptions, make_model
from lengthwise.evaluators.ray_driver import Driver
from lengthwise.evaluators.ray_options import ClusterOptions
from lengthwise.evaluators.roles import make_role_models
from lengthwise.evaluators.run_folder import RUN_FILE, RunFolder
from lengthwise.evaluators.runner import RunOptions
from lengthwise.evaluators.settings import RunSettings, prepare
from lengthwise.evaluators.sharding import Shard

INSTALL = "pip install 'lengthwise[ray]'"
# Seconds.
_CONNECT = 10.0


def run_on_ray(
    settings: RunSettings, out: Path | str, options: RunOptions | None, cluster: ClusterOptions
) -> RunFolder:
    """Run the shards of a run on a Ray cluster and join them, or go on with what is there of them.

    Args:
        settings: what the run is; `shard` must not be set.
        out: the run folder, on storage that all nodes share; the shards lie in its `shards`, and stay there.
        options: how it is carried out. Concurrency is each shard's; limits and rates are the whole run's, and each
            shard has its part of them.
        cluster: where.

    Returns:
        The folder of the joined run, as `merge_runs` makes it.

    Raises:
        InputError: as `run_benchmark` does; Ray is not installed, or there is no such cluster; a shard that was lost
            too often.
        OSError: a shard could not write (a full disk).
        RunStopped: a shard came to a limit, or its server stays away; the same call goes on.
        KeyboardInterrupt: after Ctrl-C; likewise.
    """
    options = options or RunOptions()
    if settings.shard is not None:
        raise InputError(f"--shard {settings.shard}: with --engine ray give --shards N alone; each actor has its own")
    out = Path(out).absolute()
    prepared = prepare(replace(settings, shard=Shard(1, cluster.shards)))
    assert prepared.part is not None
    _check_out(out, (prepared.part.rows, prepared.part.digest), cluster.shards)
    model = make_model(settings.model, ModelOptions(settings.api_key_env))
    model.check(prepared.sampling)
    model.check_benchmark(prepared.benchmark.name)
    roles = make_role_models(settings.roles, ModelOptions(), settings.role_key_envs, prepared.sampling)
    content = prepared.run_json(model, {}, (), {}, None, roles)
    shards = [Shard(number, cluster.shards) for number in range(1, cluster.shards + 1)]
    folders = {shard: out / SHARDS_FOLDER / f"{shard.number}-of-{shard.count}" for shard in shards}
    left = {shard: folder for shard, folder in folders.items() if not _is_done(folder, shard, content)}
    if left:
        key_envs = [env for one in (model, *roles.values()) if (env := one.describe().get("api_key_env"))]
        done = sum(RunFolder.open(folder).settings["n_examples"] for one, folder in folders.items() if one not in left)
        total = (prepared.part.rows - done) * settings.repeats
        with _connected(cluster) as ray:
            (out / SHARDS_FOLDER).mkdir(parents=True, exist_ok=True)
            with Progress(total, options.progress) as progress:
                Driver(ray, settings, options, cluster, left, key_envs, progress).run()
    runs = list(folders.values())
    return merge_runs(runs, out, labels=options.labels, notify=options.notify, command=options.command)


def _check_out(out: Path, whole: tuple[int, str], count: int) -> None:
    """Refuse a folder whose shards cannot be gone on with, before anything is started."""
    check_target(out, whole)
    here = f"lengthwise run --from {out / RUN_FILE} --out {out}"
    folder = out / SHARDS_FOLDER
    if (out / RUN_FILE).exists() and not folder.is_dir():
        raise InputError(f"--out {out}: holds the joined run, and its shards are gone; go on with it: {here}")
    others = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    foreign = sorted(name for name in others if not name.endswith(f"-of-{count}"))
    if foreign:
        raise InputError(f"--shards {count}: {folder} holds {foreign[0]}; go on with as many shards as there were")


def _is_done(folder: Path, shard: Shard, content: Mapping[str, Any]) -> bool:
    """Return whether a shard has nothing left to ask, so that no model need be loaded for it.

    Args:
        folder: its run folder.
        shard: which one.
        content: run.json of any shard of the run that is meant.

    Raises:
        InputError: it is a shard of another run.
    """
    if not (folder / RUN_FILE).exists():
        return False
    run = RunFolder.open(folder)
    run.check_same({**content, "shard": {**content["shard"], "numbers": [shard.number]}})
    return has_ended(run)


@contextmanager
def _connected(cluster: ClusterOptions) -> Iterator[Any]:
    """Connect to the cluster, and let go of it at the end if nobody was connected before."""
    try:
        import ray
    except ImportError as error:
        raise InputError(f"--engine ray: needs Ray; {INSTALL}") from error
    if ray.is_initialized():
        yield ray
        return
    _check_address(cluster.address or os.environ.get("RAY_ADDRESS") or "")
    try:
        ray.init(address=cluster.address, log_to_driver=False, logging_level="warning", ignore_reinit_error=True)
    except (ConnectionError, ValueError, RuntimeError) as error:
        where = cluster.address or "that RAY_ADDRESS or `ray start` names"
        raise InputError(f"--ray-address: cannot connect to the cluster {where}: {error}") from error
    try:
        yield ray
    finally:
        ray.shutdown()


def _check_address(address: str) -> None:
    """Raise InputError where nobody listens at an address; Ray itself would try for many minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not (host and port.isdecimal()):
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), _CONNECT).close()
    except (OSError, OverflowError) as error:
        raise InputError(f"--ray-address {address}: nobody listens there ({error}); is the cluster up?") from error
