import numpy as np
import pytest

from lengthwise.errors import InputError
from lengthwise.metrics.classification import detection
from lengthwise.metrics.repeated_detection import repeated_detection

REFERENCES = [1] * 50 + [0] * 50


def scores(found: int, cleared: int) -> list[int | None]:
    """Scores of 50 hallucinated items of which so many are found, and 50 others of which so many are cleared."""
    return [1] * found + [5] * (50 - found) + [5] * cleared + [1] * (50 - cleared)


def test_figures_are_means_of_each_runs_own():
    runs = [scores(31, 37), scores(10, 48), [None, *scores(31, 37)[1:]]]
    found = repeated_detection(runs, REFERENCES)
    for prefix in ("", "answered_"):
        each = [detection(run, REFERENCES).to_dict()[f"{prefix}mcc"] for run in runs]
        assert found[f"{prefix}mcc"].over_runs.mean == pytest.approx(np.mean(each))
        assert found[f"{prefix}mcc"].over_runs.std == pytest.approx(np.std(each, ddof=1))


def test_runs_alike_have_the_interval_of_one():
    run = scores(31, 37)
    one = detection(run, REFERENCES, confidence_level=0.95).intervals["mcc"]
    found = repeated_detection([run] * 3, REFERENCES, confidence_level=0.95)["mcc"].estimate
    assert found is not None and found.value == pytest.approx(one.value)
    assert (found.low, found.high) == pytest.approx((one.low, one.high), abs=0.01)


def test_runs_that_waver_have_a_narrower_interval():
    rng = np.random.default_rng(1)
    runs = [[1 if rng.random() < 0.5 else 5 for _ in REFERENCES] for _ in range(8)]
    found = repeated_detection(runs, REFERENCES, confidence_level=0.95)["balanced_accuracy"].estimate
    # Of one run: sqrt(.25 / 50 + .25 / 50) / 2 = 0.05; eight independent ones, all of them resampled together.
    said, gold = np.array(runs) < 3, np.array(REFERENCES) == 1
    right = said == gold
    means = right.mean(axis=0)
    expected = np.sqrt(means[:50].var() / 50 + means[50:].var() / 50) / 2
    assert found is not None and found.standard_error == pytest.approx(expected, rel=0.05)
    assert expected < 0.03


def test_books_are_resampled_whole():
    books = [place % 5 for place in range(100)]
    # All right in three books, all wrong in two.
    run = [1 if (label == 1) == (book < 3) else 5 for label, book in zip(REFERENCES, books, strict=True)]
    found = repeated_detection([run], REFERENCES, clusters=books, confidence_level=0.95)["balanced_accuracy"].estimate
    assert found is not None and found.standard_error == pytest.approx(np.sqrt(0.6 * 0.4 / 5), rel=0.05)


def test_an_undefined_run_leaves_the_mean_undefined_unless_it_is_zero():
    runs = [scores(31, 37), scores(0, 50)]
    assert repeated_detection(runs, REFERENCES)["mcc"].over_runs.mean is None
    one = detection(runs[0], REFERENCES).overall.mcc or 0
    found = repeated_detection(runs, REFERENCES, undefined_as_zero=True, confidence_level=0.95)["mcc"]
    assert found.over_runs.mean == pytest.approx(one / 2)
    assert found.estimate is not None and found.estimate.value == pytest.approx(one / 2)


def test_runs_and_lengths_are_checked():
    with pytest.raises(InputError, match="at least one run"):
        repeated_detection([], [1, 0])
    with pytest.raises(InputError, match="predictions has 1 entries, references 2"):
        repeated_detection([[1]], [1, 0])
    with pytest.raises(InputError, match="clusters has 1 entries for 2"):
        repeated_detection([[1, 5]], [1, 0], clusters=["a"])
