"""A run in one row: its figure, its bounds, how it ended, what it took."""

from collections.abc import Callable
from pathlib import Path

import pytest
from instance_cases import Asked, instance_run, series
from novel_run_cases import novel_run, score_reply

from lengthwise.contracts import Reply
from lengthwise.evaluators.overview import overview
from lengthwise.evaluators.overview_table import overview_table
from lengthwise.evaluators.scoring import score_outcomes
from lengthwise.metrics.intervals import clopper_pearson
from lengthwise.recording import Failure

MakeRun = Callable[..., Path]
Said = Callable[..., Reply]
RIGHT, WRONG = "<answer>ba ca da ea za</answer>", "<answer>fa ha ga ia ya</answer>"


def test_cells_count_alike_whatever_their_rows(make_run: MakeRun, reply: Said):
    cells = {("lex-locate", "4k"): 1, ("lex-locate", "8k"): 4}
    run = make_run({(row, 0): [reply(RIGHT if row == 0 else WRONG)] for row in range(5)}, cells)
    (row,) = overview([score_outcomes(run)])
    assert row.overall is not None
    assert (row.overall.value, row.overall.cells, row.overall.n) == (0.5, 2, 5)


def test_of_one_cell_it_is_the_exact_interval(make_run: MakeRun, reply: Said):
    run = make_run({(row, 0): [reply(RIGHT if row < 3 else WRONG)] for row in range(4)})
    (row,) = overview([score_outcomes(run)])
    assert row.overall is not None and row.overall.interval == clopper_pearson(3, 4)


def test_variants_of_one_list_count_as_one_source(make_run: MakeRun, reply: Said):
    # Each list is right or wrong in all four variants: 40 rows say no more than 10.
    def width(configs: tuple[str, ...]) -> float:
        cells = {(config, "4k"): 10 for config in configs}
        calls = {(row, 0): [reply(RIGHT if row % 10 < 5 else WRONG)] for row in range(10 * len(configs))}
        (row,) = overview([score_outcomes(make_run(calls, cells, name=f"run{len(configs)}"))])
        assert row.overall is not None and row.overall.interval is not None
        return row.overall.interval[1] - row.overall.interval[0]

    two, four = (
        width(("lex-locate", "lex-longest")),
        width(("lex-locate", "lex-longest", "lex-scattered", "lex-lists")),
    )
    assert four == pytest.approx(two, abs=0.02)
    # Of 10 independent halves: 2 * 1.96 * 0.5 / sqrt(10).
    assert four == pytest.approx(0.62, abs=0.05)


def test_where_all_rows_agree_it_is_exact_over_the_sources(make_run: MakeRun, reply: Said):
    cells = {("lex-locate", "4k"): 5, ("lex-longest", "4k"): 5}
    run = make_run({(row, 0): [reply(RIGHT)] for row in range(10)}, cells)
    (row,) = overview([score_outcomes(run)])
    assert row.overall is not None and row.overall.interval == clopper_pearson(5, 5)


def test_instances_are_known_by_the_aggregate_of_the_plain_tasks():
    asked = [
        *series("parity", {2: "11", 5: "10"}),
        *series("parity-instances", {2: "00", 5: "00"}),
        *series("parity-noise-tail", {2: "00", 5: "00"}),
    ]
    (row,) = overview([instance_run(asked)])
    assert row.overall is not None and (row.overall.value, row.overall.cells) == (0.75, 2)
    (row,) = overview([instance_run(asked[4:])])
    assert row.overall is not None and row.overall.value == 0


def test_novels_are_known_by_balanced_accuracy_and_bounded_by_definition(tmp_path: Path):
    said = {("en", 0, True): [score_reply(1)], ("en", 0, False): [score_reply(5)], ("en", 2, True): [score_reply(5)]}
    (row,) = overview([score_outcomes(novel_run(tmp_path / "run", said))])
    assert row.overall is not None and (row.overall.metric, row.overall.value) == ("balanced_accuracy", 0.75)
    assert (row.ceiling, row.floor) == (("gold", 1.0), ("random", 0.5))


def test_bounds_are_those_of_reference_runs_on_the_page(make_run: MakeRun, reply: Said):
    solver = {"spec": "reference:solver", "name": "solver"}
    runs = [
        make_run({(0, 0): [reply(WRONG)]}, name="one"),
        make_run({(0, 0): [reply(RIGHT)]}, name="two", model=solver),
    ]
    model, reference = overview([score_outcomes(run) for run in runs])
    assert (model.ceiling, model.floor, reference.ceiling) == (("solver", 1.0), None, None)


def test_nothing_leaves_the_shares(make_run: MakeRun, reply: Said):
    calls = {
        (0, 0): [reply(RIGHT, latency=3.0, cost=0.5)],
        (1, 0): [reply("")],
        (2, 0): [reply("cut", finish_reason="length", latency=1.0)],
        (3, 0): [Failure("overlength", "too long")],
    }
    (row,) = overview([score_outcomes(make_run(calls, {("lex-locate", "4k"): 5}))])
    assert (row.replies, row.invalid, row.outcomes["overlength"], row.outcomes["error"]) == (5, 0.4, 1, 1)
    assert row.spent.cost == 0.5


def test_rows_chosen_by_how_they_ended_have_no_figure(make_run: MakeRun, reply: Said):
    again = {"run": "x", "created": "", "kinds": ["wrong"], "matching": 1, "before": {}, "sampling": {}, "model": "m"}
    run = make_run({(0, 0): [reply(RIGHT)]}, again=again)
    scored = score_outcomes(run)
    (row,) = overview([scored])
    assert row.overall is None
    assert "–" in [str(cell) for cell in overview_table([row]).rows[0]]


def test_a_solver_that_left_rows_out_is_no_ceiling():
    model = instance_run(series("parity", {2: "11"}))
    whole = instance_run(series("parity", {2: "11"}), spec="reference:solver")
    part = instance_run([*series("parity", {2: "1"}), Asked("parity", 2, 2, "error")], spec="reference:solver")
    assert overview([model, whole])[0].ceiling == ("solver", 1.0)
    assert overview([model, part])[0].ceiling is None
