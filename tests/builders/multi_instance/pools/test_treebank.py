"""Tokenised text."""

import pytest

from lengthwise.builders.multi_instance.pools.generated.treebank import treebank


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("She's here, isn't she?", "she 's here , is n't she ?"),
        ("Mr. Quinn left.", "mr. quinn left ."),
        ("Quinn met J. Bach.", "quinn met j. bach ."),
        ("It opens at 9 a.m.", "it opens at 9 a.m."),
        ("(It was 9:30; late...)", "( it was 9:30 ; late ... )"),
        ("the users' group", "the users ' group"),
        ('He said "No."', 'he said " no . "'),
        ("$1,200 or 5%!!", "$ 1,200 or 5 % !!"),
        ("O'Brien's mail@site.com.", "o'brien 's mail@site.com ."),
    ],
)
def test_tokens_are_parted(text: str, expected: str) -> None:
    assert treebank(text) == expected


def test_what_is_tokenised_stays() -> None:
    once = treebank("Dr. Kim didn't say: \"We're done.\" (Twice!)")
    assert treebank(once) == once
