"""What tables and figures share: runs by benchmark, configs in order, and what a run is called."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from lengthwise.errors import InputError
from lengthwise.evaluators.benchmarks import BENCHMARKS, Benchmark, Layout, find_benchmark
from lengthwise.evaluators.results import Results
from lengthwise.evaluators.scoring import Scored

_Run = TypeVar("_Run", Results, Scored)


def by_benchmark(runs: Sequence[_Run]) -> list[tuple[Benchmark, list[_Run]]]:
    """Return the runs of each benchmark, in the order of the table of benchmarks.

    Raises:
        InputError: there are no runs.
    """
    if not runs:
        raise InputError("RUN: no runs: name at least one folder that `lengthwise run` made")
    groups: dict[str, list[_Run]] = {name: [] for name in BENCHMARKS}
    for run in runs:
        results = run if isinstance(run, Results) else run.results
        groups[find_benchmark(results.benchmark).name].append(run)
    return [(BENCHMARKS[name], group) for name, group in groups.items() if group]


def distinct(runs: Sequence[Scored]) -> list[Scored]:
    """Return the runs with labels that tell them apart."""
    named = distinguish([run.results for run in runs])
    return [replace(run, results=results) for run, results in zip(runs, named, strict=True)]


def distinguish(runs: Sequence[Results]) -> list[Results]:
    """Return the same results with labels that come once each in a benchmark, in the order given.

    Runs of one label by different methods have these behind it, and those that ask a part of another run again say so;
    what is still alike then has a number.
    """
    alike: dict[tuple[str, str], list[Results]] = {}
    for run in runs:
        alike.setdefault((run.benchmark, run.label), []).append(run)
    seen: Counter[tuple[str, str]] = Counter()
    distinct = []
    for run in runs:
        if ways := _ways(run, alike[run.benchmark, run.label]):
            labels = {**run.settings.get("labels", {}), "label": f"{run.label} ({', '.join(ways)})"}
            run = replace(run, settings={**run.settings, "labels": labels})
        seen[run.benchmark, run.label] += 1
        if (times := seen[run.benchmark, run.label]) > 1:
            labels = {**run.settings.get("labels", {}), "label": f"{run.label} #{times}"}
            run = replace(run, settings={**run.settings, "labels": labels})
        distinct.append(run)
    return distinct


def _ways(run: Results, alike: Sequence[Results]) -> list[str]:
    """Return how a run was made, as far as others of its label were made otherwise."""
    ways = [str(run.settings.get("method"))] if len({str(one.settings.get("method")) for one in alike}) > 1 else []
    if run.chosen and not all(one.chosen for one in alike):
        ways.append("asked again")
    return ways


def layout_of(runs: Sequence[Scored]) -> Layout:
    """Return the table layout of the runs' benchmark."""
    return find_benchmark(runs[0].results.benchmark).layout


def configs_of(runs: Sequence[Scored]) -> list[str]:
    """Return the configs that were run, in the order of the main table; those that it does not know come last."""
    found = dict.fromkeys(cell.config for run in runs for cell in run.results.cells)
    layout = layout_of(runs).holding(found)
    ordered = [config for group in layout.groups for config in group.rows if config in found]
    return [*ordered, *(config for config in found if config not in ordered)]


def name_of(run: Results) -> str:
    """Return what a page calls a run."""
    return run.label if run.reference is None else f"{run.reference} (reference)"
