"""What quality costs: a point a run, dollars or tokens across and the figure that the run is known by upwards."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from lengthwise.evaluators.figures.choosing import shown
from lengthwise.evaluators.figures.model import Figure, Panel, Place, Point, Series, coloured_by_name
from lengthwise.evaluators.naming import by_benchmark, name_of
from lengthwise.evaluators.overview import RunOverview, overview
from lengthwise.evaluators.scoring import Scored

TITLE = "Cost against quality"
CAPTION = (
    "A point a run: upwards its figure of the summary over all of its examples, with its 95 % interval; to the right, "
    "on a logarithmic scale, what an example took, prompts and replies, other models of a method included. Up and to "
    "the left is better. Compare runs on the same examples."
)
LEFT_OUT = " Without a count of tokens, and so not shown: {names}."
DOLLARS, TOKENS = "US$ per 1,000 examples", "tokens per example, in and out"
# The least from which a panel says something.
FEWEST = 2
_EIGHTHS = 0.08
_MOST_TICKS = 6


@dataclass(frozen=True, slots=True)
class _Taken:
    """What an example of a run took."""

    run: RunOverview
    dollars: float | None
    tokens: float | None


def cost_against_quality(runs: Sequence[Scored]) -> Figure | None:
    """Return a panel for each benchmark of which two runs or more are known; None where there is none.

    Dollars where all of its runs are priced, else tokens.

    Args:
        runs: of any benchmarks, with labels that are distinct within each.
    """
    groups = by_benchmark(runs)
    panels, left_out = [], []
    for benchmark, of_benchmark in groups:
        real = [run for run in shown(of_benchmark) if run.results.reference is None]
        taken = [_taken(one) for one in overview(real) if one.overall is not None and one.replies]
        known = [one for one in taken if one.dollars or one.tokens]
        if len(known) >= FEWEST:
            panels.append(_panel(benchmark.layout.name if len(groups) > 1 else "", known))
            priced = all(one.dollars for one in known)
            left_out += [name_of(one.run.results) for one in taken if not (one.dollars if priced else one.tokens)]
    if not panels:
        return None
    note = LEFT_OUT.format(names=", ".join(dict.fromkeys(left_out))) if left_out else ""
    return Figure("cost", TITLE, CAPTION + note, coloured_by_name(panels))


def _taken(one: RunOverview) -> _Taken:
    cost, used = one.spent.cost, one.spent.usage
    tokens = None if used.input is None or used.output is None else (used.input + used.output) / one.replies
    return _Taken(one, None if cost is None else 1000 * cost / one.replies, tokens)


def _panel(title: str, known: Sequence[_Taken]) -> Panel:
    priced = all(one.dollars for one in known)
    # What is free has no place on a logarithmic axis.
    placed = [(one.run, value) for one in known if (value := one.dollars if priced else one.tokens)]
    low, high = ends([value for _, value in placed])
    said = dollars_text if priced else tokens_text
    series = tuple(
        Series(name_of(run.results), (_point(run, along(value, low, high), said(value)),), 0) for run, value in placed
    )
    marks = tuple((along(value, low, high), said(value)) for value in ticks(low, high))
    metrics = {run.overall.metric for run, _ in placed if run.overall is not None}
    measure = " or ".join(sorted(metrics)).replace("_", " ")
    return Panel(title, "scatter", DOLLARS if priced else TOKENS, (Place(""),), series, measure, marks)


def _point(run: RunOverview, at: float, text: str) -> Point:
    found = run.overall
    assert found is not None  # runs without a figure were left out
    low, high = found.interval or (found.value, found.value)
    return Point(found.value, low, high, found.n, at=at, at_text=text)


def ends(values: Sequence[float]) -> tuple[float, float]:
    """Return the ends of a logarithmic axis that holds these values, each > 0, with room on both sides."""
    low, high = min(values), max(values)
    room = max((high / low) ** _EIGHTHS, 3 / (high / low) ** 0.5, 1.0)
    return low / room, high * room


def along(value: float, low: float, high: float) -> float:
    """Return how far along a logarithmic axis a value lies, in [0, 1].

    >>> along(10.0, 1.0, 100.0)
    0.5
    """
    return math.log(value / low) / math.log(high / low)


def ticks(low: float, high: float) -> list[float]:
    """Return round numbers between two ends, at most six: 1, 2 and 5, or powers of ten, or some of these.

    >>> ticks(0.9, 12), ticks(0.09, 1e4), ticks(1.1e3, 3e11)
    ([1.0, 2.0, 5.0, 10.0], [0.1, 1.0, 10.0, 100.0, 1000.0, 10000.0], [10000.0, 1000000.0, 100000000.0, 10000000000.0])
    """
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    fine = [float(f"{digit}e{power}") for power in powers for digit in (1, 2, 5)]
    for marks in (fine, [float(f"1e{power}") for power in powers]):
        kept = [mark for mark in marks if low <= mark <= high]
        if len(kept) <= _MOST_TICKS:
            return kept
    step = -(-len(kept) // _MOST_TICKS)
    return [mark for mark in kept if round(math.log10(mark)) % max(step, 2) == 0]


def dollars_text(value: float) -> str:
    """Return an amount in dollars as short as it can be read.

    >>> dollars_text(0.05), dollars_text(0.5), dollars_text(12.34), dollars_text(1500.0)
    ('$0.05', '$0.50', '$12.30', '$1,500')
    >>> dollars_text(2.0)
    '$2'
    """
    shown = float(f"{value:.3g}")
    if value >= 100 or shown.is_integer():
        return f"${value:,.0f}"
    return f"${shown:.2f}" if shown >= 0.1 else f"${shown:g}"


def tokens_text(value: float) -> str:
    """Return a number of tokens as short as it can be read.

    >>> tokens_text(500.0), tokens_text(2000.0), tokens_text(131_072.0), tokens_text(2e6)
    ('500', '2k', '131k', '2M')
    """
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{float(f'{value / size:.3g}'):g}{letter}"
    return f"{value:.0f}"
