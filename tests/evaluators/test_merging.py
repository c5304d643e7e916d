import json
import os
import signal
import subprocess
from collections import Counter
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from faulty_server import FaultyServer, Step, error
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from novel_cases import write_novels
from run_helpers import command_line, write_data
from shard_cases import FAST, run_shards, same_runs, varied

from lengthwise.errors import InputError
from lengthwise.evaluators.merging import merge_runs
from lengthwise.evaluators.run_folder import RunFolder
from lengthwise.evaluators.runner import run_benchmark
from lengthwise.evaluators.scoring import score_outcomes, score_run
from lengthwise.evaluators.settings import RunSettings, settings_from
from lengthwise.evaluators.sharding import Shard
from lengthwise.evaluators.tables import render_results

CELLS = {"lex-locate/4k": 5, "lex-locate/8k": 3, "lex-longest/4k": 5, "unary-locate/4k": 4}
ROWS = sum(CELLS.values())


@pytest.fixture
def many(tmp_path):
    return write_data(tmp_path / "many", CELLS)


@pytest.fixture
def varied_server(server):
    server.default = varied
    return server


@given(
    cells=st.fixed_dictionaries({cell: st.integers(1, 5) for cell in CELLS}),
    count=st.integers(1, 5),
    repeats=st.integers(1, 2),
    method=st.sampled_from(["zero-shot", "reask"]),
    limit=st.one_of(st.none(), st.integers(5, 9)),
    order=st.randoms(use_true_random=False),
)
# Each takes a second or so: a failing case is shown as it was found.
@settings(max_examples=8, phases=[Phase.explicit, Phase.generate])
def test_any_split_into_shards_gives_what_the_plain_run_gives(cells, count, repeats, method, limit, order):
    with TemporaryDirectory() as name, FaultyServer() as server:
        folder = Path(name)
        server.default = varied
        data = write_data(folder / "data", cells)
        about = RunSettings(str(data), server.spec, method=method, repeats=repeats, limit=limit)
        run_benchmark(about, folder / "plain", FAST)
        count = min(count, len({row["list_id"] for row in score_outcomes(folder / "plain").rows.values()}))
        shards = run_shards(about, folder, count)
        order.shuffle(shards)
        merge_runs(shards, folder / "merged")
        same_runs(folder / "plain", folder / "merged")


def test_longnovel_merges_too(tmp_path):
    data = write_novels(tmp_path / "data", pairs=3)
    about = RunSettings(str(data), "reference:random")
    run_benchmark(about, tmp_path / "plain", FAST)
    merge_runs(run_shards(about, tmp_path, 2), tmp_path / "merged")
    same_runs(tmp_path / "plain", tmp_path / "merged")


def test_rows_that_fit_no_window_are_counted_once_and_a_shard_of_none_is_fine(tmp_path, server):
    data = write_data(tmp_path / "data", {"lex-locate/4k": 2, "lex-locate/128k": 2}, {"lex-locate/128k": 131_072})
    about = RunSettings(str(data), server.spec, only_fitting=True)
    run_benchmark(about, tmp_path / "plain", FAST)
    shards = run_shards(about, tmp_path, 4)
    assert sorted(len(RunFolder.open(shard).examples()) for shard in shards) == [0, 0, 1, 1]
    empty = next(shard for shard in shards if not len(RunFolder.open(shard).examples()))
    assert "0 of 4 rows" in render_results(score_run(empty))
    merged = merge_runs(shards, tmp_path / "merged")
    assert merged.settings["excluded"] == {"lex-locate/128k": 2}
    same_runs(tmp_path / "plain", tmp_path / "merged")


def test_a_merged_run_goes_on_like_any_other(tmp_path, many, server):
    server.script["lex-locate-4k-s0-0002"] = [error(422, "unknown field")]
    shards = run_shards(RunSettings(str(many), server.spec), tmp_path, 3)
    merge_runs(shards, tmp_path / "out")
    assert score_run(tmp_path / "out").n_error == 1
    run_benchmark(settings_from(tmp_path / "out"), tmp_path / "out", FAST)
    assert score_run(tmp_path / "out").complete
    assert len(server.seen) == ROWS + 1
    with pytest.raises(InputError, match="gone on since"):
        merge_runs(shards, tmp_path / "out")


