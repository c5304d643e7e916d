from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lengthwise.builders.longnovel.review.pairs import PairKey
from lengthwise.builders.longnovel.review.sampling import sample_pairs, shares
from lengthwise.errors import InputError

SIZES = {("s", "en"): 80, ("s", "zh"): 60, ("m", "en"): 60, ("m", "zh"): 40, ("l", "en"): 30, ("xl", "zh"): 5}
KEYS = [
    PairKey(scale, language, f"{scale}-{language}-{n:03}")
    for (scale, language), size in SIZES.items()
    for n in range(size)
]


def test_the_sample_is_stratified_by_scale_and_language():
    drawn = Counter((key.scale, key.language) for key in sample_pairs(KEYS, 102))
    assert drawn == {
        ("s", "en"): 30,
        ("s", "zh"): 22,
        ("m", "en"): 22,
        ("m", "zh"): 15,
        ("l", "en"): 11,
        ("xl", "zh"): 2,
    }


def test_the_order_of_the_build_does_not_matter_and_the_seed_does():
    first = sample_pairs(KEYS, 102)
    assert sample_pairs(list(reversed(KEYS)), 102) == first
    assert set(sample_pairs(KEYS, 102, seed=7)) != set(first)
    assert len(set(first)) == 102


def test_strata_are_shown_mixed():
    half = {(key.scale, key.language) for key in sample_pairs(KEYS, 102)[:51]}
    assert len(half) >= 5


def test_a_small_build_gives_all_it_has():
    assert sorted(sample_pairs(KEYS[:5], 102)) == sorted(KEYS[:5])


def test_no_pairs_are_no_sample():
    with pytest.raises(InputError, match="--sample 0"):
        sample_pairs(KEYS, 0)


@given(st.lists(st.integers(1, 200), min_size=1, max_size=8), st.integers(1, 300))
def test_shares_add_up_within_their_strata(sizes: list[int], total: int):
    named = {(str(place), "en"): size for place, size in enumerate(sizes)}
    found = shares(named, total)
    assert sum(found.values()) == min(total, sum(sizes))
    assert all(0 <= found[name] <= size for name, size in named.items())
    assert total < len(sizes) or all(found.values())
