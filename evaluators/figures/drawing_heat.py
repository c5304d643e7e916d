"""Draws heat maps with matplotlib: cells with their numbers, and the scale of their colours."""

from textwrap import wrap

from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure as Canvas
from matplotlib.patches import Rectangle

from lengthwise.evaluators.figures.drawing_text import INK, QUIET, clean, titled
from lengthwise.evaluators.figures.model import HEAT, HEAT_TURNS, Panel, heat_step

_CELL, _ROW = 0.62, 0.27
# Inches a letter of a row's name, and letters a line of a column's.
_LETTER, _HEADING = 0.068, 11
# Letters of a name at most.
_MOST = 32


def heat_width(panel: Panel) -> float:
    """Return the width of a map in inches."""
    longest = max(len(clean(one.name, _MOST)) for one in panel.series)
    return max(2.6, 0.6 + _LETTER * longest + _CELL * len(panel.places))


def heat_height(panel: Panel) -> float:
    """Return the height of a map in inches."""
    lines = max(len(_heading(place.name).split("\n")) for place in panel.places)
    return 0.75 + 0.12 * lines + _ROW * len(panel.series)


def draw_heat(axes: Axes, panel: Panel) -> None:
    """Draw a map: a row a series, a column a place; empty cells have a frame and a dot."""
    for row, one in enumerate(panel.series):
        for column, point in enumerate(one.points):
            step = None if point is None else heat_step(point.value)
            axes.add_patch(
                Rectangle(
                    (column - 0.48, row - 0.46), 0.96, 0.92, lw=0.6 if step is None else 0,
                    fc="none" if step is None else HEAT[step], ec="#d5dae0",
                )
            )  # fmt: skip
            said = "·" if point is None else f"{100 * point.value:.0f}"
            colour = QUIET if step is None else "white" if step >= HEAT_TURNS else INK
            axes.text(column, row, said, ha="center", va="center", fontsize=7.5, color=colour)
    axes.set_xlim(-0.5, len(panel.places) - 0.5)
    axes.set_ylim(len(panel.series) - 0.5, -0.5)
    axes.set_xticks(range(len(panel.places)), [_heading(place.name) for place in panel.places])
    axes.set_yticks(range(len(panel.series)), [clean(one.name, _MOST) for one in panel.series])
    axes.tick_params(length=0, labelcolor=INK, labelsize=7)
    axes.set_xlabel(panel.axis)
    axes.set_ylabel(panel.rows)
    axes.spines[:].set_visible(False)
    axes.set_title(titled(panel, max(16, int(_CELL * len(panel.places) / _LETTER))), loc="left", color=INK)


def draw_scale(canvas: Canvas) -> None:
    """Draw the scale of the colours below all maps."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import BoundaryNorm

    edges = [0, *(10 * step + 5 for step in range(10)), 100]
    colours = ScalarMappable(BoundaryNorm(edges, len(HEAT)), ListedColormap(HEAT))
    width = canvas.get_size_inches()[0]
    bar = canvas.colorbar(
        colours, ax=canvas.axes, location="bottom", shrink=min(1.0, 2.4 / width), aspect=22, anchor=(0.0, 0.5),
        spacing="proportional", pad=0.02,
    )  # fmt: skip
    bar.set_ticks([0, 50, 100], labels=["0 %", "50 %", "100 %"])
    bar.minorticks_off()
    bar.ax.tick_params(length=0, labelsize=7)
    bar.outline.set_visible(False)


def _heading(name: str) -> str:
    return "\n".join(wrap(clean(name, _MOST), _HEADING))
