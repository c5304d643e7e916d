"""A run's figures in a model's repository, `.eval_results/*.yaml`, from where the Hub's leaderboards take them.

Each cell of the run is one line of the leaderboard that the data set's `eval.yaml` makes; `task_id` names it in both.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from lengthwise.builders.eval_yaml import task_of
from lengthwise.errors import InputError
from lengthwise.hub_upload import Pushed, Target, push_files, read_pushed

from .headlines import Headline, finished_results, headlines
from .results import Results

FOLDER = ".eval_results"


@dataclass(frozen=True)
class PushedResults(Pushed):
    """What a push of results did.

    Attributes:
        left_out: config/split of the cells that are no task of the data set's `eval.yaml`.
    """

    left_out: tuple[str, ...] = ()


def push_results(
    run: Path | str,
    repo: str,
    *,
    dataset: str | None = None,
    source_url: str | None = None,
    revision: str | None = None,
    pull_request: bool = False,
) -> PushedResults:
    """Push the figures of a finished run to the repository of the model that was run.

    Lines that are there already for other tasks stay; those for the same tasks of the same data are replaced.

    Args:
        run: folder of the run.
        repo: `ORG/NAME` of the model; it must be there.
        dataset: `ORG/NAME[@REVISION]` of the data on the Hub; by default what the run itself was given.
        source_url: where more is to be seen, such as the report.
        revision: a branch, made if it is missing; main by default.
        pull_request: open a pull request instead, as on a model that is not one's own.

    Raises:
        InputError: the run is not one that may be published, none of its cells is a task, its data have no place on
            the Hub, or see `push_files`.
    """
    target = Target(repo, "model", revision, pull_request, make=False)
    results = finished_results(run)
    entries = result_entries(results, *_dataset(str(run), results, dataset), source_url)
    left_out = tuple(
        f"{one.config}/{one.split}"
        for one in headlines(results)
        if task_of(results.benchmark, one.config, one.split) is None
    )
    if not entries:
        raise InputError(
            f"{run}: {', '.join(left_out)} is no task of the data set's eval.yaml, and the Hub takes results of tasks "
            "alone; `lengthwise export-results` has them all"
        )
    path = f"{FOLDER}/{results.benchmark}.yaml"
    text = yaml.safe_dump(_merged(read_pushed(target, path), entries, f"{repo}/{path}"), sort_keys=False, width=110)
    pushed = push_files(
        {path: text},
        target,
        message=f"Results on {results.benchmark}, {len(entries)} {'task' if len(entries) == 1 else 'tasks'}",
        stale=lambda path: False,
    )
    return PushedResults(**vars(pushed), left_out=left_out)


def result_entries(
    results: Results, dataset: str, revision: str | None, source_url: str | None = None
) -> list[dict[str, Any]]:
    """Return one entry, in the form of `.eval_results/*.yaml`, for each cell that is a task; values are in percent.

    Args:
        results: of a run.
        dataset: `ORG/NAME` on the Hub.
        revision: commit of it; None where it is not known.
        source_url: where more is to be seen.
    """
    about = {"revision": revision} if revision else {}
    source = {"source": {"url": source_url, "name": "lengthwise"}} if source_url else {}
    return [
        {
            "dataset": {"id": dataset, "task_id": task, **about},
            "value": round(100 * one.value, 2),
            "date": results.settings["created"],
            **source,
            "notes": _notes(results.settings, one),
        }
        for one in headlines(results)
        if (task := task_of(results.benchmark, one.config, one.split)) is not None
    ]


def _notes(settings: Mapping[str, Any], one: Headline) -> str:
    parts = [f"lengthwise {settings['lengthwise']}", str(settings["method"]), f"{one.metric}, n = {one.n}"]
    if one.interval is not None:
        parts.append(f"95 % interval {100 * one.interval[0]:.1f} to {100 * one.interval[1]:.1f}")
    if one.repeats > 1:
        parts.append(f"mean of {one.repeats} repeats")
    sampling = settings.get("sampling") or {}
    parts += [f"{name} {sampling[name]}" for name in ("temperature", "max_tokens") if sampling.get(name) is not None]
    if left_out := settings["excluded"].get(f"{one.config}/{one.split}"):
        parts.append(f"without {left_out} rows that do not fit the model's window")
    return "; ".join(parts)


def _dataset(run: str, results: Results, dataset: str | None) -> tuple[str, str | None]:
    """Return the Hub id of the data and the commit, which is only known where the run itself took them from there."""
    data = results.settings["data"]
    if dataset is None:
        if not data["revision"]:
            raise InputError(f"{run}: its data are a folder; say with --dataset ORG/NAME where they are on the Hub")
        return str(data["source"]).partition("@")[0], str(data["revision"])
    name, _, revision = dataset.partition("@")
    Target(name, "dataset")
    return name, revision or None


def _merged(there: str | None, entries: Sequence[Mapping[str, Any]], path: str) -> list[Any]:
    if there is None:
        return list(entries)
    try:
        earlier = yaml.safe_load(there) or []
        keys = [(one["dataset"]["id"], one["dataset"]["task_id"]) for one in earlier]
    except (yaml.YAMLError, KeyError, TypeError) as error:
        raise InputError(f"{path}: is not in the form of results ({error}); mend or remove it first") from error
    own = {(one["dataset"]["id"], one["dataset"]["task_id"]) for one in entries}
    return [one for key, one in zip(keys, earlier, strict=True) if key not in own] + list(entries)
