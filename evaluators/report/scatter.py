"""A scatter as inline SVG: points with their intervals, and names beside them, or numbers where names do not fit."""

from collections.abc import Sequence
from dataclasses import dataclass

from lengthwise.evaluators.figures.labels import MOST_NAMED, Box, Placed, letters, place_names
from lengthwise.evaluators.figures.model import Panel, Point, Series
from lengthwise.evaluators.report.axes import FRAME, axes_of, height_of
from lengthwise.evaluators.report.charts import said, series_class
from lengthwise.evaluators.report.markup import Html, join, tag

_RADIUS, _LINE, _LETTER = 3.5, 10.0, 5.6
_LONGEST = 26


def scatter_panel(panel: Panel) -> Html:
    """Return a chart of points from 0 to 100 %, along the panel's own ticks."""
    spots = _spots(panel)
    names = _placed(spots)
    labels = [] if names is None else [_label(spot, place, _short(spot.series.name)) for spot, place in names]
    if names is None:
        # What finds no place even so stands nowhere: it has its title, and the numbers are below.
        labels = [_label(spot, place, number_of(spot.series)) for spot, place in _numbered(spots)]
    marks = [FRAME.x + FRAME.width * at for at, _ in panel.ticks]
    lines = [
        tag("line", x1=f"{x:.1f}", x2=f"{x:.1f}", y1=FRAME.y, y2=FRAME.y + FRAME.height, class_="grid") for x in marks
    ]
    content = join(*lines, *map(_whisker, spots), *labels, *(_dot(spot, panel) for spot in spots))
    return axes_of(panel, [name for _, name in panel.ticks], marks, content)


def has_numbers(panel: Panel) -> bool:
    """Return whether the points of a panel have numbers, which its legend then explains."""
    return _placed(_spots(panel)) is None


def number_of(series: Series) -> str:
    """Return the number of a point, the same in all panels of a figure."""
    return str(series.colour + 1)


@dataclass(frozen=True, slots=True)
class _Spot:
    """A point of the drawing."""

    x: float
    y: float
    series: Series
    point: Point

    @property
    def bar(self) -> Box:
        """Its interval."""
        top = height_of(self.point.high)
        return Box(self.x - 0.5, top, 1, height_of(self.point.low) - top)


def _spots(panel: Panel) -> list[_Spot]:
    return [
        _Spot(FRAME.x + FRAME.width * point.at, height_of(point.value), one, point)
        for one in panel.series
        if (point := one.points[0]) is not None
    ]


def _placed(spots: Sequence[_Spot]) -> list[tuple[_Spot, Placed]] | None:
    """Return a place for every name; None where there are too many, or one finds none."""
    if len(spots) > MOST_NAMED:
        return None
    sizes = [(_LETTER * letters(_short(spot.series.name)), _LINE) for spot in spots]
    return _named(spots, sizes)


def _numbered(spots: Sequence[_Spot]) -> list[tuple[_Spot, Placed]]:
    return _named(spots, [(1.15 * _LETTER * len(number_of(spot.series)), _LINE) for spot in spots]) or []


def _named(spots: Sequence[_Spot], sizes: Sequence[tuple[float, float]]) -> list[tuple[_Spot, Placed]] | None:
    found = place_names([(spot.x, spot.y) for spot in spots], [spot.bar for spot in spots], sizes, FRAME, _RADIUS)
    return None if found is None else list(zip(spots, found, strict=True))


def _short(name: str) -> str:
    """Return a name with both of its ends, for names of models differ in either."""
    half = _LONGEST // 2
    return name if len(name) <= _LONGEST else f"{name[:half]}…{name[1 - half :]}"


def _whisker(spot: _Spot) -> Html:
    at, bar = f"{spot.x:.1f}", spot.bar
    css = f"reach {series_class(spot.series)}"
    return tag("line", x1=at, x2=at, y1=f"{bar.y:.1f}", y2=f"{bar.y + bar.height:.1f}", class_=css)


def _dot(spot: _Spot, panel: Panel) -> Html:
    title = tag("title", f"{spot.series.name}: {said(spot.point)}; {spot.point.at_text} ({panel.axis})")
    return tag("circle", title, cx=f"{spot.x:.1f}", cy=spot.y, r=_RADIUS, class_=series_class(spot.series))


def _label(spot: _Spot, placed: Placed, name: str) -> Html:
    box = placed.box
    text = tag("text", name, x=f"{box.x:.1f}", y=f"{box.y + 0.8 * box.height:.1f}", class_="name", translate="no")
    if not placed.led:
        return text
    x, y = (f"{value:.1f}" for value in box.nearest(spot.x, spot.y))
    return join(tag("line", x1=f"{spot.x:.1f}", y1=spot.y, x2=x, y2=y, class_="lead"), text)
