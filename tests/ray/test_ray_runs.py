"""Runs on three nodes of a real cluster, with a model over loopback HTTP: kills, Ctrl-C, what is refused."""

import json
import os
import signal
import subprocess
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from faulty_server import Step, error
from run_helpers import command_line, write_data
from shard_cases import FAST, same_runs, varied

from lengthwise.errors import InputError
from lengthwise.evaluators.ray_engine import run_on_ray
from lengthwise.evaluators.ray_options import ClusterOptions
from lengthwise.evaluators.run_folder import RunFolder
from lengthwise.evaluators.runner import run_benchmark
from lengthwise.evaluators.scoring import score_run
from lengthwise.evaluators.settings import RunSettings, settings_from
from lengthwise.evaluators.spending import Limits
from lengthwise.evaluators.stopping import RunStopped
from lengthwise.recording import Failure

pytestmark = [pytest.mark.ray, pytest.mark.filterwarnings("ignore::ResourceWarning")]

CELLS = {"lex-locate/4k": 6, "lex-locate/8k": 6, "lex-longest/4k": 6, "unary-locate/4k": 6}
ROWS = sum(CELLS.values())
# So slow that a shard has not ended when another one begins.
SLOW = 0.15
# Room for one reply of 16,000 tokens, and some that took 110: each shard stops in its midst.
FEW_TOKENS = Limits(tokens=3 * 16_600)


@pytest.fixture
def many(tmp_path):
    return write_data(tmp_path / "many", CELLS)


NODE = {"num_cpus": 1, "object_store_memory": 80_000_000}


def on(cluster, count=3, **changes):
    return ClusterOptions(count, address=cluster.address, **changes)


def slowly(body):
    step = varied(body)
    step.delay = SLOW
    return step


def holder_of(folder):
    """Return the process that has the log of a shard open."""
    log = str(folder / "replies.jsonl")
    for process in Path("/proc").glob("[0-9]*"):
        try:
            opened = {os.readlink(one) for one in (process / "fd").iterdir()}
        except OSError:
            continue
        if log in opened and int(process.name) != os.getpid():
            return int(process.name)
    raise AssertionError(f"nobody has {log} open")


def kill_at(server, number, folder, times=1):
    """Have the process that runs a shard killed, kill -9, at its request `number`, which then has no answer."""
    rows = set(RunFolder.open(folder).examples()["id"].to_pylist()) if (folder / "run.json").exists() else None
    killed = []

    def step(body):
        nonlocal rows
        found = body["messages"][0]["content"]
        if rows is None and (folder / "run.json").exists():
            rows = set(RunFolder.open(folder).examples()["id"].to_pylist())
        mine = rows is not None and any(f"[{row}]" in found for row in rows)
        if mine:
            killed.append(found)
        if mine and number <= len(killed) < number + times:
            return Step(before=lambda: os.kill(holder_of(folder), signal.SIGKILL), reset=True)
        return slowly(body)

    server.default = step
    return killed


def answered_once(server, out):
    """Check that no row was answered twice but those that got an error, which are asked again when a run goes on."""
    failed = set()
    for shard in (out / "shards").iterdir():
        failed |= {
            record.key.example for record in RunFolder.open(shard).replies() if isinstance(record.result, Failure)
        }
    assert {row for row, count in server.answered.items() if count > 1} <= failed


@pytest.fixture
def plain(many, server, tmp_path):
    """The folder of the plain run; the server forgets it."""
    server.default = varied
    run_benchmark(RunSettings(str(many), server.spec), tmp_path / "plain", FAST)
    server.seen.clear()
    server.answered.clear()
    return tmp_path / "plain"


def test_three_nodes_give_what_the_plain_run_gives(cluster, many, server, plain, tmp_path):
    server.default = slowly
    notes = []
    options = replace(FAST, concurrency=2, notify=notes.append)
    merged = run_on_ray(RunSettings(str(many), server.spec), tmp_path / "out", options, on(cluster))
    same_runs(plain, merged.path)
    assert len(server.seen) == ROWS
    # One shard has two calls under way at most.
    assert server.most_at_once > 2
    assert sorted(note for note in notes if "done" in note)[0].startswith("shard 1/3: done (")
    run = json.loads((tmp_path / "out" / "shards" / "2-of-3" / "run.json").read_text())
    assert (run["shard"]["numbers"], run["shard"]["count"]) == ([2], 3)