def test_merging_again_takes_what_a_shard_has_got_since(tmp_path, many, server):
    server.script["lex-locate-4k-s0-0002"] = [error(422, "unknown field")]
    shards = run_shards(RunSettings(str(many), server.spec), tmp_path, 3)
    merge_runs(shards, tmp_path / "out")
    for shard in shards:
        run_benchmark(settings_from(shard), shard, FAST)
    merge_runs(shards, tmp_path / "out")
    assert score_run(tmp_path / "out").complete


def test_a_merge_that_was_killed_is_done_again(tmp_path, many, server):
    shards = run_shards(RunSettings(str(many), server.spec), tmp_path, 2)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "replies.jsonl").write_text("half")
    (tmp_path / "out" / "bounds.jsonl.part").write_text("half")
    merge_runs(shards, tmp_path / "out")
    assert score_run(tmp_path / "out").complete


def test_other_files_are_left_alone(tmp_path, many, server):
    shards = run_shards(RunSettings(str(many), server.spec), tmp_path, 2)
    with pytest.raises(InputError, match="holds another run"):
        merge_runs(shards, shards[0])
    with pytest.raises(InputError, match=r"holds other files \(build.json"):
        merge_runs(shards, many)


def test_a_missing_shard_is_named_and_what_is_there_can_be_joined_all_the_same(tmp_path, many, server):
    one, two, three = run_shards(RunSettings(str(many), server.spec), tmp_path, 3)
    with pytest.raises(InputError, match=r"missing of 3: 2; .* --shard 2/3 --out NEW"):
        merge_runs([one, three], tmp_path / "out")
    merge_runs([one, three], tmp_path / "most", partial=True)
    assert "PART fake: shards 1, 3 of 3" in render_results(score_run(tmp_path / "most"))
    with pytest.raises(InputError, match="holds shards 1, 3 of 3 of a run"):
        settings_from(tmp_path / "most")
    merge_runs([two, tmp_path / "most"], tmp_path / "out")
    run_benchmark(RunSettings(str(many), server.spec), tmp_path / "plain", FAST)
    same_runs(tmp_path / "plain", tmp_path / "out")


def test_a_doubled_shard(tmp_path, many, server):
    about = RunSettings(str(many), server.spec)
    one, two = run_shards(about, tmp_path, 2)
    run_benchmark(replace(about, shard=Shard(1, 2)), tmp_path / "again", FAST)
    with pytest.raises(InputError, match=r"shard 1 of 2 is in .*/s1 and in .*/again"):
        merge_runs([one, two, tmp_path / "again"], tmp_path / "out")
    merge_runs([one, two, tmp_path / "again"], tmp_path / "out", first=True)
    assert RunFolder.open(tmp_path / "out").settings["merged"]["runs"] == [str(one), str(two)]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"repeats": 2}, "repeats: 1 there, 2 here"),
        ({"method": "reask"}, "method"),
        ({"seed": 1, "limit": 9}, "limit: null there, 9 here"),
        ({"shard": Shard(2, 3)}, "shard.count: 2 there, 3 here"),
        ({"model": "reference:solver"}, "model.spec"),
        ({"configs": ("lex-locate", "lex-longest")}, "data.configs"),
    ],
)
def test_shards_of_different_runs_are_refused(tmp_path, many, change, says):
    about = RunSettings(str(many), "reference:gold", shard=Shard(1, 2))
    run_benchmark(about, tmp_path / "one", FAST)
    run_benchmark(replace(about, **{"shard": Shard(2, 2), **change}), tmp_path / "two", FAST)
    with pytest.raises(InputError, match=f"two: is a shard of another run.*{says}"):
        merge_runs([tmp_path / "one", tmp_path / "two"], tmp_path / "out")


@pytest.mark.parametrize(("name", "value"), [("lengthwise", "0.0.1"), ("prompt_template", "other")])
def test_shards_of_other_versions_or_prompts_are_refused(tmp_path, many, name, value):
    shards = run_shards(RunSettings(str(many), "reference:gold"), tmp_path, 2)
    run = json.loads((shards[1] / "run.json").read_text())
    (shards[1] / "run.json").write_text(json.dumps({**run, name: value}))
    with pytest.raises(InputError, match=f"{name}: .* there, .*{value}.* here"):
        merge_runs(shards, tmp_path / "out")


