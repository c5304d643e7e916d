"""Puts names beside the points of a scatter that matplotlib draws, or numbers where they do not all find a place."""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas

from lengthwise.evaluators.figures.drawing_text import INK, QUIET, clean
from lengthwise.evaluators.figures.labels import MOST_NAMED, Box, Placed, place_names
from lengthwise.evaluators.figures.model import Panel

_SIZE = 6.5
# Of a line, in points of the font's size; of a point, in points.
_LINE, _RADIUS = 1.3, 3.0


def name_points(canvas: Canvas, panels: Sequence[Panel]) -> bool:
    """Name the points of a figure's panels and return True, or leave them as they are where names do not fit.

    The panels are drawn already: only then is it known how large they are.
    """
    if max(len(panel.series) for panel in panels) > MOST_NAMED:
        return False
    names = [[clean(one.name, 28) for one in panel.series] for panel in panels]
    return _put(canvas, panels, names)


def number_points(canvas: Canvas, panels: Sequence[Panel]) -> None:
    """Number the points of a figure's panels as its legend does, as far as there is room."""
    for axes, panel in zip(canvas.axes, panels, strict=True):
        _put(canvas, [panel], [[str(one.colour + 1) for one in panel.series]], [axes])


def _put(
    canvas: Canvas, panels: Sequence[Panel], names: Sequence[Sequence[str]], among: Sequence[Axes] | None = None
) -> bool:
    canvas.draw_without_rendering()
    drawn = []
    for axes, panel, of_panel in zip(among or canvas.axes, panels, names, strict=True):
        found = _places(axes, panel, of_panel, 72 / canvas.dpi)
        if found is None:
            return False
        drawn.append((axes, of_panel, *found))
    for axes, of_panel, frame, places, placed in drawn:
        for name, at, one in zip(of_panel, places, placed, strict=True):
            _name(axes, name, frame, at, one)
    return True


def _places(
    axes: Axes, panel: Panel, names: Sequence[str], to_points: float
) -> tuple[Box, list[tuple[float, float]], list[Placed]] | None:
    """Return a panel's frame, and in it each point and the place of its name; None where one finds none.

    Args:
        axes: of the panel.
        panel: what it holds.
        names: of its series.
        to_points: points to one dot of the canvas.
    """
    size = axes.get_window_extent()
    frame = Box(0, 0, size.width * to_points, size.height * to_points)
    known = [point for one in panel.series if (point := one.points[0]) is not None]
    places = [(frame.width * point.at, frame.height * (1 - point.value)) for point in known]
    bars = [
        Box(x - 0.5, frame.height * (1 - point.high), 1, frame.height * (point.high - point.low))
        for (x, _), point in zip(places, known, strict=True)
    ]
    sizes = [(_width(axes, name) * to_points, _SIZE * _LINE) for name in names]
    placed = place_names(places, bars, sizes, frame, _RADIUS)
    return None if placed is None else (frame, places, placed)


def _width(axes: Axes, name: str) -> float:
    """Return how wide a name comes out, in dots."""
    text = axes.text(0, 0, name, fontsize=_SIZE)
    width = text.get_window_extent().width
    text.remove()
    return float(width)


def _name(axes: Axes, name: str, frame: Box, at: tuple[float, float], placed: Placed) -> None:
    """Draw a name, with a line to its point where it does not stand beside it."""
    x, y = placed.box.x / frame.width, 1 - (placed.box.y + placed.box.height / 2) / frame.height
    text = axes.text(x, y, name, transform=axes.transAxes, va="center", ha="left", fontsize=_SIZE, color=INK)
    text.set_in_layout(False)
    if placed.led:
        near = placed.box.nearest(*at)
        axes.plot(
            [at[0] / frame.width, near[0] / frame.width],
            [1 - at[1] / frame.height, 1 - near[1] / frame.height],
            transform=axes.transAxes, color=QUIET, lw=0.5, zorder=1,
        )  # fmt: skip
