import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lengthwise.builders.predicate import solver
from lengthwise.builders.predicate.predicates import UNARY, draw_predicates, satisfied
from lengthwise.builders.predicate.variants import DEFAULT_KINDS
from lengthwise.builders.predicate.words import WordShape, draw_list, text
from lengthwise.builders.streams import Stream

ONE_LENGTH = WordShape((6,), (), "abcez")
SEVERAL_LENGTHS = WordShape((3, 5, 7), (0.3, 0.3), "abcez")
EVERY = [(kind, shape) for kind in UNARY for shape in (ONE_LENGTH, SEVERAL_LENGTHS)]
STRINGS = ("prefix", "suffix", "contains")


@pytest.mark.parametrize(("kind", "shape"), EVERY)
@given(seed=st.integers(0, 10**6))
def test_enforcing_makes_it_hold(kind: str, shape: WordShape, seed: int) -> None:
    stream = Stream("predicates", seed)
    parameters = UNARY[kind].draw(stream, shape, 2)
    words = draw_list(("predicates", seed), shape, 40)
    changed = UNARY[kind].enforce(stream, words, shape, parameters)
    for _ in range(4):  # a count of vowels is reached by chance: whoever calls tries again
        changed = UNARY[kind].enforce(stream, changed, shape, parameters)
    assert UNARY[kind].holds(changed, shape, parameters).all()
    assert len(text(changed, shape.alphabet).split()) == 40


@pytest.mark.parametrize(("kind", "shape"), EVERY)
@given(seed=st.integers(0, 10**6))
def test_the_solver_sees_the_same(kind: str, shape: WordShape, seed: int) -> None:
    parameters = UNARY[kind].draw(Stream("predicates", seed), shape, 2)
    letters = draw_list(("predicates", seed), shape, 100)
    holds = np.flatnonzero(UNARY[kind].holds(letters, shape, parameters)).tolist()
    assert solver.SATISFYING[kind](text(letters, shape.alphabet).split(), parameters) == holds


@pytest.mark.parametrize(("kind", "written"), [("prefix", "zz...."), ("suffix", "....zz"), ("contains", ".+zz.+")])
def test_strings_overwrite_letters_where_they_should(kind: str, written: str) -> None:
    shape = WordShape((6,), (), "abz")
    words = draw_list(("predicates",), WordShape((6,), (), "abz"), 60)
    words = np.where(words == 3, 1, words).astype(np.uint8)
    changed = text(UNARY[kind].enforce(Stream("write"), words, shape, {"string": "zz"}), "abz").split()
    before = text(words, "abz").split()
    for word, old in zip(changed, before, strict=True):
        assert re.fullmatch(written, word)
        assert all(new in (was, "z") for new, was in zip(word, old, strict=True))


def test_contained_strings_stand_at_every_interior_place() -> None:
    words = np.ones((200, 6), dtype=np.uint8)
    changed = text(UNARY["contains"].enforce(Stream("write"), words, ONE_LENGTH, {"string": "zz"}), "abcez").split()
    assert {word.index("zz") for word in changed} == {1, 2, 3}


def test_every_kind_is_known_to_the_solver() -> None:
    assert {*UNARY} == {*solver.SATISFYING}


def test_every_default_kind_exists() -> None:
    assert {kind for kinds in DEFAULT_KINDS.values() for kind in kinds} <= {*UNARY}


@pytest.mark.parametrize(
    ("kind", "parameters", "wording"),
    [
        ("prefix", {"string": "ab"}, 'starts with "ab"'),
        ("suffix", {"string": "ab"}, 'ends with "ab"'),
        ("contains", {"string": "ab"}, 'contains "ab"'),
        ("length", {"letters": 9}, "has exactly 9 letters"),
        ("length", {"letters": 1}, "has exactly 1 letter"),
        ("vowels", {"vowels": 0}, "has exactly 0 vowels (aeiou)"),
    ],
)
def test_wording(kind: str, parameters: dict[str, str | int], wording: str) -> None:
    assert UNARY[kind].wording(parameters) == wording


def test_drawn_strings_are_all_different() -> None:
    shape = WordShape((6,), (), "ab")
    drawn = draw_predicates(Stream("draw"), shape, STRINGS, 4, 2)
    assert sorted(str(each.parameters["string"]) for each in drawn) == ["aa", "ab", "ba", "bb"]
    assert [each.position for each in drawn] == [0, 1, 2, 3]


def test_drawn_kinds_are_uniform() -> None:
    drawn = draw_predicates(Stream("draw"), WordShape((12,)), STRINGS, 300, 2)
    counts = [sum(each.kind == kind for each in drawn) for kind in STRINGS]
    assert min(counts) > 70


def test_vowel_counts_are_near_the_mean() -> None:
    drawn = draw_predicates(Stream("draw"), WordShape((8, 12), (0.5,)), ("vowels",), 60, 2)
    assert {each.parameters["vowels"] for each in drawn} == {1, 2, 3}


def test_satisfied_has_a_column_for_each_predicate() -> None:
    predicates = draw_predicates(Stream("draw"), ONE_LENGTH, STRINGS, 4, 1)
    letters = draw_list(("predicates",), ONE_LENGTH, 50)
    holds = satisfied(letters, ONE_LENGTH, predicates)
    assert holds.shape == (50, 4)
    for column, each in enumerate(predicates):
        assert (holds[:, column] == UNARY[each.kind].holds(letters, ONE_LENGTH, each.parameters)).all()
