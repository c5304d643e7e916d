"""How rows of an earlier run ended then and now: what the terminal's table and the page's have in common."""

from collections.abc import Mapping
from typing import Any

from lengthwise.evaluators.again import Again
from lengthwise.evaluators.contracts import OUTCOME_KINDS, OutcomeKind
from lengthwise.evaluators.naming import name_of
from lengthwise.evaluators.results import Results
from lengthwise.evaluators.table_formats.cells import Figure, Name, Number
from lengthwise.evaluators.table_formats.grid import GridTable

CHANGE_TITLE = "asked again"


def change_head(run: Results) -> list[str]:
    """Return the head: the outcomes that there are now."""
    return ["then \\ now", *(_now(kind) for kind in _kinds(run, "now"))]


def change_rows(run: Results) -> list[list[str]]:
    """Return a row for each outcome that there was then."""
    counts = {(change.then, change.now): change.count for change in run.changes}
    now = _kinds(run, "now")
    return [[_then(then), *(_count(counts.get((then, kind))) for kind in now)] for then in _kinds(run, "then")]


def change_note(run: Results) -> str:
    """Return what was asked again, and what is different now."""
    again = Again.from_json(run.settings["again"])
    kinds = " or ".join(kind.replace("_", " ") for kind in again.kinds)
    sampling: Mapping[str, Any] = run.settings.get("sampling", {})
    different = [
        f"{name.replace('_', ' ')} {_value(again.sampling.get(name))} then, {_value(value)} now"
        for name, value in sampling.items()
        if again.sampling.get(name) != value
    ]
    model = run.settings["model"].get("spec")
    if model != again.model:
        different.insert(0, f"model {again.model} then, {model} now")
    asked = len(again.before)
    of_all = f"All {asked:,}" if asked == again.matching else f"{asked:,} of the {again.matching:,}"
    repeats = " in some repeat" if max(map(len, again.before.values())) > 1 else ""
    chosen = f"{of_all} rows that ended as {kinds}{repeats} in {again.run}"
    return f"{chosen}; {'; '.join(different) or 'nothing else is different'}."


def changes_table(run: Results) -> GridTable | None:
    """Return the table; None if the run asks nothing again."""
    if not run.changes:
        return None
    rows = tuple(map(tuple, change_rows(run)))
    title = f"{run.label}: {CHANGE_TITLE}"
    return GridTable(title, tuple(change_head(run)), rows, (change_note(run),), name="again", run=name_of(run))


def _then(kind: str | None) -> Name:
    return Name(_name(kind, "not asked then"), part=f"then={kind or 'not_asked'}")


def _now(kind: str | None) -> Name:
    return Name(_name(kind, "not asked again"), metric="replies", part=f"now={kind or 'not_asked'}")


def _count(count: int | None) -> Figure:
    return Figure("–" if count is None else str(count), Number(count))


def _kinds(run: Results, side: str) -> list[OutcomeKind | None]:
    there = {getattr(change, side) for change in run.changes}
    return [kind for kind in (*OUTCOME_KINDS, None) if kind in there]


def _name(kind: str | None, without: str) -> str:
    return without if kind is None else kind.replace("_", " ")


def _value(value: Any) -> str:
    if value is None:
        return "not set"
    return f"{value:,}" if isinstance(value, int) else str(value)
