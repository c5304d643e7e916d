from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lengthwise.builders.predicate import lex
from lengthwise.builders.predicate.instance import Unplantable
from lengthwise.builders.predicate.words import Codes, WordShape, codes, draw_list
from lengthwise.builders.streams import Stream

SHAPE = WordShape((3,))
sizes = st.integers(40, 160)
seeds = st.integers(0, 10**6)


def pool_of(seed: int, count: int) -> Codes:
    return codes(draw_list(("lex", seed), SHAPE, count), 26)


def windows(made: lex.Arrangement, k: int) -> list[int]:
    """Return every start of k ascending words that cross no bound, by looking at all windows."""
    return [
        start
        for start in range(len(made.codes) - k + 1)
        if made.codes[start : start + k] == sorted({*made.codes[start : start + k]})
        and not any(start < bound < start + k for bound in made.bounds)
    ]


def located(seed: int, n_words: int, k: int) -> tuple[Codes, lex.Arrangement]:
    pool = pool_of(seed, n_words)
    try:
        return pool, lex.locate(("lex", seed), pool, n_words, k, np.arange(k + 2, n_words))
    except Unplantable:
        assume(False)
        raise


def checks(made: lex.Arrangement, pool: Codes, words: list[int]) -> None:
    """What holds for every arrangement: the wanted words, each once, and codes that go with them."""
    assert sorted(made.order) == words
    assert made.codes == pool[made.order].tolist()


def is_plant(block: list[int]) -> bool:
    """Whether flanks stop a run on both sides: the first word is the largest, the last the smallest."""
    return block[0] == max(block) and block[-1] == min(block) and block[1:-1] == sorted(block[1:-1])


@given(seeds, sizes, st.integers(3, 7))
def test_the_target_is_the_one_window(seed: int, n_words: int, k: int) -> None:
    pool, made = located(seed, n_words, k)
    checks(made, pool, [*range(n_words)])
    assert windows(made, k) == [made.target]
    assert is_plant(made.codes[made.target - 1 : made.target + k + 1])
    assert sorted(made.order[made.target - 1 : made.target + k + 1]) == [*range(k + 2)]


@given(seeds, sizes, st.integers(4, 7), st.integers(1, 5), st.sampled_from([None, 30, 60]))
def test_decoys_are_near_sorted_and_leave_one_window(
    seed: int, n_words: int, k: int, count: int, radius: int | None
) -> None:
    pool, base = located(seed, n_words, k)
    try:
        made = lex.near_sorted(("lex", seed), base, pool, k, count, radius)
    except Unplantable:
        assume(False)
    checks(made, pool, [*range(n_words)])
    assert windows(made, k) == [made.target] == [base.target]
    assert len(made.decoys) == count
    for decoy in made.decoys:
        block = made.codes[decoy.start - 1 : decoy.start + k + 1]
        falls = [place for place in range(2, k + 1) if block[place] < block[place - 1]]
        assert len(falls) == 1 and 3 <= falls[0] <= k - 1
        j = falls[0]
        block[j - 1], block[j] = block[j], block[j - 1]
        assert is_plant(block)
    edges = sorted([base.target - 1, *(decoy.start - 1 for decoy in made.decoys)])
    assert all(b - a > k + 2 for a, b in pairwise(edges))
    if radius is not None:
        low, high = lex._around((base.target - 1, base.target + k + 1), radius, n_words)
        assert all(low <= decoy.start - 1 and decoy.start + k + 1 <= high for decoy in made.decoys)


@given(seeds, st.integers(60, 160), st.integers(2, 4))
def test_decoys_keep_the_words_and_the_target_of_the_baseline(seed: int, n_words: int, count: int) -> None:
    pool, base = located(seed, n_words, 5)
    try:
        made = lex.near_sorted(("lex", seed), base, pool, 5, count, None)
    except Unplantable:
        assume(False)
    here = slice(base.target - 1, base.target + 6)
    assert made.order[here] == base.order[here]
    # Only a decoy's words, what stood where they went, and the swaps of the fixup are elsewhere.
    moved = sum(a != b for a, b in zip(made.order, base.order, strict=True))
    assert moved <= 2 * 7 * count + 2 * 6


