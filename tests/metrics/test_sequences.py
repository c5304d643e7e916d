from hypothesis import given
from hypothesis import strategies as st

from lengthwise.metrics.sequences import longest_common_run, match_sequence, match_sequences

WORDS = st.lists(st.sampled_from("abcd"), max_size=8)


def test_the_gold_itself():
    match = match_sequence(["a", "b"], ["a", "b"])
    assert (match.exact, match.precision, match.length_error, match.longest_common_run) == (True, 1.0, 0, 2)


def test_a_superset_scores_nothing():
    match = match_sequence(["x", "a", "b"], ["a", "b"])
    assert (match.exact, match.first_word_right, match.length_error) == (False, False, 1)


def test_a_subset_and_a_reordering_score_nothing():
    assert not match_sequence(["a"], ["a", "b"]).exact
    assert not match_sequence(["b", "a"], ["a", "b"]).exact


def test_an_empty_answer():
    match = match_sequence([], ["a"])
    assert (match.exact, match.first_word_right, match.precision, match.length_error) == (False, False, 0.0, -1)


def test_precision_counts_repeated_words():
    assert match_sequence(["a", "a", "b"], ["a", "b"]).precision == 2 / 3


@given(WORDS, WORDS)
def test_longest_common_run_against_all_runs(one: list[str], other: list[str]):
    def runs(words: list[str]) -> set[tuple[str, ...]]:
        return {tuple(words[i:j]) for i in range(len(words)) for j in range(i + 1, len(words) + 1)}

    assert longest_common_run(one, other) == max(map(len, runs(one) & runs(other)), default=0)


def test_sets_ignore_order_and_repetition():
    assert match_sequences([["c"], ["a", "b"], ["c"]], [["a", "b"], ["c"]]).exact


def test_an_extra_sequence_is_wrong():
    match = match_sequences([["a", "b"], ["c"]], [["a", "b"]])
    assert (match.exact, match.right, match.extra, match.missing, match.length_error) == (False, 1, 1, 0, 1)


def test_a_missing_sequence_is_wrong():
    match = match_sequences([["a", "b"]], [["a", "b"], ["c"]])
    assert (match.exact, match.missing) == (False, 1)


def test_nothing_against_nothing_is_right_and_against_something_wrong():
    assert match_sequences([], []).exact
    assert not match_sequences([], [["a"]]).exact
    assert not match_sequences([["a"]], []).exact
