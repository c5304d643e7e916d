"""A small data set of multi-instance processing, and prompts by row."""

from collections.abc import Callable
from pathlib import Path

import pytest

from lengthwise.builders.multi_instance.build import build_multi_instance
from lengthwise.builders.multi_instance.settings import InstanceSettings
from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.examples import ids_by_cell, open_data

CONFIGS = ("parity", "parity-instances", "parity-noise-tail", "parity-shuffled", "word", "word-instances", "wsd")


@pytest.fixture(scope="session")
def mip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some configs at 2, 5 and 10 instances, seeds 1 and 2."""
    folder = tmp_path_factory.mktemp("mip") / "data"
    build_multi_instance(folder, CONFIGS, settings=InstanceSettings(sizes=(2, 5, 10), seeds=(1, 2)), progress=False)
    return folder


@pytest.fixture(scope="session")
def example_of(mip: Path) -> Callable[[str], Example]:
    """The row of that id, prompt included."""
    data, cells = open_data(str(mip))
    rows = {example.id: example for example in data.stream(ids_by_cell(data.short_columns(cells)))}
    return rows.__getitem__
