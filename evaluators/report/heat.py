"""A heat map as a table: shares in cells of their colour, readable as numbers on any screen and by a screen reader."""

from lengthwise.evaluators.figures.model import HEAT, Panel, Point, heat_step, n_of
from lengthwise.evaluators.report.markup import Html, join, tag


def heat_panel(panel: Panel) -> Html:
    """Return a map: a row a series, a column a place, the share in percent in each cell; empty cells have a dot."""
    columns = [tag("th", place.name, scope="col") for place in panel.places]
    axis = tag(
        "tr", tag("td"), tag("th", panel.axis, colspan=len(columns), scope="colgroup", class_="quiet axis-name")
    )
    head = tag("tr", tag("td", panel.rows, class_="quiet"), *columns)
    body = []
    for one in panel.series:
        cells = [
            _cell(f"{one.name}, {place.name}", point) for place, point in zip(panel.places, one.points, strict=True)
        ]
        body.append(tag("tr", tag("th", one.name, scope="row"), *cells))
    heading = join(tag("strong", panel.title), " ") if panel.title else Html("")
    title = tag("figcaption", heading, tag("span", n_of(panel), class_="quiet"))
    drawn = tag("table", tag("thead", axis, head), tag("tbody", *body), class_="heat")
    return tag("figure", title, tag("div", drawn, class_="scroll", tabindex=0), class_="heat-panel")


def _cell(name: str, point: Point | None) -> Html:
    if point is None:
        return tag("td", "·", class_="none", title=f"{name}: nothing there")
    said = f"{100 * point.value:.0f}"
    ends = f"{100 * point.low:.1f}–{100 * point.high:.1f}"
    title = f"{name}: {100 * point.value:.1f} % [{ends}], n = {point.n:,}"
    return tag("td", said, class_=f"h{heat_step(point.value)}", title=title)


def heat_scale() -> Html:
    """Return the scale of the colours, from 0 to 100 %."""
    steps = [tag("span", class_=f"h{step}") for step in range(len(HEAT))]
    return tag(
        "p", "0 % ", tag("span", *steps, class_="steps", aria_hidden="true"), " 100 %", class_="heat-scale quiet"
    )
