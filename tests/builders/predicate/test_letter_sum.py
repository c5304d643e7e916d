import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lengthwise.builders.predicate.instance import Unplantable
from lengthwise.builders.predicate.letter_sum import break_totals, plant_total, word_sums
from lengthwise.builders.predicate.words import WordShape, draw_list, text
from lengthwise.builders.streams import Stream

SHAPE = WordShape((5,))
seeds = st.integers(0, 10**6)


def total_of(words: list[str]) -> int:
    return sum(ord(letter) - 96 for word in words for letter in word)


@pytest.mark.parametrize("alphabet", ["abcdefghijklmnopqrstuvwxyz", "eqz"])
def test_letters_count_by_their_place_in_english(alphabet: str) -> None:
    shape = WordShape((3, 5), (0.5,), alphabet)
    letters = draw_list(("sum",), shape, 20)
    assert word_sums(letters, shape).tolist() == [total_of([word]) for word in text(letters, alphabet).split()]


@given(seeds, st.integers(2, 7))
def test_the_first_words_reach_an_unusual_total(seed: int, k: int) -> None:
    letters = draw_list(("sum", seed), SHAPE, 300)
    try:
        made, predicate = plant_total(("sum", seed), letters, SHAPE, k)
    except Unplantable:
        assume(False)
    total = int(predicate.parameters["total"])
    assert total_of(text(made[:k], SHAPE.alphabet).split()) == total
    assert (made[k:] == letters[k:]).all()
    sums = word_sums(letters, SHAPE)
    assert 2.9 * np.sqrt(k) * sums.std() <= total - k * sums.mean() <= 3.6 * np.sqrt(k) * sums.std()
    assert f"all {k} words together add up to {total}," in predicate.text


@given(seeds, st.lists(st.integers(1, 6), min_size=12, max_size=60), st.integers(2, 4))
def test_one_window_of_the_total_is_left(seed: int, values: list[int], k: int) -> None:
    target = seed % (len(values) - k + 1)
    sums = np.array(values)
    total = int(sums[target : target + k].sum())
    try:
        made = break_totals(Stream("fixup", seed), np.arange(len(values)), sums, target, k, total).tolist()
    except Unplantable:
        assume(False)
    assert sorted(made) == [*range(len(values))]
    assert made[target : target + k] == [*range(target, target + k)]
    found = [p for p in range(len(made) - k + 1) if sum(values[i] for i in made[p : p + k]) == total]
    assert found == [target]


def test_a_total_that_all_windows_have_is_refused() -> None:
    with pytest.raises(Unplantable, match="cannot be broken up"):
        break_totals(Stream("fixup"), np.arange(20), np.ones(20, dtype=np.int64), 4, 3, 3)


def test_a_total_out_of_reach_is_refused() -> None:
    # Three standard deviations above the mean of a and z lies beyond "z z".
    shape = WordShape((1,), (), "az")
    with pytest.raises(Unplantable, match="cannot reach a letter sum"):
        plant_total(("sum",), np.array([[1], [2]], dtype=np.uint8), shape, 2)
