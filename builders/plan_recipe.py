"""Rows that a source and a plan give, without the source's text: who has the source builds the very rows again.

`build.json` holds the plan: settings, digests of what the text was taken from, and which of it stands in which row.
The lines of the rows lack the columns that hold text, and end in the digest of the whole row.
"""

import json
import shutil
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from lengthwise.errors import InputError

from .digest import dataset_digest, row_digest
from .hub_folder import BUILD_FILE, SplitFacts, parquet_files, read_build, write_text
from .parts import Cell
from .recipe_card import CARD_FILE, RECIPE_FILE, recipe_card
from .recipe_files import check_is_recipe, new_folder

_WHAT = "Ids, figures and digests"
_NOTHING = object()


def export_plan_recipe(build: Path, out: Path, text_columns: Collection[str], command: str) -> None:
    """Write the recipe of a build: its rows without their text, its card and `build.json`.

    Args:
        build: a finished build.
        out: folder; new or empty.
        text_columns: that hold text of the source.
        command: that builds the rows from RECIPE, for the card.

    Raises:
        InputError: there is no such build, or `out` holds something.
    """
    about = read_build(build)
    new_folder(out)
    for config, split, name in row_files(about):
        (out / name).parent.mkdir(exist_ok=True)
        lines = (json.dumps(_without(row, text_columns), ensure_ascii=False) for row in _rows(build, (config, split)))
        write_text(out / name, "".join(f"{line}\n" for line in lines))
    card = (build / "README.md").read_text("utf-8")
    write_text(out / CARD_FILE, card)
    write_text(out / "README.md", recipe_card(card, _WHAT, command))
    shutil.copyfile(build / BUILD_FILE, out / BUILD_FILE)
    recipe = {"digest": about["digest"], "left_out": sorted(text_columns), "command": command}
    # Last of all: a folder without it is no recipe.
    write_text(out / RECIPE_FILE, json.dumps(recipe, indent=1, ensure_ascii=False) + "\n")


def row_files(about: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield (config, split, file) of every split in a recipe, from its `build.json`."""
    for config, splits in about["configs"].items():
        yield from ((config, split, f"{config}/{split}.jsonl") for split in splits)


def _without(row: Mapping[str, Any], columns: Collection[str]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in columns} | {"digest": row_digest(row)}


def _rows(folder: Path, cell: Cell) -> Iterator[dict[str, Any]]:
    import pyarrow.parquet as pq

    for path in parquet_files(folder, cell):
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=8):
                yield from batch.to_pylist()


@dataclass(frozen=True)
class Rebuild:
    """The recipe that a build follows: its plan must be the recipe's, and so must its rows.

    Attributes:
        recipe: what `export_plan_recipe` wrote.

    Raises:
        InputError: it is no recipe, or an unfinished one.
    """

    recipe: Path

    def __post_init__(self) -> None:
        check_is_recipe(self.recipe)

    @property
    def plan(self) -> dict[str, Any]:
        """What identifies the build that the recipe was made of."""
        return dict(read_build(self.recipe)["plan"])

    def check(self, plan: Mapping[str, Any]) -> None:
        """Raise InputError where a plan is another one, with the first thing in which it differs."""
        found = _difference(json.loads(json.dumps(plan)), self.plan, "")
        if found is not None:
            where, here, wanted = found
            raise InputError(
                f"{self.recipe} is not followed: {where} is {here} here, and {wanted} in the recipe; give the source "
                "and the templates that its card names, and the lengthwise that made it"
            )

    def finish(self, folder: Path, facts: Mapping[Cell, SplitFacts]) -> str:
        """Put the recipe's card and `build.json` to rows that are the recipe's; return their digest.

        Args:
            folder: with the Parquet files in it.
            facts: of every (config, split).

        Raises:
            InputError: a row has another digest; the first one is named.
        """
        wanted = read_build(self.recipe)
        for (config, split), fact in facts.items():
            if fact.digest != wanted["configs"][config][split]["digest"]:
                raise InputError(self._other_row(config, split, fact))
        shutil.copyfile(self.recipe / CARD_FILE, folder / "README.md")
        shutil.copyfile(self.recipe / BUILD_FILE, folder / BUILD_FILE)
        return dataset_digest({cell: fact.digest for cell, fact in facts.items()})

    def _other_row(self, config: str, split: str, fact: SplitFacts) -> str:
        lines = (self.recipe / config / f"{split}.jsonl").read_text("utf-8").rstrip("\n").split("\n")
        rows = [json.loads(line) for line in lines]
        other = next(
            (row["id"] for row, made in zip(rows, fact.row_digests, strict=False) if row["digest"] != made),
            f"{config}/{split}",
        )
        return f"{other}: the row that comes of the recipe has another digest"


def _difference(here: Any, wanted: Any, where: str) -> tuple[str, str, str] | None:
    """Return where two JSON values differ first, and both values there, shortened."""
    if isinstance(here, dict) and isinstance(wanted, dict):
        pairs = [(key, here.get(key, _NOTHING), wanted.get(key, _NOTHING)) for key in {**wanted, **here}]
    elif isinstance(here, list) and isinstance(wanted, list):
        pairs = [(str(at), *two) for at, two in enumerate(zip_longest(here, wanted, fillvalue=_NOTHING))]
    elif here == wanted:
        return None
    else:
        return where, _shown(here), _shown(wanted)
    found = (_difference(one, other, f"{where}.{key}".lstrip(".")) for key, one, other in pairs)
    return next((one for one in found if one is not None), None)


def _shown(value: Any) -> str:
    return "nothing" if value is _NOTHING else repr(value)[:80]
