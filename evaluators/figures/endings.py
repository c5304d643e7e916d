"""How examples ended, by length: a panel of stacks a run, every outcome a colour (PredicateLongBench, LongNovel)."""

from collections.abc import Mapping, Sequence
from functools import partial

from lengthwise.evaluators.contracts import Outcome
from lengthwise.evaluators.figures.choosing import INTERVALS, shown
from lengthwise.evaluators.figures.model import ENDINGS, Figure, Panel, Place, Point, Series
from lengthwise.evaluators.figures.pooling import Row, laid_together, lengths_of, pooled, replies_of
from lengthwise.evaluators.longnovel_rows import scale_name, scales_of, shown_runs
from lengthwise.evaluators.naming import name_of
from lengthwise.evaluators.scoring import Scored
from lengthwise.metrics.intervals import clopper_pearson

TITLE = "How the examples ended, by length"
CAPTION = (
    "Shares of all examples at a length, every one of which ends in exactly one way; a panel a model. {over} In the "
    f"numbers: {INTERVALS}{{of}}."
)
OVER_VARIANTS = "Mean over the variants that it has at all of its lengths."
OVER_ROWS = "Over all rows."
MEASURE = "share of examples"


def endings_by_length(runs: Sequence[Scored]) -> Figure | None:
    """Return stacks of PredicateLongBench; None where no run has two lengths."""
    chosen = shown(runs)
    panels = []
    for place, configs in laid_together(chosen).items():
        run = chosen[place]
        replies = replies_of(run)
        lengths = lengths_of(run, configs)
        found = {
            kind: tuple(
                pooled(run, replies, [(config, split) for config in configs], partial(_ended, kind))
                for split in lengths
            )
            for kind in ENDINGS
        }
        panels.append(_panel(name_of(run.results), "tokens of the whole prompt", lengths, found))
    return _figure(panels, OVER_VARIANTS, " over the different word lists")


def endings_of_novels(runs: Sequence[Scored]) -> Figure | None:
    """Return stacks of LongNovel; None where no run has two lengths."""
    real = shown(runs)
    found = shown_runs([run.results for run in real])
    by_results = {id(run.results): run for run in real}
    panels = []
    for one in found:
        run = by_results[id(one.results)]
        cells = [cell for cell in scales_of([one]) if "-" not in cell[0]]
        if len(cells) > 1:
            replies = replies_of(run)
            points = {kind: tuple(_of_rows(replies[cell], kind) for cell in cells) for kind in ENDINGS}
            panels.append(_panel(name_of(one.results), "tokens of the text", list(map(scale_name, cells)), points))
    return _figure(panels, OVER_ROWS, "")


def _of_rows(replies: Sequence[tuple[Row, Outcome]], kind: str) -> Point:
    """Return a share of the rows of one cell, which stand for themselves as in the main table."""
    n = len({row["id"] for row, _ in replies})
    value = sum(_ended(kind, row, outcome) for row, outcome in replies) / len(replies)
    low, high = clopper_pearson(min(value * n, n), n)
    return Point(value, low, high, n)


def _ended(kind: str, row: Row, outcome: Outcome) -> bool:
    return f"k-{outcome.kind}" == kind


def _panel(title: str, axis: str, names: Sequence[str], found: Mapping[str, tuple[Point | None, ...]]) -> Panel:
    """Return the stacks of a run, without the kinds that it never ended in."""
    series = tuple(
        Series(name, found[kind], number, kind=kind)
        for number, (kind, (name, _)) in enumerate(ENDINGS.items())
        if any(point is not None and point.value > 0 for point in found[kind])
    )
    return Panel(title, "stacks", axis, tuple(map(Place, names)), series, MEASURE)


def _figure(panels: Sequence[Panel], over: str, of: str) -> Figure | None:
    caption = CAPTION.format(over=over, of=of)
    return Figure("endings", TITLE, caption, tuple(panels)) if panels else None
