import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lengthwise.metrics.answers import ParsedInstances, Unparsed, parse_instances

KEYS = ["1", "2", "odd", "even"]


def found(text: str, keys: list[str] = KEYS) -> ParsedInstances:
    table = parse_instances(text, keys)
    assert isinstance(table, ParsedInstances)
    return table


def test_whole_table():
    table = found('{"reasoning": "r", "1": "odd", "2": "even", "odd": 1, "even": 1}')
    assert table.value == {"1": "odd", "2": "even", "odd": 1, "even": 1}
    assert (table.missing, table.extra, table.repeated) == ((), (), ())


def test_missing_extra_and_repeated_keys_are_named():
    table = found('{"1": "odd", "3": "x", "odd": 1, "1": "even", "total": 2}')
    assert table.value == {"1": "even", "3": "x", "odd": 1, "total": 2}
    assert (table.missing, table.extra, table.repeated) == (("2", "even"), ("3", "total"), ("1",))


def test_values_are_exact():
    table = found('{"1": "1.50", "2": 1.50, "odd": 12345678901234567890.1, "even": " a "}')
    assert table.value == {"1": "1.50", "2": Decimal("1.50"), "odd": Decimal("12345678901234567890.1"), "even": " a "}
    assert str(table.value["2"]) == "1.50"


def test_words_and_nested_values():
    table = found('{"1": true, "2": null, "odd": [1, "a"], "even": {"x": false}}')
    assert table.value == {"1": True, "2": None, "odd": [1, "a"], "even": {"x": False}}


def test_a_power_without_end_stays_text():
    assert found('{"1": 1e999999999, "2": 9' + "9" * 2000 + "}").value["1"] == "1e999999999"


@pytest.mark.parametrize(
    "text",
    [
        '```json\n{"1": "a", "2": "b", "odd": 1, "even": 1}\n```',
        'First {"1": "x"}.\n{"1": "a", "2": "b", "odd": 1, "even": 1}\nDone.',
        '{"1": "x", "2": "y", "odd": 0, "even": 0}\nAgain:\n{"1": "a", "2": "b", "odd": 1, "even": 1}',
        '{"1": "a", "2": "b", "odd": 1, "even": 1}\nI changed {"2": "b"}.',
        '{"reasoning": "r", "answer": {"1": "a", "2": "b", "odd": 1, "even": 1}}',
        "{'1': 'a', '2': 'b', 'odd': 1, 'even': 1,}",
        '{1: "a", 2: "b", odd: 1, even: 1}',
        '{{"1": "a", "2": "b", "odd": 1, "even": 1}}',
        '｛"1"："a"，"2"："b"，"odd"：1，"even"：1｝',
        '{"1": "a", "2": "b", "odd": 1, "even": 1',
        '<think>{"1": "x", "2": "y", "odd": 0, "even": 2}</think>{"1": "a", "2": "b", "odd": 1, "even": 1}',
        '{"reasoning": "see {"1": so", "1": "a", "2": "b", "odd": 1, "even": 1}',
        '{"reasoning": "1 is odd,\n2 is even", "1": "a", "2": "b", "odd": 1, "even": 1}',
    ],
)
def test_wrapped_or_damaged(text: str):
    table = found(text)
    assert {key: str(value) for key, value in table.value.items()} == {"1": "a", "2": "b", "odd": "1", "even": "1"}


def test_an_object_of_other_keys_is_a_table_with_all_keys_wrong():
    table = found('{"Number 1": "odd"}')
    assert (table.missing, table.extra) == (tuple(KEYS), ("Number 1",))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the reply is empty"),
        ("<think>{", "the reply is all reasoning"),
        ("1: odd, 2: even", "the reply holds no JSON object"),
        ('["odd", "even"]', "the reply holds no JSON object"),
        ("{}", "the reply holds no JSON object"),
        ('{"1": "odd", "2": "ev', "the JSON object is cut"),
    ],
)
def test_unparsed_says_why(text: str, reason: str):
    assert parse_instances(text, KEYS) == Unparsed(reason)


def test_reasoning_counts_if_it_is_asked_for():
    assert found('{"reasoning": "r"}', ["reasoning"]).value == {"reasoning": "r"}


@given(st.dictionaries(st.integers(1, 40).map(str), st.text(max_size=20), min_size=1), st.text(max_size=40))
def test_any_table_as_json(answers: dict[str, str], reasoning: str):
    table = found(json.dumps({"reasoning": reasoning.replace("<", ""), **answers}), [*answers])
    assert table.value == answers
    assert (table.missing, table.extra) == ((), ())
