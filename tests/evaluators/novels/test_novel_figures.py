"""Tests for `longnovel_figures.py` and `longnovel_types.py`: known answers, and the figures that the paper prints."""

import csv
from pathlib import Path
from typing import Any

import pytest
from novel_run_cases import outcome_of, toy_results, toy_row

from lengthwise.evaluators.contracts import Outcome
from lengthwise.evaluators.longnovel_figures import NovelFigures, measure, novel_figures

SIZES = {"S": 100, "M": 100, "L": 50, "XL": 50}


def table(path: Path) -> list[dict[str, str]]:
    with path.open() as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


def answers(n: int, cleared: float, found: float) -> tuple[list[int | None], list[int]]:
    right, missed = round(n * found), round(n * cleared)
    return [1] * right + [5] * (n - right) + [5] * missed + [1] * (n - missed), [1] * n + [0] * n


@pytest.mark.shared
def test_printed_figures_come_out_of_the_printed_recalls(shared_dir: Path):
    rows = [row for row in table(shared_dir / "reference/longnovel_tables_10_11.tsv") if not row["note"]]
    for row in rows:
        recalls = float(row["recall_non_hallucinated"]), float(row["recall_hallucinated"])
        scores, gold = answers(SIZES[row["scale"]], *recalls)
        found = measure([scores], gold, range(len(gold)), n_resamples=1)
        where = (row["model"], row["method"], row["scale"])
        got = [found[name].value for name in ("recall_non_hallucinated", "recall_hallucinated")]
        if got != pytest.approx(recalls, abs=1e-9):
            # A mean over repeats, which counts of one run do not give.
            continue
        assert found["balanced_accuracy"].value == pytest.approx(float(row["balanced_accuracy"]), abs=0.0011), where
        assert found["mcc"].value == pytest.approx(float(row["mcc"]), abs=0.006), where
    assert len(rows) > 100


@pytest.mark.shared
def test_the_intervals_of_table_5_come_out_of_the_recalls(shared_dir: Path):
    recalls = {
        (row["model"], row["scale"]): (float(row["recall_non_hallucinated"]), float(row["recall_hallucinated"]))
        for row in table(shared_dir / "reference/longnovel_tables_10_11.tsv")
        if row["method"] == "zero-shot"
    }
    compared = 0
    for row in table(shared_dir / "reference/longnovel_table_5.tsv"):
        known = recalls.get((row["model"], row["scale"]))
        if known is None:
            continue
        scores, gold = answers(50, *known)
        found = measure([scores], gold, range(100))
        printed = [float(row[f"bacc_ci_{end}"]) for end in ("low", "high")]
        assert found["balanced_accuracy"].by_row == pytest.approx(printed, abs=0.0101)
        printed = [float(row[f"mcc_ci_{end}"]) for end in ("low", "high")]
        # Of 50 a class MCC takes few values: where a percentile lies between two, either is as good.
        assert found["mcc"].by_row == pytest.approx(printed, abs=0.0155)
        compared += 1
    assert compared == 14


def figures_of(*scored: tuple[dict[str, Any], int | None]) -> NovelFigures:
    rows = {row["id"]: row for row, _ in scored}
    return novel_figures(rows, {(row["id"], 0): outcome_of(row, score) for row, score in scored})


def test_a_reply_without_a_score_is_wrong_and_the_answered_figures_stand_beside():
    found = figures_of((toy_row(0, True), 1), (toy_row(1, True), None), (toy_row(0, False), 5), (toy_row(1, False), 4))
    (cell,) = found.cells
    assert cell.figures["recall_hallucinated"].value == 0.5
    assert cell.figures["balanced_accuracy"].value == 0.75
    assert cell.figures["answered_balanced_accuracy"].value == 1.0
    assert cell.invalid == 0.25


def test_no_score_at_all_is_the_printed_minus_one():
    rows = [toy_row(number, false) for number in range(2) for false in (True, False)]
    (cell,) = figures_of(*((row, None) for row in rows)).cells
    assert (cell.figures["balanced_accuracy"].value, cell.figures["mcc"].value) == (0.0, -1.0)


