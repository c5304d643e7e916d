"""Charts as inline SVG: bars with intervals, stacked bars, and line panels with bands.

Bars are drawn in percentages of their own width, so that they fit a phone and a wide screen with text of one size.
Colours are classes (`s0` ... `s7`, `reference`, `k-<outcome>`), set for both colour schemes in `style.css`; every
figure is also there as text.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from lengthwise.evaluators.main_table import percent
from lengthwise.evaluators.report.markup import Html, join, tag

_BAR_HEIGHT = 14
# Colours that stay apart for colour-blind readers; series beyond them begin again with another dash.
N_COLOURS = 8


@dataclass(frozen=True, slots=True)
class Point:
    """A share with its interval, all in [0, 1], over n examples."""

    value: float
    low: float
    high: float
    n: int


@dataclass(frozen=True, slots=True)
class Series:
    """A named line or colour: one point per place on the axis, None where there is none."""

    name: str
    points: tuple[Point | None, ...]
    css: str


def series_class(place: int, reference: bool) -> str:
    """Return the CSS class of the series at a place in its chart."""
    return f"reference r{place % 4}" if reference else f"s{place % N_COLOURS}"


def legend(names: Sequence[tuple[str, str]]) -> Html:
    """Return a legend from pairs of CSS class and name."""
    items = [
        tag(
            "li",
            tag("svg", tag("rect", width=12, height=12, class_=css), width=12, height=12, aria_hidden="true"),
            name,
        )
        for css, name in names
    ]
    return tag("ul", *items, class_="legend")


def bar_chart(places: Sequence[tuple[str, str]], series: Sequence[Series], label: str) -> Html:
    """Return grouped horizontal bars from 0 to 100 % with intervals.

    Args:
        places: name and caption of each group of bars.
        series: the bars of a colour, one point per place.
        label: what the chart shows, for those who do not see it.
    """
    groups = []
    for place, (name, caption) in enumerate(places):
        bars = [_bar(one.name, one.points[place], one.css) for one in series if one.points[place] is not None]
        heading = tag("div", tag("strong", name), " ", tag("span", caption, class_="quiet"), class_="place")
        groups.append(tag("div", heading, *bars, class_="group"))
    axis = tag(
        "div", *(tag("span", f"{share} %") for share in (0, 25, 50, 75, 100)), class_="axis", aria_hidden="true"
    )
    return tag(
        "div", *groups, tag("div", tag("span"), axis, class_="bar"), class_="bars", role="group", aria_label=label
    )


def _bar(name: str, point: Point | None, css: str) -> Html:
    if point is None:
        return Html("")
    middle = _BAR_HEIGHT / 2
    said = f"{percent(point.value)} % [{percent(point.low)}, {percent(point.high)}], n = {point.n}"
    grid = [tag("line", x1=f"{at}%", x2=f"{at}%", y1=0, y2=_BAR_HEIGHT, class_="grid") for at in (25, 50, 75, 100)]
    low, high = (f"{100 * end:.2f}%" for end in (point.low, point.high))
    drawing = tag(
        "svg",
        tag("title", f"{name}: {said}"),
        *grid,
        tag("rect", x=0, y=2, width=f"{100 * point.value:.2f}%", height=_BAR_HEIGHT - 4, class_=css),
        tag("line", x1=low, x2=high, y1=middle, y2=middle, class_="whisker"),
        *(tag("line", x1=end, x2=end, y1=middle - 3, y2=middle + 3, class_="whisker") for end in (low, high)),
        height=_BAR_HEIGHT,
        width="100%",
        role="img",
    )
    figure = join(tag("b", percent(point.value)), " ", tag("span", f"n={point.n}", class_="quiet"))
    return tag("div", tag("span", name, class_="who"), drawing, tag("span", figure, class_="figure"), class_="bar")


def stacked_bar(name: str, counts: Sequence[tuple[str, int]]) -> Html:
    """Return one bar of counts side by side, with the counts as text.

    Args:
        name: of the bar.
        counts: kind and count; kinds are CSS classes `k-<kind>`.
    """
    total = sum(count for _, count in counts) or 1
    at = 0.0
    parts = []
    for kind, count in counts:
        if count:
            share = 100 * count / total
            title = tag("title", f"{count} {kind.replace('_', ' ')}")
            parts.append(
                tag(
                    "rect",
                    title,
                    x=f"{at:.3f}%",
                    y=1,
                    width=f"{share:.3f}%",
                    height=_BAR_HEIGHT - 2,
                    class_=f"k-{kind}",
                )
            )
            at += share
    said = ", ".join(f"{count} {kind.replace('_', ' ')}" for kind, count in counts if count)
    drawing = tag("svg", *parts, height=_BAR_HEIGHT, width="100%", role="img", aria_label=f"{name}: {said}")
    return tag("div", tag("span", name, class_="who"), drawing, tag("span", said, class_="quiet said"), class_="stack")


_WIDTH, _HEIGHT = 300, 190
_LEFT, _RIGHT, _TOP, _BOTTOM = 34, 10, 8, 26


def line_panel(title: str, places: Sequence[str], series: Sequence[Series]) -> Html:
    """Return a small chart of lines from 0 to 100 % with bands for their intervals.

    Args:
        title: above it.
        places: labels along the axis, evenly spaced: lengths that double are then on a logarithmic axis.
        series: a line each.
    """
    xs = [_LEFT + (_WIDTH - _LEFT - _RIGHT) * (place + 0.5) / max(len(places), 1) for place in range(len(places))]
    grid = [
        join(
            tag("line", x1=_LEFT, x2=_WIDTH - _RIGHT, y1=_y(share), y2=_y(share), class_="grid"),
            tag("text", f"{share:.0%}", x=_LEFT - 4, y=_y(share) + 4, text_anchor="end"),
        )
        for share in (0.0, 0.5, 1.0)
    ]
    labels = [
        tag("text", place, x=f"{x:.1f}", y=_HEIGHT - 8, text_anchor="middle")
        for x, place in zip(xs, places, strict=True)
    ]
    bands = [_band(xs, one) for one in series if not one.css.startswith("reference")]
    lines = [_line(xs, places, one) for one in series]
    drawing = tag(
        "svg", *grid, *labels, *bands, *lines, viewBox=f"0 0 {_WIDTH} {_HEIGHT}", role="img", aria_label=title
    )
    return tag("figure", tag("figcaption", title), drawing, class_="panel")


def _y(share: float) -> float:
    return round(_TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - share), 1)


def _band(xs: Sequence[float], series: Series) -> Html:
    known = [(x, point) for x, point in zip(xs, series.points, strict=True) if point is not None]
    upper = [f"{x:.1f},{_y(point.high)}" for x, point in known]
    lower = [f"{x:.1f},{_y(point.low)}" for x, point in reversed(known)]
    return (
        tag("polygon", points=" ".join([*upper, *lower]), class_=f"band {series.css}") if len(known) > 1 else Html("")
    )


def _line(xs: Sequence[float], places: Sequence[str], series: Series) -> Html:
    known = [(x, place, point) for x, place, point in zip(xs, places, series.points, strict=True) if point is not None]
    dots = [
        tag(
            "circle",
            tag(
                "title",
                f"{series.name}, {place}: {percent(point.value)} % [{percent(point.low)}, {percent(point.high)}], "
                f"n = {point.n}",
            ),
            cx=f"{x:.1f}",
            cy=_y(point.value),
            r=3,
            class_=series.css,
        )
        for x, place, point in known
    ]
    path = " ".join(f"{x:.1f},{_y(point.value)}" for x, _, point in known)
    return join(tag("polyline", points=path, class_=f"line {series.css}"), *dots)
