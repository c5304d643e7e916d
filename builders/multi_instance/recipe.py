"""A build from pools whose text may not be passed on, as a recipe: who has the pools builds the very rows from it."""

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from lengthwise.errors import InputError

from ..hub_folder import read_build
from ..plan_recipe import Rebuild, export_plan_recipe, row_files
from ..recipe_files import check_files
from .build import PoolSource, build_multi_instance
from .pools.pool import Pool
from .retained import Retained
from .settings import InstanceSettings

# Labels are text where persons are counted; the question is the package's own, and is put in again with the prompt.
TEXT_COLUMNS = ("labels", "question", "prompt")


def export_recipe(build: Path, out: Path) -> None:
    """Write the recipe of a build: see `plan_recipe.export_plan_recipe`."""
    export_plan_recipe(build, out, TEXT_COLUMNS, rebuild_command(read_build(build)))


def recipe_files(recipe: Path) -> list[str]:
    """Return the files of a recipe's rows, checked as far as the recipe alone allows; see `check_files`."""
    return check_files(recipe, row_files(read_build(recipe)))


def rebuild_command(about: Mapping[str, Any]) -> str:
    """Return the command that follows a build's recipe, once it lies in RECIPE."""
    pools = about["plan"]["pools"]
    kinds = {pool["kind"] for pool in pools.values()}
    parts = ["lengthwise build multi-instance --recipe RECIPE --out DIR"]
    if "folder" in kinds:
        parts.append("--pool FOLDER")
    elif "hub" in kinds:
        parts.append("--pool hub")
        if "wikiann" in pools.get("ner", {}).get("source", ""):
            parts.append("--ner-source wikiann")
        if "wsd" in pools:
            parts.append("--wsd-folder FOLDER")
    return " ".join(parts)


def rebuild_instances(
    recipe: Path | str,
    pool_of: PoolSource,
    out: str | os.PathLike[str],
    *,
    prompts: Path | None = None,
    workers: int = 1,
    progress: bool = False,
) -> str:
    """Build the folder of a recipe from the pools; return the digest of its rows, which is the recipe's.

    Args:
        recipe: what `export_recipe` wrote.
        pool_of: task -> the pool that the recipe is of, wherever it was read.
        out: folder; new or empty, or the same call's, stopped.
        prompts: folder of templates, where the build had its own.
        workers: processes.
        progress: show a bar on stderr.

    Raises:
        InputError: this is no recipe, a pool is another one, or see `Rebuild` and `build_multi_instance`.
    """
    rebuild = Rebuild(Path(recipe))
    plan = rebuild.plan
    pools = {name: _adopted(pool_of(name), about) for name, about in plan["pools"].items()}
    kept = {
        name: Retained(tuple(about["retained"]), about["digest"])
        for name, about in plan["pools"].items()
        if about["retained"] is not None
    }
    given = plan["settings"]
    settings = InstanceSettings(tuple(given["sizes"]), tuple(given["seeds"]), given["tokenizer"], prompts)
    configs = list(dict.fromkeys(cell.partition("/")[0] for cell in plan["cells"]))
    built = build_multi_instance(
        out,
        configs,
        pool_of=pools.__getitem__,
        settings=settings,
        retained=kept or None,
        workers=workers,
        progress=progress,
        rebuild=rebuild,
    )
    return built.digest


def _adopted(pool: Pool, about: Mapping[str, Any]) -> Pool:
    """Return a pool under the name that the recipe knows it by: the same text may have been read elsewhere.

    Raises:
        InputError: its text or its labels are others.
    """
    if pool.digest != about["digest"]:
        raise InputError(
            f"pool of {pool.task}: {len(pool.instances):,} instances with digest {pool.digest[:16]} ({pool.source}), "
            f"where the recipe is of {about['instances']:,} with {about['digest'][:16]} ({about['source']}); get that "
            "one (--pool, --ner-source, --wsd-folder, --pool-seed)"
        )
    names = ("kind", "source", "licence", "redistributable")
    return replace(pool, **{name: about[name] for name in names})
