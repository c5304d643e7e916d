from collections.abc import Callable

import pytest

from lengthwise.evaluators.figures.arms import clustered_recovery, decoy_drop
from lengthwise.evaluators.figures.model import Figure, Point
from lengthwise.evaluators.scoring import Scored

MakeScored = Callable[..., Scored]


def values(figure: Figure | None) -> dict[str, dict[str, list[float | None]]]:
    """Values by panel and series."""
    assert figure is not None
    return {
        panel.title: {one.name: [point and point.value for point in one.points] for one in panel.series}
        for panel in figure.panels
    }


def test_baseline_against_decoys_per_model(make_scored: MakeScored):
    a = make_scored({"unary-locate/4k": [1, 1, 1, 0], "unary-decoys/4k": [0, 0, 0, 0]}, label="a")
    b = make_scored({"unary-locate/4k": [1, 1, 1, 1], "unary-decoys/4k": [1, 0, 0, 0]}, label="b")
    figure = decoy_drop([a, b])
    assert values(figure) == {"Unary, near-miss, 4k": {"baseline": [0.75, 1.0], "with decoys": [0.0, 0.25]}}
    assert figure is not None
    assert [place.name for place in figure.panels[0].places] == ["a", "b"]
    # Clopper-Pearson for 0 of 4.
    assert figure.panels[0].series[1].points[0] == Point(0.0, 0.0, pytest.approx(1 - 0.025 ** (1 / 4)), 4)


def test_a_panel_a_family(make_scored: MakeScored):
    cells = {
        f"{family}-{arm}/{split}": [1]
        for family, split, arms in (
            ("unary", "4k", ("locate", "decoys")),
            ("lex", "4k", ("locate", "scattered")),
            ("documents", "full", ("locate", "scattered")),
        )
        for arm in arms
    }
    titles = ["Unary, near-miss, 4k", "Synthetic, near-sorted, 4k", "Documents, near-sorted"]
    assert list(values(decoy_drop([make_scored(cells)]))) == titles


def test_both_arms_at_one_length(make_scored: MakeScored):
    run = make_scored({"lex-locate/4k": [1], "lex-locate/8k": [0], "lex-scattered/4k": [1]})
    assert values(decoy_drop([run])) == {"Synthetic, near-sorted, 4k": {"baseline": [1.0], "with decoys": [1.0]}}


def test_models_at_different_lengths_say_which(make_scored: MakeScored):
    a = make_scored({"lex-locate/4k": [1], "lex-scattered/4k": [0]}, label="a")
    b = make_scored({"lex-locate/8k": [1], "lex-scattered/8k": [0]}, label="b")
    figure = decoy_drop([a, b])
    assert figure is not None
    assert [(place.name, place.caption) for place in figure.panels[0].places] == [("a", "4k"), ("b", "8k")]


def test_a_model_without_decoys_is_left_out(make_scored: MakeScored):
    a = make_scored({"lex-locate/4k": [1], "lex-scattered/4k": [0]}, label="a")
    b = make_scored({"lex-locate/4k": [1]}, label="b")
    assert values(decoy_drop([a, b])) == {"Synthetic, near-sorted, 4k": {"baseline": [1.0], "with decoys": [0.0]}}
    assert decoy_drop([b]) is None


def test_recovery_has_three_arms(make_scored: MakeScored):
    run = make_scored({"lex-locate/4k": [1, 1], "lex-scattered/4k": [0, 0], "lex-clustered/4k": [1, 0]})
    assert values(clustered_recovery([run])) == {
        "Synthetic, 4k": {"baseline": [1.0], "scattered": [0.0], "clustered": [0.5]}
    }


def test_recovery_without_the_baseline(make_scored: MakeScored):
    run = make_scored({"documents-scattered/full": [0], "documents-clustered/full": [1]})
    assert values(clustered_recovery([run])) == {"Documents": {"scattered": [0.0], "clustered": [1.0]}}


def test_clustered_alone_says_nothing(make_scored: MakeScored):
    assert clustered_recovery([make_scored({"lex-clustered/4k": [1], "lex-locate/8k": [1]})]) is None
