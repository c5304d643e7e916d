"""Runs against each other, on answers worked out by hand."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from novel_run_cases import outcome_of, toy_row

from lengthwise.evaluators.contracts import Outcome
from lengthwise.evaluators.paired_runs import MOST_RUNS, pair_runs, paired_table
from lengthwise.evaluators.report.paired_section import paired
from lengthwise.evaluators.results import Results, cell_result
from lengthwise.evaluators.run_folder import RunFolder
from lengthwise.evaluators.scoring import Scored
from lengthwise.metrics.significance import holm


def scored(right: str, label: str = "", first: int = 0, **data: Any) -> Scored:
    """A run over rows with these numbers, each on a list of its own: 1 for right, 0 for wrong."""
    settings = {
        "benchmark": "predicatelongbench",
        "model": {"spec": "x", "name": label},
        "labels": {"label": label},
        "data": data,
        "sampling": {},
    }
    ids = [f"lex-locate-4k-s1-{number:04d}" for number in range(first, first + len(right))]
    rows = {one: {"id": one, "config": "lex-locate", "split": "4k", "list_id": one} for one in ids}
    kinds = ("wrong", "correct")
    outcomes = {(one, 0): Outcome(one, 0, kinds[int(digit)]) for one, digit in zip(ids, right, strict=True)}  # type: ignore[arg-type]
    cells = (cell_result("lex-locate", "4k", [list(outcomes.values())]),)
    results = Results("predicatelongbench", settings, cells, (), len(rows), 0, 0, {}, None)
    return Scored(RunFolder(Path("none"), settings), rows, outcomes, results)


def test_each_with_each_on_what_both_have():
    found = pair_runs([scored("1111", "a"), scored("1100", "b"), scored("00", "c", first=2)])
    named = [
        (one.first.label, one.second.label, one.comparison.n, one.comparison.difference.value) for one in found.pairs
    ]
    assert named == [("a", "b", 4, 0.5), ("a", "c", 2, 1.0), ("b", "c", 2, 0.0)]


def test_p_is_corrected_for_all_pairs():
    found = pair_runs([scored("1" * 12, "a"), scored("0" * 12, "b"), scored("1" * 6 + "0" * 6, "c")])
    p = [one.comparison.difference.p_value for one in found.pairs]
    assert [one.holm for one in found.pairs] == holm(p)
    # Twelve rows that all speak for a: no less than 2 / 2^12, nor than 4,000 resamples can show.
    assert p[0] == pytest.approx(2 / 4001, abs=1e-4)
    assert found.pairs[0].better is found.pairs[0].first
    assert pair_runs([scored("1", "a"), scored("0", "b")]).pairs[0].better is None


def test_what_could_be_found():
    # Differences of 1 and 0 on 200 rows each: standard deviation 0.5, so an error of 0.5 / 20 = 0.025.
    found = pair_runs([scored("1" * 400, "a"), scored("10" * 200, "b")])
    assert found.pairs[0].detectable == pytest.approx((1.96 + 0.8416) * 0.025, rel=0.05)
    assert pair_runs([scored("11", "a"), scored("00", "b")]).pairs[0].detectable is None


def test_of_many_runs_each_stands_against_the_best():
    runs = [scored("1" * right + "0" * (20 - right), f"run {right}") for right in range(MOST_RUNS + 1)]
    found = pair_runs(runs)
    assert found.best is not None
    assert found.best.label == f"run {MOST_RUNS}"
    assert {one.first.label for one in found.pairs} == {found.best.label}
    assert len(found.pairs) == MOST_RUNS
    table = paired_table(runs)
    assert table is not None
    assert table.notes[1].startswith("9 runs would make 36 pairs: each is compared with the best alone, run 8,")
    assert len(pair_runs(runs[:MOST_RUNS]).pairs) == 28


def test_references_and_chosen_rows_are_no_rivals():
    solver = scored("11", "solver")
    model = {"spec": "reference:solver", "name": "solver"}
    solver = replace(solver, results=replace(solver.results, settings={**solver.results.settings, "model": model}))
    again = scored("11", "again")
    settings = {**again.results.settings, "again": {"outcomes": ["wrong"]}}
    again = replace(again, results=replace(again.results, settings=settings))
    assert pair_runs([scored("10", "a"), solver, again]).pairs == ()
    assert paired([scored("10", "a"), solver, again]) == ""


def test_runs_without_a_common_row_are_named():
    apart = scored("11", "apart", first=90)
    rebuilt = scored("11", "rebuilt", cells={"lex-locate/4k": "another"})
    known = scored("10", "known", cells={"lex-locate/4k": "one"})
    found = pair_runs([known, apart, rebuilt])
    assert found.pairs == ()
    assert found.apart == (("known", "apart"), ("known", "rebuilt"), ("apart", "rebuilt"))
    table = paired_table([known, scored("11", "b"), apart])
    assert table is not None
    assert table.notes[-1].endswith("not compared: known and apart; b and apart.")


def test_novels_are_compared_by_balanced_accuracy():
    def novel(name: str, found: int, cleared: int) -> Scored:
        settings = {"benchmark": "longnovel", "model": {"spec": name, "name": name}, "labels": {}, "data": {}}
        rows = [toy_row(number, false) for number in range(8) for false in (True, False)]
        # A hallucinated row at a third of the weight of a faithful one.
        rows = [row for row in rows if not row["hallucinated"] or int(row["id"].split("-")[1]) < 4]
        seen = {1: found, 0: cleared}
        outcomes = {}
        for row in rows:
            right = int(row["id"].split("-")[1]) < seen[row["hallucinated"]]
            score = (1 if row["hallucinated"] else 5) if right else (5 if row["hallucinated"] else 1)
            outcomes[row["id"], 0] = outcome_of(row, score)
        cells = (cell_result("s", "test", [list(outcomes.values())]),)
        results = Results("longnovel", settings, cells, (), len(rows), 0, 0, {}, None)
        return Scored(RunFolder(Path("none"), settings), {row["id"]: row for row in rows}, outcomes, results)

    (pair,) = pair_runs([novel("a", 3, 8), novel("b", 2, 4)]).pairs
    found = pair.comparison
    assert (found.figure, found.first, found.second) == ("balanced_accuracy", 0.875, 0.5)


def test_the_table_on_a_page():
    page = paired([scored("1" * 30, "a<b>"), scored("0" * 30, "c")])
    assert "<td>+100.0 [+100.0, +100.0]</td>" in page
    assert "a&lt;b&gt;" in page and "<b>" not in page
    assert "An interval without width" in page
