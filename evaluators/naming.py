"""What tables and figures share: which configs were run, in which order, and what a run is called."""

from collections.abc import Sequence
from dataclasses import replace

from lengthwise.evaluators.benchmarks import Layout, find_benchmark
from lengthwise.evaluators.results import Results, distinguish
from lengthwise.evaluators.scoring import Scored


def distinct(runs: Sequence[Scored]) -> list[Scored]:
    """Return the runs with labels that tell them apart."""
    named = distinguish([run.results for run in runs])
    return [replace(run, results=results) for run, results in zip(runs, named, strict=True)]


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
