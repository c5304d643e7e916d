"""Worlds of all sizes, made once."""

import shutil
from pathlib import Path

import pytest

from lengthwise.builders.longnovel.storyworld.build import build_storyworld
from lengthwise.builders.longnovel.storyworld.records import World
from lengthwise.builders.longnovel.storyworld.settings import StorySettings
from lengthwise.builders.longnovel.storyworld.world import make_world

SMALL = StorySettings(("4k",), examples=8, train=4)
# Tokens, claims, how many worlds.
SIZES = ((1_000, 5, 6), (1_500, 18, 10), (4_000, 18, 60), (8_000, 24, 30), (16_000, 34, 20), (100_000, 80, 8))


@pytest.fixture(scope="session")
def worlds() -> list[World]:
    """Worlds from one chapter of 1,000 tokens to a hundred thousand tokens, and a small one with many claims."""
    sizes = (*SIZES, (300_000, 500, 1))
    return [make_world(("test", seed), tokens, claims) for tokens, claims, count in sizes for seed in range(count)]


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished build of two pairs a language at 4k, with one of them in a train split; never changed."""
    folder = tmp_path_factory.mktemp("storyworld") / "small"
    build_storyworld(folder, SMALL)
    return folder


@pytest.fixture
def copied(small: Path, tmp_path: Path) -> Path:
    """A build that may be spoilt."""
    return shutil.copytree(small, tmp_path / "copied")
