"""Charts as inline SVG: bars with intervals, stacked bars, and line panels with bands.

Bars are drawn in percentages of their own width, so that they fit a phone and a wide screen with text of one size.
Colours are classes (`s0` ... `s7`, `reference`, `k-<outcome>`), set for both colour schemes in `style.css`; every
figure is also there as text.
"""

from collections.abc import Sequence

from lengthwise.evaluators.figure_text import percent
from lengthwise.evaluators.figures.model import (
    COLOURS,
    KINDS,
    MOST_WITH_BANDS,
    MOST_WITH_INTERVALS,
    Panel,
    Point,
    Series,
    Strip,
)
from lengthwise.evaluators.report.axes import FRAME, axes_of, height_of
from lengthwise.evaluators.report.markup import Html, join, tag

_BAR_HEIGHT = 14


def series_class(series: Series) -> str:
    """Return the CSS classes of a series: its colour, and where colours begin again its dash."""
    if series.reference:
        return f"reference r{series.colour % 4}"
    if series.kind:
        return f"f-{series.kind.replace(' ', '-')}" if series.kind in KINDS else series.kind
    again = series.colour // len(COLOURS)
    return f"s{series.colour % len(COLOURS)}" + (f" d{again % 4}" if again else "")


def legend(names: Sequence[tuple[str, str]], lines: bool = False) -> Html:
    """Return a legend from pairs of CSS class and name, with a piece of line or a square before each name."""
    items = []
    for css, name in names:
        line = tag("line", x1=0, x2=20, y1=6, y2=6, class_=f"line {css}")
        mark = line if lines else tag("rect", width=12, height=12, class_=css)
        items.append(tag("li", tag("svg", mark, width=20 if lines else 12, height=12, aria_hidden="true"), name))
    return tag("ul", *items, class_="legend")


def said(point: Point) -> str:
    """Return a point in words."""
    if point.text:
        return f"{point.text}, n = {point.n:,}"
    if not point.n:
        return f"{percent(point.value)} %"
    return f"{percent(point.value)} % [{percent(point.low)}, {percent(point.high)}], n = {point.n:,}"


def bar_chart(panel: Panel) -> Html:
    """Return grouped horizontal bars with intervals, from 0 to 100 % or along the panel's own ticks."""
    groups = []
    for at, place in enumerate(panel.places):
        bars = [
            _bar(one.name or place.name, point, series_class(one), [at for at, _ in panel.ticks])
            for one in panel.series
            if (point := one.points[at]) is not None
        ]
        heading = tag(
            "div", tag("strong", place.name), " ", tag("span", place.caption, class_="quiet"), class_="place"
        )
        named = any(one.name for one in panel.series)
        groups.append(tag("div", heading if named else "", *bars, class_="group"))
    marks = [
        tag("span", name, style=f"left:{100 * at:.2f}%")
        for at, name in panel.ticks or [(share / 100, f"{share} %") for share in (0, 25, 50, 75, 100)]
    ]
    axis = tag("div", *marks, class_="axis", aria_hidden="true")
    heading = tag("h3", panel.title) if panel.title else Html("")
    drawn = tag(
        "div",
        *groups,
        tag("div", tag("span"), axis, class_="bar"),
        class_="bars",
        role="group",
        aria_label=f"{panel.measure.capitalize()} by {panel.axis}",
    )
    return tag("div", heading, drawn, class_="bar-panel")


def _bar(name: str, point: Point, css: str, ticks: Sequence[float]) -> Html:
    middle = _BAR_HEIGHT / 2
    lines = [f"{100 * at:g}%" for at in ticks or (0.25, 0.5, 0.75, 1)]
    grid = [tag("line", x1=at, x2=at, y1=0, y2=_BAR_HEIGHT, class_="grid") for at in lines]
    low, high = (f"{100 * end:.2f}%" for end in (point.low, point.high))
    drawing = tag(
        "svg",
        tag("title", f"{name}: {said(point)}"),
        *grid,
        tag("rect", x=0, y=2, width=f"{100 * point.value:.2f}%", height=_BAR_HEIGHT - 4, class_=css),
        tag("line", x1=low, x2=high, y1=middle, y2=middle, class_="whisker"),
        *(tag("line", x1=end, x2=end, y1=middle - 3, y2=middle + 3, class_="whisker") for end in (low, high)),
        height=_BAR_HEIGHT,
        width="100%",
        role="img",
    )
    figure = join(tag("b", point.text or percent(point.value)), " ", tag("span", f"n={point.n:,}", class_="quiet"))
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


_DODGE = 2.5


