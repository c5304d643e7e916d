"""LongNovel's figures: balanced accuracy by length, recall by type (Figure 3), recall by place of the evidence."""

from collections.abc import Sequence
from dataclasses import replace

from lengthwise.evaluators.figures.choosing import shown
from lengthwise.evaluators.figures.model import Figure, Panel, Place, Point, Series, coloured_by_name
from lengthwise.evaluators.figures.places import colours
from lengthwise.evaluators.longnovel_analyses.evidence import (
    AXES,
    JUDGED_BY,
    MEASURES,
    BinShare,
    Measure,
    all_judged,
    bin_names,
    placed_faults,
    shares,
)
from lengthwise.evaluators.longnovel_figures import NovelFigures, NovelPart
from lengthwise.evaluators.longnovel_rows import (
    BOUNDS,
    Shown,
    bound_name,
    missing_bounds,
    scale_name,
    scales_of,
    shown_runs,
)
from lengthwise.evaluators.longnovel_types import TYPE_LABELS, TypeShares
from lengthwise.evaluators.naming import name_of
from lengthwise.evaluators.scoring import Scored
from lengthwise.metrics.fault_types import HallucinationType

_MEASURES: dict[Measure, str] = {"named": "faults named", "called": "called hallucinated"}


def balanced_by_length(runs: Sequence[Scored]) -> Figure | None:
    """Return a line a run over the lengths; None where no run has two."""
    found = shown_runs([run.results for run in runs])
    cells = [cell for cell in scales_of(found) if "-" not in cell[0]]
    series = []
    for one, (colour, reference) in zip(found, colours([each.results for each in found]), strict=True):
        points = tuple(balanced_point(one.figures.cell(*cell)) for cell in cells)
        if any(points):
            series.append(Series(name_of(one.results), points, colour, reference))
    if not any(sum(point is not None for point in one.points) > 1 for one in series):
        return None
    series += _bounds(found, len(cells))
    places = tuple(Place(scale_name(cell)) for cell in cells)
    caption = (
        "Balanced accuracy, the mean of the recalls of both classes (50 % is what looks at no text; a model without "
        "readable answers is below); bands are 95 % bootstrap intervals, whole books resampled. Lengths are evenly "
        "spaced. Dashed: ceiling and floor."
    )
    panel = Panel("", "lines", "tokens of the text", places, tuple(series), "balanced accuracy")
    return Figure("balanced-accuracy", "Balanced accuracy by length", caption, (panel,))


def _bounds(found: Sequence[Shown], n_places: int) -> list[Series]:
    """Return ceiling and floor where no run stands for them: they are known without one."""
    missing = missing_bounds(found)
    names = [name for name in missing if name == "gold"]
    # All that look at no text have the same.
    names += ["random"] if {"random", "faithful", "hallucinated"} <= {*missing} else []
    number = len({*BOUNDS} - {*missing})
    return [_flat(bound_name(name), BOUNDS[name][2], n_places, place) for place, name in enumerate(names, number)]


def _flat(name: str, value: float, n_places: int, colour: int) -> Series:
    """Return a line at one height, known without an example."""
    return Series(name, (Point(value, value, value, 0),) * n_places, colour, True)


def balanced_point(part: NovelPart | None) -> Point | None:
    """Return the balanced accuracy of a cell as a point; None where there is none."""
    if part is None:
        return None
    found = part.figures["balanced_accuracy"]
    if found.value is None:
        return None
    # Where there is one book, the interval over rows is all there is.
    ends = found.by_book or found.by_row or (found.value, found.value)
    return Point(found.value, *ends, part.n)


def recall_by_type(runs: Sequence[Scored]) -> Figure | None:
    """Return bars per type, a colour a run; a judge's verdicts in a panel of their own."""
    chosen = [run for run in shown(runs) if isinstance(run.results.figures, NovelFigures)]
    panels = []
    for title, judged in (("By the offline matcher", False), ("By a judge's verdicts", True)):
        series = []
        for run, (colour, reference) in zip(chosen, colours([one.results for one in chosen]), strict=True):
            figures = run.results.figures
            assert isinstance(figures, NovelFigures)
            found = figures.judged if judged else figures.types
            if found is not None and found.by_type:
                series.append(Series(name_of(run.results), _type_points(found), colour, reference))
        known = [place for place in range(len(TYPE_LABELS)) if any(one.points[place] for one in series)]
        if known:
            names = [(label, HallucinationType(name).value) for name, label in TYPE_LABELS.items()]
            places = tuple(Place(*names[place]) for place in known)
            kept = tuple(Series(s.name, tuple(s.points[p] for p in known), s.colour, s.reference) for s in series)
            panels.append(Panel(title, "bars", "type of hallucination", places, kept, "recall"))
    if not panels:
        return None
    caption = (
        "Share of the summaries with a fault of the type in which the reply's reasons point at one of them, over all "
        "lengths; whiskers are 95 % Wilson intervals. The matcher misses paraphrases."
    )
    return Figure("types", "Recall by type of hallucination", caption, tuple(panels))


def _type_points(found: TypeShares) -> tuple[Point | None, ...]:
    by_type = (found.by_type.get(name) for name in TYPE_LABELS)
    return tuple(None if one is None else Point(one.value, one.low, one.high, one.n) for one in by_type)


def recall_by_evidence(runs: Sequence[Scored]) -> Figure | None:
    """Return panels over place and distance of the evidence, a line a run; None where no evidence is known."""
    chosen = shown(runs)
    judged = all_judged(chosen)
    faults = [placed_faults(run, judged=judged) for run in chosen]
    panels = []
    for measure in MEASURES:
        for axis, words in AXES.items():
            series = []
            numbered = colours([run.results for run in chosen])
            for run, of_run, (colour, reference) in zip(chosen, faults, numbered, strict=True):
                points = tuple(map(_bin_point, shares(of_run, axis, measure)))
                if any(points):
                    series.append(Series(name_of(run.results), points, colour, reference))
            if series:
                places = tuple(map(Place, bin_names(axis)))
                title = _MEASURES[measure].capitalize()
                panel = Panel(title, "lines", words, places, tuple(series), _MEASURES[measure])
                panels.append(_without_empty_ends(panel) if axis == "distance" else panel)
    if not panels:
        return None
    caption = (
        f"Faults named: how often {MEASURES['named']}, by {JUDGED_BY[judged]}. Called hallucinated: how often "
        f"{MEASURES['called']}. Over all lengths of a run; bands are 95 % Wilson intervals."
    )
    return Figure("evidence", "Recall by place and distance of the evidence", caption, coloured_by_name(panels))


def _bin_point(share: BinShare | None) -> Point | None:
    return None if share is None else Point(share.value, share.low, share.high, share.n)


def _without_empty_ends(panel: Panel) -> Panel:
    """Return a panel from its first place with a point to its last: short texts have no long distances."""
    known = [place for place in range(len(panel.places)) if any(one.points[place] for one in panel.series)]
    kept = slice(known[0], known[-1] + 1)
    series = tuple(replace(one, points=one.points[kept]) for one in panel.series)
    return replace(panel, places=panel.places[kept], series=series)
