import pytest
from hypothesis import given
from hypothesis import strategies as st

from lengthwise.builders.predicate.narrowing import rising_stretches
from lengthwise.builders.predicate.reader import read_prompt, solve_prompt
from lengthwise.builders.predicate.solver import solve

ASKED = "They are in strict alphabetical order. Find such a run of exactly {} consecutive words."
# Few letters, and many: words that are equal, that begin alike, and that differ behind the eighth letter.
words_of = st.lists(
    st.one_of(st.text("ab", min_size=1, max_size=3), st.text("ab", min_size=7, max_size=11)), min_size=1
)


@given(st.lists(words_of, min_size=1, max_size=3), st.integers(1, 4))
def test_what_is_narrowed_has_the_answer_of_the_whole(lists: list[list[str]], k: int) -> None:
    labels = ["Words:"] if len(lists) == 1 else [f"List {number}:" for number in range(1, len(lists) + 1)]
    shown = "\n".join(f"{label} {' '.join(words)}" for label, words in zip(labels, lists, strict=True))
    prompt = f"{shown}\n\n{ASKED.format(k)}"
    task = read_prompt(prompt)
    found = solve(task.words, task.predicates, k, "exists", task.starts)
    answer = " ".join(task.words[found[0][0] :][:k]) if found else ""
    assert solve_prompt(prompt) == f"<answer>{answer}</answer>"


def test_words_that_differ_behind_the_eighth_letter_are_left_to_the_solver() -> None:
    assert rising_stretches("z abcdefghi abcdefghz abcdefgha b", 3) == [["abcdefghi", "abcdefghz", "abcdefgha", "b"]]


@pytest.mark.parametrize("line", ["", "a  b", "a b ", "a\tb", "ä b", "a\u2003b"])
def test_what_is_not_plain_words_is_not_narrowed(line: str) -> None:
    assert rising_stretches(line, 1) is None
