import csv
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lengthwise.errors import InputError
from lengthwise.metrics.classification import detection
from lengthwise.metrics.figures import STATISTICS

SIZES = {"S": 100, "M": 100, "L": 50, "XL": 50}


def test_threshold_lies_between_two_and_three():
    found = detection([0, 1, 2, 3, 4, 5], [1, 1, 1, 0, 0, 0]).overall
    assert (found.balanced_accuracy, found.mcc) == (1, 1)


def test_the_table_names_hallucinated_positive():
    found = detection([1, 4, 4, 5, 2], [1, 1, 1, 0, 0]).overall.confusion_matrix
    assert (found.true_positive, found.false_negative, found.true_negative, found.false_positive) == (1, 2, 1, 1)


def test_never_answering_is_all_wrong():
    found = detection([None] * 6, [1, 1, 1, 0, 0, 0])
    assert (found.overall.balanced_accuracy, found.overall.mcc, found.invalid_rate) == (0, -1, 1)
    assert found.answered.n == 0
    assert set(found.answered.reasons.values()) == {"there are no items"}


def test_an_unparsed_reply_is_the_wrong_class_of_its_item():
    predictions, references = [1, None, 5, None], [1, 1, 0, 0]
    as_wrong = detection([1, 5, 5, 1], references)
    assert detection(predictions, references).overall == as_wrong.overall
    assert detection(predictions, references).answered == detection([1, 5], [1, 0]).overall


def test_mcc_with_abstentions_is_that_of_a_two_by_two_table():
    # As a third class they would give 0.447.
    assert detection([1, 1, 5, None], [1, 1, 0, 0]).overall.mcc == pytest.approx(1 / np.sqrt(3))


@pytest.mark.parametrize(("label", "score", "absent"), [(1, 0, "non-hallucinated"), (0, 5, "hallucinated")])
def test_a_class_that_is_absent_leaves_no_figure(label: int, score: int, absent: str):
    found = detection([score, score], [label, label]).overall
    assert (found.balanced_accuracy, found.mcc) == (None, None)
    assert found.reasons["mcc"] == f"no item is {absent} by its gold label"


def test_one_class_for_all_leaves_no_mcc():
    found = detection([5, 5, 5, 5], [1, 1, 0, 0]).overall
    assert (found.balanced_accuracy, found.mcc) == (0.5, None)
    assert found.reasons == {"mcc": "all items were given one class"}


def test_undefined_can_be_zero_and_keeps_its_reason():
    found = detection([5, 5], [1, 0], undefined_as_zero=True).overall
    assert found.mcc == 0
    assert "mcc" in found.reasons


def test_no_items():
    found = detection([], [])
    assert (found.overall.n, found.overall.mcc, found.invalid_rate) == (0, None, None)
    assert found.to_dict()["reasons"]["invalid_rate"] == "there are no items"


@given(st.lists(st.tuples(st.sampled_from([0, 1, 2, 3, 4, 5, None]), st.sampled_from([0, 1])), max_size=60))
def test_mcc_is_the_correlation_of_labels_and_verdicts(items: list[tuple[int | None, int]]):
    scores, labels = [score for score, _ in items], [label for _, label in items]
    verdicts = [int(score < 3) if score is not None else 1 - label for score, label in items]
    found = detection(scores, labels).overall
    if len(set(labels)) < 2 or len(set(verdicts)) < 2:
        assert found.mcc is None
    else:
        assert found.mcc == pytest.approx(np.corrcoef(labels, verdicts)[0, 1])


@pytest.mark.parametrize("score", [6, -1, 3.0, True, "4", float("nan")])
def test_what_is_no_score_is_named(score: object):
    with pytest.raises(InputError, match=r"predictions\[1\]"):
        detection([1, score], [1, 0])  # type: ignore[list-item]


@pytest.mark.parametrize("label", [2, -1, "hallucinated", None])
def test_what_is_no_label_is_named(label: object):
    with pytest.raises(InputError, match=r"references\[0\]"):
        detection([1], [label])  # type: ignore[list-item]


def test_lengths_must_agree():
    with pytest.raises(InputError, match="predictions has 1 entries, references 2"):
        detection([1], [1, 0])
    with pytest.raises(InputError, match="clusters has 1 entries for 2"):
        detection([1, 1], [1, 0], clusters=["a"])


def test_scores_of_numpy_are_integers_too():
    assert detection(list(np.array([1, 5])), list(np.array([1, 0]))).overall.mcc == 1  # type: ignore[arg-type]


def test_intervals_come_when_asked_for():
    predictions, references = [1] * 31 + [4] * 19 + [4] * 37 + [1] * 13, [1] * 50 + [0] * 50
    assert "mcc_ci" not in detection(predictions, references).to_dict()
    found = detection(predictions, references, confidence_level=0.95).to_dict()
    low, high = found["balanced_accuracy_ci"]
    assert low < found["balanced_accuracy"] < high
    assert found["answered_balanced_accuracy_ci"] == (low, high)
    narrower = detection(predictions, references, confidence_level=0.5).to_dict()["balanced_accuracy_ci"]
    assert low < narrower[0] < narrower[1] < high


def test_clusters_widen_intervals_where_sources_differ():
    # Two books with all right, two with all wrong: items are far from independent.
    predictions, references, books = [], [], []
    for book, right in enumerate([True, True, False, False]):
        for label in [0, 1] * 20:
            predictions.append((1 if label else 5) if right else (5 if label else 1))
            references.append(label)
            books.append(book)
    found = detection(predictions, references, clusters=books, confidence_level=0.95).to_dict()
    (low, high), (low_naive, high_naive) = found["balanced_accuracy_ci"], found["balanced_accuracy_ci_naive"]
    assert high - low > 2 * (high_naive - low_naive)


def test_an_undefined_figure_has_no_interval():
    found = detection([1, 1], [1, 1], confidence_level=0.95).to_dict()
    assert found["mcc_ci"] is None
    assert found["recall_hallucinated_ci"] == (1, 1)


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


@pytest.mark.shared
def test_printed_figures_follow_from_printed_recalls(shared_dir: Path):
    rows = read(shared_dir / "reference" / "longnovel_tables_10_11.tsv")
    checked = [row for row in rows if "as printed" not in row["note"]]
    assert (len(rows), len(checked)) == (152, 143)
    for row in checked:
        n = SIZES[row["scale"]]
        found, other = float(row["recall_hallucinated"]) * n, float(row["recall_non_hallucinated"]) * n
        counts = np.array([found, n - found, 0, other, n - other, 0])
        with np.errstate(invalid="ignore"):
            values = {name: float(np.nan_to_num(statistic(counts))) for name, statistic in STATISTICS.items()}
        assert values["balanced_accuracy"] == pytest.approx(float(row["balanced_accuracy"]), abs=0.002), row
        assert values["mcc"] == pytest.approx(float(row["mcc"]), abs=0.002), row
