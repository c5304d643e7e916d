"""A built folder onto the Hub, once it is proven right: rows, card and `build.json`, and nothing else of it."""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from lengthwise.errors import InputError
from lengthwise.hub_upload import Files, Pushed, Target, address, push_files, read_pushed

from .benchmarks import validate
from .croissant import CROISSANT_FILE, croissant_text
from .eval_yaml import EVAL_FILE, eval_yaml
from .hub_folder import BUILD_FILE, read_build
from .longnovel.own_prompts import FOLDER as PROMPTS
from .longnovel.prompt_files import own_files
from .recipe_card import CARD_FILE, RECIPE_FILE
from .recipes import recipe_files
from .viewer import check_viewer

_SHOWN = 10
_CARD = "README.md"


def push_dataset(
    folder: Path | str,
    repo: str,
    *,
    revision: str | None = None,
    pull_request: bool = False,
    private: bool = False,
    workers: int = 1,
    progress: bool = False,
) -> Pushed:
    """Push a finished build, or a recipe that `export --recipe` made, to a dataset repository.

    The rows are validated first. Only what the build consists of is sent: records of its steps, reviews, hidden files
    and whatever else lies in the folder stay here. A tag names the content (`v1-0123456789abcdef`: the version of the
    benchmark and the head of the digest), so that rows of an older digest can be loaded by `revision`.

    Args:
        folder: of the build or the recipe.
        repo: `ORG/NAME`; made if there is none.
        revision: a branch, made if it is missing; main by default. No tag is set on a branch.
        pull_request: open a pull request instead.
        private: make the repository private, if it is made.
        workers: processes of the validation.
        progress: show a bar on stderr while validating.

    Raises:
        InputError: no finished build, problems found in it, text that may not be passed on, what the viewer would not
            show, or see `push_files`.
    """
    folder = Path(folder)
    target = Target(repo, "dataset", revision, pull_request, private)
    build = read_build(folder)
    if (folder / RECIPE_FILE).is_file():
        files = _recipe_files(folder, recipe_files(folder))
        what = "recipe"
    else:
        _check_passing_on(folder, build)
        problems = [problem for report in validate(folder, workers, progress) for problem in report.problems]
        if problems:
            raise InputError(_problems(folder, problems))
        if hidden := next(check_viewer(folder, build), None):
            raise InputError(f"{folder} is not pushed: {hidden}")
        files = _build_files(folder, build, target)
        what = "rows"
    earlier = _earlier(target, build)
    return push_files(
        files,
        target,
        message=f"{build['benchmark']} {build['version']}, {what} of digest {build['digest'][:16]}",
        stale=_left_by(earlier),
        tag=tag_of(build),
    )


def tag_of(build: Mapping[str, Any]) -> str:
    """Return the tag that names the content of a build.

    >>> tag_of({"version": 1, "digest": "1a52cae83cd582d0ba336b5da3b202fb470c07ec880cad724d6bbdd7dccbc936"})
    'v1-1a52cae83cd582d0'
    """
    return f"v{build['version']}-{build['digest'][:16]}"


def _problems(folder: Path, problems: list[str]) -> str:
    shown = "\n".join(f"  {line}" for line in problems[:_SHOWN])
    more = f"\n  and {len(problems) - _SHOWN:,} more" if len(problems) > _SHOWN else ""
    return f"{folder} is not pushed, for `lengthwise validate` finds {len(problems):,} problems:\n{shown}{more}"


def _check_passing_on(folder: Path, build: Mapping[str, Any]) -> None:
    """Raise InputError where the text may not be passed on, with the way out."""
    unknown = [kept["id"] for kept in (build.get("documents") or {}).get("kept", ()) if kept["licence"] == "unknown"]
    if unknown:
        why = (
            f"nothing says that the text of {unknown[0]} may be passed on ({len(unknown)} documents without a licence)"
        )
        else_ = "; or name each document's licence in its manifest, or push the configs without documents"
    elif not build.get("redistributable", True):
        why, else_ = "its text may not be passed on (its card says which)", ""
    else:
        return
    raise InputError(
        f"{folder} is not pushed: {why}. Push its recipe, from which whoever has the source builds the same rows: "
        f"`lengthwise export {folder} --recipe --out RECIPE`, then `lengthwise push dataset RECIPE ORG/NAME`{else_}"
    )


def _build_files(folder: Path, build: Mapping[str, Any], target: Target) -> Files:
    cells = [split for splits in build["configs"].values() for split in splits.values()]
    names = [_CARD, BUILD_FILE, *(file for cell in cells for file in cell["files"])]
    files: dict[str, Path | str] = {name: folder / name for name in names}
    files |= {name: folder / name for name in _prompts(folder)}
    files[CROISSANT_FILE] = croissant_text(folder, build, address(target))
    tasks = eval_yaml(build)
    return files if tasks is None else {**files, EVAL_FILE: tasks}


def _recipe_files(folder: Path, rows: list[str]) -> Files:
    return {name: folder / name for name in (_CARD, CARD_FILE, BUILD_FILE, RECIPE_FILE, *rows, *_prompts(folder))}


def _prompts(folder: Path) -> Iterator[str]:
    if (folder / PROMPTS).is_dir():
        yield from (f"{PROMPTS}/{name}" for name in own_files(folder / PROMPTS))


def _earlier(target: Target, build: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the `build.json` that the repository holds, if any.

    Raises:
        InputError: it is another benchmark's, or no `build.json` of ours.
    """
    text = read_pushed(target, BUILD_FILE)
    if text is None:
        return None
    try:
        earlier = json.loads(text)
        name, _ = earlier["benchmark"], earlier["configs"]
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"dataset {target.repo}: its {BUILD_FILE} is none of ours; choose another repository"
        ) from error
    if name != build["benchmark"]:
        raise InputError(f"dataset {target.repo}: holds {name}, not {build['benchmark']}; choose another repository")
    return dict(earlier)


def _left_by(earlier: Mapping[str, Any] | None) -> Callable[[str], bool]:
    """Return whether a file of the repository is what the push of an earlier build left there."""
    if earlier is None:
        return lambda path: False
    rows = {file for splits in earlier["configs"].values() for split in splits.values() for file in split["files"]}
    own = {CROISSANT_FILE, EVAL_FILE, RECIPE_FILE, CARD_FILE}

    def left(path: str) -> bool:
        folder = path.split("/")[0]
        recipe = folder in earlier["configs"] and path.endswith(".jsonl")
        return path in rows or path in own or recipe or (folder == PROMPTS and path.endswith(".txt"))

    return left
