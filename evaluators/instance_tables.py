"""The tables of the multi-instance paper beside the main one: Table 2, Table 3, and how experiments failed."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from lengthwise.evaluators.instance_figures import PAPER_CELLS, InstanceFigures, SettingTotals
from lengthwise.evaluators.table_formats.cells import Figure, Name, Number, count
from lengthwise.evaluators.table_formats.grid import GridTable
from lengthwise.metrics.instances import INVALID, WRONG

if TYPE_CHECKING:
    from lengthwise.evaluators.results import Results

# What heads a kind of failure; see `lengthwise.metrics.instances`.
FAILURES = {
    "parse": "not parsed",
    "overlong": "too long",
    "key": "keys",
    "individual": "instances",
    "aggregation": "aggregate",
    "combined": "both",
    "wrong": "wrong",
}
_SPREAD = "mean±sample standard deviation over the seeds"


def instance_tables(runs: "Sequence[Results]") -> tuple[GridTable, ...]:
    """Return the tables about some runs; those with nothing to show are left out."""
    found = [(run, run.figures) for run in runs if isinstance(run.figures, InstanceFigures)]
    # Rows chosen by how they ended in an earlier run say nothing of a model.
    whole = [one for one in found if not one[0].chosen]
    tables = (success_table(whole), wrong_table(whole), *(failure_table(*one) for one in _own(found)))
    return tuple(table for table in tables if table is not None)


def _own(found: "Sequence[tuple[Results, InstanceFigures]]") -> "Sequence[tuple[Results, InstanceFigures]]":
    # How a reference model fails is known beforehand, unless there is nothing else to see.
    return [one for one in found if one[0].reference is None] or found


def success_table(found: "Sequence[tuple[Results, InstanceFigures]]") -> GridTable | None:
    """Return Table 2: success and invalid rate of each model over all tasks and sizes; of both settings, if run."""
    rows = []
    for setting, called in (("aggregate", "aggregate alone"), ("instances", "every instance")):
        for run, totals in _with(found, setting):
            one = totals.summary
            rows.append(
                [
                    *_heading(run, totals),
                    Name(called, part=f"answer={setting}"),
                    spread(one.success_rate, one.success_rate_sd, 100, "success_rate"),
                    spread(one.invalid_rate, one.invalid_rate_sd, 100, "invalid_rate"),
                    *_coverage(totals),
                ]
            )
    rates = (Name("success %", metric="success_rate"), Name("invalid %", metric="invalid_rate"))
    head = (*_HEADING, "answer", *rates, *_COVERAGE)
    title = "Success and invalid rate, over all tasks and numbers of instances (Table 2)"
    return _table(title, head, rows, (f"{_SPREAD}; {_BASIS}", *_coverage_notes(found)), "success")


def wrong_table(found: "Sequence[tuple[Results, InstanceFigures]]") -> GridTable | None:
    """Return Table 3: how often instances are answered wrongly, and how many then; None without such answers."""
    rows = []
    for run, totals in _with(found, "instances"):
        one = totals.summary
        each = one.wrong_instances_per_failed_experiment
        rows.append(
            [
                *_heading(run, totals),
                spread(one.wrong_experiment_share, one.wrong_experiment_share_sd, 100, "wrong_experiment_share"),
                spread(each, one.wrong_instances_per_failed_experiment_sd, 1, "wrong_instances_per_failed_experiment"),
                spread(one.omission_share, None, 100),
                *_coverage(totals),
            ]
        )
    figures = (
        Name("wrong experiments %", metric="wrong_experiment_share"),
        Name("wrong instances in each", metric="wrong_instances_per_failed_experiment"),
        Name("with omissions %", metric="omission_share"),
    )
    head = (*_HEADING, *figures, *_COVERAGE)
    note = (
        f"{_SPREAD}; wrong experiments: all keys are there and some instance is wrong; with omissions: instances are "
        "missing"
    )
    title = "Wrong instances, where every instance is answered (Table 3)"
    return _table(title, head, rows, (note,), "wrong-instances")


_HEADING = ("model", "group", "size", Name("cost per task", metric="cost_per_task_usd"))
_COVERAGE = ("experiments", "cells", "seeds")
_BASIS = "invalid: no readable answer, or a prompt that does not fit; cost: of all sizes of a task with one seed"


def _with(found: "Sequence[tuple[Results, InstanceFigures]]", setting: str) -> "list[tuple[Results, SettingTotals]]":
    return [(run, totals) for run, figures in found if (totals := figures.total(setting)) is not None]


def _heading(run: "Results", totals: SettingTotals) -> list[str]:
    labels = run.settings.get("labels") or {}
    cost = "" if totals.cost_per_task is None else f"${totals.cost_per_task:,.2f}"
    about = (str(labels.get("group") or ""), str(labels.get("size") or ""))
    return [_name(run), *about, Figure(cost, Number(totals.cost_per_task))]


def _coverage(totals: SettingTotals) -> list[str]:
    cells = f"{totals.cells} of {PAPER_CELLS}" if totals.paper else f"{totals.cells} of our own"
    seeds = totals.summary.n_seeds
    return [count(totals.summary.n), Figure(cells, Number(totals.cells)), Figure(str(seeds), Number(seeds))]


def _coverage_notes(found: "Sequence[tuple[Results, InstanceFigures]]") -> list[str]:
    totals = [one for _, figures in found for one in figures.totals]
    notes = []
    if any(one.paper and one.cells < PAPER_CELLS for one in totals):
        notes.append(
            f"The paper's figures are over {PAPER_CELLS} cells (a task at one size): over fewer, others come out."
        )
    if any(not one.paper for one in totals):
        notes.append("of our own: a run without any of the paper's cells is shown over all that it has.")
    if pools := sorted({pool for one in totals for pool in one.pools} - {"hub", "folder"}):
        notes.append(f"Instances are {' and '.join(pools)} here, not the paper's texts.")
    return notes


def failure_table(run: "Results", figures: InstanceFigures) -> GridTable | None:
    """Return how the experiments of a run failed, a row for each variant and size (the numbers of Figure 5)."""
    kinds = [*INVALID, *WRONG]
    rows = []
    for one in figures.failures:
        summary = one.summary
        counts = summary.failures
        wrong = counts.get("wrong", 0)
        rows.append(
            [
                Name(one.variant or "(aggregate)", part=f"variant={one.variant or 'aggregate'}"),
                f"n{one.size}",
                count(summary.n),
                count(summary.n - sum(counts.values())),
                *(count(counts.get(kind, 0)) for kind in kinds),
                count(wrong),
                spread(summary.per_instance_accuracy, None, 100),
            ]
        )
    head = (
        "variant",
        "split",
        "experiments",
        "right",
        *(Name(FAILURES[kind], metric="failures", part=f"failure={kind}") for kind in kinds),
        Name("wrong", metric="failures", part="failure=wrong"),
        Name("instances %", metric="per_instance_accuracy"),
    )
    notes = (
        "not parsed, too long: invalid. Wrong are keys that do not span 1 to n; with all keys, wrong instances, a "
        "wrong aggregate of right ones, or both (an aggregate that is not that of the reply's own answers); wrong: "
        "the aggregate came alone, or no reply came.",
        "instances %: share of instances that are right.",
    )
    table = _table(f"{run.label}: how experiments failed, over all tasks", head, rows, notes, "failures")
    return table and replace(table, run=_name(run))


def _name(run: "Results") -> str:
    # As `naming.name_of`, which knows the benchmarks and so this module.
    return run.label if run.reference is None else f"{run.reference} (reference)"


def spread(mean: float | None, sd: float | None, times: float, metric: str = "") -> Figure:
    """Return a mean with its deviation, one decimal each; a dash for None. In CSV the deviation is `<metric>_sd`.

    >>> spread(1 / 385, 0.0058, 100), spread(0.5, None, 100), spread(None, None, 1)
    ('0.3±0.6', '50.0', '–')
    """
    said = "–" if mean is None else f"{times * mean:.1f}" + ("" if sd is None else f"±{times * sd:.1f}")
    return Figure(said, Number(mean), Number(None if mean is None else sd, metric=f"{metric}_sd"))


def _table(
    title: str, head: Sequence[str], rows: Sequence[Sequence[str]], notes: Sequence[str], name: str
) -> GridTable | None:
    """Return a table without the columns that say nothing in any row; None without rows."""
    if not rows:
        return None
    said: Callable[[int], bool] = lambda place: place == 0 or any(row[place] not in ("", "–", "0") for row in rows)  # noqa: E731
    kept = [place for place in range(len(head)) if said(place)]
    return GridTable(
        title,
        tuple(head[place] for place in kept),
        tuple(tuple(row[place] for place in kept) for row in rows),
        tuple(notes),
        name=name,
    )
