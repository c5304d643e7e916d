import json
from dataclasses import replace
from pathlib import Path

import pytest

from lengthwise.builders.benchmarks import validate
from lengthwise.builders.multi_instance.build import build_multi_instance
from lengthwise.builders.multi_instance.pools.pool import Pool
from lengthwise.builders.multi_instance.recipe import export_recipe, rebuild_command, rebuild_instances, recipe_files
from lengthwise.builders.multi_instance.retained import Retained
from lengthwise.errors import InputError

from .conftest import SMALL, tiny_pool

CONFIGS = ("ner", "ner-instances", "ner-noise-tail", "ner-shuffled", "ner-single", "word-longest")


def closed_pool(task: str) -> Pool:
    return replace(tiny_pool(task), redistributable=False, licence="not stated")


def first_word_changed(task: str) -> Pool:
    pool = closed_pool(task)
    first, *others = pool.instances
    return replace(pool, instances=(replace(first, text=f"So {first.text}"), *others))


@pytest.fixture
def closed(tmp_path: Path) -> Path:
    build_multi_instance(tmp_path / "closed", CONFIGS, pool_of=closed_pool, settings=SMALL)
    return tmp_path / "closed"


@pytest.fixture
def recipe(closed: Path, tmp_path: Path) -> Path:
    export_recipe(closed, tmp_path / "recipe")
    return tmp_path / "recipe"


def test_no_text_is_in_it_and_the_very_folder_comes_of_it(closed: Path, recipe: Path, tmp_path: Path) -> None:
    written = "".join(path.read_text("utf-8") for path in recipe.rglob("*") if path.is_file())
    assert "gary wilson" not in written and "women and men" not in written
    digest = rebuild_instances(recipe, closed_pool, tmp_path / "again")
    for name in ("README.md", "build.json"):
        assert (tmp_path / "again" / name).read_bytes() == (closed / name).read_bytes()
    reports = validate(tmp_path / "again")
    assert [line for report in reports for line in report.problems] == []
    assert reports[-1].digest == digest == json.loads((closed / "build.json").read_text("utf-8"))["digest"]


def test_a_line_for_each_row_with_its_id_answer_and_digest(recipe: Path) -> None:
    assert "ner-instances/n10.jsonl" in recipe_files(recipe)
    row = json.loads((recipe / "ner" / "n2.jsonl").read_text("utf-8").splitlines()[0])
    assert (row["id"], row["answer_text"], len(row["digest"])) == ("ner-random_2_seed1", "4", 64)


def test_what_a_filter_left_is_kept_to(tmp_path: Path) -> None:
    retained = {"ner": Retained((0, 2, 3, 5, 8, 9))}
    settings = replace(SMALL, sizes=(2, 5))
    build_multi_instance(tmp_path / "closed", ("ner",), pool_of=closed_pool, settings=settings, retained=retained)
    export_recipe(tmp_path / "closed", tmp_path / "recipe")
    rebuild_instances(tmp_path / "recipe", closed_pool, tmp_path / "again")
    assert (tmp_path / "again" / "build.json").read_bytes() == (tmp_path / "closed" / "build.json").read_bytes()


def test_the_same_text_may_be_read_elsewhere(recipe: Path, closed: Path, tmp_path: Path) -> None:
    rebuild_instances(recipe, lambda task: replace(closed_pool(task), kind="hub", source="x"), tmp_path / "again")
    assert (tmp_path / "again" / "build.json").read_bytes() == (closed / "build.json").read_bytes()


def test_another_pool_is_told_before_anything_is_written(recipe: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"pool of ner: 12 instances with digest .* where the recipe is of 12"):
        rebuild_instances(recipe, first_word_changed, tmp_path / "again")
    assert not (tmp_path / "again").exists()


def test_another_construction_is_told(recipe: Path, tmp_path: Path) -> None:
    build = json.loads((recipe / "build.json").read_text("utf-8"))
    build["plan"]["version"] = 0
    (recipe / "build.json").write_text(json.dumps(build), "utf-8")
    with pytest.raises(InputError, match=r"version is 1 here, and 0 in the recipe"):
        rebuild_instances(recipe, closed_pool, tmp_path / "again")


def test_a_row_that_comes_out_otherwise_is_named(recipe: Path, tmp_path: Path) -> None:
    build = json.loads((recipe / "build.json").read_text("utf-8"))
    build["configs"]["ner"]["n5"]["digest"] = "0"
    (recipe / "build.json").write_text(json.dumps(build), "utf-8")
    lines = (recipe / "ner" / "n5.jsonl").read_text("utf-8").splitlines()
    other = json.dumps(json.loads(lines[1]) | {"digest": "0"})
    (recipe / "ner" / "n5.jsonl").write_text(f"{lines[0]}\n{other}\n", "utf-8")
    with pytest.raises(InputError, match="ner-random_5_seed2: the row that comes of the recipe has another digest"):
        rebuild_instances(recipe, closed_pool, tmp_path / "again")
    assert not (tmp_path / "again" / "build.json").exists()


@pytest.mark.parametrize(
    ("pools", "said"),
    [
        ({"ner": {"kind": "folder", "source": "x"}}, "--pool FOLDER"),
        ({"ner": {"kind": "hub", "source": "unimelb-nlp/wikiann@1"}}, "--pool hub --ner-source wikiann"),
        ({"wsd": {"kind": "hub", "source": "apple"}}, "--pool hub --wsd-folder FOLDER"),
    ],
)
def test_the_command_on_the_card_names_the_pools(pools: dict[str, object], said: str) -> None:
    command = rebuild_command({"plan": {"pools": pools}})
    assert command == f"lengthwise build multi-instance --recipe RECIPE --out DIR {said}"


def test_templates_of_ones_own_must_be_given_again(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "ner.txt").write_text("How many persons?", "utf-8")
    build_multi_instance(tmp_path / "mine", ("ner",), pool_of=closed_pool, settings=replace(SMALL, prompts=own))
    export_recipe(tmp_path / "mine", tmp_path / "recipe")
    with pytest.raises(InputError, match="prompt_template is"):
        rebuild_instances(tmp_path / "recipe", closed_pool, tmp_path / "again")
    rebuild_instances(tmp_path / "recipe", closed_pool, tmp_path / "again", prompts=own)
