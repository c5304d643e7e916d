"""How far off the aggregates of multi-instance processing are, by number of instances: being close counts for nothing.

Success asks for the exact number. Whether a model that misses it is off by one or by half of it is shown here.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from functools import partial

from lengthwise.evaluators.figures.instance_panels import AXIS, as_point
from lengthwise.evaluators.figures.model import Figure, Panel, Place, Series
from lengthwise.evaluators.instance_analyses.trials import (
    Trial,
    direct,
    grouped,
    plain,
    share_of,
    sizes_of,
    trials_of,
)
from lengthwise.evaluators.scoring import Scored

TITLE = "How far off the aggregates are"
CAPTION = (
    "The aggregate given against the right one, by number of instances: its distance in % of the right one (of 1 "
    "where that is 0), over all tasks with default samples; a panel a model and setting. Being close counts for "
    "nothing in the tables. In the numbers: exact 95 % intervals over the prompts."
)
SETTINGS: Mapping[str, str] = {"aggregate": "the aggregate alone", "instances": "every instance answered"}
NONE = "no aggregate"
# Upper end of the distance -> its name and colour.
DISTANCES: Mapping[Decimal, tuple[str, str]] = {
    Decimal(0): ("exact", "k-correct"),
    Decimal("0.05"): ("off by up to 5 %", "h2"),
    Decimal("0.2"): ("5 to 20 %", "h4"),
    Decimal("0.5"): ("20 to 50 %", "h7"),
    Decimal("Infinity"): ("more than 50 %", "h10"),
}


def distances(runs: Sequence[Scored]) -> Figure | None:
    """Return stacks a model and setting; None where no aggregate was given or no run has two sizes."""
    trials = direct(trials_of(runs))
    panels = []
    both = len({one.config.setting for one in trials}) > 1
    for model, of_model in grouped(trials, lambda one: one.model).items():
        for setting, words in SETTINGS.items():
            found = plain(of_model, setting)
            sizes = sizes_of(found)
            if len(sizes) > 1 and any(how_far(one) not in (NONE, "exact") for one in found):
                panels.append(_panel(f"{model}, {words}" if both else model, found, sizes))
    return Figure("distances", TITLE, CAPTION, tuple(panels)) if panels else None


def how_far(one: Trial) -> str:
    """Return the name of a trial's distance; `NONE` where no aggregate was given."""
    # A table whose instances are wrong can have the right aggregate all the same.
    said = "0" if one.right else one.outcome.details.get("error")
    try:
        error, gold = abs(Decimal(str(said))), abs(Decimal(str(one.row["answer"])))
    except InvalidOperation:  # of a reply without one
        return NONE
    share = error / (gold or 1)
    return next(name for end, (name, _) in DISTANCES.items() if share <= end)


def _panel(title: str, found: Sequence[Trial], sizes: Sequence[int]) -> Panel:
    at_size = grouped(found, lambda one: one.size)
    kinds = [*DISTANCES.values(), (NONE, "k-unparsed")]
    series = tuple(
        Series(
            name,
            tuple(as_point(share_of(at_size[size], partial(_is_so_far, name))) for size in sizes),
            place,
            kind=kind,
        )
        for place, (name, kind) in enumerate(kinds)
    )
    return Panel(title, "stacks", AXIS, tuple(Place(f"{size:,}") for size in sizes), series, "share of prompts")


def _is_so_far(name: str, one: Trial) -> bool:
    return how_far(one) == name
