"""Where a run is carried out: in this process, or on a Ray cluster; a shell over `run_benchmark` and `run_on_ray`."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from lengthwise.errors import InputError

if TYPE_CHECKING:
    from lengthwise.evaluators.runner import RunOptions
    from lengthwise.evaluators.settings import RunSettings


class EngineKind(StrEnum):
    """Where a run is carried out."""

    here = "here"
    ray = "ray"


@dataclass(frozen=True, slots=True)
class Engine:
    """The options of `lengthwise run` that say where.

    Attributes:
        kind: where.
        shards: on a cluster, into how many parts; None where it is not one.
        address: `--ray-address`.
        cpus: `--ray-cpus`.
        gpus: `--ray-gpus`.
    """

    kind: EngineKind
    shards: int | None
    address: str | None
    cpus: float | None
    gpus: float | None

    def __post_init__(self) -> None:
        """Refuse what is missing, and what nobody would heed."""
        if self.kind is EngineKind.ray:
            if self.shards is None:
                raise InputError("--engine ray: say into how many parts, e.g. --shards 8")
            return
        given = {"shards": self.shards, "ray-address": self.address, "ray-cpus": self.cpus, "ray-gpus": self.gpus}
        for name, value in given.items():
            if value is not None:
                raise InputError(f"--{name} {value}: is for --engine ray; one part of a run alone is --shard I/N")

    def run(self, settings: "RunSettings", out: Path, options: "RunOptions") -> None:
        """Carry a run out.

        Raises:
            typer.Exit: it was stopped, and what is there cannot be scored, or need not be.
            InputError: see `run_benchmark` and `run_on_ray`.
        """
        from lengthwise.evaluators.stopping import RunStopped

        try:
            self._run(settings, out, options)
        except KeyboardInterrupt as stopped:
            self._say_stopped(str(stopped) or "Ctrl-C", out, options.prices)
            raise typer.Exit(130) from None
        except RunStopped as stopped:
            self._say_stopped(stopped.reason, out, options.prices)
            if stopped.kind == "terminate":
                raise typer.Exit(143) from None
            if self.kind is EngineKind.ray:
                raise typer.Exit(1) from None

    def _run(self, settings: "RunSettings", out: Path, options: "RunOptions") -> None:
        if self.shards is None:
            from lengthwise.evaluators.runner import run_benchmark

            run_benchmark(settings, out, options)
            return
        from lengthwise.evaluators.ray_engine import run_on_ray
        from lengthwise.evaluators.ray_options import ClusterOptions

        cpus = 1.0 if self.cpus is None else self.cpus
        run_on_ray(settings, out, options, ClusterOptions(self.shards, self.address, cpus, self.gpus))

    def _say_stopped(self, reason: str, out: Path, prices: Path | None) -> None:
        go_on = ""
        if self.kind is EngineKind.ray:
            go_on = "; to go on: the same command again"
        elif (out / "run.json").exists():
            # Without the price file what comes later would have no cost.
            priced = f" --prices {prices}" if prices is not None else ""
            go_on = f"; to go on: lengthwise run --from {out / 'run.json'} --out {out}{priced}"
        typer.echo(f"stopped: {reason}{go_on}", err=True)
