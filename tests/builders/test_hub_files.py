from pathlib import Path

import pytest
from huggingface_hub.errors import LocalEntryNotFoundError

from lengthwise.builders.hub_files import HubCopy, fetch, file_rows, origin
from lengthwise.errors import InputError

FIRST, SECOND = HubCopy("org/first", ("*.csv",)), HubCopy("org/second", ("b/*.jsonl", "a.csv"), "v1")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Hub that has only the second copy."""
    folder = tmp_path / "0123456789abcdef"
    (folder / "b").mkdir(parents=True)

    def download(repo: str, *, repo_type: str, revision: str | None, allow_patterns: list[str]) -> str:
        if (repo, revision) != ("org/second", "v1"):
            raise LocalEntryNotFoundError("no connection")
        return str(folder)

    monkeypatch.setattr("huggingface_hub.snapshot_download", download)
    return folder


def test_the_first_copy_that_can_be_had(cache: Path) -> None:
    (cache / "a.csv").write_text('id,text\n7,"one\ntwo, ""three"""\n008,\n')
    (cache / "b" / "x.jsonl").write_text('{"id": 1}\n\n')
    copy, folder = fetch("source", [FIRST, SECOND], "Else.")
    assert origin(copy, folder) == "org/second@0123456789ab"
    assert list(file_rows(folder, copy)) == [
        {"id": 1}, {"id": "7", "text": 'one\ntwo, "three"'}, {"id": "008", "text": ""}
    ]  # fmt: skip


def test_nothing_to_be_had(cache: Path) -> None:
    with pytest.raises(InputError, match=r"source: org/first: the Hub cannot be .*holds none of b/\*.jsonl.*Else\."):
        fetch("source", [FIRST, SECOND], "Else.")


def test_a_pattern_that_fits_no_file(cache: Path) -> None:
    (cache / "a.csv").write_text("id\n")
    with pytest.raises(InputError, match=r"org/second has no file 'b/\*.jsonl' \(revision v1\)"):
        list(file_rows(cache, SECOND))
