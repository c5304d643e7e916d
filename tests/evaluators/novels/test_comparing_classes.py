"""Tests for `compare` on LongNovel runs: balanced accuracy and MCC beside accuracy."""

from pathlib import Path

import pytest
from novel_run_cases import novel_run, score_reply

from lengthwise.evaluators.comparing import compare_runs
from lengthwise.evaluators.comparing_tables import render_comparison
from lengthwise.metrics.comparison import compare_detection

KEYS = [(language, number, false) for language in ("en", "zh") for number in range(6) for false in (True, False)]


def run_of(folder: Path, name: str, right: int) -> Path:
    """A run that is right on the first pairs, and calls everything else faithful."""
    said = {}
    for language, number, false in KEYS:
        score = 1 if false and number < right else 5
        said[language, number, false] = [score_reply(score)]
    return novel_run(folder / name, said, labels={"label": name})


def test_balanced_accuracy_and_mcc_by_book_and_by_row(tmp_path: Path):
    runs = [run_of(tmp_path, "a", 5), run_of(tmp_path, "b", 2)]
    found = compare_runs(*runs)
    bacc, mcc = found.cells[0].detection
    assert (bacc.main.first, bacc.main.second) == pytest.approx((11 / 12, 8 / 12))
    assert bacc.by_source is not None
    scores = [[1 if false and number < right else 5 for _, number, false in KEYS] for right in (5, 2)]
    gold = [int(false) for *_, false in KEYS]
    books = [f"{language}{number // 2}" for language, number, _ in KEYS]
    expected = compare_detection(*scores, gold, clusters=books)["balanced_accuracy"]
    assert bacc.by_source.difference == expected.difference
    assert bacc.by_row.difference.interval != bacc.by_source.difference.interval
    assert mcc.main.figure == "mcc" and mcc.holm == mcc.main.difference.p_value


def test_a_run_of_one_class_has_the_printed_mcc(tmp_path: Path):
    found = compare_runs(run_of(tmp_path, "a", 5), run_of(tmp_path, "b", 0))
    assert found.cells[0].detection[1].main.second == 0.0


def test_a_run_against_its_like_differs_in_nothing(tmp_path: Path):
    found = compare_runs(run_of(tmp_path, "a", 3), run_of(tmp_path, "b", 3))
    for one in found.cells[0].detection:
        assert (one.main.difference.value, one.main.difference.p_value) == (0.0, 1.0)


def test_the_text_has_the_papers_figures_first(tmp_path: Path):
    found = compare_runs(run_of(tmp_path, "a", 5), run_of(tmp_path, "b", 2))
    text = render_comparison(found)
    assert text.startswith("a against b: balanced accuracy and MCC") and "BAcc." in text and "McNemar" in text
    assert found.to_dict()["cells"][0]["detection"][0]["figure"] == "balanced_accuracy"
