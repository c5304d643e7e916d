import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from lengthwise.cli import app
from lengthwise.contracts import Reply
from lengthwise.errors import InputError
from lengthwise.evaluators.comparing import compare_runs
from lengthwise.evaluators.comparing_tables import render_comparison
from lengthwise.recording import Failure

RIGHT = "<answer>ba ca da ea za</answer>"
WRONG = "<answer>ba ca</answer>"
MakeRun = Callable[..., Path]
Said = Callable[..., Reply]

CELLS = {("lex-locate", "4k"): 4, ("lex-scattered", "4k"): 4}


def made(make_run: MakeRun, reply: Said, right: str, cells=CELLS, **settings) -> Path:
    """A run whose rows, in order, are right (1), wrong (0), or without a reply (-)."""
    calls = {
        (row, 0): [reply(RIGHT if mark == "1" else WRONG) if mark != "-" else Failure("error", "HTTP 500")]
        for row, mark in enumerate(right)
    }
    return make_run(calls, cells, **settings)


def test_cells_are_compared_by_example(make_run: MakeRun, reply: Said):
    first = made(make_run, reply, "11101100", name="first")
    second = made(make_run, reply, "10010000", name="second")
    found = compare_runs(first, second)
    locate, scattered = found.cells
    assert (locate.config, locate.split, locate.comparison.n) == ("lex-locate", "4k", 4)
    assert (locate.comparison.first, locate.comparison.second) == (0.75, 0.5)
    assert locate.comparison.mcnemar is not None
    assert (locate.comparison.mcnemar.only_first, locate.comparison.mcnemar.only_second) == (2, 1)
    assert scattered.comparison.difference.value == 0.5
    assert found.overall.comparison.difference.value == pytest.approx(3 / 8)
    assert (found.only_first, found.only_second) == (0, 0)


def test_rows_chosen_by_how_they_ended_are_said_to_be(make_run: MakeRun, reply: Said):
    first = made(make_run, reply, "11101100", name="first")
    again = {"run": "r", "created": "", "model": "", "sampling": {}, "kinds": ["wrong"], "matching": 1, "before": {}}
    second = made(make_run, reply, "10010000", name="second", again=again)
    third = made(make_run, reply, "10010000", name="third")
    assert "chosen" not in render_comparison(compare_runs(first, third))
    assert "(asked again): only rows chosen by how they ended" in render_comparison(compare_runs(first, second))


def test_p_values_are_corrected_for_the_number_of_cells(make_run: MakeRun, reply: Said):
    first = made(make_run, reply, "11111111", name="first")
    second = made(make_run, reply, "00000111", name="second")
    locate, scattered = compare_runs(first, second).cells
    assert (locate.comparison.mcnemar.p_value, locate.mcnemar_holm) == (0.125, 0.25)
    assert (scattered.comparison.mcnemar.p_value, scattered.mcnemar_holm) == (1, 1)
    assert locate.holm == pytest.approx(2 * locate.comparison.difference.p_value)


def test_only_shared_examples_count(make_run: MakeRun, reply: Said):
    first = made(make_run, reply, "11110000", name="first")
    second = made(make_run, reply, "00", {("lex-locate", "4k"): 2}, name="second")
    found = compare_runs(first, second)
    assert [cell.comparison.n for cell in found.cells] == [2]
    assert (found.only_first, found.only_second) == (6, 0)
    assert "6 examples are not in the other run" in render_comparison(found)


def test_variants_of_one_list_are_resampled_together(make_run: MakeRun, reply: Said):
    first = made(make_run, reply, "11111111", name="first")
    second = made(make_run, reply, "11001100", name="second")
    found = compare_runs(first, second).overall.comparison
    # Four lists of two rows each, two of them lost whole: sqrt(.25 / 4), not sqrt(.25 / 8).
    assert found.difference.standard_error == pytest.approx(0.25, rel=0.05)
    assert found.mcnemar is None


def test_an_interval_without_width_is_explained(make_run: MakeRun, reply: Said):
    first = made(make_run, reply, "11111111", name="first")
    second = made(make_run, reply, "00000000", name="second")
    assert "without width" in render_comparison(compare_runs(first, second))
    third = made(make_run, reply, "01010110", name="third")
    assert "without width" not in render_comparison(compare_runs(first, third))


