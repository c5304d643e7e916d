"""The axes of a small upright chart: shares from 0 to 100 % up its side, names along its bottom."""

from collections.abc import Sequence
from itertools import pairwise

from lengthwise.evaluators.figures.labels import Box
from lengthwise.evaluators.figures.model import Panel, n_of
from lengthwise.evaluators.report.markup import Html, join, tag

_WIDTH, _HEIGHT = 300, 206
# Within the axes, in units of the drawing.
FRAME = Box(38, 8, 252, 160)
# Of the text below the axis, for telling whether labels would touch.
_LETTER = 6.2


def height_of(share: float) -> float:
    """Return where a share lies, downwards from the top of the drawing."""
    return round(FRAME.y + FRAME.height * (1 - share), 1)


def axes_of(panel: Panel, names: Sequence[str], xs: Sequence[float], content: Html) -> Html:
    """Return an upright chart: its title, its axes, and in them its content.

    Args:
        panel: what is drawn.
        names: along the bottom.
        xs: where each of them stands.
        content: within the axes.
    """
    grid = [
        join(
            tag("line", x1=FRAME.x, x2=FRAME.x + FRAME.width, y1=height_of(share), y2=height_of(share), class_="grid"),
            tag("text", f"{share:.0%}", x=FRAME.x - 5, y=height_of(share) + 4, text_anchor="end"),
        )
        for share in (0.0, 0.25, 0.5, 0.75, 1.0)
    ]
    # Labels that would touch stand on two lines in turn.
    pairs = zip(pairwise(names), pairwise(xs), strict=True)
    crowded = any((len(a) + len(b)) / 2 * _LETTER + 4 > right - left for (a, b), (left, right) in pairs)
    low = 11 * crowded
    labels = [
        tag("text", name, x=f"{x:.1f}", y=_HEIGHT - 22 + low * (place % 2), text_anchor="middle")
        for place, (x, name) in enumerate(zip(xs, names, strict=True))
    ]
    axis = tag("text", panel.axis, x=FRAME.x + FRAME.width / 2, y=_HEIGHT - 5 + low, text_anchor="middle")
    drawing = tag(
        "svg",
        *grid,
        *labels,
        axis,
        content,
        viewBox=f"0 0 {_WIDTH} {_HEIGHT + low}",
        role="img",
        aria_label=f"{panel.title or panel.measure}: {panel.measure} by {panel.axis}",
    )
    heading = join(tag("strong", panel.title), " ") if panel.title else Html("")
    title = tag("figcaption", heading, tag("span", n_of(panel), class_="quiet"))
    return tag("figure", title, drawing, class_="panel")
