"""Tests that what a program reads of the benchmarks' own tables is what results.json holds."""

import re
from collections.abc import Sequence
from dataclasses import replace

from instance_cases import instance_run, series
from novel_run_cases import toy_results

from lengthwise.evaluators.instance_analyses.table import all_analyses
from lengthwise.evaluators.instance_figures import instance_figures
from lengthwise.evaluators.naming import distinguish
from lengthwise.evaluators.results import Results
from lengthwise.evaluators.scoring import Scored
from lengthwise.evaluators.table_formats.grid import Block, GridTable
from lengthwise.evaluators.table_formats.tidy import tidy_rows
from lengthwise.evaluators.table_origins import origins_of
from lengthwise.evaluators.tables import result_blocks

# Parts of a run that are told apart by numbers; any other number is a figure.
NUMBERED = {"repeat", "instances", "segment", "budget_tokens", "size"}


def rows_of(tables: Sequence[GridTable], runs: Sequence[Results]) -> list[dict[str, str]]:
    return [row for one in tables for row in tidy_rows(one, one.name, origins_of(runs))]


def novels() -> list[Results]:
    runs = [
        toy_results({"s": [(20, 15, 9), (20, 14, 9)], "xl": [(10, 8, 3), (10, 7, 3)]}, "a"),
        toy_results({"s": [(20, 12, 11), (20, 20, 1)]}, "a", "prompt-b"),
        toy_results({"s": [(20, 20, 20)]}, "b", "cot", group="x"),
    ]
    return distinguish(runs)


def instances() -> list[Scored]:
    found = []
    known = {"details": {"right": None, "error": "0"}}
    for model, rights in (("a", "110"), ("b", "100"), ("c", "111")):
        asked = series("word", {2: "111", 5: rights, 10: "010"}, **known)
        asked += series("word-instances", {2: "111", 5: rights}, **known)
        run = instance_run(asked, model, label=model)
        found.append(replace(run, results=replace(run.results, figures=instance_figures(run.rows, run.outcomes))))
    return found


def tables_of(runs: Sequence[Results]) -> list[GridTable]:
    blocks: list[Block] = result_blocks(runs)
    return [table for block in blocks for table in block.tables]


def test_novels_figures_are_those_of_results_json():
    runs = novels()
    found = {
        (row["table"], row["run"], row["config"], row["metric"]): row
        for row in rows_of(tables_of(runs), runs)
        if not row["part"]
    }
    for run in runs:
        parts = run.to_json()["figures"]["parts"]
        for cell in (part for part in parts if part["language"] is None and part["origin"] is None):
            for metric, figure in cell["figures"].items():
                if metric in ("balanced_accuracy", "mcc"):
                    row = found["classes", run.label, cell["config"], metric]
                    assert float(row["value"]) == figure["value"]
                    assert float(row["n"]) == cell["n"]
                    interval = found["intervals", run.label, cell["config"], metric]
                    assert [float(interval[end]) for end in ("low", "high")] == list(figure["by_book"])


def test_novels_methods_below_their_model_are_runs_of_their_own():
    runs = novels()
    (table,) = (one for one in tables_of(runs) if one.name == "classes")
    assert "—Prompt-B" in [row[0] for row in table.rows]
    named = {row["run"]: row["model"] for row in rows_of([table], runs)}
    assert named.items() >= {run.label: run.settings["model"]["spec"] for run in runs}.items()


def test_instances_rates_and_deviations_are_those_of_results_json():
    runs = [run.results for run in instances()]
    rows = [row for row in rows_of(tables_of(runs), runs) if row["table"] == "success"]
    found = {(row["run"], row["part"].partition(";")[0], row["metric"]): float(row["value"]) for row in rows}
    for run in runs:
        for totals in run.to_json()["figures"]["totals"]:
            for metric in ("success_rate", "success_rate_sd", "invalid_rate"):
                assert found[run.label, f"answer={totals['setting']}", metric] == totals["summary"][metric]


def test_no_figure_is_taken_for_a_name():
    novel, instance = novels(), instances()
    results = [run.results for run in instance]
    rows = rows_of(tables_of(novel), novel) + rows_of([*tables_of(results), *all_analyses(instance)], results)
    assert len({row["table"] for row in rows}) > 12
    for row in rows:
        for part in filter(None, row["part"].split(";")):
            name, _, value = part.partition("=")
            assert name in NUMBERED or not re.fullmatch(r"[-+$]?[\d.,]+%?.*", value), row


def test_every_figure_says_what_it_is_of():
    novel, instance = novels(), instances()
    results = [run.results for run in instance]
    for row in rows_of(tables_of(novel), novel) + rows_of(tables_of(results), results):
        assert row["run"] and row["metric"] and row["benchmark"], row
        assert "%" not in row["metric"]
