"""Heat maps of LongNovel: lengths by models, and lengths by the place of the evidence."""

from collections.abc import Sequence
from dataclasses import replace

from lengthwise.evaluators.figures.choosing import shown
from lengthwise.evaluators.figures.heats import FEWEST_A_CELL, FEWEST_RUNS, FEWEST_VARIANTS
from lengthwise.evaluators.figures.model import Figure, Panel, Place, Point, Series
from lengthwise.evaluators.figures.novels import balanced_point
from lengthwise.evaluators.longnovel_analyses.evidence import N_BINS, PlacedFault, bin_names, placed_faults, shares
from lengthwise.evaluators.longnovel_rows import scale_name, scales_of, shown_runs
from lengthwise.evaluators.naming import name_of
from lengthwise.evaluators.scoring import Scored

BY_MODEL = "Lengths by model"
BY_MODEL_CAPTION = (
    "Balanced accuracy in % at each length (rows) of each model (columns); 50 is what looks at no text. Empty: not "
    "run. In the numbers: 95 % bootstrap intervals, whole books resampled, and n."
)
BY_PLACE = "Length by place of the evidence"
BY_PLACE_CAPTION = (
    "How often a summary with one fault is called hallucinated, in %, by length of the text (rows) and by where in it "
    "the passage begins that the fault contradicts, in five equal parts (columns); a panel a model. Empty: no "
    "evidence begins there. In the numbers: 95 % Wilson intervals and the number of faults."
)


def lengths_by_model(runs: Sequence[Scored]) -> Figure | None:
    """Return a map of lengths by runs; None of fewer than two runs or three lengths."""
    found = shown_runs([run.results for run in shown(runs)])
    cells = [cell for cell in scales_of(found) if "-" not in cell[0]]
    if len(found) < FEWEST_RUNS or len(cells) < FEWEST_VARIANTS:
        return None
    series = tuple(
        Series(scale_name(cell), tuple(balanced_point(one.figures.cell(*cell)) for one in found), 0) for cell in cells
    )
    places = tuple(Place(name_of(one.results)) for one in found)
    panel = Panel("", "heat", "model", places, series, "balanced accuracy", rows="length")
    return Figure("heat", BY_MODEL, BY_MODEL_CAPTION, (panel,))


def length_by_evidence(runs: Sequence[Scored]) -> Figure | None:
    """Return a map of lengths by places for each run with two lengths, where the place of the evidence is known."""
    panels = []
    for one in shown_runs([run.results for run in shown(runs)]):
        run = next(run for run in runs if run.results is one.results)
        cells = [cell for cell in scales_of([one]) if "-" not in cell[0]]
        faults = {cell: _of_cell(run, cell) for cell in cells} if len(cells) > 1 else {}
        known = {cell: of_cell for cell, of_cell in faults.items() if any(map(_counts, of_cell))}
        if len(known) < 2 or sum(sum(map(_counts, of)) for of in known.values()) < FEWEST_A_CELL * N_BINS * len(known):
            continue
        series = tuple(Series(scale_name(cell), _points(of_cell), 0) for cell, of_cell in known.items())
        places = tuple(map(Place, bin_names("first")))
        axis = "where the evidence begins (% of the text)"
        panels.append(Panel(name_of(one.results), "heat", axis, places, series, "called hallucinated", rows="length"))
    return Figure("heat-evidence", BY_PLACE, BY_PLACE_CAPTION, tuple(panels)) if panels else None


def _of_cell(run: Scored, cell: tuple[str, str]) -> list[PlacedFault]:
    rows = {example: row for example, row in run.rows.items() if (row["config"], row["split"]) == cell}
    return placed_faults(replace(run, rows=rows))


def _counts(fault: PlacedFault) -> bool:
    """Whether a fault is one of the map's: its place known, and alone in its summary."""
    return fault.first is not None and fault.called is not None


def _points(faults: Sequence[PlacedFault]) -> tuple[Point | None, ...]:
    found = shares(faults, "first", "called")
    return tuple(None if one is None else Point(one.value, one.low, one.high, one.n) for one in found)
