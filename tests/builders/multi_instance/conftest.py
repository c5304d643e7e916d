from collections.abc import Callable
from pathlib import Path

import pytest

from lengthwise.builders.multi_instance.build import build_multi_instance
from lengthwise.builders.multi_instance.pools.pool import Instance, Pool
from lengthwise.builders.multi_instance.settings import InstanceSettings

SMALL = InstanceSettings(sizes=(2, 5, 10), seeds=(1, 2))
LABELS = {
    "arithmetic": ("What is 1 + 1?", "2"),
    "category": ("a phone maker shows a new handset", "tech"),
    "language": ("An English line.", "english"),
    "ner": ("anita met gary wilson .", '["anita", "gary wilson"]'),
    "parity": ("17", "odd"),
    "sentiment": ("A fine film .", "positive"),
    "word": ("women and men", "1"),
    "wsd": ("the apple fell", "fruit"),
}


def tiny_pool(task: str, size: int = 12) -> Pool:
    """The same instance over and over, told apart by its number where the text may hold one."""
    text, label = LABELS[task]
    texts = [text if task in ("parity", "arithmetic") else f"{text} ({number})" for number in range(size)]
    return Pool(task, "folder", "tiny", "CC0", True, [Instance(one, label) for one in texts])


@pytest.fixture
def build(tmp_path: Path) -> Callable[..., Path]:
    """Build generated parity and arithmetic, small, into a folder of that name."""

    def make(name: str, *configs: str, **options: object) -> Path:
        options.setdefault("settings", SMALL)
        build_multi_instance(tmp_path / name, configs or ("parity", "arithmetic-instances"), **options)  # type: ignore[arg-type]
        return tmp_path / name

    return make
