"""Accuracy with and without decoys (the paper's Figure 7), and scattered against clustered (Figure 8), per model."""

from collections.abc import Sequence
from dataclasses import dataclass

from lengthwise.evaluators.figures.choosing import INTERVALS, at_length, cell_at, point_of, shared_split, shown
from lengthwise.evaluators.figures.model import Figure, Panel, Place, Series
from lengthwise.evaluators.naming import name_of
from lengthwise.evaluators.results import Results
from lengthwise.evaluators.scoring import Scored


@dataclass(frozen=True, slots=True)
class _Group:
    """A panel: pairs of a name and the config that it stands for, the last being what the figure is about."""

    title: str
    arms: tuple[tuple[str, str], ...]


_DECOYS = (
    _Group("Unary, near-miss", (("baseline", "unary-locate"), ("with decoys", "unary-decoys"))),
    _Group("Synthetic, near-sorted", (("baseline", "lex-locate"), ("with decoys", "lex-scattered"))),
    _Group("Documents, near-sorted", (("baseline", "documents-locate"), ("with decoys", "documents-scattered"))),
)
_CLUSTERED = tuple(
    _Group(
        title,
        (("baseline", f"{family}-locate"), ("scattered", f"{family}-scattered"), ("clustered", f"{family}-clustered")),
    )
    for title, family in (("Synthetic", "lex"), ("Documents", "documents"))
)


def decoy_drop(runs: Sequence[Scored]) -> Figure | None:
    """Return accuracy on the baseline and with decoys (section 4.3.1)."""
    caption = (
        "Accuracy on the baseline and on the same lists with decoys in them: words that satisfy one predicate each "
        "(unary), or runs in which one pair is exchanged (near-sorted), scattered over the list."
    )
    return _figure(runs, "decoy-drop", "The drop under decoys", caption, _DECOYS)


def clustered_recovery(runs: Sequence[Scored]) -> Figure | None:
    """Return accuracy on the baseline, with scattered and with clustered decoys (section 4.5)."""
    caption = (
        "Accuracy on the baseline, with near-sorted decoys scattered over the list, and with as many clustered around "
        "the answer."
    )
    return _figure(runs, "clustered-recovery", "Recovery when decoys are clustered", caption, _CLUSTERED)


def _figure(runs: Sequence[Scored], name: str, title: str, caption: str, groups: Sequence[_Group]) -> Figure | None:
    panels = tuple(panel for group in groups if (panel := _panel(shown(runs), group)) is not None)
    if not panels:
        return None
    said = f"{caption} At the longest length that all models shown have in common; whiskers are {INTERVALS}."
    return Figure(name, title, said, panels)


def _panel(runs: Sequence[Scored], group: _Group) -> Panel | None:
    """Return a group's panel over the runs that have its last arm and another one at a common length."""
    has = [run.results for run in runs if _own_split(run.results, group) is not None]
    if not has:
        return None
    configs = [config for _, config in group.arms if all(cell_at(run, config, None) for run in has)]
    split = shared_split(has, configs)
    rows = [(run, split or _own_split(run, group)) for run in has]
    places = tuple(
        Place(name_of(run), "" if split or length in (None, "full") else str(length)) for run, length in rows
    )
    series = tuple(
        Series(name, tuple(point_of(cell_at(run, config, length)) for run, length in rows), colour)
        for colour, (name, config) in enumerate(group.arms)
    )
    series = tuple(one for one in series if any(one.points))
    return Panel(f"{group.title}{at_length(split)}", "bars", "model", places, series)


def _own_split(run: Results, group: _Group) -> str | None:
    """Return the longest length at which a run has the last arm and as many of the others as it has with it."""
    last = group.arms[-1][1]
    pairs = [[config, last] for _, config in group.arms[:-1]]
    candidates = [[config for _, config in group.arms], *pairs]
    return next((split for configs in candidates if (split := shared_split([run], configs)) is not None), None)
