"""The sections that are charts: a figure with its numbers as a table, and how the examples ended."""

from collections.abc import Callable, Mapping, Sequence

from lengthwise.evaluators.contracts import OUTCOME_KINDS
from lengthwise.evaluators.figure_text import percent
from lengthwise.evaluators.figures.model import ROLES, Figure, Panel, PanelKind, Place, Point, legend_of
from lengthwise.evaluators.naming import configs_of, name_of
from lengthwise.evaluators.report.charts import (
    bar_chart,
    legend,
    line_panel,
    series_class,
    stack_panel,
    stacked_bar,
    strip,
)
from lengthwise.evaluators.report.heat import heat_panel, heat_scale
from lengthwise.evaluators.report.markup import Child, Html, join, table, tag
from lengthwise.evaluators.report.scatter import has_numbers, number_of, scatter_panel
from lengthwise.evaluators.scoring import Scored

_PANELS: Mapping[PanelKind, Callable[[Panel], Html]] = {
    "bars": bar_chart,
    "lines": line_panel,
    "stacks": stack_panel,
    "heat": heat_panel,
    "scatter": scatter_panel,
}
# Fewer panels than these are drawn larger.
_FEW_PANELS = 3
# Bars of a run that are shown without being asked for.
_MOST_OPEN = 60


def figure(one: Figure) -> Html:
    """Return a figure: what it shows, its legend, its panels, and their numbers as a table behind a line."""
    caption = tag("p", one.caption, class_="quiet")
    if one.strips:
        seen = {word.role for each in one.strips for word in each.words}
        names = legend([(f"w-{role}", name) for role, name in ROLES.items() if role in seen])
        return join(caption, names, *(strip(each) for each in one.strips))
    kinds = {panel.kind for panel in one.panels}
    drawn = [_PANELS[panel.kind](panel) for panel in one.panels]
    if kinds == {"heat"}:
        return join(caption, heat_scale(), tag("div", *drawn, class_="heat-panels"), _numbers(one.panels))
    scatter = kinds == {"scatter"}
    numbered = scatter and any(map(has_numbers, one.panels))
    series = [
        (series_class(each), f"{number_of(each)} {each.name}" if numbered else each.name)
        for each in legend_of(one.panels)
    ]
    # Points that have their names beside them need no legend.
    named = scatter and not numbered
    names = legend(series, kinds == {"lines"}) if len(series) > 1 and not named else Html("")
    # Bars take the whole width; small charts of lines stand side by side.
    upright = "bars" not in kinds
    few = scatter or (upright and len(drawn) < _FEW_PANELS)
    shape = "panels few" if few else "panels" if upright else "bar-panels"
    return join(caption, names, tag("div", *drawn, class_=shape), _numbers(one.panels))


def figure_group(figures: Sequence[Figure]) -> Html:
    """Return figures behind a line each, the first open."""
    return join(
        *(
            tag(
                "details",
                tag("summary", tag("strong", one.title)),
                figure(one),
                open=place == 0,
                id=one.id if place else None,
            )
            for place, one in enumerate(figures)
        )
    )


def _numbers(panels: Sequence[Panel]) -> Html:
    """Return the numbers of some panels as a table behind a line."""
    titled = any(panel.title for panel in panels) and len(panels) > 1
    rows: list[list[Child]] = []
    headings: list[Child]
    if panels[0].kind == "heat":
        # As the map itself: a row a series, a column a place.
        headings = list(dict.fromkeys(place.name for panel in panels for place in panel.places))
        for panel in panels:
            names = [place.name for place in panel.places]
            for one in panel.series:
                points = dict(zip(names, one.points, strict=True))
                cells = [_number(points.get(str(name))) for name in headings]
                rows.append([*([panel.title] if titled else []), one.name, *cells])
        along = panels[0].rows
    elif panels[0].kind == "scatter":
        # A row a point.
        for panel in panels:
            known = [(one.name, point) for one in panel.series if (point := one.points[0]) is not None]
            rows += [[*([panel.title] if titled else []), name, p.at_text, _number(p)] for name, p in known]
        taken = " or ".join(dict.fromkeys(panel.axis for panel in panels))
        headings, along = [taken, " or ".join(dict.fromkeys(panel.measure for panel in panels))], "run"
    else:
        series = [one.name for one in legend_of(panels)]
        # A series without a name is the only one of its panel.
        headings = [name or panels[0].measure for name in series]
        for panel in panels:
            for at, place in enumerate(panel.places):
                found = {one.name: one.points[at] for one in panel.series}
                what = _named(place, panel)
                rows.append([*([panel.title] if titled else []), what, *(_number(found.get(name)) for name in series)])
        axes = list(dict.fromkeys(panel.axis for panel in panels))
        along = axes[0] if len(axes) == 1 else "place"
    measures = " or ".join(dict.fromkeys(panel.measure for panel in panels))
    unit = "" if any(panel.ticks for panel in panels if panel.kind == "bars") else " in %"
    caption = f"{measures.capitalize()}{unit}, its 95 % interval, and the number of examples."
    drawn = table([*(["panel"] if titled else []), along, *headings], rows, caption)
    return tag("details", tag("summary", "The numbers"), drawn, class_="numbers")


def _named(place: Place, panel: Panel) -> Child:
    return join(place.name, tag("small", place.caption)) if place.caption and panel.kind != "bars" else place.name


def _number(point: Point | None) -> Child:
    if point is None:
        return "–"
    if point.text:
        return join(point.text, tag("small", f"n={point.n:,}"))
    if not point.n:
        return percent(point.value)
    return join(percent(point.value), tag("small", f"{percent(point.low)}–{percent(point.high)} · n={point.n:,}"))


def outcomes(runs: Sequence[Scored]) -> Html:
    """Return stacked bars of outcomes, a bar a cell."""
    seen = {kind for run in runs for cell in run.results.cells for kind, count in cell.outcomes.items() if count}
    names = legend([(f"k-{kind}", kind.replace("_", " ")) for kind in OUTCOME_KINDS if kind in seen])
    blocks = []
    for place, run in enumerate(runs):
        bars = [
            stacked_bar(f"{cell.config} {cell.split}", list(cell.outcomes.items()))
            for config in configs_of(runs)
            for cell in run.results.cells
            if cell.config == config
        ]
        if len(runs) == 1 and len(bars) <= _MOST_OPEN:
            blocks += bars
        else:
            title = tag("summary", tag("strong", name_of(run.results)))
            few = place < 3 and len(bars) <= _MOST_OPEN
            blocks.append(tag("details", title, *bars, open=few, class_="run"))
    return join(names, *blocks)
