"""Figures of LongNovel on answers worked out by hand: by gold score, by length and model, and how rows ended."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from novel_run_cases import outcome_of, toy_row

from lengthwise.evaluators.contracts import Outcome
from lengthwise.evaluators.figures.endings import endings_of_novels
from lengthwise.evaluators.figures.model import Figure
from lengthwise.evaluators.figures.novel_heats import length_by_evidence, lengths_by_model
from lengthwise.evaluators.figures.novel_scores import score_by_score, verdict_by_score
from lengthwise.evaluators.figures.novels import balanced_by_length
from lengthwise.evaluators.longnovel_analyses.evidence import PlacedFault
from lengthwise.evaluators.longnovel_figures import novel_figures
from lengthwise.evaluators.results import Results, cell_result
from lengthwise.evaluators.run_folder import RunFolder
from lengthwise.evaluators.scoring import Scored

# Rows with the score that each was given.
Judged = Sequence[tuple[dict[str, Any], int | None]]


def novel_scored(judged: Judged, name: str = "toy", spec: str = "") -> Scored:
    rows = {row["id"]: row for row, _ in judged}
    outcomes = {(row["id"], 0): outcome_of(row, score) for row, score in judged}
    cells: dict[str, list[Outcome]] = {}
    for row, _ in judged:
        cells.setdefault(row["config"], []).append(outcomes[row["id"], 0])
    settings = {
        "benchmark": "longnovel",
        "model": {"name": name, "spec": spec or name},
        "method": "prompt-e",
        "labels": {},
        "sampling": {},
        "data": {},
    }
    found = tuple(cell_result(config, "test", [of_cell]) for config, of_cell in cells.items())
    figures = novel_figures(rows, outcomes)
    results = Results("longnovel", settings, found, (), len(outcomes), 0, 0, {}, None, figures=figures)
    return Scored(RunFolder(Path("none"), settings), rows, outcomes, results)


def scored_rows(given: Mapping[int, Sequence[int | None]], config: str = "s") -> Judged:
    """Rows of each gold score, with what each was given."""
    number = 0
    judged = []
    for gold, scores in given.items():
        for score in scores:
            judged.append((toy_row(number, gold < 3, config, score=gold, pair_id=""), score))
            number += 1
    return judged


def shares(figure: Figure | None, panel: int = 0) -> dict[str, list[tuple[float, int] | None]]:
    assert figure is not None
    return {
        one.name: [None if point is None else (round(point.value, 4), point.n) for point in one.points]
        for one in figure.panels[panel].series
    }


def test_verdicts_by_gold_score():
    run = novel_scored(scored_rows({0: [0, 2], 2: [1, 3, 5, 2], 5: [5, 5, 0, None]}))
    assert shares(verdict_by_score([run])) == {
        "called hallucinated": [(1.0, 2), (0.5, 4), (0.25, 4)],
        "no readable score": [(0.0, 2), (0.0, 4), (0.25, 4)],
    }


def test_only_gold_scores_that_occur_have_a_place():
    figure = verdict_by_score(
        [novel_scored(scored_rows({0: [0], 3: [5]})), novel_scored(scored_rows({0: [0], 5: [5]}))]
    )
    assert figure is not None
    assert [place.name for place in figure.panels[0].places] == ["0", "3", "5"]
    assert shares(figure, 1)["called hallucinated"] == [(1.0, 1), None, (0.0, 1)]


def test_intervals_of_verdicts_resample_books():
    # Two books; in one all rows are called hallucinated, in the other none is: a resample is 0, a half, or 1.
    rows: Judged = [(toy_row(number, True, score=1), 1 if number < 2 else 5) for number in range(4)]
    figure = verdict_by_score([novel_scored([*rows, (toy_row(9, False, score=5), 5)])])
    assert figure is not None
    point = figure.panels[0].series[0].points[0]
    assert point is not None
    assert (point.low, point.value, point.high) == (0.0, 0.5, 1.0)


def test_without_gold_scores_there_is_no_figure():
    run = novel_scored([(toy_row(0, True), 1), (toy_row(0, False), 5)])
    assert verdict_by_score([run]) is None
    assert score_by_score([run]) is None


def test_given_scores_are_shares_of_a_column():
    figure = score_by_score([novel_scored(scored_rows({1: [1, 1, 2, None], 5: [5]}))])
    found = shares(figure)
    assert list(found) == ["5", "4", "3", "2", "1", "0", "none"]
    assert found["1"] == [(0.5, 4), (0.0, 1)]
    assert found["none"] == [(0.25, 4), (0.0, 1)]
    assert found["5"][1] == (1.0, 1)


def test_lengths_by_model_needs_two_models_and_three_lengths():
    def run(name: str, *configs: str) -> Scored:
        judged = [one for config in configs for one in scored_rows({1: [1, 5], 5: [5, 5]}, config)]
        return novel_scored(judged, name)

    figure = lengths_by_model([run("a", "s", "m", "l"), run("b", "s")])
    assert shares(figure) == {
        "S (16k)": [(0.75, 4), (0.75, 4)],
        "M (32k)": [(0.75, 4), None],
        "L (64k)": [(0.75, 4), None],
    }
    assert lengths_by_model([run("a", "s", "m", "l")]) is None
    assert lengths_by_model([run("a", "s", "m"), run("b", "s")]) is None


def test_endings_by_length():
    judged = [*scored_rows({1: [1, 5], 5: [5, None]}), *scored_rows({1: [None, None]}, "xl")]
    figure = endings_of_novels([novel_scored(judged)])
    assert shares(figure) == {
        "correct": [(0.5, 4), (0.0, 2)],
        "wrong": [(0.25, 4), (0.0, 2)],
        "unparsed": [(0.25, 4), (1.0, 2)],
    }
    assert endings_of_novels([novel_scored(scored_rows({1: [1]}))]) is None


def test_ceiling_and_floor_are_known_without_a_run():
    judged = [one for config in ("s", "xl") for one in scored_rows({1: [1, 5], 5: [5, 5]}, config)]
    figure = balanced_by_length([novel_scored(judged)])
    assert shares(figure) == {
        "toy": [(0.75, 4), (0.75, 4)],
        "ceiling (gold)": [(1.0, 0), (1.0, 0)],
        "floor (random)": [(0.5, 0), (0.5, 0)],
    }
    with_floor = [novel_scored(judged), novel_scored(judged, spec="reference:faithful")]
    assert "floor (random)" not in shares(balanced_by_length(with_floor))


def test_lengths_shorter_than_any_of_the_papers_come_first():
    judged = [one for config in ("8k", "s", "2k") for one in scored_rows({1: [1, 5], 5: [5, 5]}, config)]
    figure = balanced_by_length([novel_scored(judged)])
    assert figure is not None
    assert [place.name for place in figure.panels[0].places] == ["2k", "8k", "S (16k)"]


def test_evidence_without_a_known_place_has_no_map():
    assert length_by_evidence([novel_scored([*scored_rows({1: [1]}), *scored_rows({1: [1]}, "xl")])]) is None


def test_recall_by_length_and_place_of_the_evidence(monkeypatch: pytest.MonkeyPatch):
    faults = {
        # 15 at the beginning of the text, a third of them seen; 25 in its middle, none; 5 not alone in their summary.
        "s": [PlacedFault(0.1, 0.2, 9, None, float(number < 5)) for number in range(15)]
        + [PlacedFault(0.5, 0.6, 9, None, 0.0)] * 25
        + [PlacedFault(0.9, 1.0, 9, None, None)] * 5,
        "xl": [PlacedFault(0.99, 1.0, 9, None, 1.0)],
    }
    found = "lengthwise.evaluators.figures.novel_heats.placed_faults"
    monkeypatch.setattr(found, lambda run: faults[next(iter(run.rows.values()))["config"]])
    figure = length_by_evidence([novel_scored([*scored_rows({1: [1]}), *scored_rows({1: [1]}, "xl")])])
    assert shares(figure) == {
        "S (16k)": [(0.3333, 15), None, (0.0, 25), None, None],
        "XL (100k)": [None, None, None, None, (1.0, 1)],
    }
