"""Draws figures with matplotlib: one function a kind of panel. Imported only by `files`, which sets the style."""

import math
from collections.abc import Callable, Mapping, Sequence
from textwrap import wrap

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from lengthwise.evaluators.figures.drawing_heat import draw_heat, draw_scale, heat_height, heat_width
from lengthwise.evaluators.figures.drawing_names import name_points, number_points
from lengthwise.evaluators.figures.drawing_text import INK, QUIET, clean, titled
from lengthwise.evaluators.figures.model import (
    COLOURS,
    ENDINGS,
    HEAT,
    KINDS,
    MOST_WITH_BANDS,
    MOST_WITH_INTERVALS,
    ROLES,
    Figure,
    Panel,
    PanelKind,
    Point,
    Role,
    Series,
    Strip,
    legend_of,
)

_REFERENCE = "#8b949e"
_REFERENCE_ALPHA = (1.0, 0.8, 0.6, 0.45)
_DASHES = ("-", "--", "-.", ":")
_HATCHES = ("", "////", "....", "xxxx")
_BAR = 0.17
# As in `report/style.css`: --w-word and so on.
ROLE_COLOURS: Mapping[Role, str] = {"word": "#b6bec7", "answer": "#009e73", "decoy": "#d55e00", "shorter": "#0072b2"}


def draw(figure: Figure) -> Canvas:
    """Return a figure drawn, its title above and its legend below."""
    return _picture(figure) if figure.strips else _charts(figure)


def _charts(figure: Figure) -> Canvas:
    panels = figure.panels
    heat = panels[0].kind == "heat"
    columns = _columns(panels)
    rows = math.ceil(len(panels) / columns)
    heights = [max(_height(panel) for panel in panels[row * columns : (row + 1) * columns]) for row in range(rows)]
    legend = legend_of(panels)
    many = len(legend) > 1 and not heat
    widest = max(heat_width(panel) for panel in panels) if heat else 3.4
    width = (widest if heat else 7.2) if columns == 1 else widest * columns
    longest = max((len(clean(one.name)) for one in legend), default=0)
    beside = max(1, min(len(legend), int(width / (0.065 * longest + 0.55))))
    below = 0.17 * math.ceil(len(legend) / beside) if many else 0
    canvas = Canvas(figsize=(width, sum(heights) + 0.5 + below), layout="constrained")
    grid = canvas.subplots(rows, columns, squeeze=False, gridspec_kw={"height_ratios": heights})
    for place, axes in enumerate(grid.flat):
        if place < len(panels):
            _KINDS[panels[place].kind](axes, panels[place], many)
        else:
            axes.remove()
    canvas.suptitle(clean(figure.title), x=0.01, ha="left", fontsize=10, fontweight="bold", color=INK)
    scatter = panels[0].kind == "scatter"
    # Points with their names beside them need no legend.
    if many and not (scatter and name_points(canvas, panels)):
        handles = [_handle(one, panels[0].kind) for one in legend]
        canvas.legend(handles=handles, loc="outside lower left", ncols=beside)
        if scatter:
            number_points(canvas, panels)
    if heat:
        draw_scale(canvas)
    return canvas


def _columns(panels: Sequence[Panel]) -> int:
    """Return how many panels stand beside each other."""
    if panels[0].kind == "heat":
        return max(1, min(len(panels), 3, int(11 / max(map(heat_width, panels)))))
    if panels[0].kind == "scatter":
        return min(len(panels), 2)
    long = any(len(panel.places) > 5 for panel in panels if panel.kind == "bars")
    return 1 if long else min(3, len(panels))


def _handle(series: Series, kind: PanelKind) -> Artist:
    name = clean(series.name)
    if kind == "scatter":
        return Line2D([], [], ls="", marker="o", ms=4.5, color=_colour(series), label=f"{series.colour + 1} {name}")
    if kind == "lines":
        return Line2D(
            [], [], ls=_dash(series), marker="o", ms=3.5, color=_colour(series), alpha=_alpha(series), label=name
        )
    return Patch(facecolor=_colour(series), edgecolor="white", hatch=_hatch(series), alpha=_alpha(series), label=name)