def test_a_copy_of_the_data_elsewhere_is_the_same_data_and_other_libraries_are_told_of(tmp_path, many):
    write_data(tmp_path / "copy", CELLS)
    for number, data in ((1, many), (2, tmp_path / "copy")):
        about = RunSettings(str(data), "reference:gold", shard=Shard(number, 2))
        run_benchmark(about, tmp_path / f"s{number}", FAST)
    run = json.loads((tmp_path / "s2" / "run.json").read_text())
    run["versions"]["numpy"] = "1.0"
    (tmp_path / "s2" / "run.json").write_text(json.dumps(run))
    notes = []
    merge_runs([tmp_path / "s1", tmp_path / "s2"], tmp_path / "out", notify=notes.append)
    assert [note for note in notes if "numpy" in note and note.endswith(", 1.0")]


def test_a_plain_run_is_no_shard(tmp_path, many):
    run_benchmark(RunSettings(str(many), "reference:gold"), tmp_path / "plain", FAST)
    with pytest.raises(InputError, match="holds a whole run"):
        merge_runs([tmp_path / "plain"], tmp_path / "out")


def test_a_shard_goes_on_as_the_same_shard_only(tmp_path, many):
    about = RunSettings(str(many), "reference:gold", shard=Shard(1, 2))
    run_benchmark(about, tmp_path / "one", FAST)
    with pytest.raises(InputError, match="holds another run"):
        run_benchmark(replace(about, shard=Shard(2, 2)), tmp_path / "one", FAST)
    with pytest.raises(InputError, match="holds another run"):
        run_benchmark(replace(about, shard=None), tmp_path / "one", FAST)
    assert settings_from(tmp_path / "one").shard == Shard(1, 2)


@pytest.mark.parametrize("method", ["zero-shot", "reask"])
def test_a_shard_that_was_killed_is_refused_until_it_has_gone_on(tmp_path, many, varied_server, lengthwise, method):
    process = []
    count = 0

    def step(body):
        nonlocal count
        count += 1
        if count != 4:
            return varied(body)
        return Step(before=lambda: os.kill(process[0].pid, signal.SIGKILL), reset=True)

    about = RunSettings(str(many), varied_server.spec, method=method)
    options = replace(FAST, labels=dict.fromkeys(("label", "group", "size")))
    run_benchmark(about, tmp_path / "plain", options)
    run_benchmark(replace(about, shard=Shard(1, 2)), tmp_path / "s1", options)
    varied_server.default = step
    common = ("run", many, "--model", varied_server.spec, "--method", method, "--quiet")
    # One at a time: an answer that is on its way when the client dies is nobody's loss, but it would be asked again.
    command = command_line(*common, "--shard", "2/2", "--out", "s2", "--concurrency", 1)
    process.append(subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE))
    process[0].communicate(timeout=60)
    assert process[0].returncode == -signal.SIGKILL
    shards = [tmp_path / "s1", tmp_path / "s2"]
    with pytest.raises(InputError, match=r"s2: \d+ left, to go on: lengthwise run --from .*s2/run.json --out .*s2"):
        merge_runs(shards, tmp_path / "out")
    assert not (tmp_path / "out").exists()
    merge_runs(shards, tmp_path / "early", partial=True)
    assert score_run(tmp_path / "early").n_missing > 0
    answered = Counter(varied_server.answered)
    varied_server.default = varied
    run_benchmark(settings_from(tmp_path / "s2"), tmp_path / "s2", options)
    done = lengthwise("merge", "s1", "s2", "--out", "out")
    assert done.returncode == 1 and "INCOMPLETE" in done.stdout
    same_runs(tmp_path / "plain", tmp_path / "out")
    if method == "zero-shot":
        # Nobody was answered twice by it, but those who got an error.
        again = [row for row, n in (varied_server.answered - answered).items() if answered[row] > 1]
        ends = score_outcomes(tmp_path / "out").outcomes
        assert all(ends[row, 0].kind == "error" for row in again)


def test_labels_stay_or_are_given(tmp_path, many):
    options = replace(FAST, labels={"label": "mine", "group": "g"})
    shards = run_shards(RunSettings(str(many), "reference:gold"), tmp_path, 2, options)
    merged = merge_runs(shards, tmp_path / "out", labels={"group": "other", "size": None})
    assert merged.settings["labels"] == {"label": "mine", "group": "other"}
