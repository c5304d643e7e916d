"""Traces of a reply that went astray, each planted and found, in time linear in the text."""

import random
import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lengthwise.metrics.reply_patterns import (
    LEAST_ROUNDS,
    Loop,
    Stretch,
    longest_copied_stretch,
    looped_end,
    outside_copies,
    repeated_line_ratio,
    repeated_lines,
    target_words_in,
)

WORDS = st.lists(st.sampled_from("abc"), max_size=30)


def test_blank_lines_are_no_lines():
    assert repeated_line_ratio("a\n\n\n\nb\n \n") == 0


def test_blanks_around_a_line_do_not_tell_it_apart():
    assert repeated_lines("a\n  a \nb").lines == ("a",)


def test_a_line_again_and_again():
    assert repeated_line_ratio("first\n" + "wait\n" * 99) == pytest.approx(0.98)


@given(st.lists(st.sampled_from(["a", "b", " a", ""]), max_size=20).map("\n".join))
def test_the_ratio_is_below_one(text: str):
    assert 0 <= repeated_line_ratio(text) < 1


def test_a_loop_without_line_breaks():
    loop = looped_end("I look. " + "No, wait. " * 50 + "No, w")
    # What stands before the first round ends as a round does, with ". ".
    assert (loop.period, loop.length) == (10, 507)


def test_two_rounds_are_no_loop():
    assert looped_end("one two one two ") == Loop(0, 0)


def test_a_loop_that_was_left_is_not_at_the_end():
    assert looped_end("no " * 50 + "and so it is d").repeated == 0


def test_of_two_loops_inside_each_other_the_one_that_repeats_more():
    assert looped_end("xyz" + "ab!!!!" * 10).period == 6


