"""Configs of one language, which show files of another config once more."""

from pathlib import Path

import pytest

from lengthwise.builders.longnovel.storyworld.build import build_storyworld
from lengthwise.builders.longnovel.storyworld.settings import StorySettings
from lengthwise.errors import InputError
from lengthwise.evaluators.examples import Cell, ids_by_cell, open_data, stratified_sample
from lengthwise.evaluators.runner import run_benchmark
from lengthwise.evaluators.scoring import score_outcomes
from lengthwise.evaluators.settings import RunSettings


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("views") / "story"
    build_storyworld(folder, StorySettings(scales=("1k",), examples=8))
    return folder


def test_a_language_is_asked_for_by_name(story: Path, tmp_path: Path) -> None:
    run_benchmark(RunSettings(str(story), "reference:gold", configs=("1k-zh",)), tmp_path / "run")
    scored = score_outcomes(tmp_path / "run")
    assert {row["language"] for row in scored.rows.values()} == {"zh"} and len(scored.rows) == 4
    assert {outcome.kind for outcome in scored.outcomes.values()} == {"correct"}


def test_a_view_that_nobody_names_is_left_out(story: Path) -> None:
    _, cells = open_data(str(story))
    assert cells == [Cell("1k", "test")]


def test_rows_are_not_asked_about_twice(story: Path) -> None:
    data, cells = open_data(str(story), ("1k", "1k-en"))
    with pytest.raises(InputError, match="the same id is on two rows"):
        data.short_columns(cells)


def test_a_sample_keeps_pairs(story: Path) -> None:
    data, cells = open_data(str(story))
    rows = stratified_sample(data.short_columns(cells), 4, 0)
    pairs = rows["pair_id"].to_pylist()
    assert len(set(pairs)) == 2 and all(pairs.count(pair) == 2 for pair in pairs)
    assert len(next(iter(ids_by_cell(rows).values()))) == 4
