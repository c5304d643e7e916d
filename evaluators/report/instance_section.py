"""The sections that multi-instance processing alone has: its analyses, and the omissions for a person to read."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from lengthwise.evaluators.instance_analyses.omissions import (
    Omission,
    Tick,
    find_omissions,
    omission_table,
    omissions_csv,
)
from lengthwise.evaluators.instance_analyses.table import BENCHMARK, make_analyses
from lengthwise.evaluators.report.markup import Child, Html, join, table, tag
from lengthwise.evaluators.report.payload import embed
from lengthwise.evaluators.report.sections import grid_table
from lengthwise.evaluators.scoring import Scored

# Rows of a table that is shown without being asked for.
_MOST_OPEN = 20


def analyses(runs: Sequence[Scored]) -> Html:
    """Return all analyses but that of omissions."""
    return join(*map(grid_table, make_analyses(runs)))


def omissions(runs: Sequence[Scored], ticks: Mapping[str, Tick]) -> Html:
    """Return every omission with a choice for what a person makes of it, which the page's script keeps and saves.

    Args:
        runs: scored runs.
        ticks: judgements made before, by key.
    """
    if runs[0].results.benchmark != BENCHMARK:
        return Html("")
    found = find_omissions(runs)
    counted = omission_table(runs, found, ticks)
    if counted is None:
        return Html("")
    said = grid_table(replace(counted, title=""))
    if not found:
        return said
    head: list[Child] = [
        "suggests batches?",
        "model",
        "task",
        "instances",
        "left out",
        "the rule says",
        "what it says",
    ]
    rows = [_row(one, ticks.get(one.key)) for one in found]
    how = (
        "Read what each reply says, in full among the single replies below, and choose. Choices are kept in this "
        "browser; save them as omissions.csv, which `lengthwise report --omissions` and `score --omissions` count."
    )
    controls = tag(
        "p",
        tag("button", "save omissions.csv", type="button", id="save-omissions"),
        " ",
        tag("span", id="read-omissions", role="status", class_="quiet"),
        id="omission-controls",
        hidden=True,
    )
    listed = tag(
        "details",
        tag("summary", f"All {len(found):,} omissions"),
        tag("p", how, class_="quiet"),
        controls,
        table(head, rows, ""),
        open=len(found) <= _MOST_OPEN,
    )
    data = embed({"csv": omissions_csv(found, ticks)})
    return join(said, listed, tag("script", data, type="application/json", id="omissions-data"))


def _row(one: Omission, tick: Tick | None) -> list[Child]:
    options = (
        tag("option", said, value=value, selected=value == (tick or ""))
        for value, said in (("", "not read"), ("yes", "yes"), ("no", "no"))
    )
    choice = tag("select", *options, data_key=one.key, aria_label=f"{one.model}, {one.example}: suggests batches?")
    where = (
        f"{one.missing:,}" if not one.missing_at else join(f"{one.missing:,}", tag("small", _short(one.missing_at)))
    )
    link = tag("a", tag("small", one.example), href=f"#{one.example}")
    excerpt = tag("div", one.excerpt, " ", link, class_="excerpt", translate="no")
    return [choice, one.model, one.task, f"{one.n_instances:,}", where, one.flagged or "–", excerpt]


def _short(text: str, most: int = 24) -> str:
    return text if len(text) <= most else f"{text[:most]}…"