def test_a_worker_killed_in_mid_run_is_replaced_and_asks_nothing_again(cluster, many, server, plain, tmp_path):
    killed = kill_at(server, 4, tmp_path / "out" / "shards" / "2-of-3")
    notes = []
    options = replace(FAST, concurrency=1, notify=notes.append)
    run_on_ray(RunSettings(str(many), server.spec), tmp_path / "out", options, on(cluster))
    assert any(note.startswith("shard 2/3 was lost (") and "goes on by its log" in note for note in notes)
    same_runs(plain, tmp_path / "out")
    answered_once(server, tmp_path / "out")
    failed = sum(isinstance(record.result, Failure) for record in RunFolder.open(tmp_path / "out").replies())
    assert len(server.seen) <= ROWS + 1 + failed
    assert len(killed) > 4


def test_a_node_that_dies_with_its_worker(cluster, many, server, plain, tmp_path):
    node = cluster.add_node(**NODE)
    cluster.wait_for_nodes()
    raylet = node.all_processes["raylet"][0].process.pid
    asked = [Path(f"{tmp_path}/out/shards/{number}-of-4") for number in (1, 2, 3, 4)]
    died = []

    def on_node(folder):
        try:
            return int(Path(f"/proc/{holder_of(folder)}/stat").read_text().rpartition(")")[2].split()[1]) == raylet
        except AssertionError:
            return False

    def die():
        died.append(True)
        cluster.remove_node(node, allow_graceful=False)

    def step(body):
        answer = slowly(body)
        if not died and len(server.seen) > 8 and any(map(on_node, asked)):
            answer.before = die
        return answer

    server.default = step
    notes = []
    options = replace(FAST, concurrency=1, notify=notes.append)
    run_on_ray(RunSettings(str(many), server.spec), tmp_path / "out", options, on(cluster, 4))
    assert died and [note for note in notes if "was lost" in note]
    same_runs(plain, tmp_path / "out")


def test_more_shards_than_room_take_turns(cluster, many, server, plain, tmp_path):
    run_on_ray(RunSettings(str(many), server.spec), tmp_path / "out", FAST, on(cluster, 5))
    same_runs(plain, tmp_path / "out")


def test_a_method_of_several_calls(cluster, many, server, tmp_path):
    server.default = varied
    about = RunSettings(str(many), server.spec, method="reask", repeats=2)
    run_benchmark(about, tmp_path / "plain", FAST)
    run_on_ray(about, tmp_path / "out", FAST, on(cluster))
    same_runs(tmp_path / "plain", tmp_path / "out")


def test_a_shard_that_is_lost_again_and_again_is_given_up_and_the_rest_is_kept(cluster, many, server, tmp_path):
    server.default = varied
    folder = tmp_path / "out" / "shards" / "1-of-3"
    killed = kill_at(server, 1, folder, times=99)
    with pytest.raises(InputError, match=r"shard 1/3: was lost 2 times without getting further"):
        run_on_ray(RunSettings(str(many), server.spec), tmp_path / "out", FAST, on(cluster, restarts=1))
    assert killed
    assert not (tmp_path / "out" / "run.json").exists()
    server.default = varied
    run_on_ray(RunSettings(str(many), server.spec), tmp_path / "out", FAST, on(cluster))
    answered_once(server, tmp_path / "out")


def test_the_same_call_asks_again_what_ended_in_error_and_joins_again(cluster, many, server, tmp_path):
    server.script["lex-locate-4k-s0-0002"] = [error(422, "unknown field")]
    about = RunSettings(str(many), server.spec)
    run_on_ray(about, tmp_path / "out", FAST, on(cluster))
    assert score_run(tmp_path / "out").n_error == 1
    run_on_ray(about, tmp_path / "out", FAST, on(cluster))
    assert score_run(tmp_path / "out").complete
    assert server.asked()["lex-locate-4k-s0-0002"] == 2
    assert len(server.seen) == ROWS + 1


