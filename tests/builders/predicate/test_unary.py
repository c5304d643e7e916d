import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lengthwise.builders.predicate import unary
from lengthwise.builders.predicate.instance import Predicate, Unplantable
from lengthwise.builders.predicate.predicates import draw_predicates, satisfied
from lengthwise.builders.predicate.words import Letters, WordShape, codes, draw_list
from lengthwise.builders.streams import Stream

KINDS = ("prefix", "suffix", "contains")
SHAPE = WordShape((6,), (), "abcde")
seeds = st.integers(0, 10**6)


def predicates_of(seed: int, k: int = 3, shape: WordShape = SHAPE) -> tuple[Predicate, ...]:
    return draw_predicates(Stream("unary", seed, "predicates"), shape, KINDS, k, 2)


def pool_of(seed: int, count: int, targets: int = 1, k: int = 3) -> tuple[Letters, tuple[Predicate, ...]]:
    key, predicates = ("unary", seed), predicates_of(seed, k)
    try:
        written = unary.write_targets(key, draw_list(key, SHAPE, count), SHAPE, predicates, targets)
        return unary.thin(key, written, SHAPE, predicates, targets * k), predicates
    except Unplantable:
        assume(False)
        raise


def all_windows(holds: list[list[bool]], k: int) -> list[int]:
    return [start for start in range(len(holds) - k + 1) if all(holds[start + j][j] for j in range(k))]


@given(seeds, st.integers(20, 300), st.integers(1, 3))
def test_every_target_is_written_and_other_words_satisfy_at_most_one(seed: int, count: int, targets: int) -> None:
    pool, predicates = pool_of(seed, count, targets)
    holds = satisfied(pool, SHAPE, predicates)
    assert all(holds[place, place % 3] for place in range(3 * targets))
    assert holds[3 * targets :].sum(axis=1).max() <= 1
    assert len(np.unique(codes(pool, 5))) == count


@given(seeds, st.integers(40, 200))
def test_thinning_keeps_the_words_that_need_not_go(seed: int, count: int) -> None:
    pool, predicates = pool_of(seed, count)
    drawn = draw_list(("unary", seed), SHAPE, count)[3:]
    fine = satisfied(drawn, SHAPE, predicates).sum(axis=1) <= 1
    assert (pool[3:][fine] == drawn[fine]).all()


@given(seeds, st.integers(60, 300), st.sampled_from([0.02, 0.05, 0.1, 0.2]))
def test_near_misses_satisfy_exactly_their_one_predicate(seed: int, count: int, share: float) -> None:
    pool, predicates = pool_of(seed, count)
    try:
        made = unary.near_misses(("unary", seed), pool, SHAPE, predicates, 3, share)
    except Unplantable:
        assume(False)
    holds = satisfied(made.letters, SHAPE, predicates)
    for number, group in enumerate(made.groups):
        assert holds[group, number].all() and (holds[group].sum(axis=1) == 1).all()
        assert (group >= 3).all()
    edited = np.concatenate(made.groups)
    assert len(np.unique(edited)) == len(edited)
    untouched = np.setdiff1d(np.arange(count), edited)
    assert (made.letters[untouched] == pool[untouched]).all()
    assert len(np.unique(codes(made.letters, 5))) == count


@given(seeds, st.integers(100, 400), st.integers(0, 8), st.sampled_from([0.02, 0.05, 0.1]))
def test_a_cut_list_has_exactly_its_share_of_near_misses(seed: int, count: int, left_out: int, share: float) -> None:
    pool, predicates = pool_of(seed, count)
    try:
        made = unary.near_misses(("unary", seed), pool, SHAPE, predicates, 3, share)
    except Unplantable:
        assume(False)
    n_words = count - left_out
    groups = made.chosen(n_words, share)
    assert [len(group) for group in groups] == [int(share * n_words)] * 3
    assert all((group < n_words).all() for group in groups)


@pytest.mark.parametrize(
    ("n_words", "share", "count"), [(100, 0.29, 29), (1000, 0.007, 7), (300, 0.05, 15), (19, 0.05, 0)]
)
def test_the_share_of_near_misses_is_rounded_down_exactly(n_words: int, share: float, count: int) -> None:
    groups = (np.arange(n_words),)
    made = unary.NearMisses(np.zeros((n_words, 6), dtype=np.uint8), groups)
    assert [len(group) for group in made.chosen(n_words, share)] == [count]


def test_more_near_misses_than_words_are_refused() -> None:
    pool, predicates = pool_of(1, 60)
    with pytest.raises(Unplantable, match="near misses do not fit"):
        unary.near_misses(("unary", 1), pool, SHAPE, predicates, 3, 0.4)


def rows_of_bits(least: int) -> st.SearchStrategy[list[list[bool]]]:
    return st.lists(st.lists(st.booleans(), min_size=3, max_size=3), min_size=least, max_size=40)


@given(rows_of_bits(1))
def test_windows_agree_with_a_look_at_all(holds: list[list[bool]]) -> None:
    assert unary.windows(np.array(holds)).tolist() == all_windows(holds, 3)


@given(rows_of_bits(12), seeds)
def test_breaking_windows_leaves_the_targets_alone(holds: list[list[bool]], seed: int) -> None:
    target = seed % (len(holds) - 2)
    for j in range(3):
        holds[target + j][j] = True
    try:
        made = unary.break_windows(Stream(seed), np.arange(len(holds)), np.array(holds), [target], 3).tolist()
    except Unplantable:
        assume(False)
    assert sorted(made) == [*range(len(holds))]
    assert made[target : target + 3] == [target, target + 1, target + 2]
    assert all_windows([holds[place] for place in made], 3) == [target]


def test_a_second_window_of_target_words_is_refused() -> None:
    with pytest.raises(Unplantable, match="the targets' own words make another answer"):
        unary.break_windows(Stream("fixup"), np.arange(6), np.ones((6, 3), dtype=bool), [0, 3], 3)


def test_windows_that_no_swap_breaks_are_refused() -> None:
    with pytest.raises(Unplantable, match="no swap breaks"):
        unary.break_windows(Stream("fixup"), np.arange(9), np.ones((9, 3), dtype=bool), [0], 3)
