import pytest

from lengthwise.errors import InputError
from lengthwise.metrics.pairs import pair_accuracy, pair_accuracy_of_scores


def test_a_pair_counts_only_if_both_are_right():
    found = pair_accuracy([True, False, True, True, False, False], ["a", "b", "a", "b", "c", "c"])
    assert (found.pair_accuracy, found.both, found.one, found.neither) == (pytest.approx(1 / 3), 1, 1, 1)
    assert found.item_accuracy == 0.5


def test_one_answer_for_all_scores_nothing():
    found = pair_accuracy_of_scores([5] * 6, [1, 0] * 3, [0, 0, 1, 1, 2, 2])
    assert (found.pair_accuracy, found.item_accuracy) == (0, 0.5)


def test_an_unparsed_reply_loses_its_pair():
    assert pair_accuracy_of_scores([1, None], [1, 0], ["a", "a"]).pair_accuracy == 0


def test_the_interval_is_over_pairs():
    found = pair_accuracy([True] * 20, list(range(10)) * 2)
    assert found.interval.low == pytest.approx(0.025 ** (1 / 10))


def test_no_pairs():
    found = pair_accuracy([], [])
    assert (found.pair_accuracy, found.item_accuracy, found.n_pairs) == (None, None, 0)


@pytest.mark.parametrize("pairs", [["a", "a", "b"], ["a", "a", "a"]])
def test_a_pair_has_two_items(pairs: list[str]):
    with pytest.raises(InputError, match="do not have two items"):
        pair_accuracy([True, True, True], pairs)


@pytest.mark.parametrize("references", [[1, 1], [0, 0]])
def test_a_pair_holds_one_item_of_each_label(references: list[int]):
    with pytest.raises(InputError, match="both items of pair 'a'"):
        pair_accuracy_of_scores([1, 4], references, ["a", "a"])


def test_lengths_must_agree():
    with pytest.raises(InputError, match="pairs has 1 entries for 2 items"):
        pair_accuracy([True, True], ["a"])
