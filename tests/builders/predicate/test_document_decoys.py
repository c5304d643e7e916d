import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lengthwise.builders.predicate.document_decoys import GAP, Planted, capacity, insert_near_sorted
from lengthwise.builders.predicate.document_filter import Accepted, examine
from lengthwise.builders.predicate.documents import read_documents
from lengthwise.builders.streams import Stream
from lengthwise.errors import InputError

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def runs_of(words: list[str], k: int) -> list[int]:
    """Starts of all windows of k words that ascend, each looked at by itself."""
    return [
        start
        for start in range(len(words) - k + 1)
        if all(left < right for left, right in itertools.pairwise(words[start : start + k]))
    ]


def background(count: int, seed: int) -> list[str]:
    """Words of a small vocabulary that never ascend twice in a row: no run is longer than two."""
    drawn = ["".join(pair) for pair in itertools.product(LETTERS, repeat=2)]
    picks = Stream("test", count, seed).integers(len(drawn), count).tolist()
    words = [drawn[pick] for pick in picks]
    for i in range(2, len(words)):
        if words[i - 2] < words[i - 1] < words[i]:
            words[i] = "aa"
    return words


def with_target(count: int, at: int, k: int, seed: int) -> list[str]:
    words = background(count, seed)
    target = [f"m{LETTERS[i]}z" for i in range(k)]
    return [*words[:at], "zz", *target, "aa", *words[at:]]


def check(words: list[str], run_start: int, k: int, planted: Planted) -> None:
    """Every claim of Algorithm 8 about the result, proved from the words alone."""
    out = planted.words
    assert runs_of(out, k) == [planted.target_start]
    assert out[planted.target_start : planted.target_start + k] == words[run_start : run_start + k]
    inside = {index for decoy in planted.decoys for index in range(decoy.start, decoy.start + decoy.length)}
    assert [word for index, word in enumerate(out) if index not in inside] == words
    vocabulary = set(words)
    spans = sorted([(decoy.start, decoy.length) for decoy in planted.decoys] + [(planted.target_start, k)])
    assert all(left + length + GAP <= right for (left, length), (right, _) in itertools.pairwise(spans))
    for decoy in planted.decoys:
        block = out[decoy.start : decoy.start + decoy.length]
        assert (decoy.length, decoy.kind) == (k, "near-sorted")
        assert len(set(block)) == k
        assert set(block) <= vocabulary
        falls = [i for i, (left, right) in enumerate(itertools.pairwise(block)) if left >= right]
        assert len(falls) == 1
        assert 1 <= falls[0] <= k - 3
        j = falls[0]
        assert [*block[:j], block[j + 1], block[j], *block[j + 2 :]] == sorted(block)
        assert out[decoy.start - 1] > block[0]
        assert block[-1] > out[decoy.start + k]


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.integers(4, 8), st.integers(0, 300), st.integers(0, 12), st.booleans())
def test_decoys_hold_on_random_lists(seed: int, k: int, at: int, count: int, clustered: bool) -> None:
    words = with_target(300, at, k, seed)
    planted = insert_near_sorted(words, at + 1, k, Stream("test", seed), count, 80 if clustered else None)
    assert len(planted.decoys) == count
    check(words, at + 1, k, planted)


def test_clustered_decoys_are_near_the_target() -> None:
    words = with_target(2000, 900, 6, 1)
    planted = insert_near_sorted(words, 901, 6, Stream("test"), radius=40)
    check(words, 901, 6, planted)
    for index, decoy in enumerate(planted.decoys):
        original = decoy.start - 6 * index
        assert 901 - 40 <= original <= 901 + 6 + 40


def test_scattered_decoys_reach_over_the_document() -> None:
    words = with_target(2000, 1000, 6, 1)
    starts = [d.start for s in range(20) for d in insert_near_sorted(words, 1001, 6, Stream("test", s)).decoys]
    assert min(starts) < 100
    assert max(starts) > 1900


def test_words_are_drawn_as_often_as_the_document_has_them() -> None:
    words = ["qq", "bb"] * 500 + with_target(200, 100, 4, 2)
    planted = [insert_near_sorted(words, 1101, 4, Stream("test", s)) for s in range(40)]
    blocks = [p.words[d.start : d.start + 4] for p in planted for d in p.decoys]
    assert sum("qq" in block for block in blocks) > len(blocks) / 2


def test_both_swaps_of_five_words_come_up() -> None:
    words = with_target(300, 100, 5, 3)
    planted = [insert_near_sorted(words, 101, 5, Stream("test", s)) for s in range(5)]
    blocks = [p.words[d.start : d.start + 5] for p in planted for d in p.decoys]
    assert {next(i for i in range(4) if block[i] > block[i + 1]) for block in blocks} == {1, 2}


