from itertools import permutations

import numpy as np
import pytest

from lengthwise.builders.streams import Stream


def demo() -> Stream:
    return Stream("demo", 1, 7)


def test_raw_words_are_pinned() -> None:
    assert demo().words(3).tolist() == [10565157492274445915, 18335444114583629623, 14032799423019402372]


def test_draws_are_pinned() -> None:
    assert demo().integers(10, 8).tolist() == [9, 4, 4, 7, 4, 6, 8, 4]
    assert demo().integers(26**8, 4).tolist() == [157433114830, 85659306901, 81774451781, 125548312776]
    assert demo().below(10**30) == 726032094502529885851437585518
    assert demo().permutation(8).tolist() == [7, 4, 3, 6, 0, 2, 5, 1]
    assert demo().sample(26**12, 3).tolist() == [82540292908394108, 44910146696543275, 42873363775390327]
    assert demo().sample(20, 5).tolist() == [18, 14, 17, 15, 11]


def test_integers_are_the_top_bits_that_are_small_enough() -> None:
    raw = [word >> 60 for word in demo().words(100).tolist()]
    assert demo().integers(10, 20).tolist() == [value for value in raw if value < 10][:20]


def test_big_below_is_made_of_whole_words() -> None:
    high, low = demo().words(2).tolist()
    assert demo().below(1 << 100) == (high << 64 | low) >> 28


def test_streams_do_not_hang_on_global_generators() -> None:
    np.random.seed(5)
    first = demo().words(4).tolist()
    np.random.seed(6)
    np.random.random(3)
    assert demo().words(4).tolist() == first


@pytest.mark.parametrize("other", [("demo", 1, 8), ("demo", 17), ("demo", 1, 7, 0), (1, "demo", 7), ("demo 1", 7)])
def test_other_parts_give_another_stream(other: tuple[str | int, ...]) -> None:
    assert Stream(*other).words(1) != demo().words(1)


def test_numbers_and_their_texts_are_one_key() -> None:
    assert Stream("demo", "1", "7").words(1) == demo().words(1)


def test_a_newline_in_a_part_is_refused() -> None:
    with pytest.raises(ValueError, match="newline"):
        Stream("demo\n1", 7)


def test_a_stream_goes_on_where_it_was() -> None:
    stream = demo()
    assert [*stream.words(2).tolist(), *stream.words(3).tolist()] == demo().words(5).tolist()


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 26**8, 1 << 32, (1 << 63) - 1, 1 << 63])
def test_integers_stay_in_bounds(bound: int) -> None:
    drawn = demo().integers(bound, 500)
    assert len(drawn) == 500 and drawn.min() >= 0 and int(drawn.max()) < bound
    assert drawn.max() >= 0.9 * (bound - 1)


@pytest.mark.parametrize("bound", [3, 5, 6, 17])
def test_integers_have_no_bias(bound: int) -> None:
    counts = np.bincount(demo().integers(bound, 20_000), minlength=bound)
    assert np.abs(counts / 20_000 - 1 / bound).max() < 0.012


def test_no_integers() -> None:
    assert demo().integers(7, 0).tolist() == []


@pytest.mark.parametrize("bound", [0, -1, (1 << 63) + 1])
def test_integers_refuse_a_bad_bound(bound: int) -> None:
    with pytest.raises(ValueError, match="bound must be in 1 to"):
        demo().integers(bound, 1)


def test_below_refuses_a_bad_bound() -> None:
    with pytest.raises(ValueError, match="bound must be in 1 to"):
        demo().below(0)


@pytest.mark.parametrize("bound", [(1 << 63) + 1, 3 << 63, 1 << 200, 10**60])
def test_big_below_reaches_all_of_its_range(bound: int) -> None:
    stream = demo()
    drawn = [stream.below(bound) for _ in range(200)]
    assert all(0 <= value < bound for value in drawn)
    assert min(drawn) < bound / 20 and max(drawn) > bound * 19 / 20


def test_permutations_are_uniform() -> None:
    stream = demo()
    seen = [tuple(stream.permutation(3).tolist()) for _ in range(1_200)]
    assert {*seen} == {*permutations(range(3))}
    assert all(150 < seen.count(order) < 250 for order in {*seen})


@pytest.mark.parametrize("bound", [50, 1 << 20, (1 << 20) + 1, 26**8])
def test_a_sample_has_no_repeats_and_begins_with_the_shorter_one(bound: int) -> None:
    longer = demo().sample(bound, 40).tolist()
    assert len({*longer}) == 40 and max(longer) < bound
    assert demo().sample(bound, 13).tolist() == longer[:13]


def test_a_sample_with_many_repeats_among_its_draws_is_still_prefix_stable() -> None:
    bound = (1 << 20) + 1
    longer = demo().sample(bound, 60_000)
    assert len(np.unique(longer)) == 60_000
    assert (demo().sample(bound, 50_000) == longer[:50_000]).all()


def test_a_sample_of_everything_is_a_permutation() -> None:
    assert sorted(demo().sample(9, 9).tolist()) == [*range(9)]


def test_a_sample_of_too_many_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot draw 5 different integers below 4"):
        demo().sample(4, 5)
