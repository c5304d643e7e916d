"""The prompt: a template for task and setting, then the instances, numbered from 1, between two lines of frame.

Templates are files, `<task>.txt` for the aggregate and `<task>-instances.txt` for all answers; a folder of one's own
may take their place. The shape of the whole is that of the authors (appendix B).
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from lengthwise.errors import InputError

from .configs import SETTINGS, Setting
from .tasks import KNOWN_TASKS, InstanceTask


@dataclass(frozen=True)
class Prompts:
    """A set of templates.

    Attributes:
        texts: (task, setting) -> template, without white space around it.
    """

    texts: dict[tuple[str, Setting], str]

    @property
    def digest(self) -> str:
        """SHA-256 (hex) over all templates: rows whose prompts differ in wording differ in it."""
        return hashlib.sha256("\0".join(self.texts[key] for key in sorted(self.texts)).encode()).hexdigest()

    def question(self, task: InstanceTask, setting: Setting) -> str:
        """Return the task without its instances."""
        return self.texts[task.name, setting]


@lru_cache(maxsize=4)
def load_prompts(folder: Path | None = None) -> Prompts:
    """Return the package's templates, or those of a folder for the tasks and settings that it has.

    Raises:
        InputError: the folder holds no template, or one that is empty or no UTF-8.
    """
    if folder is not None and not folder.is_dir():
        raise InputError(f"prompts {str(folder)!r}: there is no such folder")
    own = files("lengthwise.builders.multi_instance").joinpath("prompts")
    texts: dict[tuple[str, Setting], str] = {}
    replaced = 0
    for task, about in KNOWN_TASKS.items():
        for setting in SETTINGS[:1] if about.alone else SETTINGS:
            name = f"{task}.txt" if setting == "aggregate" else f"{task}-instances.txt"
            text = own.joinpath(name).read_text("utf-8")
            if folder is not None and (folder / name).is_file():
                text = _read(folder / name)
                replaced += 1
            texts[task, setting] = text.strip()
    if folder is not None and not replaced:
        raise InputError(
            f"prompts {str(folder)!r}: holds none of the templates; name them like arithmetic.txt (the aggregate) and "
            "arithmetic-instances.txt (every instance answered)"
        )
    return Prompts(texts)


def _read(path: Path) -> str:
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"prompts: {path} cannot be read ({error})") from error
    if not text.strip():
        raise InputError(f"prompts: {path} is empty")
    return text


def assemble(task: InstanceTask, question: str, texts: Sequence[str]) -> str:
    r"""Return the whole prompt.

    Args:
        task: names the instances.
        question: the template's text.
        texts: of the instances in order, noise included.

    >>> print(assemble(KNOWN_TASKS["parity"], "How many are odd?", ["18010", "89449"]))
    How many are odd?
    <BLANKLINE>
    <BLANKLINE>
    === Here are the numbers ===
    <BLANKLINE>
    Number 1: 18010
    <BLANKLINE>
    Number 2: 89449
    <BLANKLINE>
    === End of numbers ===
    """
    block = [
        f"=== Here are the {task.items} ===",
        *(f"{task.item} {number}: {text}" for number, text in enumerate(texts, 1)),
        f"=== End of {task.items} ===",
    ]
    return question + "\n\n\n" + "\n\n".join(block)


_FRAME = re.compile(r"=== Here are the ([a-z ]+) ===\n\n(.*)\n\n=== End of \1 ===\Z", re.DOTALL)


def read_instances(prompt: str) -> tuple[InstanceTask, list[str]] | None:
    """Return the task and the instances' texts that a prompt holds, as a reader without the row would find them.

    None where the prompt is not of this shape.
    """
    found = _FRAME.search(prompt)
    if found is None:
        return None
    # Some tasks call their instances the same: what the question speaks of tells them apart.
    tasks = [task for task in KNOWN_TASKS.values() if task.items == found[1]]
    question = prompt[: found.start()].casefold()
    marked = [task for task in tasks if task.mark and task.mark in question]
    tasks = marked or [task for task in tasks if not task.mark]
    if len(tasks) != 1:
        return None
    texts = list(_items(tasks[0], found[2]))
    return (tasks[0], texts) if texts else None


def _items(task: InstanceTask, block: str) -> Iterator[str]:
    for number, line in enumerate(block.split("\n\n"), 1):
        label = f"{task.item} {number}: "
        if not line.startswith(label):
            return
        yield line[len(label) :]
