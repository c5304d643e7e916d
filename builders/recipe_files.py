"""What a recipe consists of beside its card: `recipe.json`, the build's card and `build.json`, a line for each row.

A row's line holds what is no text of the source, and the digest that the row must have once it is built.
"""

import json
from collections.abc import Iterable
from pathlib import Path

from lengthwise.errors import InputError

from .hub_folder import BUILD_FILE, read_build
from .recipe_card import CARD_FILE, RECIPE_FILE


def new_folder(out: Path) -> None:
    """Make a folder that a recipe or its rows go into.

    Raises:
        InputError: it holds something.
    """
    check_new(out)
    out.mkdir(parents=True, exist_ok=True)


def check_new(out: Path) -> None:
    """Raise InputError where `out` holds something."""
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError(f"out {str(out)!r} is not an empty folder: choose another")


def check_is_recipe(recipe: Path) -> None:
    """Raise InputError where a folder is no recipe."""
    if not (recipe / RECIPE_FILE).is_file():
        raise InputError(f"{str(recipe)!r} holds no {RECIPE_FILE}; name a folder that `export --recipe` wrote")


def check_files(recipe: Path, rows: Iterable[tuple[str, str, str]]) -> list[str]:
    """Return the files of a recipe's rows, once all that can be checked without the source is in order.

    Args:
        recipe: folder.
        rows: (config, split, file) of all of its rows; a split may lie in several files.

    Raises:
        InputError: a file is missing or damaged, or holds another number of rows than `build.json` says.
    """
    about = read_build(recipe)
    again = f"{recipe} is no whole recipe; write it again with `lengthwise export --recipe`"
    if json.loads((recipe / RECIPE_FILE).read_text("utf-8")).get("digest") != about["digest"]:
        raise InputError(f"{again}: {RECIPE_FILE} and {BUILD_FILE} have different digests")
    counted: dict[tuple[str, str], int] = {}
    files = []
    for config, split, name in rows:
        try:
            lines = (recipe / name).read_text("utf-8").rstrip("\n").split("\n")
            whole = all(isinstance(json.loads(line).get("digest"), str) for line in lines)
        except (OSError, ValueError, AttributeError) as error:
            raise InputError(f"{again}: {name}: {error}") from error
        if not whole:
            raise InputError(f"{again}: {name}: a row without its digest")
        counted[config, split] = counted.get((config, split), 0) + len(lines)
        files.append(name)
    for (config, split), count in counted.items():
        if count != about["configs"][config][split]["rows"]:
            raise InputError(f"{again}: {config}/{split} has {count} rows, and {BUILD_FILE} says another number")
    if not (recipe / CARD_FILE).is_file():
        raise InputError(f"{again}: there is no {CARD_FILE}")
    return files
