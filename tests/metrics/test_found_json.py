import pytest

from lengthwise.metrics.found_json import find_held, find_objects, normal_key
from lengthwise.metrics.json_reader import Scalar


def held(text: str, *tiers: list[str]) -> tuple[str, str] | None:
    found = find_held(text, *(tiers or (["a"],)))
    return (found.value.text, found.rule) if found and isinstance(found.value, Scalar) else None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1}', ("1", "json")),
        (' \n{"a": 1}\n', ("1", "json")),
        ('x {"a": 1} y', ("1", "last-json")),
        ('{"a": 1} {"a": 2}', ("2", "last-json")),
        ('```\n{"a": 1}\n```\n{"a": 2}', ("1", "fenced-json")),
        ('```\n{"a": 1}\n```\n```\n{"a": 2}\n```', ("2", "fenced-json")),
        ('```\n{"b": 1}\n```\n{"a": 2}', ("2", "last-json")),
        ('{"a": "```x```"}', ("```x```", "json")),
        ('{"b": {"a": 1}}', ("1", "json")),
        ('{"a": 1, "b": {"a": 2}}', ("1", "json")),
        ('{"a": 1, "b": "x', ("1", "cut-json")),
        ('{"a": 1, "b": {"a": 2}, "c": "x', ("1", "cut-json")),
        ('{"b": "never closed\n\n{"a": 1}', ("1", "last-json")),
        ('{"A ": 1}', ("1", "json")),
        ("no object", None),
        ('{"b": 1}', None),
        ('"a": 1', None),
    ],
)
def test_choice(text: str, value: tuple[str, str] | None):
    assert held(text) == value


def test_a_later_tier_counts_only_without_an_earlier_one():
    assert held('{"a": 1} {"b": 2}', ["a"], ["b"]) == ("1", "last-json")
    assert held('{"c": 1} {"b": 2}', ["a"], ["b"]) == ("2", "last-json")


def test_an_unusable_value_is_as_good_as_absent():
    found = find_held('{"a": 1} {"a": "..."}', ["a"], usable=lambda node: getattr(node, "text", "") != "...")
    assert found is not None
    assert found.value == Scalar("1", False, (6, 7))


def test_objects_come_in_order_and_do_not_overlap():
    spans = [found.span for found in find_objects('{"a": 1} {{"b": {"c": 2}}} {d} {"e": 1')]
    assert spans == [(0, 8), (9, 26), (31, 38)]


def test_keys_are_compared_without_case_width_and_gaps():
    assert {normal_key(key) for key in ("Final Score", "final_score", "FINAL-SCORE", "ｆｉｎａｌＳｃｏｒｅ")} == {
        "finalscore"
    }