def test_a_key_of_the_driver_reaches_the_nodes_and_no_file(cluster, many, server, tmp_path, monkeypatch):
    key = "sk-planted-0123456789"
    monkeypatch.setenv("OUR_KEY", key)
    run_on_ray(RunSettings(str(many), server.spec, api_key_env="OUR_KEY"), tmp_path / "out", FAST, on(cluster))
    assert {seen.authorization for seen in server.seen} == {f"Bearer {key}"}
    written = [path for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert not [path for path in written if key.encode() in path.read_bytes()]


def test_what_a_shard_refuses_is_said_once_and_ends_the_run(cluster, many, server, tmp_path):
    server.models = [{"id": "other", "owned_by": "vllm", "max_model_len": 40_960}]
    with pytest.raises(InputError, match=r"shard \d/3: .*other"):
        run_on_ray(RunSettings(str(many), server.spec), tmp_path / "out", FAST, on(cluster))
    assert server.seen == []


def test_a_limit_is_that_of_the_whole_run(cluster, many, server, tmp_path):
    options = replace(FAST, limits=FEW_TOKENS)
    about = RunSettings(str(many), server.spec)
    with pytest.raises(RunStopped, match=r"shard \d/3: --max-tokens-total 16,600"):
        run_on_ray(about, tmp_path / "out", options, on(cluster))
    assert 0 < len(server.seen) < ROWS
    run_on_ray(about, tmp_path / "out", FAST, on(cluster))
    assert server.answered == Counter(dict.fromkeys(server.answered, 1))


def test_ctrl_c_ends_in_order_and_the_same_command_goes_on(cluster, many, server, plain, tmp_path):
    process = []
    count = 0

    def step(body):
        nonlocal count
        count += 1
        answer = slowly(body)
        if count == 6:
            answer.before = lambda: process[0].send_signal(signal.SIGINT)
        return answer

    server.default = step
    arguments = ["run", many, "--model", server.spec, "--out", "out", "--concurrency", 1, "--engine", "ray"]
    arguments += ["--shards", 3, "--ray-address", cluster.address]
    command = command_line(*arguments)
    process.append(subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
    _, said = process[0].communicate(timeout=60)
    assert process[0].returncode == 130, said
    assert "waiting for the calls under way" in said
    assert "to go on: the same command again" in said
    assert "Traceback" not in said
    assert sum(server.answered.values()) == len(server.seen) < ROWS
    server.default = varied
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1 and "INCOMPLETE" in done.stdout, done.stderr
    answered_once(server, tmp_path / "out")
    run = json.loads((tmp_path / "out" / "run.json").read_text())
    (tmp_path / "out" / "run.json").write_text(json.dumps({**run, "labels": {}}))
    same_runs(plain, tmp_path / "out")


def test_shards_can_be_gone_on_with_without_a_cluster(cluster, many, server, plain, tmp_path):
    about = RunSettings(str(many), server.spec)
    options = replace(FAST, limits=FEW_TOKENS)
    with pytest.raises(RunStopped):
        run_on_ray(about, tmp_path / "out", options, on(cluster))
    server.default = varied
    shards = sorted((tmp_path / "out" / "shards").iterdir())
    for shard in shards:
        run_benchmark(settings_from(shard), shard, FAST)
    run_on_ray(about, tmp_path / "out", FAST, on(cluster))
    assert score_run(tmp_path / "out").n_missing == 0


def test_another_number_of_shards_is_refused(cluster, many, server, tmp_path):
    about = RunSettings(str(many), server.spec)
    run_on_ray(about, tmp_path / "out", FAST, on(cluster))
    with pytest.raises(InputError, match=r"--shards 2: .* holds \d-of-3; go on with as many shards as there were"):
        run_on_ray(about, tmp_path / "out", FAST, on(cluster, 2))


def test_a_joined_run_that_went_on_is_not_joined_over(cluster, many, server, tmp_path):
    server.script["lex-locate-4k-s0-0002"] = [error(422, "unknown field")]
    about = RunSettings(str(many), server.spec)
    run_on_ray(about, tmp_path / "out", FAST, on(cluster))
    run_benchmark(settings_from(tmp_path / "out"), tmp_path / "out", FAST)
    with pytest.raises(InputError, match="gone on since"):
        run_on_ray(about, tmp_path / "out", FAST, on(cluster))


def test_no_such_cluster(many, server, tmp_path):
    pytest.importorskip("ray")
    with pytest.raises(InputError, match=r"--ray-address 127\.0\.0\.1:1: nobody listens there"):
        run_on_ray(
            RunSettings(str(many), server.spec), tmp_path / "out", FAST, ClusterOptions(2, address="127.0.0.1:1")
        )
