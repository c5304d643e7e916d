"""Prompts of one's own: a folder of them goes into the build, and all that reads the build finds them there.

They are as much a part of the data as the rows: the steps ask with them, a row's `question` is one of them, and
`validate` on another machine proves rows and ready prompts with them.
"""

import shutil
from pathlib import Path

from lengthwise.builders.hub_folder import write_text
from lengthwise.errors import InputError

from .asking import REPLIES_FILE
from .prompt_files import own_files
from .prompt_texts import Prompts, load_prompts, prompts_digest
from .records import LANGUAGES, Language

FOLDER = "prompts"


def own_prompts(build: Path) -> Path | None:
    """Return the folder with a build's own prompts; None where it was made with the package's."""
    folder = build / FOLDER
    return folder if folder.is_dir() else None


def prompts_of(build: Path) -> dict[Language, Prompts]:
    """Return the prompts that a build was made with, of each language.

    Raises:
        InputError: see `prompt_files.read_prompt_files`.
    """
    folder = own_prompts(build)
    return {language: load_prompts(language, folder) for language in LANGUAGES}


def check_prompts(folder: Path) -> None:
    """Make sure that a folder of prompts can be used, before anything is made with it.

    Raises:
        InputError: there is no such folder, or see `prompt_files.read_prompt_files`.
    """
    if not folder.is_dir():
        raise InputError(f"prompts {str(folder)!r}: there is no such folder")
    prompts_digest(folder)


def take_prompts(folder: Path, build: Path) -> None:
    """Copy the files of a folder of prompts into a build that is begun or gone on with; the same ones may come again.

    Raises:
        InputError: a folder that cannot be used, or the build's models were asked with other prompts.
    """
    check_prompts(folder)
    if prompts_digest(folder) == prompts_digest(own_prompts(build)):
        return
    replies = build / REPLIES_FILE
    if replies.is_file() and replies.stat().st_size:
        raise InputError(
            f"out {str(build)!r}: its models were asked with other prompts than those of {str(folder)!r}; give the "
            "ones that it was begun with, or choose another folder"
        )
    # Whole or not at all: a build killed here would go on with half of them.
    unfinished = build / f"{FOLDER}.tmp"
    shutil.rmtree(unfinished, ignore_errors=True)
    for name in own_files(folder):
        (unfinished / name).parent.mkdir(parents=True, exist_ok=True)
        write_text(unfinished / name, (folder / name).read_text("utf-8"))
    if (build / FOLDER).is_dir():
        shutil.rmtree(build / FOLDER)
    unfinished.rename(build / FOLDER)
