from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lengthwise.builders.predicate.solver import ascending_runs, satisfying_windows, solve, sum_windows

words_of = st.lists(st.text("abe", min_size=1, max_size=3), max_size=14)
bounds_of = st.sets(st.integers(1, 13), max_size=3).map(lambda found: (0, *sorted(found)))
parameters: dict[str, st.SearchStrategy[dict[str, str | int]]] = {
    "prefix": st.fixed_dictionaries({"string": st.text("abe", min_size=1, max_size=2)}),
    "suffix": st.fixed_dictionaries({"string": st.text("abe", min_size=1, max_size=2)}),
    "contains": st.fixed_dictionaries({"string": st.text("abe", min_size=1, max_size=2)}),
    "length": st.fixed_dictionaries({"letters": st.integers(1, 3)}),
    "vowels": st.fixed_dictionaries({"vowels": st.integers(0, 3)}),
}
predicates_of = st.lists(
    st.sampled_from(sorted(parameters)).flatmap(lambda kind: st.tuples(st.just(kind), parameters[kind])),
    min_size=1,
    max_size=4,
)

HOLDS: dict[str, Callable[[str, dict[str, str | int]], bool]] = {
    "prefix": lambda word, given: word[: len(str(given["string"]))] == given["string"],
    "suffix": lambda word, given: word[-len(str(given["string"])) :] == given["string"],
    "contains": lambda word, given: any(word[i:].startswith(str(given["string"])) for i in range(len(word))),
    "length": lambda word, given: len(word) == given["letters"],
    "vowels": lambda word, given: len([letter for letter in word if letter in "aeiou"]) == given["vowels"],
}


def windows(words: Sequence[str], k: int, starts: Sequence[int], fits: Callable[[Sequence[str]], bool]) -> list[int]:
    """Return every window that fits and lies in one list, by looking at all of them."""
    return [
        place
        for place in range(len(words) - k + 1)
        if fits(words[place : place + k]) and not any(place < start < place + k for start in starts)
    ]


def ascending(window: Sequence[str]) -> bool:
    return list(window) == sorted({*window})


@given(words_of, bounds_of, st.integers(1, 5))
def test_runs_of_k_are_all_ascending_windows(words: list[str], starts: tuple[int, ...], k: int) -> None:
    expected = [(place, k) for place in windows(words, k, starts, ascending)]
    assert solve(words, [("lex", {})], k, "exists", starts) == expected


@given(words_of, bounds_of)
def test_the_longest_runs(words: list[str], starts: tuple[int, ...]) -> None:
    by_length = {k: windows(words, k, starts, ascending) for k in range(2, len(words) + 1)}
    longest = max((k for k, found in by_length.items() if found), default=0)
    assert solve(words, [("lex", {})], None, "longest", starts) == [(p, longest) for p in by_length.get(longest, [])]


@given(words_of, predicates_of)
def test_unary_windows(words: list[str], predicates: list[tuple[str, dict[str, str | int]]]) -> None:
    def fits(window: Sequence[str]) -> bool:
        return all(HOLDS[kind](word, given) for word, (kind, given) in zip(window, predicates, strict=True))

    k = len(predicates)
    for quantifier in ("exists", "all"):
        assert solve(words, predicates, k, quantifier) == [(p, k) for p in windows(words, k, (0,), fits)]


@given(words_of, st.integers(1, 5), st.integers(1, 30))
def test_windows_of_a_letter_sum(words: list[str], k: int, total: int) -> None:
    expected = windows(words, k, (0,), lambda w: sum(ord(letter) - 96 for letter in "".join(w)) == total)
    assert sum_windows(words, k, total) == expected
    assert solve(words, [("letter-sum", {"total": total})], k, "exists") == [(place, k) for place in expected]


@given(words_of, bounds_of, st.integers(1, 4))
def test_runs_are_maximal_and_cover_the_list(words: list[str], starts: tuple[int, ...], at_least: int) -> None:
    runs = ascending_runs(words, starts, 1)
    assert [place for start, length in runs for place in range(start, start + length)] == [*range(len(words))]
    for start, length in runs:
        assert ascending(words[start : start + length])
        end = start + length
        assert end == len(words) or end in starts or words[end] <= words[end - 1]
    assert ascending_runs(words, starts, at_least) == [run for run in runs if run[1] >= at_least]


@given(st.lists(st.integers(0, 7), max_size=20))
def test_windows_of_words_that_satisfy_a_predicate_each(sets: list[int]) -> None:
    """A word holds a letter for each of the predicates that it satisfies."""
    words = ["".join(letter for bit, letter in enumerate("xyz") if one >> bit & 1) for one in sets]
    predicates = [("contains", {"string": letter}) for letter in "xyz"]
    expected = [p for p in range(len(sets) - 2) if all(sets[p + j] >> j & 1 for j in range(3))]
    assert satisfying_windows(words, predicates) == expected


@pytest.mark.parametrize("word", ["aa", "ab"])
def test_equal_words_and_falls_end_a_run(word: str) -> None:
    assert ascending_runs(["a", "ab", word, "b"]) == ([(0, 2), (2, 2)])


def test_a_word_comes_behind_its_own_beginning() -> None:
    assert ascending_runs(["ab", "abc", "abd"]) == [(0, 3)]


def test_a_run_ends_at_the_start_of_a_list() -> None:
    assert ascending_runs(list("abcdef"), (0, 2), 3) == [(2, 4)]


def test_a_long_list_is_linear_work() -> None:
    words = [f"{number:06d}".translate(str.maketrans("0123456789", "abcdefghij")) for number in range(100_000)]
    assert ascending_runs(words) == [(0, 100_000)]
    assert len(solve(words, [("prefix", {"string": "a"})] * 5, 5, "all")) == 99_996
