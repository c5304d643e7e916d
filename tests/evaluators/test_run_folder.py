from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pyarrow as pa
import pytest

from lengthwise.errors import InputError
from lengthwise.evaluators.run_folder import RunFolder

EXAMPLES = pa.table({"id": ["a", "b"], "config": ["c", "c"], "split": ["4k", "4k"]})
SETTINGS = {
    "benchmark": "predicatelongbench",
    "data": {"cells": {"c/4k": "d"}, "configs": ["c"], "splits": ["4k"]},
    "model": {"spec": "m"},
    "repeats": 1,
    "labels": {"label": None, "group": "g"},
}


def test_a_new_folder_holds_settings_and_examples(tmp_path):
    RunFolder.create(tmp_path / "deep" / "run", SETTINGS, EXAMPLES)
    run = RunFolder.open(tmp_path / "deep" / "run")
    assert run.settings == SETTINGS
    assert run.examples() == EXAMPLES
    assert list(run.replies()) == []
    assert {path.name for path in run.path.iterdir()} == {"run.json", "examples.parquet"}


def test_the_same_run_is_opened_again(tmp_path):
    RunFolder.create(tmp_path, SETTINGS, EXAMPLES)
    assert RunFolder.create(tmp_path, SETTINGS, EXAMPLES.slice(0, 1)).examples() == EXAMPLES


def test_another_run_is_refused_by_what_differs(tmp_path):
    RunFolder.create(tmp_path, SETTINGS, EXAMPLES)
    with pytest.raises(InputError, match=r'model\.spec: "m" there, "n" now; repeats: 1 there, 3 now'):
        RunFolder.create(tmp_path, {**SETTINGS, "model": {"spec": "n"}, "repeats": 3}, EXAMPLES)


def test_labels_are_no_difference_and_change(tmp_path):
    run = RunFolder.create(tmp_path, SETTINGS, EXAMPLES)
    run.check_same({**SETTINGS, "labels": {"label": "x"}})
    run.relabel({"label": "new", "group": None})
    assert RunFolder.open(tmp_path).settings["labels"] == {"label": "new", "group": "g"}


def test_what_a_killed_start_left_is_no_hindrance(tmp_path):
    for name in ("examples.parquet", "examples.parquet.part", "run.json.part"):
        (tmp_path / name).write_bytes(b"half")
    assert RunFolder.create(tmp_path, SETTINGS, EXAMPLES).examples() == EXAMPLES


def test_of_runs_that_begin_at_the_same_instant_one_has_the_folder(tmp_path):
    together = Barrier(8)

    def begin(number):
        settings = {**SETTINGS, "model": {"spec": f"m{number}"}}
        together.wait()
        try:
            return RunFolder.create(tmp_path / "out", settings, EXAMPLES).settings["model"]["spec"]
        except InputError as error:
            assert "holds another run (model.spec" in str(error)

    with ThreadPoolExecutor(8) as pool:
        made = [spec for spec in pool.map(begin, range(8)) if spec]
    assert made == [RunFolder.open(tmp_path / "out").settings["model"]["spec"]]


def test_a_file_in_the_place_of_the_folder(tmp_path):
    (tmp_path / "out").touch()
    with pytest.raises(InputError, match="a file of that name"):
        RunFolder.create(tmp_path / "out", SETTINGS, EXAMPLES)


@pytest.mark.parametrize(
    ("content", "message"),
    [(None, "no such file"), ("{", "cannot be read"), ("[]", "not a run.json"), ("{}", "not a")],
)
def test_a_folder_that_is_no_run(tmp_path, content, message):
    if content is not None:
        (tmp_path / "run.json").write_text(content)
    with pytest.raises(InputError, match=message):
        RunFolder.open(tmp_path)