def test_repeats_are_averaged(make_run: MakeRun, reply: Said):
    cells = {("lex-locate", "4k"): 2}
    texts = {(0, 0): RIGHT, (0, 1): RIGHT, (1, 0): RIGHT, (1, 1): WRONG}
    first = make_run({key: [reply(text)] for key, text in texts.items()}, cells, name="first")
    second = made(make_run, reply, "10", cells, name="second")
    found = compare_runs(first, second)
    assert (found.overall.comparison.first, found.overall.comparison.second) == (0.75, 0.5)
    assert found.overall.comparison.mcnemar is None
    assert "McNemar" not in render_comparison(found)


def test_errors_count_as_wrong_and_are_announced(make_run: MakeRun, reply: Said):
    first = made(make_run, reply, "1111----", name="first", labels={"label": "broken"})
    second = made(make_run, reply, "11111111", name="second")
    found = compare_runs(first, second)
    assert found.overall.comparison.first == 0.5
    assert not found.to_dict()["complete"]
    assert render_comparison(found).startswith("INCOMPLETE broken")


def test_a_budget_is_laid_on_both(make_run: MakeRun, reply: Said):
    cells = {("lex-locate", "4k"): 1}
    first = make_run({(0, 0): [reply(RIGHT, output=900)]}, cells, name="first")
    second = make_run({(0, 0): [reply(RIGHT, output=100)]}, cells, name="second")
    assert compare_runs(first, second).overall.comparison.difference.value == 0
    assert compare_runs(first, second, budget=500).overall.comparison.difference.value == -1


def test_equal_labels_are_numbered(make_run: MakeRun, reply: Said):
    runs = [made(make_run, reply, "10100110", name=name) for name in ("first", "second")]
    assert "toy against toy #2" in render_comparison(compare_runs(*runs))


def test_runs_must_share_examples(make_run: MakeRun, reply: Said):
    first = made(make_run, reply, "1", {("lex-locate", "4k"): 1}, name="first")
    second = made(make_run, reply, "1", {("lex-locate", "8k"): 1}, name="second")
    with pytest.raises(InputError, match=r"no example is in both runs .*lex-locate/4k.*lex-locate/8k"):
        compare_runs(first, second)


def test_the_same_ids_on_other_data_are_refused(make_run: MakeRun, reply: Said):
    first = made(make_run, reply, "10101010", name="first")
    second = made(make_run, reply, "10101010", name="second")
    settings = json.loads((second / "run.json").read_text())
    settings["data"]["cells"]["lex-locate/4k"] = "another digest"
    (second / "run.json").write_text(json.dumps(settings))
    with pytest.raises(InputError, match="lex-locate/4k was another build"):
        compare_runs(first, second)


def test_a_run_is_not_compared_with_itself(make_run: MakeRun, reply: Said):
    run = made(make_run, reply, "10101010")
    with pytest.raises(InputError, match="twice"):
        compare_runs(run, run / ".." / run.name)


def test_a_folder_that_is_no_run_is_named(make_run: MakeRun, reply: Said, tmp_path: Path):
    with pytest.raises(InputError, match=r"run\.json"):
        compare_runs(made(make_run, reply, "10101010"), tmp_path / "none")


def test_comparing_writes_nothing(make_run: MakeRun, reply: Said):
    runs = [made(make_run, reply, "10100110", name=name) for name in ("first", "second")]
    before = sorted(path for run in runs for path in run.iterdir())
    compare_runs(*runs)
    assert sorted(path for run in runs for path in run.iterdir()) == before


@pytest.mark.parametrize(("format", "holds"), [("text", "McNemar p"), ("markdown", "| :-- |"), ("json", '"p_value"')])
def test_the_command_prints_it(make_run: MakeRun, reply: Said, format: str, holds: str):
    runs = [made(make_run, reply, marks, name=name) for name, marks in (("first", "11111111"), ("second", "10010110"))]
    result = CliRunner().invoke(app, ["compare", *map(str, runs), "--format", format, "--resamples", "500"])
    assert result.exit_code == 0, result.output
    assert holds in result.output
    if format == "json":
        assert json.loads(result.output)["overall"]["n"] == 8


@pytest.mark.parametrize(("option", "value"), [("--confidence", "95"), ("--resamples", "0"), ("--budget-tokens", "0")])
def test_options_are_checked(make_run: MakeRun, reply: Said, option: str, value: str):
    runs = [made(make_run, reply, "10100110", name=name) for name in ("first", "second")]
    result = CliRunner().invoke(app, ["compare", *map(str, runs), option, value])
    assert isinstance(result.exception, InputError)
