import json
from pathlib import Path

import pytest

from lengthwise.builders.benchmarks import validate
from lengthwise.builders.longnovel.storyworld.documents import story_document
from lengthwise.builders.predicate.build import build_predicate
from lengthwise.builders.predicate.document_filter import FilterBounds
from lengthwise.builders.predicate.recipe import export_recipe, rebuild_command, rebuild_predicate, recipe_files
from lengthwise.builders.predicate.settings import Settings
from lengthwise.errors import InputError


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two long texts of which nothing says whose they are, and one that is too short."""
    folder = tmp_path_factory.mktemp("documents")
    for index in range(2):
        (folder / f"tale-{index}.txt").write_text(story_document(5, index).text, "utf-8")
    (folder / "short.txt").write_text("Too short by far.", "utf-8")
    return folder


@pytest.fixture(scope="module")
def closed(documents: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("closed") / "lists"
    build_predicate(
        folder,
        ("documents-locate", "documents-scattered", "lex-locate", "lex-scattered--decoys-4"),
        splits=("4k",),
        words=(700,),
        settings=Settings(examples=3),
        documents=(str(documents),),
        bounds=FilterBounds(min_run=4),
        break_ties=True,
    )
    return folder


@pytest.fixture
def recipe(closed: Path, tmp_path: Path) -> Path:
    export_recipe(closed, tmp_path / "recipe")
    return tmp_path / "recipe"


def test_no_text_is_in_it_and_the_very_folder_comes_of_it(
    closed: Path, recipe: Path, documents: Path, tmp_path: Path
) -> None:
    words = (documents / "tale-0.txt").read_text("utf-8").split()[100:106]
    written = "".join((recipe / name).read_text("utf-8") for name in recipe_files(recipe))
    assert " ".join(words).lower() not in written.lower()
    assert all("prompt" not in json.loads(line) for line in written.splitlines())
    digest = rebuild_predicate(recipe, (str(documents),), tmp_path / "again")
    for name in ("README.md", "build.json"):
        assert (tmp_path / "again" / name).read_bytes() == (closed / name).read_bytes()
    reports = validate(tmp_path / "again")
    assert [line for report in reports for line in report.problems] == []
    assert reports[-1].digest == digest


def test_further_documents_change_nothing(recipe: Path, documents: Path, tmp_path: Path) -> None:
    more = tmp_path / "more"
    more.mkdir()
    (more / "another.txt").write_text(story_document(6, 0).text, "utf-8")
    digest = rebuild_predicate(recipe, (str(documents), str(more)), tmp_path / "again")
    assert digest == json.loads((recipe / "build.json").read_text("utf-8"))["digest"]


def test_a_document_that_is_another_one_is_told(recipe: Path, documents: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "tale-0.txt").write_text((documents / "tale-0.txt").read_text("utf-8") + " And so on.", "utf-8")
    (other / "tale-1.txt").write_text((documents / "tale-1.txt").read_text("utf-8"), "utf-8")
    with pytest.raises(InputError, match=r"documents\.kept\.0\.1 is '[0-9a-f]{64}' here, and"):
        rebuild_predicate(recipe, (str(other),), tmp_path / "again")
    assert not (tmp_path / "again").exists()


def test_a_document_that_is_missing_is_told(recipe: Path, documents: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"documents\.kept\.1 is nothing here, and \['tale-1', "):
        rebuild_predicate(recipe, (str(documents / "tale-0.txt"),), tmp_path / "again")


def test_lists_of_random_words_need_none(built: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no text but its own: push the rows"):
        export_recipe(built, tmp_path / "recipe")


@pytest.mark.parametrize(
    ("origin", "said"),
    [
        ("hub:zai-org/LongBench-v2@0a1b/data.json", "zai-org/LongBench-v2"),
        ("file:a.txt", "FOLDER"),
        ("lengthwise storyworld 1", "storyworld"),
    ],
)
def test_the_command_on_the_card_names_the_source(origin: str, said: str) -> None:
    command = rebuild_command({"documents": {"kept": [{"origin": origin}, {"origin": origin}]}})
    assert command == f"lengthwise build predicate --recipe RECIPE --out DIR --documents {said}"
