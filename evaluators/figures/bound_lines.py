"""Ceiling and floor as lines of a figure: runs of reference models, or what was noted beside the runs of real ones."""

from collections.abc import Mapping, Sequence

from lengthwise.evaluators.benchmarks import find_benchmark
from lengthwise.evaluators.figures.model import Point, Series
from lengthwise.evaluators.layouts import POOLED
from lengthwise.evaluators.results import CellResult
from lengthwise.evaluators.scoring import Scored

Cells = Mapping[tuple[str, str], CellResult]


def bound_cells(runs: Sequence[Scored]) -> dict[str, Cells]:
    """Return the cells of each reference model that bounds the benchmark, by (config, split).

    A cell that is known twice, from a run of the reference model and from notes, is the one over more rows. One of
    which the model left rows out is not known: counted as wrong, they would be no bound.

    Args:
        runs: of one benchmark.
    """
    found: dict[str, dict[tuple[str, str], CellResult]] = {
        name: {} for name in find_benchmark(runs[0].results.benchmark).bounds
    }
    for results in (each for run in runs for each in (run.results, *run.results.bounds)):
        if results.chosen or (of := found.get(results.reference or "")) is None:
            continue
        for cell in results.cells:
            key = (cell.config, cell.split)
            if cell.split != POOLED and not cell.outcomes["error"] and (key not in of or of[key].n < cell.n):
                of[key] = cell
    return {name: cells for name, cells in found.items() if cells}


def bound_name(benchmark: str, reference: str) -> str:
    """Return what a line of a reference model is called, as in the main table.

    >>> bound_name("predicatelongbench", "solver")
    'ceiling (solver)'
    """
    return f"{find_benchmark(benchmark).references[reference].bound} ({reference})"


def bound_lines(benchmark: str, points: Mapping[str, Sequence[Point | None]]) -> tuple[Series, ...]:
    """Return a line for each reference model that has a point."""
    known = {name: tuple(of) for name, of in points.items() if any(of)}
    return tuple(
        Series(bound_name(benchmark, name), of, number, True) for number, (name, of) in enumerate(known.items())
    )
