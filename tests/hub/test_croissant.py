import json
from pathlib import Path
from typing import Any

import pytest

from lengthwise.builders.croissant import croissant, croissant_text

pytestmark = pytest.mark.filterwarnings("ignore")
URL = "https://hub.example/datasets/ORG/novels"


def about(folder: Path) -> dict[str, Any]:
    return dict(json.loads((folder / "build.json").read_text("utf-8")))


@pytest.mark.parametrize("name", ["built", "story_world"])
def test_the_formats_own_validator_has_nothing_to_say(
    name: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    mlcroissant = pytest.importorskip("mlcroissant")
    folder = Path(request.getfixturevalue(name))
    file = tmp_path / "croissant.json"
    file.write_text(croissant_text(folder, about(folder), URL), "utf-8")
    issues = mlcroissant.Dataset(file).metadata.ctx.issues
    assert issues.errors == set()
    # A date and a citation are recommended; neither is known of a build.
    assert [one for one in issues.warnings if "datePublished" not in one and "citeAs" not in one] == []


def test_rows_are_read_by_it(story_world: Path) -> None:
    mlcroissant = pytest.importorskip("mlcroissant")
    from etils import epath  # comes with it

    made = croissant(story_world, about(story_world), URL)
    found = mlcroissant.Dataset(made, mapping={"repo": epath.Path(story_world)})
    rows = list(found.records("1k-en"))
    assert len(rows) == 2
    assert {bytes(row["1k-en/language"]) for row in rows} == {b"en"}
    assert all(len(row["1k-en/article"]) > 1000 for row in rows)


def test_every_config_is_a_record_set(built: Path) -> None:
    made = croissant(built, about(built), URL)
    assert {one["@id"] for one in made["recordSet"]} == set(about(built)["configs"])
    ids = [field["@id"] for one in made["recordSet"] for field in one["field"]]
    assert len(ids) == len(set(ids))
    assert "lex-locate/answer_text" in ids
