from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from run_helpers import write_data

from lengthwise.errors import InputError
from lengthwise.evaluators.benchmarks import PREDICATELONGBENCH
from lengthwise.evaluators.bounds import BoundsLog, read_bounds
from lengthwise.evaluators.examples import open_data
from lengthwise.evaluators.layouts import POOLED
from lengthwise.evaluators.main_table import main_tables
from lengthwise.evaluators.retry import RetryPolicy
from lengthwise.evaluators.runner import RunOptions, run_benchmark
from lengthwise.evaluators.scoring import score_run
from lengthwise.evaluators.settings import RunSettings

FAST = RunOptions(retries=RetryPolicy(attempts=2, base=0.001))


def run(data: Path, server: Any, out: Path) -> Any:
    run_benchmark(RunSettings(str(data), server.spec), out, FAST)
    return score_run(out)


def test_a_run_of_a_model_carries_its_ceiling_and_floor(data, server, tmp_path):
    results = run(data, server, tmp_path / "out")
    assert [bound.reference for bound in results.bounds] == list(PREDICATELONGBENCH.bounds)
    ceiling, floor = (bound.cells[0] for bound in results.bounds)
    assert (ceiling.accuracy.value, ceiling.n) == (1.0, 6)
    assert floor.n == 6 and floor.accuracy.value is not None and floor.accuracy.value < 1
    (table,) = main_tables([results], PREDICATELONGBENCH.layout)
    assert [column.label for column in table.columns][1:] == ["ceiling (solver)", "floor (random)"]


@pytest.mark.parametrize(
    ("reference", "shown"),
    [
        ("random", ["ceiling (solver)", "floor (random)"]),
        ("gold", ["ceiling (gold)", "ceiling (solver)", "floor (random)"]),
    ],
)
def test_a_reference_run_among_them_takes_the_place_of_its_own(data, server, tmp_path, reference, shown):
    results = run(data, server, tmp_path / "out")
    run_benchmark(RunSettings(str(data), f"reference:{reference}"), tmp_path / reference, FAST)
    (table,) = main_tables([results, score_run(tmp_path / reference)], PREDICATELONGBENCH.layout)
    assert [column.label for column in table.columns][1:] == shown
    assert not (tmp_path / reference / "bounds.jsonl").exists()


def test_over_several_lengths_one_ceiling_and_floor_stand_behind(server, tmp_path):
    data = write_data(tmp_path / "two", {"lex-locate/4k": 2, "lex-locate/8k": 2})
    results = run(data, server, tmp_path / "out")
    (table,) = main_tables([results], PREDICATELONGBENCH.layout)
    assert [column.label for column in table.columns] == ["4k", "8k", "ceiling (solver)", "floor (random)"]
    assert [column.split for column in table.columns][2:] == [POOLED, POOLED]
    cells = table.sections[0].rows[0].cells
    assert [cell.result.n for cell in cells if cell is not None] == [2, 2, 4, 4]


def test_going_on_notes_each_row_once_and_mends_a_torn_line(data, server, tmp_path):
    run(data, server, tmp_path / "out")
    notes = tmp_path / "out" / "bounds.jsonl"
    lines = notes.read_bytes().splitlines(True)
    notes.write_bytes(b"".join(lines[:-1]) + lines[-1][:9])
    assert len(list(read_bounds(notes))) == 5
    results = run(data, server, tmp_path / "out")
    assert notes.read_bytes().splitlines(True) == lines
    assert results.bounds[0].cells[0].n == 6


def test_a_note_that_is_none_is_named(tmp_path):
    (tmp_path / "bounds.jsonl").write_text('{"id": "a", "solver": true}\n{"solver": true}\n{"id": "b"}\n')
    with pytest.raises(InputError, match=r"bounds\.jsonl, line 2: not a note"):
        dict(read_bounds(tmp_path / "bounds.jsonl"))


def test_where_the_solver_cannot_read_the_question_it_bounds_nothing(tmp_path, data):
    opened, cells = open_data(str(data))
    ids = {cells[0]: frozenset(opened.short_columns(cells)["id"].to_pylist()[:1])}
    (example,) = opened.stream(ids)
    with BoundsLog(tmp_path / "bounds.jsonl") as log:
        log.note(PREDICATELONGBENCH, replace(example, prompt="Words: a b c d e f\n\nQuels mots?"))
    assert list(dict(read_bounds(tmp_path / "bounds.jsonl"))[example.id]) == ["random"]


def test_on_request_no_bounds_are_noted(data, server, tmp_path):
    run_benchmark(RunSettings(str(data), server.spec), tmp_path / "out", replace(FAST, bounds=False))
    assert not (tmp_path / "out" / "bounds.jsonl").exists()
    assert score_run(tmp_path / "out").bounds == ()