def test_same_stream_same_decoys() -> None:
    words = with_target(300, 100, 5, 3)
    first, again = (insert_near_sorted(words, 101, 5, Stream("test", 7)) for _ in range(2))
    assert first == again
    assert first != insert_near_sorted(words, 101, 5, Stream("test", 8))


def test_no_decoys_leave_the_words_as_they_are() -> None:
    words = with_target(50, 10, 5, 3)
    assert insert_near_sorted(words, 11, 5, Stream("test"), 0) == Planted(words, 11, ())


def test_every_place_can_be_used() -> None:
    # Places for three decoys and no more: at 2, 4 and 6 of a list that descends before the target.
    words = ["zg", "zf", "ze", "zd", "zc", "zb", "za", "aa", "ab", "ac", "ad"]
    for seed in range(20):
        planted = insert_near_sorted(words, 7, 4, Stream("test", seed), 3)
        check(words, 7, 4, planted)


def test_too_many_decoys() -> None:
    words = ["zg", "zf", "ze", "zd", "zc", "zb", "za", "aa", "ab", "ac", "ad"]
    with pytest.raises(InputError, match=r"count is 4: only 3 decoys fit in the document \(5 places"):
        insert_near_sorted(words, 7, 4, Stream("test"), 4)


def test_radius_too_small() -> None:
    words = with_target(300, 100, 5, 3)
    with pytest.raises(InputError, match=r"fit within 3 words of the target .* widen the radius"):
        insert_near_sorted(words, 101, 5, Stream("test"), 8, 3)


def test_places_whose_words_are_too_rare_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    # A decoy between "ab" and "aa" needs the "aa" that the 20,000 words hold once.
    monkeypatch.setattr("lengthwise.builders.predicate.document_decoys._ROUNDS", 1)
    high, low = ([a + b for a in half for b in LETTERS] for half in ("nopqrst", "cdefghi"))
    tail = [word for pair in zip(high * 55, low * 55, strict=True) for word in pair]
    words = ["ab", "aa", "zz", "ma", "mb", "mc", "md", "ca", *tail]
    for seed in range(20):
        planted = insert_near_sorted(words, 3, 4, Stream("test", seed), 1, 2)
        check(words, 3, 4, planted)
        assert planted.decoys[0].start == 9
    with pytest.raises(InputError, match="only 1 decoys fit"):
        insert_near_sorted(words, 3, 4, Stream("test"), 2, 2)


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"k": 3}, "near-sorted decoys need k >= 4"),
        ({"k": 4}, "not the only one"),
        ({"k": 6}, "not the only one"),
        ({"run_start": 100}, "not the only one"),
        ({"count": -1}, "give 0 or more"),
        ({"radius": -1}, "give 0 or more"),
    ],
)
def test_bad_arguments(change: dict[str, int], match: str) -> None:
    arguments = {"run_start": 101, "k": 5, **change}
    with pytest.raises(InputError, match=match):
        insert_near_sorted(with_target(300, 100, 5, 3), stream=Stream("test"), **arguments)


def test_two_runs_are_refused() -> None:
    words = [*with_target(300, 100, 5, 3), "ca", "cb", "cc", "cd", "ce"]
    with pytest.raises(InputError, match="not the only one"):
        insert_near_sorted(words, 101, 5, Stream("test"))


@given(st.sets(st.integers(0, 14)))
def test_capacity_against_all_choices(places: set[int]) -> None:
    ordered = sorted(places)
    best = max(
        size
        for size in range(len(ordered) + 1)
        for chosen in itertools.combinations(ordered, size)
        if all(right - left >= GAP for left, right in itertools.pairwise(chosen))
    )
    assert capacity(np.array(ordered, np.int64)) == best


@pytest.mark.shared
@pytest.mark.parametrize("folder", ["longdocs", "novels_en", "epics_en"])
@pytest.mark.parametrize("radius", [None, 100])
def test_real_documents_keep_their_target(shared_dir: Path, folder: str, radius: int | None) -> None:
    tried = 0
    for document in read_documents(str(shared_dir / "data" / folder)):
        found = examine(document, len, break_ties=True)
        if isinstance(found, Accepted):
            stream = Stream("test", document.id, str(radius))
            planted = insert_near_sorted(found.words, found.run_start, found.k, stream, radius=radius)
            check(found.words, found.run_start, found.k, planted)
            assert len(planted.decoys) == 8
            tried += 1
    assert tried >= 3
