import re
from typing import Any

import pytest

from lengthwise.builders.predicate.settings import LENGTHS, Settings, Size
from lengthwise.builders.predicate.variants import VARIANTS, find_variants
from lengthwise.errors import InputError


def check(name: str, **given: Any) -> None:
    Settings(**given).check(VARIANTS[name])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"examples": 0}, "examples must be at least 1, not 0"),
        ({"k": -1}, "k must be at least 2, not -1"),
        ({"k": 0}, "k must be at least 2"),
        ({"string_length": 0}, "string-length must be at least 1"),
        ({"targets": 0}, "targets must be at least 1"),
        ({"decoys": 0}, "decoys must be at least 1"),
        ({"decoys": -3}, "decoys must be at least 1, not -3"),
        ({"radius": 0}, "radius must be at least 1"),
        ({"lists": 1}, "lists must be at least 2"),
        ({"word_length": 0}, "word-length must be at least 1, not 0"),
        ({"word_length": 14}, "word length 14 is too long: at most 13 letters"),
        ({"near_miss": 0.0}, "near-miss must be a share between 0 and 1"),
        ({"near_miss": 1.0}, "near-miss must be a share between 0 and 1"),
        ({"near_miss": -0.1}, "near-miss must be a share between 0 and 1"),
        ({"near_miss": float("nan")}, "near-miss must be a share between 0 and 1"),
        ({"kinds": ("prefx",)}, "unknown predicate kind 'prefx': did you mean 'prefix'"),
        ({"alphabet": "a"}, "alphabet 'a' is too small"),
        ({"alphabet": "ABC"}, "alphabet 'ABC' must be different lower-case letters"),
        ({"seed": 1 << 63}, "does not fit into 64 bits"),
        ({"seed": -(1 << 63) - 1}, "does not fit into 64 bits"),
    ],
)
def test_values_that_cannot_be_used(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        Settings(**given)


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("lex-locate", {"k": 2}, "k = 2 is too small for lex-locate"),
        ("lex-short-words", {"k": 2}, "k = 2 is too small for lex-short-words"),
        ("lex-scattered", {"k": 3}, "needs k >= 4"),
        ("lex-clustered", {"k": 3}, "needs k >= 4"),
        ("unary-locate", {"string_length": 13}, "string-length 13 is longer than words of unary-locate (12 letters)"),
        ("unary-locate", {"word_length": 2, "string_length": 3}, "longer than words of unary-locate (2 letters)"),
        ("unary-locate", {"kinds": ("length",)}, "predicates of kind length need words of several lengths"),
        ("unary-decoys", {"near_miss": 0.2}, "near-miss 0.2 for each of 5 predicates leaves no other words"),
        ("unary-locate", {"k": 677}, "there are not so many different strings of 2 letters"),
        ("unary-locate", {"alphabet": "ab", "k": 5}, "there are not so many different strings of 2 letters"),
        ("shape-locate", {"alphabet": "bcdf"}, "predicates of kind vowels need vowels and other letters"),
        ("shape-locate", {"alphabet": "aei"}, "predicates of kind vowels need vowels and other letters"),
        ("unary-decoys", {"kinds": ("vowels",)}, "predicates of kind vowels hold for so many words"),
    ],
)
def test_values_that_a_variant_cannot_use(name: str, given: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        check(name, **given)


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("lex-locate", {"k": 3}),
        ("lex-scattered", {"k": 4}),
        ("unary-all", {"k": 2, "near_miss": 0.4}),
        ("unary-locate", {"kinds": ("vowels",)}),
        ("unary-locate", {"alphabet": "ab", "k": 4}),
        ("shape-locate", {"string_length": 40}),
        ("documents-scattered", {"k": 3}),
        ("sum-locate", {"k": 2}),
    ],
)
def test_values_at_the_edge_that_can_be_used(name: str, given: dict[str, Any]) -> None:
    check(name, **given)


def test_the_defaults_are_the_papers() -> None:
    settings = Settings()
    assert (settings.examples, settings.k, settings.string_length, settings.near_miss) == (100, 5, 2, 0.05)
    assert (settings.decoys, settings.lists, settings.targets) == (8, 20, 1)
    for variant in find_variants(()):
        settings.check(variant)


def test_lengths_are_multiples_of_1024_tokens() -> None:
    assert LENGTHS == {
        "4k": 4096,
        "8k": 8192,
        "16k": 16384,
        "32k": 32768,
        "64k": 65536,
        "112k": 114688,
        "128k": 131072,
    }
    assert LENGTHS["112k"] + 16_384 == 131_072


def test_a_size_has_one_key_under_any_name() -> None:
    assert Size("4k", tokens=4096).key == Size("small", tokens=4096).key == "4096 tokens"
    assert Size("60000words", words=60_000).key == "60000 words"


def test_only_all_has_several_targets() -> None:
    settings = Settings(targets=3)
    assert [settings.targets_of(VARIANTS[name]) for name in ("unary-all", "unary-locate", "lex-locate")] == [3, 1, 1]
