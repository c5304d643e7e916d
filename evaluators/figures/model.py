"""What a figure holds, whoever draws it: panels of shares over named places, or a picture of word lists."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from lengthwise.evaluators.results import Accuracy

PanelKind: TypeAlias = Literal["bars", "lines", "stacks", "heat", "scatter"]
Role: TypeAlias = Literal["word", "answer", "decoy", "shorter"]

# What the words of a picture are, in the order of its legend.
ROLES: Mapping[Role, str] = {
    "answer": "the answer",
    "decoy": "decoys",
    "shorter": "shorter runs",
    "word": "other words",
}

# Colours that stay apart for colour-blind readers, on white; `report/style.css` has the same as --s0 to --s7.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#a94a83", "#b58900", "#3a9bd8", "#6a51a3", "#7f5a36")

# Intervals of many lines hide each other: more lines than these have no bands, or no intervals at all.
MOST_WITH_BANDS, MOST_WITH_INTERVALS = 2, 5

# Kinds that have a colour of their own wherever they stand, with their names; blue is wrong, orange invalid.
KINDS: Mapping[str, tuple[str, str]] = {
    "key": ("wrong: keys do not span 1 to n", "#08458f"),
    "individual": ("wrong: instances", "#2f7fc1"),
    "aggregation": ("wrong: the aggregate of right instances", "#74b3e0"),
    "combined": ("wrong: instances and aggregate", "#b5d9f2"),
    "wrong": ("wrong", "#2f7fc1"),
    "parse": ("invalid: no readable answer", "#d95f0e"),
    "overlong": ("invalid: prompt does not fit", "#fdb777"),
    "not run": ("no reply (an error of the run)", "#8b949e"),
}

# How examples end, likewise; the keys are classes of `report/style.css`, which has the colours as --correct and so on.
ENDINGS: Mapping[str, tuple[str, str]] = {
    "k-correct": ("correct", "#1a936f"),
    "k-wrong": ("wrong", "#d1603d"),
    "k-unparsed": ("unparsed", "#d9a441"),
    "k-refused": ("refused", "#a35a9c"),
    "k-empty": ("empty", "#a9b1ba"),
    "k-truncated_output": ("truncated output", "#3f7cac"),
    "k-overlength": ("overlength", "#84bcda"),
    "k-error": ("error", "#1b1f24"),
}

# Shares from 0 to 1 in steps of a tenth: one hue from light to dark, which colour-blind readers see and a printer
# keeps. `report/style.css` has the same as --h0 to --h10, and for dark screens a ramp from dark to light.
HEAT = (
    "#f4f7fb", "#dae8f5", "#bfdaef", "#a5cbe8", "#89b9df", "#6da6d3", "#4f93c8", "#3078b1", "#24639d", "#154984",
    "#08306b",
)  # fmt: skip
# From this step on text on it is white; before, black.
HEAT_TURNS = 7


@dataclass(frozen=True, slots=True)
class Point:
    """A share with its interval, all in [0, 1], over n examples.

    Attributes:
        value: the share, or how far along the panel's `ticks` the point lies.
        low: lower end of its interval, exact 95 % unless the figure's caption says otherwise.
        high: upper end.
        n: examples; 0 for a share that is known without any, such as what a coin gets right.
        text: what is said of it instead of the share in percent.
        at: in a scatter, how far along the panel's `ticks` it lies, in [0, 1].
        at_text: what that stands for.
    """

    value: float
    low: float
    high: float
    n: int
    text: str = ""
    at: float = 0.0
    at_text: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """A position on the axis: places are drawn evenly spaced, in the order given.

    Attributes:
        name: below it.
        caption: what the name means, where it needs saying.
    """

    name: str
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Series:
    """A line, a colour of bars, a row of a heat map, or a point of a scatter.

    Attributes:
        name: in the legend; of a row, before it.
        points: one per place of the panel (of a heat map: its columns; a scatter has one), None where there is none.
        colour: its number, the same for the same thing in all panels of a figure.
        reference: whether it is a reference model's: drawn in grey, and without intervals where lines cross.
        kind: key of `KINDS` or `ENDINGS`, or a step of `HEAT` ("h7"), for a colour of that kind and not a number's.
    """

    name: str
    points: tuple[Point | None, ...]
    colour: int
    reference: bool = False
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Panel:
    """One pair of axes; shares run from 0 to 100 %, in stacks from the bottom up.

    Attributes:
        title: above it.
        kind: how it is drawn.
        axis: what the places are.
        places: along the axis.
        series: at least one.
        measure: what the shares are of.
        ticks: where the axis of values is marked, in [0, 1], and as what; () for every quarter in percent. Of a
            scatter it is the axis along the bottom.
        rows: of a heat map, what its series are.
    """

    title: str
    kind: PanelKind
    axis: str
    places: tuple[Place, ...]
    series: tuple[Series, ...]
    measure: str = "accuracy"
    ticks: tuple[tuple[float, str], ...] = ()
    rows: str = ""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a schematic list: how high its bar is, in [0, 1], what it is, and whether it opens a new list."""

    height: float
    role: Role = "word"
    opens: bool = False


@dataclass(frozen=True, slots=True)
class Strip:
    """A schematic list.

    Attributes:
        title: whose list it is.
        says: what stands in it, in words.
        words: in order.
    """

    title: str
    says: str
    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of the report.

    Attributes:
        id: its anchor, and the name of its files.
        title: heading.
        caption: what is shown, over what, and what the intervals are.
        panels: its charts; empty for a picture.
        strips: what a picture consists of; empty for charts.
        group: heading of the section that it shares with others; "" for one of its own.
    """

    id: str
    title: str
    caption: str
    panels: tuple[Panel, ...] = ()
    strips: tuple[Strip, ...] = ()
    group: str = ""


def as_point(accuracy: Accuracy) -> Point | None:
    """Return an accuracy as a point, None if it is over no examples."""
    if accuracy.value is None:
        return None
    return Point(accuracy.value, accuracy.low, accuracy.high, round(accuracy.n))


def heat_step(share: float) -> int:
    """Return the step of `HEAT` for a share in [0, 1].

    >>> heat_step(0.0), heat_step(0.96), heat_step(1.0)
    (0, 10, 10)
    """
    return round(10 * min(1.0, max(0.0, share)))


def n_of(panel: Panel) -> str:
    """Return over how many examples the points of a panel are: "n = 100", or "n = 17 to 23"."""
    counts = sorted({point.n for one in panel.series for point in one.points if point is not None and point.n})
    if not counts:
        return "n = 0"
    return f"n = {counts[0]:,}" if len(counts) == 1 else f"n = {counts[0]:,} to {counts[-1]:,}"


def legend_of(panels: Sequence[Panel]) -> tuple[Series, ...]:
    """Return one series of each name over all panels, in the order in which they first come."""
    found: dict[str, Series] = {}
    for panel in panels:
        for one in panel.series:
            found.setdefault(one.name, one)
    return tuple(found.values())


def coloured_by_name(panels: Sequence[Panel]) -> tuple[Panel, ...]:
    """Return the panels with series of one name in one colour, and of different names in different ones."""
    numbers = {one.name: number for number, one in enumerate(legend_of(panels))}
    return tuple(
        replace(panel, series=tuple(replace(one, colour=numbers[one.name]) for one in panel.series))
        for panel in panels
    )
