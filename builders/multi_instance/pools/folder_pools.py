"""Pools from a folder in the authors' layout: `<task>/<count>_<task>_text.txt` and `..._label.txt`, a line each."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from lengthwise.errors import InputError

from ..tasks import TASKS, InstanceTask, find_task
from .pool import Instance, Pool

# Digests of the authors' own pools whose text may be passed on, and its licence.
_OPEN: Mapping[str, str] = MappingProxyType(
    {
        "040ab98bc3454aadf4065bbd723c69d45c9627d204cda9ca7de8225318d3d168": "Apache-2.0 (Mathematics Dataset)",
        "fb50d1657e4e4ac2b37eb2febb664ec4951c3d347edff40826b3fff1027678ef": "MIT",
        "093d97fd9346540713ecae017ddd0449388333f252331731ba74279bcc56cd1e": "ODbL 1.0, CC BY-SA (WiLI-2018)",
        "836e14991a5d0b4ec0c8a5448f55d79b3b1cb090c4e6de63b29534e8ec49d7e7": "CC BY-SA 4.0 (Universal NER English-EWT)",
    }
)
# What holds for a task's text if it is the authors'; it may not be passed on, whosever it is.
_CLOSED: Mapping[str, str] = MappingProxyType(
    {
        "wsd": "CC BY-NC 4.0 (CoarseWSD-20)",
        "category": "non-commercial research only (BBC News)",
        "sentiment": "none stated (Stanford Sentiment Treebank)",
        "word": "Twitter terms (TweetEval)",
    }
)
UNKNOWN_LICENCE = "not stated"


def folder_pool(folder: Path | str, task_name: str, licence: str | None = None) -> Pool:
    """Return the pool of one task that a folder holds.

    Labels may be class names or the authors' numbers (category 0 business to 4 tech, language 0 en, 1 zh, 2 fa, 3 es,
    parity 1 odd, sentiment 1 positive, wsd 0 company), sums and counts as they are, and for NER a JSON object with the
    mentions of each type ("PER" counts) or a JSON list of persons.

    Args:
        folder: that holds a folder for each task, named as ours or as the authors' ("news", "tweets").
        task_name: key of `TASKS`.
        licence: of the text, where the folder is not the authors'. A folder's text counts as not to be passed on,
            unless it is, by its digest, a pool of the authors' that may be.

    Raises:
        InputError: files are missing, do not match line by line, or a label cannot be read; the line is named.
    """
    root, task = Path(folder).expanduser(), find_task(task_name)
    text_file, label_file = _files(root, task)
    texts, labels = _lines(text_file), _lines(label_file)
    if len(texts) != len(labels):
        raise InputError(f"pool {text_file}: {len(texts)} texts and {len(labels)} labels in {label_file.name}")
    instances = []
    for number, (text, label) in enumerate(zip(texts, labels, strict=True), 1):
        try:
            instances.append(Instance(text, read_label(task, label)))
        except InputError as error:
            raise InputError(f"pool {label_file}, line {number}: {error}") from None
    if_authors = f"if the authors' files: {_CLOSED[task.name]}" if task.name in _CLOSED else UNKNOWN_LICENCE
    pool = Pool(task.name, "folder", text_file.name, licence or if_authors, False, tuple(instances))
    if licence is None and pool.digest in _OPEN:
        return replace(pool, licence=_OPEN[pool.digest], redistributable=True)
    return pool


def _files(root: Path, task: InstanceTask) -> tuple[Path, Path]:
    if not root.is_dir():
        raise InputError(f"pool {str(root)!r}: there is no such folder")
    for name in _names(task):
        texts = sorted((root / name).glob("*_text.txt"))
        if len(texts) > 1:
            raise InputError(
                f"pool {root / name}: several texts ({', '.join(path.name for path in texts)}); leave one"
            )
        if texts:
            label = texts[0].with_name(texts[0].name.removesuffix("_text.txt") + "_label.txt")
            if not label.is_file():
                raise InputError(f"pool {texts[0]}: {label.name} is missing beside it")
            return texts[0], label
    held = [f"{one.name}-all" for one in TASKS.values() if any(_texts_of(root, one))]
    raise InputError(
        f"pool {str(root)!r}: holds no {task.folder}/*_text.txt for {task.name}; the authors' layout is "
        f"{task.folder}/2500_{task.folder}_text.txt and ..._label.txt"
        + (f"; to build what it does hold, name {' '.join(held)}" if held else "")
    )


def _names(task: InstanceTask) -> tuple[str, ...]:
    return tuple(dict.fromkeys((task.folder, task.name)))


def _texts_of(root: Path, task: InstanceTask) -> list[Path]:
    return [path for name in _names(task) for path in (root / name).glob("*_text.txt")]


def _lines(path: Path) -> list[str]:
    """Return the lines of a file, white space around them cut off, as the authors read them."""
    try:
        lines = [line.strip() for line in path.read_text("utf-8").split("\n")]
    except UnicodeDecodeError as error:
        raise InputError(f"pool {path}: is no UTF-8 ({error})") from error
    # The last line may or may not end in a line end.
    while lines and not lines[-1]:
        lines.pop()
    return lines


def read_label(task: InstanceTask, text: str) -> str:
    """Return a label in our form, from a line of a label file.

    >>> from ..tasks import TASKS
    >>> read_label(TASKS["language"], "1"), read_label(TASKS["ner"], '{"ORG": [], "PER": ["paige"], "LOC": []}')
    ('chinese', '["paige"]')

    Raises:
        InputError: it is no label of the task.
    """
    label = _READERS[task.label_kind](task, text)
    task.instance_answer(label)
    return label


def _read_class(task: InstanceTask, text: str) -> str:
    names = {str(number): name for name, number in task.classes.items()}
    return names.get(text, text)


def _read_mentions(task: InstanceTask, text: str) -> str:
    try:
        found = json.loads(text)
    except ValueError:
        return text
    return json.dumps(found["PER"], ensure_ascii=False) if isinstance(found, dict) and "PER" in found else text


_READERS: Mapping[str, Callable[[InstanceTask, str], str]] = MappingProxyType(
    {"class": _read_class, "mentions": _read_mentions, "number": lambda _, text: text}
)
