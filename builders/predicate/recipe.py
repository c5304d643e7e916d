"""A build on documents whose text may not be passed on, as a recipe: who has the documents builds the very rows."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lengthwise.errors import InputError

from ..hub_folder import read_build
from ..plan_recipe import Rebuild, export_plan_recipe, row_files
from ..recipe_files import check_files
from .build import build_predicate
from .document_filter import FilterBounds
from .plan import STORYWORLD
from .settings import DOCUMENTS_SPLIT, Settings

TEXT_COLUMNS = ("answer", "answers", "answer_text", "prompt")


def export_recipe(build: Path, out: Path) -> None:
    """Write the recipe of a build with documents: see `plan_recipe.export_plan_recipe`.

    Raises:
        InputError: it has none, so that its rows may be passed on; or see there.
    """
    about = read_build(build)
    if not about.get("documents"):
        raise InputError(
            f"{build} holds no text but its own: push the rows, `lengthwise push dataset {build} ORG/NAME`"
        )
    export_plan_recipe(build, out, TEXT_COLUMNS, rebuild_command(about))


def recipe_files(recipe: Path) -> list[str]:
    """Return the files of a recipe's rows, checked as far as the recipe alone allows; see `check_files`."""
    return check_files(recipe, row_files(read_build(recipe)))


def rebuild_command(about: Mapping[str, Any]) -> str:
    """Return the command that follows a build's recipe, once it lies in RECIPE."""
    sources = dict.fromkeys(_source(kept["origin"]) for kept in about["documents"]["kept"])
    given = "".join(f" --documents {source}" for source in sources)
    return f"lengthwise build predicate --recipe RECIPE --out DIR{given}"


def _source(origin: str) -> str:
    """Return what `--documents` is given for a document of this origin.

    >>> _source("hub:zai-org/LongBench-v2@0a1b/data.json"), _source("file:a.txt")
    ('zai-org/LongBench-v2', 'FOLDER')
    """
    if origin.startswith("hub:"):
        return "/".join(origin.removeprefix("hub:").split("/")[:2]).partition("@")[0]
    return STORYWORLD if origin.startswith(f"lengthwise {STORYWORLD}") else "FOLDER"


def rebuild_predicate(
    recipe: Path | str,
    documents: Sequence[str],
    out: str | os.PathLike[str],
    *,
    workers: int = 1,
    progress: bool = False,
) -> str:
    """Build the folder of a recipe from its documents; return the digest of its rows, which is the recipe's.

    Args:
        recipe: what `export_recipe` wrote.
        documents: folders, files or Hub ids that hold the documents; what else they hold is passed over.
        out: folder; new or empty, or the same call's, stopped.
        workers: processes.
        progress: show a bar on stderr.

    Raises:
        InputError: this is no recipe, a document is missing or another one, or see `Rebuild` and `build_predicate`.
    """
    rebuild = Rebuild(Path(recipe))
    plan = rebuild.plan
    chosen = plan["documents"]
    splits, tokens, words = _sizes(plan["cells"])
    built = build_predicate(
        out,
        list(dict.fromkeys(config for config, _, _ in plan["cells"])),
        splits=splits,
        tokens=tokens,
        words=words,
        settings=Settings(**{**plan["settings"], "kinds": tuple(plan["settings"]["kinds"])}),
        documents=documents,
        bounds=FilterBounds(**chosen["bounds"]),
        break_ties=chosen["break_ties"],
        most_documents=len(chosen["kept"]),
        workers=workers,
        progress=progress,
        rebuild=rebuild,
    )
    return built.digest


def _sizes(cells: Sequence[Sequence[str]]) -> tuple[list[str], list[int], list[int]]:
    """Return the splits, tokens and words from which `build_predicate` makes the sizes of a plan's cells."""
    keys: dict[str, set[str]] = {}
    for _, split, key in cells:
        if split != DOCUMENTS_SPLIT:
            keys.setdefault(split, set()).add(key)
    splits: list[str] = []
    tokens: list[int] = []
    words: list[int] = []
    for split, found in keys.items():
        if split.endswith("words"):
            words.append(int(split.removesuffix("words")))
        elif any(key.endswith(" words") for key in found):
            # A length of that name at which a variant keeps the paper's number of words.
            splits.append(split)
        else:
            tokens.append(int(next(iter(found)).removesuffix(" tokens")))
    return splits, tokens, words
