"""The summary of the page: every run of every benchmark in a row, and of a single benchmark its further figures."""

from collections.abc import Sequence
from statistics import fmean

from lengthwise.evaluators.benchmarks import find_benchmark
from lengthwise.evaluators.contracts import OUTCOME_KINDS
from lengthwise.evaluators.figure_text import percent
from lengthwise.evaluators.naming import name_of
from lengthwise.evaluators.overview import RunOverview, overview
from lengthwise.evaluators.overview_table import METRICS, OVERVIEW_NOTES, TAKEN_HEAD, taken
from lengthwise.evaluators.report.header import Groups
from lengthwise.evaluators.report.markup import Child, Html, join, table, tag
from lengthwise.evaluators.results import CellResult, Results
from lengthwise.evaluators.scoring import Scored

# Runs whose further figures are shown only when asked for.
_MANY = 12


def all_runs(groups: Groups) -> Html:
    """Return the table of all runs, benchmark by benchmark; models first, then references."""
    head: list[Child] = ["run", "figure", "ceiling", "floor", *TAKEN_HEAD]
    body = []
    for benchmark, runs in groups:
        rows = sorted(overview(runs), key=lambda row: row.results.reference is not None)
        heading = join(benchmark.layout.name, tag("small", _measure(rows)))
        body.append(tag("tr", tag("th", heading, colspan=len(head), scope="colgroup"), class_="section"))
        body += [_row(row) for row in rows]
    header = tag("tr", *(tag("th", one, scope="col") for one in head))
    drawn = tag("table", tag("thead", header), tag("tbody", *body), class_="main overview")
    notes = (tag("p", note, class_="quiet") for note in OVERVIEW_NOTES)
    how = tag("details", tag("summary", "How to read this table"), *notes)
    return join(tag("div", drawn, class_="scroll", tabindex=0), how)


def _measure(rows: Sequence[RunOverview]) -> str:
    metrics = dict.fromkeys(METRICS[row.overall.metric] for row in rows if row.overall is not None)
    return f"{' or '.join(metrics)} in %" if metrics else "no figure over all rows"


def _row(row: RunOverview) -> Html:
    reference = row.results.reference is not None
    found = row.overall
    if found is None:
        figure = tag("td", "–")
    else:
        ends = "" if found.interval is None else f"{percent(found.interval[0])}–{percent(found.interval[1])}"
        cells = f"mean of {found.cells:,}" if found.cells > 1 else ""
        small = tag("small", " · ".join(part for part in (ends, cells) if part))
        value = tag("span", percent(found.value), class_="value")
        figure = tag("td", value, small, style=f"--share:{0 if reference else found.value:.3f}")
    bounds = (
        tag("td", "–") if bound is None else tag("td", percent(bound[1]), tag("small", bound[0]))
        for bound in (row.ceiling, row.floor)
    )
    rest = (tag("td", one) for one in taken(row))
    lacking = "" if row.results.complete else tag("small", "incomplete")
    name = tag("th", name_of(row.results), lacking, scope="row")
    return tag("tr", name, figure, *bounds, *rest, class_="of-reference" if reference else None)


def further_figures(runs: Sequence[Scored]) -> Html:
    """Return further figures of the runs of one benchmark: tiles for one run, a line each for several."""
    figures = [(run.results, _key_figures(run.results)) for run in runs]
    if len(figures) == 1:
        drawn = [
            tag("div", tag("b", value), tag("span", words), class_="tile") for words, value in figures[0][1].items()
        ]
        return tag("div", *drawn, class_="tiles") if drawn else Html("")
    head = list(dict.fromkeys(words for _, known in figures for words in known))
    rows: list[list[Child]] = [[name_of(run), *(known.get(words, "–") for words in head)] for run, known in figures]
    compared = table(["run", *head], rows, "Means are over cells, a cell being one variant at one length.")
    return tag(
        "details",
        tag("summary", "Means, and the highest and lowest cell of each run"),
        compared,
        open=len(rows) < _MANY,
    )


def _key_figures(run: Results) -> dict[str, Child]:
    """Return the main figures of a run by what they are."""
    known = [cell for cell in run.cells if cell.accuracy.value is not None]
    if not known:
        return {}
    by_accuracy = sorted(known, key=lambda cell: cell.accuracy.value or 0)
    total = sum(sum(cell.outcomes.values()) for cell in run.cells)
    unanswered = sum(cell.outcomes[kind] for cell in run.cells for kind in OUTCOME_KINDS[2:])
    tokens = [cell.output_tokens for cell in known if cell.output_tokens is not None]
    figures: dict[str, Child] = {
        **find_benchmark(run.benchmark).headline(run),
        "mean accuracy": f"{percent(fmean(cell.accuracy.value or 0 for cell in known))} %",
        "cells": len(known),
        "replies expected": f"{total:,}",
        "missing": f"{run.n_error:,}",
        "ended without an answer": f"{percent(unanswered / total)} %",
    }
    if len(known) > 1:
        figures["highest"] = _extreme(by_accuracy[-1])
        figures["lowest"] = _extreme(by_accuracy[0])
    if tokens:
        figures["tokens out per reply"] = f"{fmean(tokens):,.0f}"
    for role, spent in run.roles.items():
        figures[f"calls to {role}"] = f"{spent.calls:,}"
    return figures


def _extreme(cell: CellResult) -> Html:
    return join(f"{percent(cell.accuracy.value)} %", tag("small", f"{cell.config} {cell.split}"))
