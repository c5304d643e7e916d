"""The figures of classes told apart that both harnesses report."""

from math import isnan

import pytest

from lengthwise.evaluators.benchmarks import BENCHMARKS
from lengthwise.evaluators.harnesses.figures import detection_figure, detection_names

PERFECT = [(0, 1), (5, 0)]
HALF = [(0, 1), (1, 0)]
REVERSED = [(None, 1), (0, 0)]


def test_only_where_there_are_classes() -> None:
    named = {name for name, one in BENCHMARKS.items() if detection_names(one)}
    assert named == {"longnovel", "longnovel-storyworld"}


@pytest.mark.parametrize(
    ("repeats", "balanced", "mcc"),
    [
        ([PERFECT], 1.0, 1.0),
        ([HALF], 0.5, 0.0),
        ([REVERSED], 0.0, -1.0),
        # Of each repeat and the mean, which is not that of all rows together.
        ([PERFECT, HALF], 0.75, 0.5),
    ],
)
def test_of_each_repeat_and_the_mean(repeats: list[list[tuple[int | None, int]]], balanced: float, mcc: float) -> None:
    assert detection_figure("balanced_accuracy", repeats) == balanced
    assert detection_figure("mcc", repeats) == mcc


def test_a_class_that_is_absent() -> None:
    assert isnan(detection_figure("mcc", [[(5, 0)]])) and isnan(detection_figure("balanced_accuracy", []))
