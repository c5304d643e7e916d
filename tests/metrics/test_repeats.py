import pytest

from lengthwise.errors import InputError
from lengthwise.metrics.classification import detection
from lengthwise.metrics.repeats import average_runs, over_runs


def test_mean_and_sample_deviation():
    found = over_runs([0.1, 0.2, 0.6])
    assert (found.mean, found.std, found.n_runs) == (pytest.approx(0.3), pytest.approx(0.07**0.5), 3)


def test_one_run_has_no_spread():
    assert (over_runs([0.5]).mean, over_runs([0.5]).std) == (0.5, None)


@pytest.mark.parametrize(("values", "undefined"), [([0.5, None], 1), ([None], 1), ([], 0)])
def test_an_undefined_run_leaves_the_mean_undefined(values: list[float | None], undefined: int):
    found = over_runs(values)
    assert (found.mean, found.std, found.n_undefined) == (None, None, undefined)


def test_the_mean_of_runs_is_not_the_figure_of_pooled_counts():
    references = [1, 1, 1, 1, 0, 0, 0, 0]
    runs = [[1, 1, 1, 1, 5, 5, 5, 1], [1, 5, 5, 5, 5, 5, 5, 5]]
    figures = [{"mcc": detection(run, references).overall.mcc} for run in runs]
    pooled = detection(runs[0] + runs[1], references * 2).overall.mcc
    mean = average_runs(figures)["mcc"].mean
    assert mean == pytest.approx(sum(figure["mcc"] or 0 for figure in figures) / 2)
    assert mean != pytest.approx(pooled, abs=0.01)


def test_runs_have_the_same_figures():
    with pytest.raises(InputError, match=r"runs\[1\] and runs\[0\] differ in mcc"):
        average_runs([{"n": 1.0}, {"n": 1.0, "mcc": 0.5}])


def test_no_runs():
    assert average_runs([]) == {}
