"""How examples ended, by length: a panel of stacks a run, every outcome a colour (PredicateLongBench, LongNovel)."""

from collections.abc import Mapping, Sequence

from lengthwise.evaluators.contracts import OUTCOME_KINDS, OutcomeKind
from lengthwise.evaluators.figures.choosing import INTERVALS, shown
from lengthwise.evaluators.figures.ended import ended_of, share_of_kind
from lengthwise.evaluators.figures.model import ENDINGS, Figure, Panel, Place, Point, Series
from lengthwise.evaluators.figures.pooling import laid_together, pooled
from lengthwise.evaluators.longnovel_rows import scale_name, scales_of, shown_runs
from lengthwise.evaluators.naming import name_of
from lengthwise.evaluators.scoring import Scored

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
    panels = []
    for one in laid_together(shown(runs)):
        cells = one.cells().values()
        found = {kind: tuple(pooled(at_length, kind) for at_length in cells) for kind in OUTCOME_KINDS}
        panels.append(_panel(name_of(one.run.results), "tokens of the whole prompt", one.lengths, found))
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
            replies = ended_of(run)
            points = {kind: tuple(share_of_kind(replies[cell], kind) for cell in cells) for kind in OUTCOME_KINDS}
            panels.append(_panel(name_of(one.results), "tokens of the text", list(map(scale_name, cells)), points))
    return _figure(panels, OVER_ROWS, "")


def _panel(
    title: str, axis: str, names: Sequence[str], found: Mapping[OutcomeKind, tuple[Point | None, ...]]
) -> Panel:
    """Return the stacks of a run, without the kinds that it never ended in."""
    series = tuple(
        Series(ENDINGS[f"k-{kind}"][0], found[kind], number, kind=f"k-{kind}")
        for number, kind in enumerate(OUTCOME_KINDS)
        if any(point is not None and point.value > 0 for point in found[kind])
    )
    return Panel(title, "stacks", axis, tuple(map(Place, names)), series, MEASURE)


def _figure(panels: Sequence[Panel], over: str, of: str) -> Figure | None:
    caption = CAPTION.format(over=over, of=of)
    return Figure("endings", TITLE, caption, tuple(panels)) if panels else None
