"""Worlds of all sizes, made once."""

import pytest

from lengthwise.builders.longnovel.storyworld.records import World
from lengthwise.builders.longnovel.storyworld.world import make_world

# Tokens, claims, how many worlds.
SIZES = ((1_000, 5, 6), (1_500, 18, 10), (4_000, 18, 60), (8_000, 24, 30), (16_000, 34, 20), (100_000, 80, 8))


@pytest.fixture(scope="session")
def worlds() -> list[World]:
    """Worlds from one chapter of 1,000 tokens to a hundred thousand tokens, and a small one with many claims."""
    sizes = (*SIZES, (300_000, 500, 1))
    return [make_world(("test", seed), tokens, claims) for tokens, claims, count in sizes for seed in range(count)]
