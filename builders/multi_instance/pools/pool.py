"""A pool: the instances of one task, where they come from, and whether their text may be passed on."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from lengthwise.errors import InputError

from ..tasks import find_task

PoolKind = Literal["generated", "hub", "folder"]


@dataclass(frozen=True, slots=True)
class Instance:
    """One instance.

    Attributes:
        text: as it stands in the prompt; one line, not empty, without white space around it.
        label: see `InstanceTask.label_kind`.
    """

    text: str
    label: str


@dataclass(frozen=True)
class Pool:
    """The instances of one task, numbered from 0: selections name them by these numbers.

    Attributes:
        task: key of `KNOWN_TASKS`.
        kind: told apart in every row and on the card.
        source: what made it or where it was read: a generator's version, a Hub id, a folder's name.
        licence: of the text.
        redistributable: whether a data set that holds the text may be passed on.
        instances: in order.

    Raises:
        InputError: there are none, or one of them cannot stand in a prompt or has no label of its task.
    """

    task: str
    kind: PoolKind
    source: str
    licence: str
    redistributable: bool
    instances: Sequence[Instance] = field(repr=False)

    def __post_init__(self) -> None:
        if not self.instances:
            raise InputError(f"pool {self.source} of {self.task} is empty")
        task = find_task(self.task)
        for number, instance in enumerate(self.instances):
            if not instance.text or instance.text != instance.text.strip() or len(instance.text.splitlines()) != 1:
                raise InputError(
                    f"pool {self.source} of {self.task}, instance {number}: must be one line of text without white "
                    f"space around it, not {instance.text[:40]!r}"
                )
            task.instance_answer(instance.label)

    @cached_property
    def digest(self) -> str:
        """SHA-256 (hex) over texts and labels in order: equal pools give equal rows."""
        lines = (json.dumps([one.text, one.label], ensure_ascii=False) for one in self.instances)
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()

    @cached_property
    def lengths(self) -> list[int]:
        """Length of each instance in words, or in characters; see `text_length`.

        >>> Pool("language", "folder", "x", "CC0", True, [Instance("two words", "english")]).lengths
        [2]
        """
        return [text_length(one.text) for one in self.instances]


def text_length(text: str) -> int:
    """Return the length of a text by which the shortest and the longest sets are chosen: its words, parted by spaces.

    Most of a text in Chinese script is parted by no spaces, and its characters are counted instead.

    >>> text_length("an English text"), text_length("没有空格的文字")
    (3, 7)
    """
    words = text.split()
    han = sum("\u4e00" <= char <= "\u9fff" for char in text)
    return sum(map(len, words)) if 2 * han > len(text) else len(words)
