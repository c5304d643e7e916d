"""A Hub of one's own for each test, and clients that take it for the real one: in this process or their own."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from .hub_server import TOKEN, Hub


@pytest.fixture(scope="session")
def story_world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished build of four rows in two languages; copy it before changing it."""
    from lengthwise.builders.longnovel.storyworld.build import build_storyworld
    from lengthwise.builders.longnovel.storyworld.settings import StorySettings

    folder = tmp_path_factory.mktemp("hub") / "novels"
    build_storyworld(folder, StorySettings(scales=("1k",), examples=4))
    return folder


@pytest.fixture(scope="session")
def instances(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished build of two configs, one of them of tables; copy it before changing it."""
    from lengthwise.builders.multi_instance.build import build_multi_instance
    from lengthwise.builders.multi_instance.settings import InstanceSettings

    folder = tmp_path_factory.mktemp("hub") / "instances"
    build_multi_instance(folder, ["ner", "ner-instances"], settings=InstanceSettings(sizes=(2, 5), seeds=(1,)))
    return folder


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A Hub that `HfApi()` in this process speaks with, by the way of large files that all clients know."""
    from huggingface_hub import constants, file_download, hf_api

    with Hub() as hub:
        template = f"{hub.url}/{{repo_id}}/resolve/{{revision}}/{{filename}}"
        values = {"ENDPOINT": hub.url, "HUGGINGFACE_CO_URL_TEMPLATE": template, "HF_HUB_DISABLE_XET": True}
        for module in (
            constants,
            file_download,
            hf_api,
        ):  # the oldest client keeps constants in several of its modules
            for name, value in values.items():
                if hasattr(module, name):
                    monkeypatch.setattr(module, name, value)
        monkeypatch.setenv("HF_TOKEN", TOKEN)
        yield hub


def environment(hub: Hub, home: Path) -> dict[str, str]:
    """Return the environment of a process that takes `hub` for the Hub, and has nothing in its cache."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "HUGGING"))}
    return kept | {
        "HF_ENDPOINT": hub.url,
        "HF_TOKEN": TOKEN,
        "HF_HOME": str(home),
        "HF_HUB_DISABLE_XET": "1",
        "HF_HUB_DISABLE_TELEMETRY": "1",
        "HF_UPDATE_DOWNLOAD_COUNTS": "0",
    }


Client = Callable[..., str]


@pytest.fixture
def client(hub: Hub, tmp_path: Path) -> Client:
    """Run Python code in a process of its own, in an empty folder, and return what it prints."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()

    def run(code: str, python: str = sys.executable, **more: str) -> str:
        env: Mapping[str, str] = environment(hub, tmp_path / "home") | more
        done = subprocess.run(
            [python, "-W", "ignore", "-c", code], env=env, cwd=elsewhere, text=True, capture_output=True, timeout=300
        )
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout.strip()

    return run
