"""Sentences on "apple"."""

import re
from statistics import fmean
from typing import Any

import pytest

from lengthwise.builders.multi_instance.pools.generated.grammar import load
from lengthwise.builders.multi_instance.pools.generated.wsd import generate
from lengthwise.builders.multi_instance.pools.pool import Instance


@pytest.fixture(scope="module")
def pool() -> list[Instance]:
    return generate(5000, 1)


@pytest.mark.parametrize("size", [2500, 5000])
def test_lengths_are_the_papers(pool: list[Instance], size: int) -> None:
    for label in ("company", "fruit"):
        lengths = [len(one.text.split()) for one in pool[:size] if one.label == label]
        assert fmean(lengths) == pytest.approx(31.4, rel=0.15)


@pytest.mark.parametrize("size", [2500, 5000])
def test_senses_are_balanced_as_in_the_paper(pool: list[Instance], size: int) -> None:
    assert sum(one.label == "company" for one in pool[:size]) / size == pytest.approx(1556 / 2500, rel=0.05)


def test_the_word_comes_exactly_once(pool: list[Instance]) -> None:
    for one in pool:
        assert len(re.findall(r"\bapple\b", one.text, re.IGNORECASE)) == 1, one.text
        assert one.text.split().count("apple") == 1, one.text


def said(nodes: Any, rules: Any) -> set[int]:
    """How often the word may be in what some nodes of a grammar give."""
    totals = {0}
    for node in nodes:
        if isinstance(node, str):
            found = {len(re.findall(r"\bapple\b", node))}
        elif hasattr(node, "options"):
            found = {times for option in node.options for times in said(option, rules)}
        elif getattr(node, "rule", "") and not node.silent:
            found = {times for one in rules[node.rule].alternatives for times in said(one[0], rules)}
        else:
            found = {0}
        totals = {before + times for before in totals for times in found}
    return totals


@pytest.mark.parametrize("sense", ["company", "fruit"])
def test_every_way_to_write_a_sentence_says_the_word_once(sense: str) -> None:
    rules = load("names-en", "wsd-common", f"wsd-{sense}").rules
    for domain in {str(one[0][0]) for one in rules[f"{sense}-domain"].alternatives}:
        for alternative in rules[domain].alternatives:
            assert said(alternative[0], rules) == {1}, alternative


@pytest.mark.parametrize("sense", ["company", "fruit"])
def test_what_follows_does_not_say_the_word(sense: str) -> None:
    rules = load("names-en", "wsd-common", f"wsd-{sense}").rules
    domains = {str(one[0][0]) for one in rules[f"{sense}-domain"].alternatives}
    assert len(domains) >= 15
    for name in [*(f"{domain}-more" for domain in domains), "aside", "opener"]:
        assert "apple" not in repr(rules[name].alternatives)


def test_misleading_neighbours_come_with_both_senses(pool: list[Instance]) -> None:
    for word in ("patent", "shares", "phone", "software", "fruit", "trees", "cider", "farm"):
        labels = [one.label for one in pool if word in one.text.split()]
        assert {"company", "fruit"} == set(labels), word


def test_text_is_lower_cased_and_tokenised(pool: list[Instance]) -> None:
    for one in pool:
        assert one.text == one.text.lower() == " ".join(one.text.split())
        assert one.text.endswith(" .") and not re.search(r"\w[,;]( |$)|\w's ", one.text), one.text
