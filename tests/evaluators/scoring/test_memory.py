"""Memory of a run and of its scoring: what a further row takes, not what everything takes."""

import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from run_helpers import write_data

from lengthwise.evaluators.runner import run_benchmark
from lengthwise.evaluators.scoring import score_run
from lengthwise.evaluators.settings import RunSettings

# More than are held at a time: rows, packs of outcomes, batches of a file.
FEW, MANY = 600, 1_200


def peak(do: Callable[[], object]) -> int:
    """Return the most memory of Python, in bytes, that something takes while it is done."""
    tracemalloc.start()
    try:
        do()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_further_row_takes_little_in_a_run_and_in_its_scoring(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    running, scoring = [], []
    # What is kept for later is made before the first is measured.
    for place, count in enumerate((5, FEW, MANY)):
        data = write_data(tmp_path / f"data{place}", {"lex-locate/4k": count})
        out = tmp_path / f"run{place}"
        running.append(peak(lambda: run_benchmark(RunSettings(str(data), "reference:random"), out)))  # noqa: B023
        scoring.append(peak(lambda: score_run(out)))  # noqa: B023
    # A dictionary of a row's columns, or an outcome with its details, has 2,000 and more.
    assert (running[2] - running[1]) / (MANY - FEW) < 1000
    assert (scoring[2] - scoring[1]) / (MANY - FEW) < 1000