def slow_loop(text: str) -> int:
    """Most characters repeated by any end, tried one by one."""
    n = len(text)
    return max(
        (
            length - period
            for period in range(1, n // LEAST_ROUNDS + 1)
            for length in range(LEAST_ROUNDS * period, n + 1)
            if text[n - length : n - period] == text[n - length + period :]
        ),
        default=0,
    )


@pytest.mark.parametrize("window", [6, 8_000])
@given(
    st.one_of(st.text("ab", max_size=24), st.builds(lambda a, b: a + b * 7, st.text("ab"), st.text("ab", max_size=5)))
)
def test_a_loop_is_what_trying_everything_finds(window: int, text: str):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("lengthwise.metrics.reply_patterns._WINDOW", window)
        loop = looped_end(text)
    assert loop.repeated == slow_loop(text)
    assert loop.length >= LEAST_ROUNDS * loop.period


@pytest.mark.parametrize(("least", "found"), [(20, True), (21, False)])
def test_a_loop_can_be_asked_to_repeat_so_much(least: int, found: bool):
    assert (looped_end("so: " + "0123456789" * 3, least).period == 10) == found


def test_an_empty_text_has_no_loop():
    assert looped_end("") == Loop(0, 0)
    assert looped_end("", 400) == Loop(0, 0)


def test_a_loop_that_fills_a_long_text_reaches_back_to_its_beginning():
    assert looped_end("I look. " + "\U0001f914 wait\n" * 5_000) == Loop(7, 35_000)


@pytest.mark.parametrize(
    ("text", "source", "stretch"),
    [
        ("", "a b", Stretch(0, 0, 0)),
        ("a b", "", Stretch(0, 0, 0)),
        ("x y", "a b", Stretch(0, 0, 0)),
        ("a b c", "a b c", Stretch(3, 0, 0)),
        ("x c d y", "a b c d", Stretch(2, 1, 2)),
        ("b a", "a b", Stretch(1, 0, 1)),
        ("b x c d x a b", "a b c d", Stretch(2, 2, 2)),
    ],
)
def test_copied_stretch(text: str, source: str, stretch: Stretch):
    assert longest_copied_stretch(text.split(), source.split()) == stretch


def test_no_stretch_runs_from_the_source_into_the_text():
    assert longest_copied_stretch(["b", "a"], ["a", "b"]).length == 1


def slow_stretch(text: list[str], source: list[str]) -> int:
    return max(
        (
            length
            for start in range(len(text))
            for length in range(1, len(text) - start + 1)
            for at in range(len(source) - length + 1)
            if text[start : start + length] == source[at : at + length]
        ),
        default=0,
    )


@given(WORDS, WORDS)
def test_a_stretch_is_what_trying_everything_finds(text: list[str], source: list[str]):
    found = longest_copied_stretch(text, source)
    assert found.length == slow_stretch(text, source)
    assert (
        text[found.start : found.start + found.length]
        == source[found.source_start : found.source_start + found.length]
    )


@pytest.mark.parametrize(
    ("text", "least", "rest"),
    [
        ("", 2, []),
        ("a b c d", 2, [""]),
        ("a b x c d", 2, ["", "x", ""]),
        ("a x b", 2, ["a", "x", "b"]),
        ("a b c d", 5, ["a", "b", "c", "d"]),
        ("x a b c", 1, ["x", ""]),
        ("b c a b", 2, [""]),
    ],
)
def test_outside_copies(text: str, least: int, rest: list[str]):
    assert outside_copies(text.split(), ["a", "b", "c", "d"], least) == rest


@given(WORDS, WORDS, st.integers(1, 8))
def test_nothing_outside_copies_is_a_copy(text: list[str], source: list[str], least: int):
    rest = outside_copies(text, source, least)
    assert longest_copied_stretch(rest, source).length < least
    assert (rest == text) == (longest_copied_stretch(text, source).length < least)


def test_scattered_words_are_no_target():
    assert target_words_in(["the", "and", "then", "of", "the", "or", "in"], ["and", "in", "of", "or", "the"]) == 1


def seconds(work: Callable[[], object]) -> float:
    best = float("inf")
    for _ in range(3):
        start = time.thread_time()
        work()
        best = min(best, time.thread_time() - start)
    return best


ENDS = {
    "one character": lambda size: "a" * size,
    "a line": lambda size: ("wait, let me look again.\n" * size)[:size],
    "almost a loop": lambda size: ("a" * 99 + "b") * (size // 100) + "c",
    "noise": lambda size: "".join(random.Random(0).choices("ab ", k=size)),
    "a short loop in a long text": lambda size: "".join(random.Random(0).choices("ab ", k=size - 900)) + "a" * 900,
}


@pytest.mark.parametrize("kind", ENDS)
def test_loops_take_time_linear_in_the_text(kind: str):
    small, large = (seconds(lambda size=size: looped_end(ENDS[kind](size))) for size in (10_000, 80_000))
    # Eight times the text; quadratic would be 64 times.
    assert large < 24 * small + 0.02


LISTS: dict[str, Callable[[list[str], random.Random], tuple[list[str], list[str]]]] = {
    "the list itself": lambda words, rng: (words, words),
    "shuffled": lambda words, rng: (rng.sample(words, len(words)), words),
    "one word": lambda words, rng: (["a"] * len(words), ["a"] * len(words)),
    "two words": lambda words, rng: (rng.choices("ab", k=len(words)), rng.choices("ab", k=len(words))),
}


@pytest.mark.parametrize("kind", LISTS)
def test_copies_take_time_almost_linear_in_both(kind: str):
    def taken(size: int) -> float:
        text, source = LISTS[kind]([str(n) for n in range(size)], random.Random(0))
        return seconds(lambda: longest_copied_stretch(text, source))

    # Eight times the words; quadratic would be 64 times.
    assert taken(160_000) < 24 * taken(20_000) + 0.05


def test_the_longest_list_copied_out_whole():
    words = [f"w{n}" for n in range(60_000)]
    # A third of a second on a machine of its own; the rest is for what else runs here.
    assert seconds(lambda: longest_copied_stretch(words, words)) < 3
