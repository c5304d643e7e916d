"""Watches over the actors of a run on a Ray cluster: starts them, shows what they do, replaces those that are lost."""

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from lengthwise.errors import InputError
from lengthwise.evaluators.progress import Progress
from lengthwise.evaluators.ray_options import ClusterOptions, of_one_shard
from lengthwise.evaluators.ray_worker import End, News, ShardWorker
from lengthwise.evaluators.runner import RunOptions
from lengthwise.evaluators.settings import RunSettings
from lengthwise.evaluators.sharding import Shard
from lengthwise.evaluators.stopping import RunStopped

# Seconds between two looks at what the actors have done, and until the user is told that some have no place yet.
_LOOK = 0.5
_WAITED = 30.0
# Seconds before a lost shard is started again: its old process may still be ending.
_PAUSE = 2.0


@dataclass
class _Running:
    """A shard, and the actor that runs it.

    Attributes:
        shard: which one.
        folder: its run folder.
        actor: the handle; None while it waits to be started (again).
        ending: what its end comes to; likewise.
        asked: what the news asked for come to; None if none are.
        placed: whether the actor was heard of.
        since: when it was started, or when it may be started again.
        starts: how often it was started.
        losses: how often it was lost without having got any further.
        seen: (example id, repeat) of the outcomes so far.
        end: how it ended; None before.
    """

    shard: Shard
    folder: Path
    actor: Any = None
    ending: Any = None
    asked: Any = None
    placed: bool = False
    since: float = 0.0
    starts: int = 0
    losses: int = 0
    seen: set[tuple[str, int]] = field(default_factory=set)
    end: End | None = None


