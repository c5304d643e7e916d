import numpy as np
import pytest

from lengthwise.errors import InputError
from lengthwise.metrics.classification import detection
from lengthwise.metrics.comparison import compare_detection, compare_values


def scores(found: int, missed: int, right: int, wrong: int) -> tuple[list[int | None], list[int]]:
    """Scores and labels with this table."""
    return [1] * found + [5] * missed + [5] * right + [1] * wrong, [1] * (found + missed) + [0] * (right + wrong)


def test_a_system_does_not_differ_from_itself():
    first, references = scores(31, 19, 37, 13)
    for one in compare_detection(first, first, references).values():
        assert (one.difference.value, one.difference.interval, one.difference.p_value) == (0, (0, 0), 1)
        assert one.mcnemar is not None and one.mcnemar.p_value == 1


def test_figures_are_those_of_each_system():
    first, references = scores(31, 19, 37, 13)
    second = [None, *first[1:-1], 5]
    found = compare_detection(first, second, references)
    for name in ("balanced_accuracy", "mcc", "recall_hallucinated", "recall_non_hallucinated"):
        one, other = (
            getattr(detection(first, references).overall, name),
            getattr(detection(second, references).overall, name),
        )
        assert (found[name].first, found[name].second) == (pytest.approx(one), pytest.approx(other))
        assert found[name].difference.value == pytest.approx(one - other)
    assert found["accuracy"].mcnemar is not None
    assert (found["accuracy"].mcnemar.only_first, found["accuracy"].mcnemar.only_second) == (1, 1)


def test_standard_error_of_a_paired_difference():
    rng = np.random.default_rng(1)
    first = (rng.random(400) < 0.7).astype(int).tolist()
    second = [value if rng.random() < 0.8 else int(rng.random() < 0.5) for value in first]
    per_item = np.array(first) - np.array(second)
    found = compare_values(first, second).difference
    assert found.standard_error == pytest.approx(per_item.std() / 20, rel=0.05)


def test_standard_error_of_a_paired_difference_of_balanced_accuracies():
    rng = np.random.default_rng(2)
    references = [1] * 300 + [0] * 300
    first = [int(score) for score in rng.integers(0, 6, 600)]
    second = [score if rng.random() < 0.7 else int(rng.integers(0, 6)) for score in first]
    right = [
        [(score < 3) == bool(label) for score, label in zip(side, references, strict=True)] for side in (first, second)
    ]
    per_item = np.array(right[0], float) - np.array(right[1], float)
    expected = np.sqrt(per_item[:300].var() / 300 + per_item[300:].var() / 300) / 2
    found = compare_detection(first, second, references)["balanced_accuracy"].difference
    assert found.standard_error == pytest.approx(expected, rel=0.05)


def test_pairing_narrows_the_interval():
    first = [1, 0] * 100
    second = [1, 0] * 95 + [0, 0] * 5
    found = compare_values(first, second).difference
    assert found.standard_error is not None and found.standard_error < 0.02
    # Unpaired: sqrt(2 * 0.25 / 200).
    assert found.interval is not None and found.interval[1] - found.interval[0] < 0.1


def test_p_values_of_equal_systems_are_uniform():
    rng = np.random.default_rng(3)
    small = 0
    for seed in range(400):
        first, second = rng.random((2, 120)) < 0.6
        p = compare_values(first.astype(int).tolist(), second.astype(int).tolist(), n_resamples=500, seed=seed)
        small += (p.difference.p_value or 0) < 0.1
    assert 0.06 < small / 400 < 0.15


def test_the_smallest_p_is_not_zero():
    found = compare_values([1] * 50, [0] * 50, n_resamples=1000).difference
    assert found.p_value == pytest.approx(2 / 1001)


def test_few_items_on_one_side_prove_little():
    assert compare_values([1, 1, 1, 1], [0, 0, 0, 1]).difference.p_value == 0.25
    for one in compare_detection([1, 1, 5, 5], [5, 5, 5, 1], [1, 1, 0, 0]).values():
        assert one.difference.p_value is None or one.difference.p_value >= 0.25
    two_books = compare_values([1] * 40, [0] * 40, clusters=["a", "b"] * 20)
    assert two_books.difference.p_value == 0.5


def test_runs_are_averaged_per_run():
    first, references = scores(31, 19, 37, 13)
    other, _ = scores(20, 30, 45, 5)
    found = compare_detection([first, other], first, references)["mcc"]
    values = [detection(run, references).overall.mcc or 0 for run in (first, other)]
    assert found.first == pytest.approx(sum(values) / 2)
    assert found.second == pytest.approx(values[0])
    assert found.mcnemar is None


def test_values_of_several_runs_are_averaged():
    found = compare_values([[1, 0, 1, 1], [1, 0, 0, 0]], [[0, 0, 0, 0]])
    assert (found.first, found.second, found.n, found.mcnemar) == (0.5, 0, 4, None)


def test_values_need_not_be_right_or_wrong():
    found = compare_values([2.5, 0.5, 3.0], [1.0, 1.0, 1.0], figure="absolute error")
    assert (found.figure, found.first, found.mcnemar) == ("absolute error", 2, None)


def test_clusters_are_resampled_whole():
    first, second = [1] * 50 + [0] * 50, [0] * 50 + [1] * 50
    books = [0] * 50 + [1] * 50
    naive = compare_values(first, second).difference.standard_error
    found = compare_values(first, second, clusters=books).difference.standard_error
    assert naive == pytest.approx(0.1, rel=0.05)
    assert found == pytest.approx(np.sqrt(0.5), rel=0.05)


def test_strata_keep_their_sizes():
    # Each stratum is decided: nothing is left to chance.
    found = compare_values([1, 1, 0, 0], [0, 0, 0, 0], strata=["a", "a", "b", "b"]).difference
    assert found.standard_error == 0


def test_an_undefined_figure_has_no_difference():
    found = compare_detection([5, 5], [1, 5], [1, 0])["mcc"]
    assert (found.first, found.second, found.difference.value, found.difference.p_value) == (None, 1, None, None)
    assert compare_detection([5, 5], [1, 5], [1, 0], undefined_as_zero=True)["mcc"].difference.value == -1


def test_no_items():
    found = compare_values([], [])
    assert (found.n, found.first, found.difference.value) == (0, None, None)
    assert compare_detection([], [], [])["mcc"].first is None


def test_a_dict_has_what_a_table_shows():
    flat = compare_values([1, 1, 0], [1, 0, 0]).to_dict()
    assert (flat["n"], flat["only_first"], flat["only_second"], flat["mcnemar_p_value"]) == (3, 1, 0, 1)


@pytest.mark.parametrize(("first", "second"), [([1, 0], [1]), ([[1, 0], [1]], [1, 0]), ([[1, 0], 1], [1, 0])])
def test_runs_are_over_the_same_items(first: list, second: list):
    with pytest.raises(InputError, match="first"):
        compare_values(first, second)


def test_labels_are_one_for_each_item():
    with pytest.raises(InputError, match="strata has 1 entries for 2 items"):
        compare_detection([1, 1], [1, 1], [1, 0], strata=["zh"])
    with pytest.raises(InputError, match="clusters has 1 entries for 2 items"):
        compare_values([1, 1], [1, 1], clusters=["a"])
