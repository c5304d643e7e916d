import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lengthwise.builders.croissant import croissant, croissant_text
from lengthwise.builders.push_dataset import push_dataset

from .card_files import front, splits
from .hub_server import Hub

pytestmark = pytest.mark.filterwarnings("ignore")
URL = "https://hub.example/datasets/ORG/novels"
FOLDERS = ("built", "story_world", "instances")


def about(folder: Path) -> dict[str, Any]:
    return dict(json.loads((folder / "build.json").read_text("utf-8")))


def plain(value: Any) -> Any:
    """Return a value of a record as Python's own types; members of structures without the path before their names."""
    if isinstance(value, dict):
        return {name.rpartition("/")[2]: plain(one) for name, one in value.items()}
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, list) or getattr(value, "ndim", 0):
        return [plain(one) for one in value]
    return value.item() if hasattr(value, "item") else value


def opened(made: dict[str, Any], folder: Path) -> Any:
    mlcroissant = pytest.importorskip("mlcroissant")
    from etils import epath  # comes with it

    return mlcroissant.Dataset(made, mapping={"repo": epath.Path(folder)})


def records(data: Any, config: str) -> list[dict[str, Any]]:
    return sorted(map(plain, data.records(config)), key=lambda row: str(row["id"]))


def rows(folder: Path, config: str) -> Iterator[dict[str, Any]]:
    import pyarrow.parquet as pq

    for name, files in splits(folder):
        if name.split("/")[0] == config:
            for path in files:
                yield from ({"split": name.split("/")[1], **row} for row in pq.read_table(path).to_pylist())


@pytest.mark.parametrize("name", FOLDERS)
def test_the_formats_own_validator_has_nothing_to_say(
    name: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    mlcroissant = pytest.importorskip("mlcroissant")
    folder = Path(request.getfixturevalue(name))
    file = tmp_path / "croissant.json"
    file.write_text(croissant_text(folder, about(folder), URL), "utf-8")
    issues = mlcroissant.Dataset(file).metadata.ctx.issues
    assert issues.errors == set()
    # A date and a citation are recommended; the one is not known of a build, the other not of every benchmark.
    assert [one for one in issues.warnings if "datePublished" not in one and "citeAs" not in one] == []


@pytest.mark.parametrize("name", FOLDERS)
def test_every_record_is_its_row_with_all_columns(name: str, request: pytest.FixtureRequest) -> None:
    folder = Path(request.getfixturevalue(name))
    data = opened(croissant(folder, about(folder), URL), folder)
    for entry in front(folder)["configs"]:
        config = entry["config_name"]
        assert records(data, config) == sorted(rows(folder, config), key=lambda row: str(row["id"])), config


def test_what_was_pushed_is_read_by_it(hub: Hub, story_world: Path, tmp_path: Path) -> None:
    from huggingface_hub import snapshot_download

    push_dataset(story_world, "ORG/novels")
    there = Path(snapshot_download("ORG/novels", repo_type="dataset", local_dir=tmp_path / "there"))
    data = opened(json.loads((there / "croissant.json").read_text("utf-8")), there)
    found = records(data, "1k-en")
    assert [row["language"] for row in found] == ["en", "en"]
    (injected,) = [row for row in found if row["injections"]]
    assert {"type", "subtype", "hallucinated", "original"} == set(injected["injections"][0])
    assert injected["evidence"][0]["units"] != []


def test_members_of_structures_are_described(built: Path) -> None:
    made = croissant(built, about(built), URL)
    fields = {field["@id"]: field for one in made["recordSet"] for field in one["field"]}
    predicates = fields["lex-locate/predicates"]
    assert (predicates["isArray"], predicates["arrayShape"]) == (True, "-1")
    assert [member["name"] for member in predicates["subField"]] == ["kind", "text", "position", "parameters"]
    assert fields["lex-locate/answers"]["arrayShape"] == "-1,-1"


def test_class_labels_have_names_and_a_citation_is_the_cards(story_world: Path, instances: Path) -> None:
    made = croissant(story_world, about(story_world), URL)
    (label,) = [field for field in made["recordSet"][0]["field"] if field["name"] == "hallucinated"]
    assert (label["dataType"], label["description"]) == ("cr:Int64", "0: no, 1: yes")
    assert "2603.22608" in croissant(instances, about(instances), URL)["citeAs"]


def test_every_config_is_a_record_set(built: Path) -> None:
    made = croissant(built, about(built), URL)
    assert {one["@id"] for one in made["recordSet"]} == set(about(built)["configs"])
    ids = [field["@id"] for one in made["recordSet"] for field in one["field"]]
    assert len(ids) == len(set(ids))