class Driver:
    """Runs all shards.

    Args:
        ray: the module, connected to the cluster.
        settings: of the whole run.
        options: likewise.
        cluster: see `ClusterOptions`.
        folders: of the shards that are to be run.
        key_envs: environment variables with keys, for nodes that do not have them.
        progress: told of every outcome.
    """

    def __init__(
        self,
        ray: Any,
        settings: RunSettings,
        options: RunOptions,
        cluster: ClusterOptions,
        folders: Mapping[Shard, Path],
        key_envs: Sequence[str],
        progress: Progress,
    ) -> None:
        self._ray = ray
        self._settings = settings
        self._notify = options.notify
        self._options = of_one_shard(options, cluster.shards)
        self._cluster = cluster
        self._keys = {name: os.environ[name] for name in key_envs if name in os.environ}
        self._progress = progress
        self._shards = [_Running(shard, folder) for shard, folder in folders.items()]
        self._said: set[str] = set()
        self._stopping = False
        gpus = cluster.gpus_for(settings.model, ray.cluster_resources().get("GPU", 0))
        self._worker = ray.remote(ShardWorker).options(
            num_cpus=cluster.cpus, num_gpus=gpus, scheduling_strategy="SPREAD", max_restarts=0
        )

    def run(self) -> None:
        """Run the shards to their ends.

        Raises:
            InputError: one was refused, or lost too often; the others were ended in order.
            OSError: one could not write; likewise.
            RunStopped: one came to a limit, or its server stays away.
            KeyboardInterrupt: after Ctrl-C, when all have ended in order; after a second one at once.
        """
        try:
            try:
                self._until_ended()
            except KeyboardInterrupt:
                self._notify(
                    "Ctrl-C: waiting for the calls under way; once more stops at once, and pays for them twice"
                )
                self._stop()
                self._until_ended()
                raise
        finally:
            for one in self._shards:
                if one.actor is not None:
                    self._ray.kill(one.actor)
        self._check()

    def _until_ended(self) -> None:
        waits_since = time.monotonic()
        while any(one.end is None for one in self._shards):
            for one in self._shards:
                if one.end is None and one.actor is None and time.monotonic() >= one.since:
                    self._start(one)
            self._look()
            if any(one.end is not None and one.end.kind in ("refused", "failed") for one in self._shards):
                self._stop()
            if time.monotonic() > waits_since + _WAITED:
                self._tell_waiting()

    def _start(self, one: _Running) -> None:
        one.actor = self._worker.remote(os.getcwd(), self._keys)
        one.ending = one.actor.run.remote(replace(self._settings, shard=one.shard), str(one.folder), self._options)
        one.asked = None
        one.placed = False
        one.starts += 1

    def _look(self) -> None:
        """Wait a moment, and take what has come by then."""
        running = [one for one in self._shards if one.end is None and one.actor is not None]
        for one in running:
            one.asked = one.asked or one.actor.news.remote()
        waited = [ref for one in running for ref in (one.ending, one.asked)]
        if not waited:
            time.sleep(_LOOK)
            return
        came, _ = self._ray.wait(waited, num_returns=len(waited), timeout=_LOOK)
        for one in running:
            try:
                if one.asked in came:
                    self._take(one, self._ray.get(one.asked))
                    one.asked = None
                if one.ending in came:
                    self._ended(one, self._ray.get(one.ending))
            except self._ray.exceptions.RayTaskError:
                # Raised by our own code there, and by none of the ways that are foreseen.
                raise
            except self._ray.exceptions.RayError as error:
                self._lost(one, str(error))

    def _take(self, one: _Running, news: News) -> None:
        one.placed = True
        for outcome in news.outcomes:
            key = (outcome.example_id, outcome.repeat)
            # A shard that is started again replays its log.
            if key not in one.seen:
                one.seen.add(key)
                one.losses = 0
                self._progress.add(outcome)
        for note in news.notes:
            self._tell_once(f"shard {one.shard}: {note}", note)

    def _ended(self, one: _Running, end: End) -> None:
        self._take(one, end.news)
        if end.kind == "in-use" and one.starts > 1:
            # The process that was lost still writes: the cluster gave it up too early.
            self._lost(one, end.text)
            return
        one.end = end
        ended = sum(other.end is not None for other in self._shards)
        how = "done" if end.kind == "done" else f"stopped: {end.text}"
        self._notify(f"shard {one.shard}: {how} ({ended} of {len(self._shards)})")
        self._ray.kill(one.actor)
        one.actor = None

    def _lost(self, one: _Running, why: str) -> None:
        """Have a shard started again whose process or node is gone; what it had got is on record."""
        one.actor = one.ending = one.asked = None
        one.losses += 1
        first = why.strip().partition("\n")[0]
        if self._stopping:
            one.end = End("interrupt", f"was lost: {first}", News((), ()))
        elif one.losses > self._cluster.restarts:
            text = f"was lost {one.losses} times without getting further: {why.strip()}"
            one.end = End("refused", text, News((), ()))
        else:
            self._notify(f"shard {one.shard} was lost ({first}); it is started again, and goes on by its log")
            one.since = time.monotonic() + _PAUSE

    def _stop(self) -> None:
        """End all shards in order, those at once that have no place yet."""
        if self._stopping:
            return
        self._stopping = True
        for one in self._shards:
            if one.end is not None:
                continue
            if one.actor is not None and one.placed:
                one.actor.stop.remote()
                continue
            one.end = End("interrupt", "was not begun", News((), ()))
            if one.actor is not None:
                self._ray.kill(one.actor)
                one.actor = None

    def _tell_waiting(self) -> None:
        waiting = [one for one in self._shards if one.end is None and one.actor is not None and not one.placed]
        if waiting:
            has = self._ray.cluster_resources()
            self._tell_once(
                f"{len(waiting)} shards wait for room on the cluster, which has {has.get('CPU', 0):g} CPUs and "
                f"{has.get('GPU', 0):g} GPUs in all; each takes --ray-cpus and --ray-gpus of them",
                "waiting",
            )

    def _tell_once(self, text: str, what: str) -> None:
        if what not in self._said:
            self._said.add(what)
            self._notify(text)

    def _check(self) -> None:
        """Raise what kept shards from their end, if anything did; what matters most comes first."""
        ended = [(one.shard, one.end) for one in self._shards if one.end is not None and one.end.kind != "done"]
        for shard, end in ended:
            if end.kind == "failed":
                raise OSError(f"shard {shard}: {end.text}")
        for shard, end in ended:
            if end.kind in ("refused", "in-use"):
                raise InputError(f"shard {shard}: {end.text}")
        for shard, end in ended:
            if end.kind in ("limit", "away", "terminate", "interrupt"):
                raise RunStopped(end.kind, f"shard {shard}: {end.text}")
