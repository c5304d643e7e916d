"""Tests for `quality.py`: what was measured is whole, within its limits, and on the card."""

from lengthwise.builders.longnovel.storyworld.quality import giveaway_note, giveaway_table, measured, quality_table
from lengthwise.metrics.fault_types import HallucinationType


def test_every_line_of_the_table_has_a_figure_for_each_language() -> None:
    lines = quality_table().splitlines()
    assert len(lines) == 2 + 9
    assert all(len([cell for cell in line.split("|") if cell.strip()]) >= 3 for line in lines)


def test_giveaways_were_looked_for_in_every_type_and_language() -> None:
    found = measured()["giveaways"]
    assert {f"{language} {kind.value}" for language in ("en", "zh") for kind in HallucinationType} <= set(found)
    assert found["limit"] == 0.5 + 1.8 / found["pairs"] ** 0.5
    assert f"{found['pairs']:,} pairs" in giveaway_note()
    assert giveaway_table().count("\n") == 2 + 16 - 1


def test_nothing_gives_a_summary_away() -> None:
    found = measured()["giveaways"]
    shares = [share for cell in found.values() if isinstance(cell, dict) for share in cell.values()]
    assert shares and all(abs(share - 0.5) <= found["limit"] - 0.5 for share in shares)