def test_one_class_for_all_is_the_printed_zero():
    rows = [toy_row(number, false) for number in range(2) for false in (True, False)]
    (cell,) = figures_of(*((row, 5) for row in rows)).cells
    assert (cell.figures["balanced_accuracy"].value, cell.figures["mcc"].value) == (0.5, 0.0)


def test_a_pair_is_right_only_with_both_rows_and_a_row_alone_is_none():
    found = figures_of((toy_row(0, True), 1), (toy_row(0, False), 1), (toy_row(1, True), 2), (toy_row(1, False), 5),
                       (toy_row(2, True), 1))  # fmt: skip
    pairs = found.cells[0].pairs
    assert pairs is not None and (pairs.value, pairs.n) == (0.5, 2)


def test_an_origin_of_one_class_has_one_recall():
    found = figures_of((toy_row(0, True), 1), (toy_row(0, False), 1))
    erhg = next(part for part in found.parts if part.origin == "erhg")
    assert erhg.figures["recall_hallucinated"].value == 1.0
    assert erhg.figures["recall_non_hallucinated"].value is None
    assert erhg.figures["balanced_accuracy"].value is None


def test_languages_are_figures_of_their_own():
    found = figures_of((toy_row(0, True), 1), (toy_row(0, False), 5), (toy_row(1, True), 5), (toy_row(1, False), 1))
    by_language = {part.language: part.figures["balanced_accuracy"].value for part in found.parts if part.language}
    assert by_language == {"zh": 1.0, "en": 0.0}


def test_repeats_are_averaged_figure_by_figure():
    results = toy_results({"s": [(10, 10, 10), (10, 10, 0)]})
    assert isinstance(results.figures, NovelFigures)
    mcc = results.figures.cells[0].figures["mcc"]
    # Of pooled counts it would be 0.577.
    assert mcc.repeats == (1.0, 0.0) and mcc.value == 0.5


def test_books_that_are_right_or_wrong_whole_widen_the_interval():
    # Books of four rows: half of them right whole, half wrong whole.
    scores = [(1, 5) if number // 2 % 2 else (5, 1) for number in range(40)]
    runs = [score for pair in scores for score in pair]
    books = [number // 2 for number in range(40) for _ in range(2)]
    one = measure([runs], [1, 0] * 40, books)["balanced_accuracy"]
    assert one.by_book is not None and one.by_row is not None
    assert one.by_book[1] - one.by_book[0] > 1.7 * (one.by_row[1] - one.by_row[0])


def test_one_book_has_no_interval_over_books():
    one = measure([[1, 5]], [1, 0], ["b", "b"])["balanced_accuracy"]
    assert one.by_book is None and one.by_row is not None


INJECTED = [
    {"type": "event", "subtype": "T1", "hallucinated": "Al fell.", "original": "Al rose."},
    {"type": "temporal", "subtype": "T1", "hallucinated": "Bo left first.", "original": "Bo left last."},
]


def test_recall_by_type_is_by_the_matcher_and_by_a_judge_side_by_side():
    rows = {row["id"]: row for row in (toy_row(number, True, injections=INJECTED) for number in range(2))}
    one, other = rows
    outcomes = {
        (one, 0): outcome_of(rows[one], 1, hits=[True, False], verdicts=[True, True], judge="j"),
        (other, 0): outcome_of(rows[other], 5, hits=[False, False], verdicts=[None, True], judge="j"),
    }
    found = novel_figures(rows, outcomes)
    assert {name: share.value for name, share in found.types.by_type.items()} == {"event": 0.5, "temporal": 0.0}
    assert found.judged is not None and found.judge == "j"
    assert {name: share.value for name, share in found.judged.by_type.items()} == {"event": 0.5, "temporal": 1.0}
    assert found.judged.unread == 1


def test_no_reply_hits_nothing():
    row = toy_row(0, True, injections=INJECTED)
    found = novel_figures({row["id"]: row}, {(row["id"], 0): Outcome(row["id"], 0, "overlength")})
    assert found.types.micro == 0.0 and found.judged is None


def test_faults_of_a_models_own_summary_are_the_points_of_its_reason():
    row = toy_row(0, True, origin="mma", types=["causal"], reason="Causal: she left out of love")
    found = novel_figures({row["id"]: row}, {(row["id"], 0): outcome_of(row, 1, hits=[True])})
    assert found.types.by_type["causal"].n == 1
