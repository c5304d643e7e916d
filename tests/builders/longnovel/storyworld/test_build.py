import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from lengthwise.builders import parts
from lengthwise.builders.hub_folder import PARTS_FOLDER, parquet_files, read_build
from lengthwise.builders.longnovel.schema import SCHEMA
from lengthwise.builders.longnovel.sft import export_sft
from lengthwise.builders.longnovel.storyworld import build as module
from lengthwise.builders.longnovel.storyworld.build import build_storyworld
from lengthwise.builders.longnovel.storyworld.settings import StorySettings
from lengthwise.errors import InputError

from .conftest import SMALL


def rows_of(folder: Path, config: str, split: str) -> list[dict[str, Any]]:
    return [
        row
        for path in parquet_files(folder, (config, split))
        for row in pq.read_table(path, partitioning=None).to_pylist()
    ]


def test_it_loads_as_any_data_set(small: Path) -> None:
    from datasets import load_dataset

    whole = load_dataset(str(small), "4k")
    assert {split: len(rows) for split, rows in whole.items()} == {"train": 4, "test": 8}
    assert list(whole["test"].features) == SCHEMA.names
    assert whole["test"].features["hallucinated"].names == ["no", "yes"]
    for language in ("en", "zh"):
        rows = load_dataset(str(small), f"4k-{language}", split="test")
        assert set(rows["language"]) == {language} and len(rows) == 4
        assert sum(rows["hallucinated"]) == 2
    prompts = load_dataset(str(small), "4k-prompt", split="test")
    assert prompts["id"] == whole["test"]["id"]
    for row, ready in zip(whole["test"], prompts, strict=True):
        assert ready["prompt"].startswith(row["question"])
        assert row["article"] in ready["prompt"] and ready["prompt"].endswith(row["summary"])


def test_any_row_can_stream(small: Path) -> None:
    from datasets import load_dataset

    first = next(iter(load_dataset(str(small), "4k", split="test", streaming=True)))
    assert first["pair_kind"] == "minimal" and first["generator"] == first["summary_origin"] == "ledger"


def test_the_same_digest_in_workers_shards_and_pieces(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_WORTH_WORKERS", 0)
    digest = read_build(small)["digest"]
    assert build_storyworld(tmp_path / "two", SMALL, workers=2).digest == digest
    for part in (2, 1):
        assert not build_storyworld(tmp_path / "parts", SMALL, shard=(part, 2)).finished
    assert build_storyworld(tmp_path / "parts", SMALL).digest == digest


def test_a_build_that_was_killed_goes_on(small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, made = parts.do_task, []

    def killed(folder: Path, task: parts.Task, *rest: Any) -> int:
        made.append(task.name)
        if len(made) == 2:
            raise KeyboardInterrupt
        return real(folder, task, *rest)

    monkeypatch.setattr(parts, "do_task", killed)
    with pytest.raises(KeyboardInterrupt):
        build_storyworld(tmp_path / "d", SMALL)
    assert (tmp_path / "d" / PARTS_FOLDER).exists() and not (tmp_path / "d" / "build.json").exists()
    made.append("the second time")
    assert build_storyworld(tmp_path / "d", SMALL).digest == read_build(small)["digest"]
    assert made.count(made[0]) == 1


def test_a_finished_build_is_recognised_and_another_refused(copied: Path) -> None:
    assert build_storyworld(copied, SMALL).reused
    with pytest.raises(InputError, match="another build"):
        build_storyworld(copied, replace(SMALL, seed=43))


def test_fewer_examples_and_one_language_are_part_of_more(small: Path, tmp_path: Path) -> None:
    build_storyworld(tmp_path / "zh", StorySettings(("4k",), examples=2, languages=("zh",)))
    (path,) = (tmp_path / "zh" / "4k").glob("*.parquet")
    assert path.name.startswith("test-zh-")
    some = rows_of(tmp_path / "zh", "4k", "test")
    assert some == [row for row in rows_of(small, "4k", "test") if row["language"] == "zh"][:2]


def test_splits_share_no_novel(small: Path) -> None:
    books = [{row["book"] for row in rows_of(small, "4k", split)} for split in ("train", "test")]
    assert not books[0] & books[1] and [len(one) for one in books] == [2, 4]


def test_what_cannot_be_counted_is_known_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="unknown tokenizer"):
        build_storyworld(tmp_path / "d", replace(SMALL, tokenizer="none"))
    assert not (tmp_path / "d").exists()


def test_the_card_says_what_it_is_and_what_not(small: Path) -> None:
    card, build = (small / "README.md").read_text("utf-8"), read_build(small)
    assert "pretty_name: Story world (LongNovel's task, generated)" in card
    assert "# LongNovel" not in card and build["benchmark"] == "longnovel-storyworld"
    for told in (
        build["digest"],
        build["canary"],
        "--source storyworld",
        "license: apache-2.0",
        "This is not LongNovel",
    ):
        assert told in card
    assert "--examples 8 --train 4" in card
    assert rows_of(small, "4k", "train")[0]["article"].split("\n")[0] in card
    assert "${" not in card and "$" not in card.split("---\n")[2].replace("US$", "")


def test_build_json_counts_what_is_there(small: Path) -> None:
    build = read_build(small)
    assert build["composition"]["test 4k"] == {
        "total": 8, "zh": 4, "en": 4, "original": 4, "erhg": 4, "mma": 0, "hallucinated": 4, "non_hallucinated": 4
    }  # fmt: skip
    assert build["views"]["4k-en"]["test"]["rows"] == 4
    assert json.loads(json.dumps(build["plan"])) == build["plan"]


def test_training_data_can_be_written_from_it(tmp_path: Path) -> None:
    build_storyworld(tmp_path / "s", StorySettings(("s",), examples=0, train=2, languages=("en",)))
    (made,) = export_sft(tmp_path / "s", tmp_path / "sft")
    assert (made.name.startswith("longnovel_storyworld_"), made.rows) == (True, 2)
