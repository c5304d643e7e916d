"""The sections that are charts: accuracy by variant and by length, and outcomes."""

from collections.abc import Sequence

from lengthwise.evaluators.contracts import OUTCOME_KINDS
from lengthwise.evaluators.main_table import split_order
from lengthwise.evaluators.report.charts import (
    Point,
    Series,
    bar_chart,
    legend,
    line_panel,
    series_class,
    stacked_bar,
)
from lengthwise.evaluators.report.markup import Html, join, tag
from lengthwise.evaluators.report.naming import configs_of, layout_of, name_of
from lengthwise.evaluators.results import Accuracy, CellResult, Results
from lengthwise.evaluators.scoring import Scored


def _point(cell: CellResult | None) -> Point | None:
    return None if cell is None else _as_point(cell.accuracy, cell.n)


def _as_point(accuracy: Accuracy, n: int) -> Point | None:
    return None if accuracy.value is None else Point(accuracy.value, accuracy.low, accuracy.high, n)


def by_variant(runs: Sequence[Scored]) -> Html:
    """Return bars per variant, a colour a run, at the longest length that all runs of the variant share."""
    configs, layout = configs_of(runs), layout_of(runs)
    results = [run.results for run in runs]
    shared = {config: _shared_length(results, config) for config in configs}
    series = [
        Series(name_of(run), tuple(_point(_at(run, config, shared[config])) for config in configs), css)
        for run, css in zip(results, _colours(results), strict=True)
    ]
    cells = [_at(run, config, shared[config]) for run in results for config in configs]
    splits = {cell.split for cell in cells if cell is not None} - {"full"}
    note = tag(
        "p",
        f"At {', '.join(sorted(splits, key=split_order))}: the longest length that all runs of a variant share; "
        "whiskers are exact 95 % intervals.",
        class_="quiet",
    )
    places = [
        (
            f"{config} {shared[config]}" if len(splits) > 1 and shared[config] else config,
            layout.captions.get(config, ""),
        )
        for config in configs
    ]
    names = legend([(one.css, one.name) for one in series]) if len(series) > 1 else Html("")
    return join(note if splits else Html(""), names, bar_chart(places, series, "Accuracy by variant"))


def _colours(runs: Sequence[Results]) -> list[str]:
    real = 0
    classes = []
    for place, run in enumerate(runs):
        classes.append(series_class(place if run.reference else real, run.reference is not None))
        real += run.reference is None
    return classes


def _shared_length(runs: Sequence[Results], config: str) -> str | None:
    """Return the longest length at which all runs that have a variant have it; None where they share none."""
    lengths = [{cell.split for cell in run.cells if cell.config == config} for run in runs]
    shared = set.intersection(*(some for some in lengths if some))
    return max(shared, key=split_order, default=None)


def _at(run: Results, config: str, length: str | None) -> CellResult | None:
    """Return a run's figures of a variant at a length, or at its own longest where the runs share none."""
    cells = [cell for cell in run.cells if cell.config == config and length in (None, cell.split)]
    return max(cells, key=lambda cell: split_order(cell.split), default=None)


def by_length(runs: Sequence[Scored]) -> Html:
    """Return a line panel per variant; empty unless some variant was run at two lengths."""
    results = [run.results for run in runs]
    splits = sorted({cell.split for run in results for cell in run.cells} - {"full"}, key=split_order)
    colours = _colours(results)
    panels = []
    for config in configs_of(runs):
        series = [
            Series(name_of(run), tuple(_point(run.cell(config, split)) for split in splits), css)
            for run, css in zip(results, colours, strict=True)
        ]
        if any(sum(point is not None for point in one.points) > 1 for one in series):
            panels.append(line_panel(config, splits, series))
    if not panels:
        return Html("")
    names = [(css, name_of(run)) for run, css in zip(results, colours, strict=True)]
    note = tag("p", "Tokens of the whole prompt; bands are exact 95 % intervals.", class_="quiet")
    return join(note, legend(names) if len(names) > 1 else Html(""), tag("div", *panels, class_="panels"))


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
        if len(runs) == 1:
            blocks += bars
        else:
            title = tag("summary", tag("strong", name_of(run.results)))
            blocks.append(tag("details", title, *bars, open=place < 3, class_="run"))
    return join(names, *blocks)