def _height(panel: Panel) -> float:
    """Return the height of a panel in inches."""
    if panel.kind == "heat":
        return heat_height(panel)
    if panel.kind != "bars":
        return 3.2 if panel.kind == "scatter" else 2.5
    return max(1.5, 0.7 + sum(_bars_at(panel)) * _BAR + len(panel.places) * 0.14)


def _bars_at(panel: Panel) -> list[int]:
    """Return how many bars stand at each place of a panel."""
    return [sum(one.points[place] is not None for one in panel.series) for place in range(len(panel.places))]


def _bars(axes: Axes, panel: Panel, _many: bool) -> None:
    at = 0.0
    centres, names = [], []
    for place, count in enumerate(_bars_at(panel)):
        centres.append(at + (count - 1) / 2)
        names.append(clean(panel.places[place].name))
        for one in panel.series:
            if (point := one.points[place]) is not None:
                hatch, colour = _hatch(one), _colour(one)
                axes.barh(at, 100 * point.value, 0.82, fc=colour, ec="white", lw=0, hatch=hatch, alpha=_alpha(one))
                axes.errorbar(
                    100 * point.value, at, xerr=_error(point), fmt="none", ecolor=INK, elinewidth=0.9, capsize=2
                )
                said = f"{point.text or format(100 * point.value, '.1f')}  n={point.n:,}"
                axes.text(103, at, said, va="center", fontsize=6.5, color=QUIET)
                at += 1
        at += 0.8
    axes.set_yticks(centres, names)
    axes.tick_params(axis="y", length=0, labelcolor=INK)
    axes.set_ylim(max(at - 0.8, 0.6) - 0.4, -0.6)
    axes.set_xlim(0, 100)
    axes.set_xlabel(panel.measure if panel.ticks else f"{panel.measure} (%)")
    if panel.ticks:
        axes.set_xticks([100 * at for at, _ in panel.ticks], [name for _, name in panel.ticks])
    axes.grid(axis="x")
    axes.set_axisbelow(True)
    axes.set_title(titled(panel), loc="left", color=INK)


def _lines(axes: Axes, panel: Panel, many: bool) -> None:
    # Beside each other, so that intervals at one place can be told apart.
    step = min(0.05, 0.4 / len(panel.series))
    drawn = sum(not one.reference for one in panel.series)
    for number, one in enumerate(panel.series):
        known = [(place, point) for place, point in enumerate(one.points) if point is not None]
        at = [place + step * (number - (len(panel.series) - 1) / 2) for place, _ in known]
        shares = [100 * point.value for _, point in known]
        axes.plot(
            at, shares, _dash(one), marker="o", ms=3.5, lw=1.6, color=_colour(one), alpha=_alpha(one), clip_on=False
        )
        if not one.reference and drawn <= MOST_WITH_INTERVALS:
            low, high = [100 * point.low for _, point in known], [100 * point.high for _, point in known]
            if drawn <= MOST_WITH_BANDS:
                axes.fill_between(at, low, high, color=_colour(one), alpha=0.1 if many else 0.16, lw=0)
            axes.errorbar(
                at, shares, [list(side) for side in zip(*(_sides(point) for _, point in known), strict=True)],
                fmt="none", ecolor=_colour(one), elinewidth=0.7, alpha=0.6, clip_on=False,
            )  # fmt: skip
    _upright(axes, panel)


def _stacks(axes: Axes, panel: Panel, _many: bool) -> None:
    tops = [0.0] * len(panel.places)
    for one in panel.series:
        shares = [0.0 if point is None else 100 * point.value for point in one.points]
        axes.bar(range(len(shares)), shares, 0.78, tops, color=_colour(one), ec="white", lw=0.5)
        tops = [top + share for top, share in zip(tops, shares, strict=True)]
    _upright(axes, panel)


def _upright(axes: Axes, panel: Panel) -> None:
    """Set the axes of places along the bottom and shares up the side."""
    names = [clean(place.name) for place in panel.places]
    crowded = max(map(len, names), default=0) * len(names) > 34
    axes.set_xticks(range(len(names)), names, rotation=45 if crowded else 0, ha="right" if crowded else "center")
    axes.set_xlim(-0.5, len(panel.places) - 0.5)
    axes.set_ylim(0, 100)
    axes.set_ylabel(f"{panel.measure} (%)")
    axes.set_xlabel(panel.axis)
    axes.grid(axis="y")
    axes.set_axisbelow(True)
    axes.set_title(titled(panel), loc="left", color=INK)


