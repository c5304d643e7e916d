"""Sentences and the persons that they mention."""

import json
import re
from pathlib import Path
from statistics import fmean

import pytest

from lengthwise.builders.multi_instance.pools.generated import ner
from lengthwise.builders.multi_instance.pools.generated.draws import Draws
from lengthwise.builders.multi_instance.pools.generated.grammar import load
from lengthwise.builders.multi_instance.pools.pool import Instance
from lengthwise.builders.streams import Stream


@pytest.fixture(scope="module")
def pool() -> list[Instance]:
    return ner.generate(5000, 1)


def persons(one: Instance) -> list[str]:
    names: list[str] = json.loads(one.label)
    return names


@pytest.mark.parametrize("size", [2500, 5000])
def test_lengths_are_the_papers(pool: list[Instance], size: int) -> None:
    lengths = [len(one.text.split()) for one in pool[:size]]
    assert fmean(lengths) == pytest.approx(16.0, rel=0.15)
    assert min(lengths) >= 5 and 45 <= max(lengths) <= 90


@pytest.mark.parametrize("size", [2500, 5000])
def test_mentions_are_as_many_as_in_the_paper(pool: list[Instance], size: int) -> None:
    names = [persons(one) for one in pool[:size]]
    assert sum(map(len, names)) / size == pytest.approx(449 / 2500, rel=0.15)
    assert sum(map(bool, names)) / size == pytest.approx(346 / 2500, rel=0.15)
    assert max(map(len, names)) == 4


def test_names_stand_in_the_text_as_whole_tokens_in_order(pool: list[Instance]) -> None:
    for one in pool:
        rest = f" {one.text} "
        for name in persons(one):
            _, found, rest = rest.partition(f" {name} ")
            assert found, one
            rest = f" {rest}"


def test_no_first_name_stands_outside_the_mentions(pool: list[Instance]) -> None:
    rules = load("names-en", "ner").rules
    first = {"".join(map(str, one[0])).lower() for rule in ("male", "female") for one in rules[rule].alternatives}
    assert len(first) > 60
    for one in pool:
        rest = f" {one.text} "
        for name in persons(one):
            rest = rest.replace(f" {name} ", "  ", 1)
        assert not first & set(rest.split()), one


def test_titles_are_no_part_of_a_name(pool: list[Instance]) -> None:
    titles = {"mr.", "mrs.", "ms.", "dr.", "professor", "president", "senator", "general", "aunt"}
    names = [name for one in pool for name in persons(one)]
    assert not any(titles & set(name.split()) for name in names)
    assert any(re.search(r"\b(mr|ms|dr)\. ", one.text) for one in pool if persons(one))


def test_a_name_that_comes_twice_counts_twice(pool: list[Instance]) -> None:
    assert any(len(set(persons(one))) < len(persons(one)) for one in pool)


def test_organisations_and_places_are_mentioned_and_are_no_persons() -> None:
    marked = [ner.marked(Draws(Stream("test", index))) for index in range(5000)]
    for marks, expected in (("⟪⟫", 393), ("⟨⟩", 572)):
        found = [name for text in marked for name in re.findall(f"{marks[0]}(.*?){marks[1]}", text)]
        assert len(found) / 2 == pytest.approx(expected, rel=0.2)
    assert not any("⟦" in inner for text in marked for inner in re.findall("[⟪⟨](.*?)[⟫⟩]", text))


def test_text_is_lower_cased_and_tokenised(pool: list[Instance]) -> None:
    for one in pool:
        assert one.text == one.text.lower() == " ".join(one.text.split())
        assert not re.search(r"\w[,;?!]( |$)|[a-z]{4}\.$|\w's ", one.text.replace(" 's ", " ")), one.text


@pytest.mark.shared
def test_nothing_is_taken_from_the_authors_pool(pool: list[Instance], shared_dir: Path) -> None:
    theirs = set((shared_dir / "data/mip/pools/ner/2500_ner_text.txt").read_text("utf-8").split("\n"))
    assert not [one for one in pool if one.text in theirs]
