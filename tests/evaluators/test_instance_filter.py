import json
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from faulty_server import Step, completion, error

from lengthwise.builders.multi_instance.build import build_multi_instance
from lengthwise.builders.multi_instance.pools.sources import pool_source
from lengthwise.builders.multi_instance.prompts import read_instances
from lengthwise.builders.multi_instance.retained import read_retained
from lengthwise.builders.multi_instance.settings import InstanceSettings
from lengthwise.builders.multi_instance.solver import solve_prompt
from lengthwise.errors import InputError
from lengthwise.evaluators.instance_filter import filter_runs, render_filter
from lengthwise.evaluators.retry import RetryPolicy
from lengthwise.evaluators.runner import RunOptions, run_benchmark
from lengthwise.evaluators.settings import RunSettings
from lengthwise.metrics.instance_filter import FilterRules

SINGLES = ("parity-single", "arithmetic-single", "word-single")
LENIENT = FilterRules(model_mean=60, task_least=60, agreement=60)
POOLS = pool_source("generated", pool_size=40)


@pytest.fixture(scope="module")
def singles(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every instance of three pools of 40, alone; parity with the instance-level prompt as well."""
    folder = tmp_path_factory.mktemp("filter") / "singles"
    build_multi_instance(folder, (*SINGLES, "parity-instances-single"), pool_of=POOLS)
    return folder


def texts_of(singles: Path, config: str) -> list[str]:
    rows = pq.read_table(singles / config / "n1-00000-of-00001.parquet", columns=["prompt"])["prompt"].to_pylist()
    return [read_instances(row)[1][0] for row in rows]


@pytest.fixture
def run(singles, server, tmp_path) -> Callable[..., Path]:
    """Run a model that solves every instance but those planted, {config: places}, into a folder."""

    def make(name, *configs, wrong=None, step=None, label=None, **changes):
        bad = {texts_of(singles, config)[place] for config, places in (wrong or {}).items() for place in places}

        def default(body):
            prompt = body["messages"][0]["content"]
            if read_instances(prompt)[1][0] in bad:
                return step or Step(
                    body=completion('{"reasoning": "", "answer": "77777", "1": 5, "odd": 0, "even": 0}')
                )
            return Step(body=completion(solve_prompt(prompt)))

        server.default = default
        settings = RunSettings(str(singles), server.spec, configs or SINGLES, **changes)
        options = RunOptions(
            retries=RetryPolicy(attempts=1), bounds=False, labels={"label": label or name.partition("-")[0]}
        )
        return run_benchmark(settings, tmp_path / name, options).path

    return make


def test_planted_wrong_instances_are_left_out_and_the_build_takes_the_rest(run, singles, tmp_path):
    runs = [
        run("a", wrong={"parity-single": [3], "word-single": [0]}),
        run("b", wrong={"parity-single": [3, 39], "arithmetic-single": [7]}),
        run("weak", wrong={"arithmetic-single": range(10, 20)}),
    ]
    found = filter_runs(runs)
    assert [label for label, model in found.filtered.models.items() if model.kept] == ["a", "b"]
    found.write(tmp_path / "retained.json")
    retained = read_retained(tmp_path / "retained.json")
    assert {task: sorted(set(range(40)) - set(one.indices)) for task, one in retained.items()} == {
        "arithmetic": [7],
        "parity": [3, 39],
        "word": [0],
    }
    out = tmp_path / "built"
    build_multi_instance(
        out,
        ("parity", "parity-shortest"),
        pool_of=POOLS,
        settings=InstanceSettings(sizes=(5, 38), seeds=(1, 2)),
        retained=retained,
    )
    rows = [row for file in out.rglob("*.parquet") for row in pq.read_table(file, columns=["indices"]).to_pylist()]
    assert set().union(*(row["indices"] for row in rows)) == set(range(40)) - {3, 39}
    card = (out / "README.md").read_text()
    assert "| 40 | 38 |" in card and "--retained FILE" in card


def test_tables_as_people_read_them(run):
    runs = [run("a", wrong={"parity-single": [3]}), run("weak", wrong={"arithmetic-single": range(10)})]
    text = render_filter(filter_runs(runs))
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert "Table 5: tasks that are removed (agreement not over 85 %): none" in lines
    assert "a 100.0 97.5 100.0 99.2 kept" in lines
    assert "weak 75.0 100.0 100.0 91.7 out: average not over 95; Arithmetic not over 90" in lines
    assert "Parity 97.5 97.5 97.5 39 of 40" in lines


def test_a_task_without_agreement_is_removed(run, tmp_path):
    runs = [
        run(name, wrong={"word-single": range(place, place + 3)}) for name, place in (("a", 0), ("b", 3), ("c", 6))
    ]
    found = filter_runs(runs)
    markdown = render_filter(found, "markdown")
    assert "| Word | 77.5 |" in markdown and "Word (removed)" in markdown
    found.write(tmp_path / "retained.json")
    assert set(read_retained(tmp_path / "retained.json")) == {"arithmetic", "parity"}
    assert (
        json.loads((tmp_path / "retained.json").read_text())["multi_instance_filter"]["tasks"]["word"]["kept"] is False
    )


def test_runs_of_one_model_are_taken_together(run):
    parts = [run("a-1", "parity-single"), run("a-2", "word-single", wrong={"word-single": [5]})]
    found = filter_runs(parts)
    assert list(found.filtered.models) == ["a"]
    assert found.filtered.retained["word"] == tuple(index for index in range(40) if index != 5)


@pytest.mark.parametrize("step", [Step(body=completion("no idea")), Step(body=completion(None))])
def test_a_reply_that_cannot_be_read_is_not_solved(run, step):
    found = filter_runs([run("a", "parity-single", wrong={"parity-single": [9]}, step=step)])
    assert 9 not in found.filtered.retained["parity"]


def test_one_wrong_repeat_is_enough(run, server):
    folder = run("a", "parity-single", repeats=2)
    log = (folder / "replies.jsonl").read_text().splitlines(True)
    line = next(number for number, line in enumerate(log) if 'single_4"' in line and '"repeat":1' in line)
    record = json.loads(log[line])
    record["reply"]["text"] = '{"answer": 9}'
    log[line] = json.dumps(record) + "\n"
    (folder / "replies.jsonl").write_text("".join(log))
    (folder / "predictions.jsonl").unlink()
    found = filter_runs([folder])
    assert set(range(40)) - set(found.filtered.retained["parity"]) == {4}


def test_the_instance_level_prompt_is_told(run):
    text = render_filter(filter_runs([run("a", "parity-instances-single")]))
    assert (
        "prompts other than the paper's, which asks for the aggregate over one instance: parity-instances-sing" in text
    )


def test_without_a_kept_model_nothing_is_written(run, tmp_path):
    found = filter_runs([run("weak", "parity-single", wrong={"parity-single": range(20)})])
    assert "Table 7: agreement of the kept models, the best and the worst of them (%): none" in render_filter(found)
    with pytest.raises(InputError, match="no model passes the filter"):
        found.write(tmp_path / "retained.json")
    assert not (tmp_path / "retained.json").exists()


def test_an_unfinished_run_is_refused(run):
    folder = run("a", "parity-single", wrong={"parity-single": [1, 2]}, step=error(400, "no such thing"))
    with pytest.raises(InputError, match=r"2 of 40 single instances of parity have no reply yet; finish it first"):
        filter_runs([folder])


def test_a_run_of_part_of_a_pool_is_refused(run):
    with pytest.raises(InputError, match="has 10 single instances of parity, and not all of a pool"):
        filter_runs([run("a", "parity-single", limit=10)])


def test_other_pools_are_refused(run, tmp_path, server):
    first = run("a", "parity-single")
    other = tmp_path / "other"
    build_multi_instance(
        other,
        ("parity-single",),
        pool_of=pool_source("generated", pool_size=40, pool_seed=7),
        settings=InstanceSettings(),
    )
    options = RunOptions(bounds=False, labels={"label": "b"})
    second = run_benchmark(RunSettings(str(other), server.spec), tmp_path / "b", options).path
    with pytest.raises(InputError, match="its pools of parity differ"):
        filter_runs([first, second])


def test_what_does_not_compare_is_refused(run, tmp_path):
    parity, word = run("a-1", "parity-single"), run("b", "word-single")
    instances = run("c", "parity-instances-single")
    for runs, message in (
        ([parity, parity], "a has another run of parity among these"),
        ([parity, word], "a has no run of word"),
        ([parity, instances], "its configs of parity differ"),
        ([run("d", "parity-single", "parity-instances-single")], "in 2 configs"),
        ([], "name at least one folder"),
    ):
        with pytest.raises(InputError, match=message):
            filter_runs(runs)


def test_runs_of_other_data_are_refused(tmp_path):
    build_multi_instance(
        tmp_path / "mip", ("parity",), settings=InstanceSettings(sizes=(2,), seeds=(1,)), pool_of=POOLS
    )
    folder = run_benchmark(RunSettings(str(tmp_path / "mip"), "reference:solver"), tmp_path / "run").path
    with pytest.raises(InputError, match=r"has no rows of single instances; .* <task>-single"):
        filter_runs([folder])


def test_the_command_line(run, lengthwise, tmp_path):
    folder = run("a", "parity-single", wrong={"parity-single": [3]})
    done = lengthwise("filter", folder, "--out", "left.json", "--agreement", "97")
    assert done.returncode == 0, done.stderr
    assert "Table 7" in done.stdout and "retained 39 of parity: left.json" in done.stdout
    built = lengthwise(
        *("build", "multi-instance", "parity", "--size", "5", "--pool-size", "40", "--retained", "left.json"),
        *("--out", "mip", "--quiet"),
    )
    assert built.returncode == 0, built.stderr
    refused = lengthwise("filter", folder, "--out", "none.json", "--model-mean", "99")
    assert refused.returncode == 2 and "no model passes the filter" in refused.stderr