def _scatter(axes: Axes, panel: Panel, _many: bool) -> None:
    for one in panel.series:
        if (point := one.points[0]) is not None:
            at, colour = [100 * point.at], _colour(one)
            axes.errorbar(at, [100 * point.value], _error(point), fmt="o", ms=4.5, color=colour, elinewidth=0.8)
    axes.set_xlim(0, 100)
    axes.set_ylim(0, 100)
    axes.set_xticks([100 * at for at, _ in panel.ticks], [name for _, name in panel.ticks])
    axes.set_xlabel(panel.axis)
    axes.set_ylabel(f"{panel.measure} (%)")
    axes.grid()
    axes.set_axisbelow(True)
    axes.set_title(titled(panel), loc="left", color=INK)


_KINDS: Mapping[str, Callable[[Axes, Panel, bool], None]] = {
    "bars": _bars,
    "lines": _lines,
    "stacks": _stacks,
    "heat": lambda axes, panel, _: draw_heat(axes, panel),
    "scatter": _scatter,
}


def _picture(figure: Figure) -> Canvas:
    rows = len(figure.strips)
    canvas = Canvas(figsize=(7.2, 0.95 * rows + 0.6), layout="constrained")
    for axes, strip in zip(canvas.subplots(rows, 1, squeeze=False).flat, figure.strips, strict=True):
        _strip(axes, strip)
    canvas.suptitle(clean(figure.title), x=0.01, ha="left", fontsize=10, fontweight="bold", color=INK)
    seen = {word.role for strip in figure.strips for word in strip.words}
    handles = [Patch(color=ROLE_COLOURS[role], label=name) for role, name in ROLES.items() if role in seen]
    canvas.legend(handles=handles, loc="outside lower left", ncols=len(handles))
    return canvas


def _strip(axes: Axes, strip: Strip) -> None:
    at, cuts = [], []
    shift = 0.0
    for place, word in enumerate(strip.words):
        if word.opens:
            shift += 1.2
            cuts.append(place + shift - 1.1)
        at.append(place + shift)
    axes.bar(at, [word.height for word in strip.words], 0.75, color=[ROLE_COLOURS[word.role] for word in strip.words])
    axes.vlines(cuts, 0, 1.05, color=INK, lw=0.9)
    axes.set_xlim(-1, at[-1] + 1)
    axes.set_ylim(0, 1.08)
    axes.set_xticks([])
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.set_title(strip.title, loc="left", color=INK, fontweight="bold", fontsize=8, pad=2)
    axes.set_xlabel("\n".join(wrap(strip.says, 125)), loc="left", fontsize=6.8, labelpad=2)


def _sides(point: Point) -> tuple[float, float]:
    """Return how far a point's interval reaches down and up, in percent; rounding must not make it negative."""
    return max(0.0, 100 * (point.value - point.low)), max(0.0, 100 * (point.high - point.value))


def _error(point: Point) -> list[list[float]]:
    return [[side] for side in _sides(point)]


def _colour(series: Series) -> str:
    if series.kind in KINDS or series.kind in ENDINGS:
        return {**KINDS, **ENDINGS}[series.kind][1]
    if series.kind:
        return HEAT[int(series.kind.removeprefix("h"))]
    return _REFERENCE if series.reference else COLOURS[series.colour % len(COLOURS)]


def _dash(series: Series) -> str:
    return "--" if series.reference else _DASHES[series.colour // len(COLOURS) % len(_DASHES)]


def _hatch(series: Series) -> str:
    """Return what marks bars whose colour began again."""
    return "" if series.reference else _HATCHES[series.colour // len(COLOURS) % len(_HATCHES)]


def _alpha(series: Series) -> float:
    return _REFERENCE_ALPHA[series.colour % len(_REFERENCE_ALPHA)] if series.reference else 1.0
