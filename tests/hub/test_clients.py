"""The clients themselves, each in a process of its own with nothing in its cache, against what was pushed."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from lengthwise.builders.push_dataset import push_dataset
from lengthwise.metrics.push_metric import push_metric

from .conftest import Client, environment
from .hub_server import Hub
from .hub_wire import Answer, Asked, refusal

pytestmark = pytest.mark.filterwarnings("ignore:Use 'content=<...>':DeprecationWarning")

_LOAD = """
import json
import datasets
name = "ORG/longnovel"
every = datasets.load_dataset(name, "1k")
streamed = list(datasets.load_dataset(name, "1k-en", split="test", streaming=True).take(2))
print(json.dumps({
    "configs": datasets.get_dataset_config_names(name),
    "default": datasets.load_dataset(name)["test"].num_rows,
    "rows": every["test"].num_rows,
    "languages": every["test"]["language"][:],
    "streamed": [row["language"] for row in streamed],
    "prompt": len(datasets.load_dataset(name, "1k-prompt", split="test")[0]["prompt"]),
    "old": datasets.load_dataset(name, "1k", split="test", revision="TAG").num_rows,
}))
"""


def test_load_dataset_whole_streamed_and_by_tag(hub: Hub, story_world: Path, client: Client) -> None:
    pushed = push_dataset(story_world, "ORG/longnovel")
    found = json.loads(client(_LOAD.replace("TAG", pushed.tag or "")))
    assert sorted(found["configs"]) == ["1k", "1k-en", "1k-prompt", "1k-zh"]
    assert (found["rows"], found["default"], found["old"]) == (4, 4, 4)
    assert sorted(found["languages"]) == ["en", "en", "zh", "zh"]
    assert found["streamed"] == ["en", "en"]
    assert found["prompt"] > 1000
    assert hub.unknown == []


def test_without_a_network_the_cache_does(hub: Hub, story_world: Path, client: Client) -> None:
    push_dataset(story_world, "ORG/longnovel")
    code = "import datasets; print(datasets.load_dataset('ORG/longnovel', '1k', split='test').num_rows)"
    assert client(code) == "4"
    hub.requests.clear()
    assert client(code, HF_HUB_OFFLINE="1") == "4"
    assert hub.requests == []


def test_evaluate_load(hub: Hub, client: Client) -> None:
    push_metric("hallucination_detection", "ORG/hallucination_detection")
    code = (
        "import evaluate; metric = evaluate.load('ORG/hallucination_detection'); "
        "print(metric.compute(predictions=['Score: 1', 'Score: 4'], references=[1, 0])['balanced_accuracy'])"
    )
    assert client(code).splitlines()[-1] == "1.0"
    assert hub.unknown == []


def test_a_run_by_the_name_of_the_data(hub: Hub, story_world: Path, tmp_path: Path) -> None:
    push_dataset(story_world, "ORG/longnovel")
    out = tmp_path / "run"
    command = ["run", "ORG/longnovel", "1k", "--model", "reference:gold", "--out", str(out), "--quiet"]
    env = environment(hub, tmp_path / "home")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "lengthwise", *command], env=env, cwd=tmp_path, text=True,
        capture_output=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    about = json.loads((out / "run.json").read_text("utf-8"))
    assert about["data"]["source"] == "ORG/longnovel"
    assert about["data"]["revision"] == hub.repositories["dataset", "ORG/longnovel"].refs["main"]
    asked = [one for one in hub.requests if one.startswith("GET") and "parquet" in one]
    assert asked and not [one for one in asked if "1k-prompt" in one]


def test_the_command_says_what_it_did(hub: Hub, story_world: Path, tmp_path: Path) -> None:
    env = environment(hub, tmp_path / "home")
    command = ["push", "dataset", str(story_world), "ORG/novels", "--quiet", "--workers", "1"]

    def push(*more: str) -> str:
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-m", "lengthwise", *command, *more], env=env, text=True,
            capture_output=True, timeout=300,
        )  # fmt: skip
        assert env["HF_TOKEN"] not in done.stdout + done.stderr
        return done.stdout + done.stderr

    assert "7 files sent, 0 unchanged" in push()
    assert "nothing to send, all 7 files are there already" in push()
    assert "give one of them" in push("--pull-request", "--revision", "next")


def test_a_push_that_was_killed_goes_on(hub: Hub, story_world: Path, tmp_path: Path) -> None:
    stuck, gone = threading.Event(), threading.Event()
    whole: list[str] = []

    def fault(asked: Asked) -> Answer | None:
        if asked.method != "PUT":
            return None
        if not whole:
            whole.append(asked.path)
            return None
        stuck.set()
        gone.wait(60)
        return refusal(500, "", "its sender is gone")

    hub.fault = fault
    command = [sys.executable, "-W", "ignore", "-m", "lengthwise", "push", "dataset", str(story_world), "ORG/novels"]
    push = subprocess.Popen(
        command, env=environment(hub, tmp_path / "home"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    assert stuck.wait(120)
    push.kill()
    push.wait()
    gone.set()
    hub.fault = None
    repository = hub.repositories["dataset", "ORG/novels"]
    assert set(repository.refs) == {"main"}
    hub.requests.clear()
    pushed = push_dataset(story_world, "ORG/novels")
    again = [one.removeprefix("PUT ") for one in hub.requests if one.startswith("PUT")]
    assert len(again) == 2 and whole[0] not in again
    assert set(repository.refs) == {"main", pushed.tag}
    assert push_dataset(story_world, "ORG/novels").sent == ()


def test_rows_of_an_old_digest_are_loaded_by_their_tag(
    hub: Hub, tmp_path: Path, client: Client, story_world: Path
) -> None:
    from lengthwise.builders.longnovel.storyworld.build import build_storyworld
    from lengthwise.builders.longnovel.storyworld.settings import StorySettings

    first = push_dataset(story_world, "ORG/novels")
    build_storyworld(tmp_path / "novels", StorySettings(scales=("1k",), examples=6, seed=7))
    second = push_dataset(tmp_path / "novels", "ORG/novels")
    assert first.tag != second.tag
    code = (
        "import datasets\n"
        f"for tag in ('{first.tag}', '{second.tag}', None):\n"
        "    print(datasets.load_dataset('ORG/novels', '1k', split='test', revision=tag).num_rows)"
    )
    assert client(code).split() == ["4", "6", "6"]


@pytest.mark.slow
def test_a_push_and_a_load_by_the_way_of_xet(story_world: Path, tmp_path: Path) -> None:
    """The way by which clients send by default; hf_xet's own store in a folder stands for the servers of the Hub."""
    pytest.importorskip("hf_xet")
    from .xet_store import hashes_in

    store = tmp_path / "xet"
    store.mkdir()
    with Hub(xet=f"local://{store}", xet_hashes=lambda: hashes_in(store)) as hub:
        env = environment(hub, tmp_path / "home")
        del env["HF_HUB_DISABLE_XET"]
        code = (
            "from lengthwise.builders.push_dataset import push_dataset; "
            f"print(*[len(push_dataset({str(story_world)!r}, 'ORG/novels').sent) for _ in range(2)])"
        )
        done = _python(code, env, tmp_path)
        assert done.splitlines()[-1] == "7 0"
        assert [one for one in hub.requests if "xet-write-token" in one]
        assert not [one for one in hub.requests if one.startswith("PUT")]
        code = "import datasets; print(datasets.load_dataset('ORG/novels', '1k', split='test').num_rows)"
        assert _python(code, env, tmp_path).splitlines()[-1] == "4"
        assert [one for one in hub.requests if "xet-read-token" in one]


def _python(code: str, env: dict[str, str], folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], env={**os.environ, **env}, cwd=folder, text=True,
        capture_output=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.strip()
