"""Rows of a finished run asked again: which are chosen, what carries over, how they ended then and now."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from faulty_server import FaultyServer, Step, completion
from run_helpers import write_data

from lengthwise.contracts import Sampling
from lengthwise.errors import InputError
from lengthwise.evaluators.again import Again, Change, changes
from lengthwise.evaluators.again_selection import again_settings
from lengthwise.evaluators.again_table import change_head, change_note, change_rows
from lengthwise.evaluators.contracts import Outcome, OutcomeKind
from lengthwise.evaluators.runner import RunOptions, run_benchmark
from lengthwise.evaluators.scoring import score_run
from lengthwise.evaluators.settings import RunSettings, settings_from

CUT = Step(body=completion("well, I", "length"))
FAILED = Step(422, {"error": {"message": "no"}})


def ids(*numbers: int, cell: str = "lex-locate-4k") -> list[str]:
    return [f"{cell}-s0-{number:04d}" for number in numbers]


@pytest.fixture
def run(data: Path, server: FaultyServer, tmp_path: Path) -> Path:
    """A finished run of six rows; numbers 1, 2 and 4 are cut, 5 is wrong."""
    for row in ids(1, 2, 4):
        server.script[row] = [CUT]
    server.script[ids(5)[0]] = [Step(body=completion("<answer>x</answer>"))]
    settings = RunSettings(str(data), server.spec, sampling=Sampling(temperature=0.5), seed=7)
    run_benchmark(settings, tmp_path / "old", RunOptions(bounds=False))
    server.seen.clear()
    return tmp_path / "old"


def ask_again(run: Path, kinds: list[str], out: Path, **options: Any) -> Path:
    return run_benchmark(again_settings(run, kinds, **options), out, RunOptions(bounds=False)).path


def test_only_the_rows_that_ended_so_are_asked(run: Path, server: FaultyServer, tmp_path: Path):
    ask_again(run, ["truncated_output"], tmp_path / "new")
    assert sorted(server.asked()) == ids(1, 2, 4)


def test_several_outcomes(run: Path, server: FaultyServer, tmp_path: Path):
    ask_again(run, ["wrong", "truncated_output"], tmp_path / "new")
    assert sorted(server.asked()) == ids(1, 2, 4, 5)


def test_a_sample_of_them(run: Path):
    settings = again_settings(run, ["truncated_output"], limit=2)
    assert settings.again is not None
    assert (settings.again.matching, len(settings.again.before)) == (3, 2)
    assert set(settings.again.before) < set(ids(1, 2, 4))


def test_settings_carry_over(run: Path, data: Path, server: FaultyServer):
    settings = again_settings(run, ["wrong"])
    assert (settings.data, settings.model, settings.seed, settings.repeats) == (str(data), server.spec, 7, 1)
    assert settings.sampling == Sampling(16_000, 0.5, 1.0)


def test_changes_of_settings_reach_the_model(run: Path, server: FaultyServer, tmp_path: Path):
    settings = again_settings(run, ["wrong"])
    settings = replace(settings, sampling=replace(settings.sampling, max_tokens=24_000))
    run_benchmark(settings, tmp_path / "new")
    assert [(one.body["max_tokens"], one.body["temperature"]) for one in server.seen] == [(24_000, 0.5)]


def test_any_repeat_that_ended_so_chooses_its_row(data: Path, server: FaultyServer, tmp_path: Path):
    server.script[ids(3)[0]] = [CUT]
    run_benchmark(RunSettings(str(data), server.spec, repeats=2), tmp_path / "old")
    settings = again_settings(tmp_path / "old", ["truncated_output"])
    assert settings.again is not None
    assert {row: sorted(kinds) for row, kinds in settings.again.before.items()} == {
        ids(3)[0]: ["correct", "truncated_output"]
    }
    assert settings.repeats == 2


def test_configs_and_splits_narrow_the_choice(server: FaultyServer, tmp_path: Path):
    data = write_data(tmp_path / "two", {"lex-locate/4k": 2, "lex-longest/4k": 2, "lex-locate/8k": 2})
    server.default = lambda body: CUT
    run_benchmark(RunSettings(str(data), server.spec), tmp_path / "old")
    settings = again_settings(tmp_path / "old", ["truncated_output"], configs=["lex-locate"], splits=["8k"])
    assert settings.again is not None
    assert list(settings.again.before) == ids(0, 1, cell="lex-locate-8k")
    assert (settings.configs, settings.splits) == (("lex-locate",), ("8k",))


def test_the_new_run_repeats_without_the_old_folder(run: Path, server: FaultyServer, tmp_path: Path):
    new = ask_again(run, ["truncated_output"], tmp_path / "new", limit=2)
    asked = server.asked()
    shutil.rmtree(run)
    server.seen.clear()
    copy = run_benchmark(settings_from(new / "run.json"), tmp_path / "copy").path
    assert server.asked() == asked
    assert score_run(copy).changes == score_run(new).changes == (Change("truncated_output", "correct", 2),)


def test_a_stopped_run_goes_on(run: Path, server: FaultyServer, tmp_path: Path):
    new = ask_again(run, ["truncated_output"], tmp_path / "new")
    log = new / "replies.jsonl"
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:1]))
    server.seen.clear()
    ask_again(run, ["truncated_output"], new)
    assert len(server.seen) == 2


def test_another_choice_is_another_run(run: Path, tmp_path: Path):
    new = ask_again(run, ["truncated_output"], tmp_path / "new")
    with pytest.raises(InputError, match="holds another run"):
        ask_again(run, ["wrong"], new)


def test_the_old_folder_is_not_written_into(run: Path):
    before = sorted((path.name, path.stat().st_mtime_ns) for path in run.iterdir())
    again_settings(run, ["wrong"])
    assert sorted((path.name, path.stat().st_mtime_ns) for path in run.iterdir()) == before


def test_nothing_to_ask_again_says_how_the_rows_ended(run: Path):
    with pytest.raises(InputError, match="it has 2 correct, 1 wrong, 3 truncated_output"):
        again_settings(run, ["refused"])


def test_an_unknown_outcome_names_the_nearest(run: Path):
    with pytest.raises(InputError, match="did you mean 'truncated_output'"):
        again_settings(run, ["truncated"])


def test_an_unknown_config_is_named(run: Path):
    with pytest.raises(InputError, match=r"unknown config of .* 'lex-longest'"):
        again_settings(run, ["wrong"], configs=["lex-longest"])


def test_a_run_that_was_stopped_is_refused(run: Path):
    log = run / "replies.jsonl"
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:2]))
    with pytest.raises(InputError, match=r"not finished, 4 of 6 .* lengthwise run --from"):
        again_settings(run, ["correct"])


def test_a_run_with_errors_is_careful(data: Path, server: FaultyServer, tmp_path: Path):
    server.script[ids(0)[0]] = [FAILED]
    run_benchmark(RunSettings(str(data), server.spec), tmp_path / "old")
    said: list[str] = []
    again_settings(tmp_path / "old", ["correct"], notify=said.append)
    assert "1 of 6" in said[0]


def again(before: dict[str, tuple[OutcomeKind, ...]], **changed: Any) -> Again:
    return replace(Again("/old", "then", "a", {"max_tokens": 16_000}, ("wrong",), 9, before), **changed)


def test_it_comes_back_from_json():
    one = again({"x": ("wrong", "correct")})
    assert Again.from_json(json.loads(json.dumps(one.to_json()))) == one


def test_changes_are_counted_by_repeat():
    outcomes = [
        Outcome("x", 0, "correct"),
        Outcome("x", 1, "wrong"),
        Outcome("y", 0, "wrong"),
        Outcome("y", 1, "wrong"),
    ]
    assert changes(again({"x": ("wrong", "correct"), "y": ("wrong", "wrong")}), outcomes) == (
        Change("correct", "wrong", 1),
        Change("wrong", "correct", 1),
        Change("wrong", "wrong", 2),
    )


def test_repeats_that_were_not_asked_both_times_are_told_apart():
    assert changes(again({"x": ("wrong",)}), [Outcome("x", 0, "wrong"), Outcome("x", 1, "correct")]) == (
        Change("wrong", "wrong", 1),
        Change(None, "correct", 1),
    )
    assert changes(again({"x": ("wrong", "refused")}), [Outcome("x", 0, "wrong")])[-1] == Change("refused", None, 1)


def test_the_table(run: Path, server: FaultyServer, tmp_path: Path):
    server.script[ids(2)[0]] = [CUT]
    settings = again_settings(run, ["truncated_output", "wrong"])
    settings = replace(settings, sampling=replace(settings.sampling, max_tokens=20_000))
    results = score_run(run_benchmark(settings, tmp_path / "new").path)
    assert change_head(results) == ["then \\ now", "correct", "truncated output"]
    assert change_rows(results) == [["wrong", "1", "–"], ["truncated output", "2", "1"]]
    assert change_note(results) == (
        f"All 4 rows that ended as wrong or truncated output in {run}; max tokens 16,000 then, 20,000 now."
    )
