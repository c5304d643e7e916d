import random

import pytest

from lengthwise.builders.multi_instance.noise import NOISE, add_noise
from lengthwise.errors import InputError


def test_noise_is_the_published_text() -> None:
    assert len(NOISE) == 687
    assert NOISE.count("The grass is green.") == 7
    assert NOISE.startswith(" - IRRELEVANT CONTEXT START - The grass")
    assert NOISE.endswith("and back again. - IRRELEVANT CONTEXT END - ")


def test_tail_and_head() -> None:
    assert add_noise("ab cd", "tail", 0) == "ab cd" + NOISE
    assert add_noise("ab cd", "head", 0) == NOISE + "ab cd"


def test_middle_cuts_at_half_of_the_words() -> None:
    assert add_noise("a b c d e", "middle", 0) == "a b" + NOISE + "c d e"


def test_middle_of_one_word_is_behind_it() -> None:
    assert add_noise("18010", "middle", 3) == "18010" + NOISE


@pytest.mark.parametrize("place", range(12))
def test_random_follows_the_place_in_the_prompt(place: int) -> None:
    words = ["a", "b", "c"]
    cut = random.Random(place).randint(0, 3)
    before, after = " ".join(words[:cut]), " ".join(words[cut:])
    assert add_noise("a b c", "random", place) == before + NOISE + after


def test_unknown_position_is_refused() -> None:
    with pytest.raises(InputError, match="head, middle, tail"):
        add_noise("a", "front", 0)  # type: ignore[arg-type]
