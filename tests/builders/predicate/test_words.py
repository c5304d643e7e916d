from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lengthwise.builders.predicate.variants import VARIANTS
from lengthwise.builders.predicate.words import ENGLISH, WordShape, codes, decode, draw, draw_list, text
from lengthwise.builders.streams import Stream
from lengthwise.errors import InputError


def short_words() -> WordShape:
    variant = VARIANTS["lex-short-words"]
    return WordShape(variant.word_lengths, variant.length_shares)


def shown(shape: WordShape, count: int, *key: str) -> list[str]:
    return text(draw_list(("words", *key), shape, count), shape.alphabet).split(" ")[1:]


def test_numbers_are_read_most_significant_letter_first() -> None:
    letters = decode(np.array([0, 1, 26, 26**3 - 1]), 3, 3, 26)
    assert text(letters, ENGLISH) == " aaa aab aba zzz"


def test_short_words_are_padded_behind() -> None:
    assert decode(np.array([27]), 2, 4, 26).tolist() == [[2, 2, 0, 0]]


@given(st.integers(0, 26**8 - 1))
def test_decoding_gives_the_number_back(number: int) -> None:
    letters = decode(np.array([number]), 8, 8, 26)[0].tolist()
    assert sum((letter - 1) * 26 ** (7 - place) for place, letter in enumerate(letters)) == number


@given(st.lists(st.text("abz", min_size=1, max_size=4), min_size=2, max_size=6))
def test_codes_order_words_as_strings_do(words: list[str]) -> None:
    letters = np.array([[ord(c) - 96 for c in word] + [0] * (4 - len(word)) for word in words], dtype=np.uint8)
    found = codes(letters, 26).tolist()
    assert [a < b for a, b in pairwise(found)] == [a < b for a, b in pairwise(words)]


def test_codes_of_the_longest_words_stay_in_64_bits() -> None:
    ends = np.array([[1] * 13, [26] * 13], dtype=np.uint8)
    low, high = codes(ends, 26).tolist()
    assert 0 < low < high == sum(26 * 27**place for place in range(13))


@pytest.mark.parametrize("lengths", [(3,), (8,), (12,), (3, 4), (8, 9, 10, 11, 12)])
def test_words_are_distinct_and_of_their_lengths(lengths: tuple[int, ...]) -> None:
    shape = WordShape(lengths, (1 / len(lengths),) * (len(lengths) - 1))
    words = shown(shape, 5_000)
    assert len({*words}) == 5_000 and {len(word) for word in words} == {*lengths}


def test_words_keep_to_their_alphabet() -> None:
    assert {*"".join(shown(WordShape((6,), (), "aeio"), 500))} == {*"aeio"}


def test_letters_are_uniform_over_the_alphabet() -> None:
    counts = Counter("".join(shown(WordShape((8,)), 5_000)))
    assert len(counts) == 26 and all(abs(count / 40_000 - 1 / 26) < 0.005 for count in counts.values())


@pytest.mark.parametrize("shape", [WordShape((8,)), WordShape((12,)), short_words()])
def test_a_longer_list_begins_with_the_shorter_one(shape: WordShape) -> None:
    assert shown(shape, 2_000)[:700] == shown(shape, 700)


def test_another_key_gives_other_words() -> None:
    assert not {*shown(WordShape((8,)), 500, "a")} & {*shown(WordShape((8,)), 500, "b")}


def test_the_sixty_thousand_short_words_use_every_word_of_three_letters_once() -> None:
    counts = Counter(map(len, shown(short_words(), 60_000)))
    assert counts == {3: 26**3, 4: 60_000 - 26**3}


def test_a_prefix_of_the_short_words_has_nearly_the_shares_of_the_whole() -> None:
    share = sum(len(word) == 3 for word in shown(short_words(), 1_000)) / 1_000
    assert abs(share - 0.2931) < 0.002


def test_a_length_that_is_used_up_gives_way_to_the_last() -> None:
    assert Counter(map(len, shown(WordShape((1, 3), (0.5,)), 200))) == {1: 26, 3: 174}


def test_all_words_of_a_length_can_be_drawn() -> None:
    assert sorted(shown(WordShape((2,), (), "abc"), 9)) == [a + b for a in "abc" for b in "abc"]


def test_an_alphabet_too_small_for_so_many_words_is_refused() -> None:
    with pytest.raises(InputError, match=r"alphabet of 3 letters is too small for 10 distinct words of 2 letters .*9"):
        draw(Stream("words"), WordShape((2,), (), "abc"), 2, 10)


@pytest.mark.parametrize("alphabet", ["", "a", "ba", "aab", "aB", "a1", "aé", "abc "])
def test_alphabets_that_cannot_be_used_are_refused(alphabet: str) -> None:
    with pytest.raises(InputError, match="alphabet"):
        WordShape((8,), (), alphabet)


@pytest.mark.parametrize(("lengths", "shares"), [((), ()), ((0,), ()), ((3, 4), ()), ((8,), (0.5,)), ((-1,), ())])
def test_lengths_that_cannot_be_used_are_refused(lengths: tuple[int, ...], shares: tuple[float, ...]) -> None:
    with pytest.raises(InputError, match="word length"):
        WordShape(lengths, shares)


@pytest.mark.parametrize(("length", "alphabet"), [(14, ENGLISH), (40, "ab")])
def test_words_too_long_for_their_codes_are_refused(length: int, alphabet: str) -> None:
    with pytest.raises(InputError, match=rf"word length {length} is too long: at most (13|39) letters"):
        WordShape((length,), (), alphabet)