def line_panel(panel: Panel) -> Html:
    """Return a small chart of lines from 0 to 100 % with bands for their intervals."""
    xs, names = _places(panel), [place.name for place in panel.places]
    # Where bands lie over each other they are fainter, and thin lines end to end say whose is whose.
    drawn = [one for one in panel.series if not one.reference]
    # Beside each other, so that intervals at one place can be told apart.
    beside = [[x + _DODGE * (place - (len(panel.series) - 1) / 2) for x in xs] for place in range(len(panel.series))]
    placed = list(zip(beside, panel.series, strict=True))
    # Of many lines they would hide each other; the numbers below the figure have them.
    bands = [
        _band(at, one, len(drawn)) for at, one in placed if not one.reference and len(drawn) <= MOST_WITH_INTERVALS
    ]
    lines = [_line(at, names, one) for at, one in placed]
    return _axes(panel, xs, join(*bands, *lines))


def stack_panel(panel: Panel) -> Html:
    """Return a small chart of upright bars, the shares of each place on top of each other."""
    xs = _places(panel)
    width = min(26.0, 0.78 * FRAME.width / max(len(xs), 1))
    parts = []
    for at, (x, place) in enumerate(zip(xs, panel.places, strict=True)):
        top = 0.0
        for one in panel.series:
            point = one.points[at]
            if point is not None and point.value > 0:
                bottom, top = top, top + point.value
                title = tag("title", f"{one.name}, {place.name}: {said(point)}")
                high = round(height_of(bottom) - height_of(top), 1)
                css = series_class(one)
                left = f"{x - width / 2:.1f}"
                parts.append(
                    tag(
                        "rect",
                        title,
                        x=left,
                        y=height_of(top),
                        width=f"{width:.1f}",
                        height=high,
                        class_=f"part {css}",
                    )
                )
    return _axes(panel, xs, join(*parts))


def _places(panel: Panel) -> list[float]:
    """Return where the places of an upright chart lie."""
    return [FRAME.x + FRAME.width * (place + 0.5) / len(panel.places) for place in range(len(panel.places))]


def _axes(panel: Panel, xs: Sequence[float], content: Html) -> Html:
    return axes_of(panel, [place.name for place in panel.places], xs, content)


def _band(xs: Sequence[float], series: Series, drawn: int) -> Html:
    known = [(x, point) for x, point in zip(xs, series.points, strict=True) if point is not None]
    css = series_class(series)
    ends = [
        tag(
            "line",
            x1=f"{x:.1f}",
            x2=f"{x:.1f}",
            y1=height_of(point.low),
            y2=height_of(point.high),
            class_=f"reach {css}",
        )
        for x, point in known
    ]
    if len(known) < 2 or drawn > MOST_WITH_BANDS:
        return join(*ends)
    upper = [f"{x:.1f},{height_of(point.high)}" for x, point in known]
    lower = [f"{x:.1f},{height_of(point.low)}" for x, point in reversed(known)]
    faint = " faint" if drawn > 1 else ""
    return join(tag("polygon", points=" ".join([*upper, *lower]), class_=f"band{faint} {css}"), *ends)


def _line(xs: Sequence[float], names: Sequence[str], series: Series) -> Html:
    known = [(x, name, point) for x, name, point in zip(xs, names, series.points, strict=True) if point is not None]
    css = series_class(series)
    titles = [tag("title", f"{series.name}, {name}: {said(point)}") for _, name, point in known]
    dots = [
        tag("circle", title, cx=f"{x:.1f}", cy=height_of(point.value), r=3, class_=css)
        for title, (x, _, point) in zip(titles, known, strict=True)
    ]
    path = " ".join(f"{x:.1f},{height_of(point.value)}" for x, _, point in known)
    return join(tag("polyline", points=path, class_=f"line {css}"), *dots)


_STRIP_HEIGHT = 48


def strip(one: Strip) -> Html:
    """Return a schematic list: a bar a word, coloured by what the word is."""
    shapes = []
    at = 0.0
    for word in one.words:
        if word.opens:
            shapes.append(tag("line", x1=at + 0.6, x2=at + 0.6, y1=0, y2=_STRIP_HEIGHT, class_="cut"))
            at += 1.4
        high = round(word.height * _STRIP_HEIGHT, 1)
        css = f"w-{word.role}"
        shapes.append(
            tag("rect", x=f"{at:.1f}", y=round(_STRIP_HEIGHT - high, 1), width=0.75, height=high, class_=css)
        )
        at += 1
    drawing = tag(
        "svg",
        *shapes,
        viewBox=f"0 0 {at:.1f} {_STRIP_HEIGHT}",
        preserveAspectRatio="none",
        width="100%",
        height=_STRIP_HEIGHT,
        role="img",
        aria_label=f"{one.title}: {one.says}",
    )
    title = tag("figcaption", tag("strong", one.title), " ", tag("span", one.says, class_="quiet"))
    return tag("figure", title, drawing, class_="strip")
