import json
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lengthwise.builders.hub_folder import parquet_files, read_build
from lengthwise.builders.longnovel.assembly import assemble, check_origins
from lengthwise.builders.longnovel.export import read_rows
from lengthwise.builders.longnovel.requests import Request
from lengthwise.builders.longnovel.schema import SCHEMA
from lengthwise.builders.longnovel.settings import NovelSettings
from lengthwise.builders.longnovel.validate import validate_longnovel as validate
from lengthwise.errors import InputError

from .conftest import Made, lay_down


def rows(folder: Path, config: str = "4k", split: str = "test") -> list[dict[str, Any]]:
    return list(read_rows(parquet_files(folder, (config, split))))


def test_the_columns_are_those_that_the_schema_names_short_ones_first(finished: Path) -> None:
    assert list(rows(finished)[0]) == SCHEMA.names
    assert SCHEMA.names[-5:] == ["question", "answer_text", "summary", "reference", "article"]


def test_load_dataset_reads_every_config_and_knows_the_classes(finished: Path, tmp_path: Path) -> None:
    from datasets import get_dataset_config_names, load_dataset

    assert get_dataset_config_names(str(finished)) == ["4k", "4k-prompt", "4k-en", "4k-zh"]
    whole = load_dataset(str(finished), "4k", cache_dir=str(tmp_path))
    assert set(whole) == {"train", "validation", "test"}
    assert whole["test"].features["hallucinated"].names == ["no", "yes"]
    chinese = load_dataset(str(finished), "4k-zh", split="test", cache_dir=str(tmp_path))
    assert set(chinese["language"]) == {"zh"}
    english = load_dataset(str(finished), "4k-en", split="test", cache_dir=str(tmp_path))
    assert len(chinese) + len(english) == len(whole["test"])
    prompts = load_dataset(str(finished), "4k-prompt", cache_dir=str(tmp_path))
    assert list(prompts) == ["test"]
    assert prompts["test"]["id"] == whole["test"]["id"]


def test_a_prompt_is_question_article_and_summary_in_this_order(finished: Path) -> None:
    for row, prompt in zip(rows(finished), rows(finished, "4k-prompt"), strict=True):
        places = [prompt["prompt"].find(row[name]) for name in ("question", "article", "summary")]
        assert places == sorted(places) and places[0] == 0
        assert prompt["prompt"].endswith(row["summary"])


def test_no_file_is_stored_twice(finished: Path) -> None:
    assert sorted(path.name for path in finished.iterdir() if path.is_dir()) == ["4k", "4k-prompt", "steps"]


def test_every_summary_becomes_a_row(finished: Path, made: Made) -> None:
    there = [row["id"] for split in ("train", "validation", "test") for row in rows(finished, split=split)]
    assert sorted(there) == sorted(label.id for label in made.labels)


def test_the_counts_in_build_json_add_up(finished: Path) -> None:
    build = read_build(finished)
    for subset, line in build["composition"].items():
        split, scale = subset.split(" ")
        assert line["total"] == build["configs"][scale][split]["rows"] == line["zh"] + line["en"]


def test_the_same_steps_give_the_same_digest(finished: Path, made: Made, tmp_path: Path) -> None:
    again = assemble(lay_down(made, tmp_path / "again"), NovelSettings(("4k",)))
    assert again.digest == read_build(finished)["digest"]


def test_requested_rows_take_the_place_of_an_earlier_call(copied: Path) -> None:
    request = Request("test", "4k", {"en": 4, "zh": 4}, {"original": 2, "erhg": 2, "mma": 4}, 4)
    built = assemble(copied, NovelSettings(("4k",), requests=(request,)))
    assert Counter(row["origin"] for row in rows(copied)) == {"original": 2, "erhg": 2, "mma": 4}
    assert not parquet_files(copied, ("4k", "train"))
    assert read_build(copied)["digest"] == built.digest


def test_too_few_summaries_leave_the_earlier_data_as_it_was(copied: Path) -> None:
    before = read_build(copied)
    request = Request("test", "4k", {"en": 400, "zh": 0}, {"original": 200, "erhg": 200}, 200)
    with pytest.raises(InputError, match="3 of 200 rows of erhg"):
        assemble(copied, NovelSettings(("4k",), requests=(request,)))
    assert read_build(copied) == before
    built = assemble(copied, NovelSettings(("4k",), requests=(request,), fewer=True))
    assert any("3 of 200 rows of erhg" in line for line in built.missing)
    assert "3 of 200 rows of erhg" in (copied / "README.md").read_text()


def test_peoples_and_models_summaries_never_share_a_table(made: Made) -> None:
    other = replace(made.references[0], summary_origin="model:m")
    with pytest.raises(InputError, match="never stand in one table"):
        check_origins([*made.references[1:], other])
    check_origins(made.references)


def test_a_reference_that_its_critic_does_not_trust_is_in_no_row(made: Made, tmp_path: Path) -> None:
    key = made.windows[0].key
    doubted = [replace(one, score=1) if one.key == key else one for one in made.references]
    folder = lay_down(replace(made, references=doubted), tmp_path / "doubted")
    built = assemble(folder, NovelSettings(("4k",)))
    assert built.refused == (key.id,)
    window = [row for split in ("train", "validation", "test") for row in rows(folder, split=split)
              if row["id"].startswith(key.id)]  # fmt: skip
    # Models' own summaries, judged by the article alone, stay.
    assert {row["origin"] for row in window} == {"mma"}
    assert {(row["reference"], row["summary_origin"], row["compressed"]) for row in window} == {("", "", False)}
    assert [line for report in validate(folder) for line in report.problems] == []


def test_a_step_that_is_missing_is_named(copied: Path) -> None:
    shutil.move(copied / "steps" / "candidates.parquet", copied / "steps" / "elsewhere")
    with pytest.raises(InputError, match=r"candidates\.parquet"):
        assemble(copied, NovelSettings(("4k",)))


def test_what_people_decided_stands_in_the_row_and_on_the_card(copied: Path) -> None:
    name = rows(copied)[0]["id"]
    assemble(copied, NovelSettings(("4k",)), reviews={name: "confirmed"})
    assert {row["review"] for row in rows(copied) if row["id"] == name} == {"confirmed"}
    assert "1 of 90 rows" in (copied / "README.md").read_text()


def test_a_source_that_may_not_be_passed_on_is_told(made: Made, tmp_path: Path) -> None:
    closed = replace(made, source=replace(made.source, redistributable=False, licence="in copyright"))
    built = assemble(lay_down(closed, tmp_path / "closed"), NovelSettings(("4k",)))
    assert "may not be passed on" in " ".join(built.lines())
    assert "may not be passed on**" in (tmp_path / "closed" / "README.md").read_text()
    assert json.loads((tmp_path / "closed" / "build.json").read_text())["redistributable"] is False


def test_what_a_killed_call_left_is_not_taken_for_rows(copied: Path) -> None:
    before = read_build(copied)
    (copied / "build.json").unlink()
    shutil.copy(next(copied.glob("4k/test-en-*")), copied / "4k" / "test-en-00001-of-00002.parquet")
    assemble(copied, NovelSettings(("4k",)))
    assert read_build(copied) == before