@given(seeds, st.integers(60, 200), st.integers(3, 6), st.integers(2, 6))
def test_every_boundary_carries_a_run_and_one_list_the_target(seed: int, n_words: int, k: int, count: int) -> None:
    pool = pool_of(seed, n_words)
    try:
        made = lex.lists(("lex", seed), pool, n_words, k, count, np.arange(count * (k + 2), n_words))
    except Unplantable:
        assume(False)
    checks(made, pool, [*range(n_words)])
    assert windows(made, k) == [made.target]
    assert sorted(made.bounds) == [round(number * n_words / count) for number in range(1, count)]
    whole = lex.Arrangement(made.order, made.codes, made.protected, frozenset(), made.target)
    crossing = [run for run in lex.runs_of(whole, k) if any(run[0] < bound < run[1] for bound in made.bounds)]
    assert crossing == [(decoy.start, decoy.start + k) for decoy in made.decoys]
    assert len(crossing) == count - 1


@given(st.lists(st.integers(0, 9), min_size=1, max_size=40), st.sets(st.integers(1, 39), max_size=4), seeds)
def test_runs_of_agrees_with_a_look_at_every_place(values: list[int], bounds: set[int], seed: int) -> None:
    bounds = {bound for bound in bounds if bound < len(values)}
    made = lex.Arrangement([*range(len(values))], values, bytearray(len(values)), frozenset(bounds), 0)
    starts = [p for p in range(len(values)) if p == 0 or p in bounds or values[p - 1] >= values[p]]
    expected = [*zip(starts, [*starts[1:], len(values)], strict=True)]
    assert lex.runs_of(made, 1) == expected
    assert lex.runs_of(made, 3) == [run for run in expected if run[1] - run[0] >= 3]
    assert all(made.run_at(place) == run for run in expected for place in range(*run))


def test_targets_stand_everywhere() -> None:
    pool = pool_of(1, 40)
    starts = {lex.locate((number,), pool, 40, 5, np.arange(7, 40)).target for number in range(300)}
    assert starts == {*range(1, 35)}


def test_the_swapped_pair_is_uniform_over_the_interior() -> None:
    stream, pool = Stream("pairs"), pool_of(1, 9)
    ascending = sorted(range(9), key=pool.tolist().__getitem__)[1:-1]
    pairs = [
        next(j for j in range(1, 8) if block[j] != ascending[j - 1])
        for block in (lex.near_sorted_block(stream, np.arange(9), pool) for _ in range(400))
    ]
    assert {*pairs} == {2, 3, 4, 5}
    assert all(60 < pairs.count(j) < 140 for j in range(2, 6))


def test_cuts_fall_at_every_place_inside_their_runs() -> None:
    pool = pool_of(1, 120)
    inside = set()
    for number in range(60):
        made = lex.lists((number,), pool, 120, 5, 2, np.arange(14, 120))
        inside.add(60 - made.decoys[0].start)
    assert inside == {1, 2, 3, 4}


def test_lists_too_short_for_their_boundary_runs_are_refused() -> None:
    with pytest.raises(Unplantable, match="too short"):
        lex.lists(("lex",), pool_of(1, 60), 60, 5, 10, np.arange(70, 70))


def test_a_run_of_planted_words_is_refused() -> None:
    made = lex.Arrangement([*range(8)], [*range(8)], bytearray([1] * 8), frozenset(), 9)
    with pytest.raises(Unplantable, match="consists of planted words"):
        lex.break_runs(Stream("fixup"), made, 5)


def test_a_list_without_partners_is_refused() -> None:
    made = lex.Arrangement([*range(8)], [*range(8)], bytearray(8), frozenset(), 9)
    with pytest.raises(Unplantable, match="no swap breaks"):
        lex.break_runs(Stream("fixup"), made, 5)


@pytest.mark.parametrize("target", [0, 3, 50, 190, 193])
def test_the_window_of_a_cluster_keeps_its_width_at_an_edge(target: int) -> None:
    low, high = lex._around((target, target + 7), 40, 200)
    assert high - low == 87
    assert 0 <= low <= target and target + 7 <= high <= 200
