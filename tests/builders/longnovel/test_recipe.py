from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lengthwise.builders.benchmarks import validate
from lengthwise.builders.longnovel.recipe import export_recipe, pieces, rebuild, text_of
from lengthwise.errors import InputError

from .conftest import Made


@given(st.text("ab", max_size=40), st.text("ab", max_size=80), st.integers(1, 6))
def test_pieces_give_the_text_again(text: str, base: str, run: int) -> None:
    found = pieces(text, base, run)
    assert text_of(found, base) == text
    assert all(one[1] >= run for one in found if isinstance(one, list))


def test_what_stands_in_the_source_is_an_offset() -> None:
    assert pieces("said he, it is a truth; no", "it is a truth universally", 8) == ["said he, ", [0, 13], "; no"]


def test_a_recipe_holds_no_text_and_gives_the_same_build(finished: Path, made: Made, tmp_path: Path) -> None:
    recipe = tmp_path / "recipe"
    export_recipe(finished, recipe)
    written = "".join(path.read_text("utf-8") for path in recipe.rglob("*") if path.is_file())
    assert "the old captain walked down" not in written
    assert "走到码头" not in written
    digest = rebuild(recipe, made.source.units, tmp_path / "again")
    reports = validate(tmp_path / "again")
    assert [line for report in reports for line in report.problems] == []
    assert {report.cell: report.digest for report in reports} == {one.cell: one.digest for one in validate(finished)}
    assert reports[-1].digest == digest


def test_another_source_is_told_by_its_first_unit(finished: Path, made: Made, tmp_path: Path) -> None:
    export_recipe(finished, tmp_path / "recipe")
    units = [replace(one, text=one.text + "!") if one.index == 2 else one for one in made.source.units]
    with pytest.raises(InputError, match="unit 2 of en0 is another one in this source"):
        rebuild(tmp_path / "recipe", units, tmp_path / "again")
    with pytest.raises(InputError, match="unit 1 of en0 is missing"):
        rebuild(tmp_path / "recipe", [], tmp_path / "again")
    assert not (tmp_path / "again").exists()


def test_a_folder_that_holds_something_is_left_alone(finished: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    with pytest.raises(InputError, match="not an empty folder"):
        export_recipe(finished, tmp_path)


def test_what_is_no_recipe(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"holds no recipe\.json"):
        rebuild(tmp_path, [], tmp_path / "again")
