"""Which benchmarks have a form without text that may not be passed on: one entry each."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lengthwise.errors import InputError

from .hub_folder import read_build
from .longnovel import recipe as longnovel
from .multi_instance import recipe as multi_instance
from .predicate import recipe as predicate


@dataclass(frozen=True)
class RecipeForm:
    """What a benchmark's recipe can do.

    Attributes:
        export: (build, out) -> writes the recipe.
        command: build's `build.json` -> the command that follows the recipe, once it lies in RECIPE.
        files: recipe -> names of its rows' files, once it is checked as far as that goes without the source.
    """

    export: Callable[[Path, Path], None]
    command: Callable[[Mapping[str, Any]], str]
    files: Callable[[Path], list[str]]


RECIPES = {
    "predicatelongbench": RecipeForm(predicate.export_recipe, predicate.rebuild_command, predicate.recipe_files),
    "multi-instance": RecipeForm(
        multi_instance.export_recipe, multi_instance.rebuild_command, multi_instance.recipe_files
    ),
    "longnovel": RecipeForm(longnovel.export_recipe, longnovel.rebuild_command, longnovel.recipe_files),
}


def export_recipe(build: Path | str, out: Path | str) -> RecipeForm:
    """Write the recipe of a build, by which who has the source builds the very rows; return its form.

    Args:
        build: a finished build.
        out: folder; new or empty.

    Raises:
        InputError: there is no such build, it needs no recipe, or `out` holds something.
    """
    form = _form_of(Path(build))
    form.export(Path(build), Path(out))
    return form


def recipe_files(recipe: Path) -> list[str]:
    """Return the names of the files that hold a recipe's rows, checked as far as that goes without the source.

    Raises:
        InputError: a file is missing or damaged.
    """
    return _form_of(recipe).files(recipe)


def _form_of(folder: Path) -> RecipeForm:
    benchmark = str(read_build(folder).get("benchmark"))
    if benchmark not in RECIPES:
        raise InputError(f"{folder}: {benchmark} has no recipe, for its text may be passed on: push the rows")
    return RECIPES[benchmark]
