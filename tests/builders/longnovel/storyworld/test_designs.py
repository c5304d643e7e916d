from collections import Counter
from itertools import islice

import pytest

from lengthwise.builders.longnovel.prompt_texts import subtypes
from lengthwise.builders.longnovel.records import LANGUAGES, Language
from lengthwise.builders.longnovel.storyworld.designs import SOFT, Design, designs, find_design, soft_score
from lengthwise.metrics.fault_types import HallucinationType


def some(language: Language, count: int, scale: str = "xl") -> list[Design]:
    return list(islice(designs(scale, "test", language, 42), count))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_type_goes_round_the_eight(language: Language) -> None:
    first = [design.wanted[0][0] for design in some(language, 40)]
    assert all(set(first[start : start + 8]) == set(HallucinationType) for start in range(0, 40, 8))


@pytest.mark.parametrize("language", LANGUAGES)
def test_half_have_one_type_three_in_ten_two_two_in_ten_three(language: Language) -> None:
    found = some(language, 100)
    assert Counter(len(design.wanted) for design in found) == {1: 50, 2: 30, 3: 20}
    assert all(len({kind for kind, _ in design.wanted}) == len(design.wanted) for design in found)


@pytest.mark.parametrize("language", LANGUAGES)
def test_types_and_their_subtypes_are_even(language: Language) -> None:
    found = Counter(one for design in some(language, 400) for one in design.wanted)
    types = Counter(kind for kind, _ in found.elements())
    assert max(types.values()) - min(types.values()) <= 3
    for kind in HallucinationType:
        ways = [found[kind, way] for way in subtypes(kind, language) or ("",)]
        assert max(ways) - min(ways) <= 1
    assert sum(found.values()) == sum(types.values()) == 680


def test_scores_of_faithful_summaries_are_even_and_so_are_their_soft_sentences() -> None:
    soft = Counter(design.soft for design in some("en", 90))
    assert Counter(soft_score(count) for count in soft.elements()) == {5: 30, 4: 30, 3: 30}
    assert soft == {0: 30, 1: 15, 2: 15, 3: 10, 4: 10, 5: 10}
    assert {score: {soft_score(count) for count in counts} for score, counts in SOFT.items()} == {
        score: {score} for score in SOFT
    }


def test_fewer_examples_are_the_beginning_of_more() -> None:
    assert find_design("xl", "test", "en", 42, 17) == some("en", 18)[17] == some("en", 40)[17]


def test_splits_lengths_languages_and_seeds_have_designs_of_their_own() -> None:
    others = [some("zh", 40), some("en", 40, "l"), list(islice(designs("xl", "train", "en", 42), 40)),
              list(islice(designs("xl", "test", "en", 43), 40))]  # fmt: skip
    assert all(other != some("en", 40) for other in others)
