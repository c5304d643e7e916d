import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lengthwise.metrics.answers import Parsed, Unparsed, parse_aggregate

CASES = [
    json.loads(line) for line in (Path(__file__).parent / "aggregate_cases.jsonl").read_text("utf-8").splitlines()
]


def as_text(text: str, answer_type: str) -> str | None:
    value = parse_aggregate(text, answer_type).value  # type: ignore[arg-type]
    return None if value is None else str(value)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["why"])
def test_aggregate(case: dict):
    assert as_text(case["text"], case["answer_type"]) == case["value"]


@pytest.mark.shared
def test_reference_cases(shared_dir: Path):
    lines = (shared_dir / "reference" / "answer_cases.jsonl").read_text("utf-8").splitlines()
    found = [case for line in lines if (case := json.loads(line))["kind"] == "aggregate"]
    assert found
    for case in found:
        assert as_text(case["text"], case["answer_type"]) == case["expected"], case["why"]


def test_types_are_exact():
    assert type(parse_aggregate('{"answer": 3.0}', "integer").value) is int
    assert type(parse_aggregate('{"answer": 3}', "decimal").value) is Decimal


def test_unknown_answer_type():
    with pytest.raises(ValueError, match="answer_type"):
        parse_aggregate("1", "float")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "span", "rule"),
    [
        ('<think>x</think>{"answer": "1,024"}', "1,024", "json"),
        ("é Answer: **−12** items", "−12", "label"),
        ("1 + 1 = 2", "2", "number-alone"),
        ("first\n1 + 1 = 2", "2", "equals"),
        ("There are 12.", "12", "statement"),
    ],
)
def test_span_points_into_the_original_text_and_the_rule_is_named(text: str, span: str, rule: str):
    found = parse_aggregate(text, "integer")
    assert isinstance(found, Parsed)
    assert (text[slice(*found.span)], found.rule) == (span, rule)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the reply is empty"),
        ("<think>3", "the reply is all reasoning"),
        ("I do not know.", "the reply holds no answer"),
        ('{"answer": 3.5}', "the answer is not a whole number"),
        ('{"answer": true}', "the answer is no number"),
        ('{"answer": {"a": 1}}', "the answer is a list or an object"),
        ('{"answer": "3-4"}', "the answer is a range"),
        ("Answer: 3%", "the answer is a percentage"),
    ],
)
def test_unparsed_says_why(text: str, reason: str):
    assert parse_aggregate(text, "integer") == Unparsed(reason)


def plain(value: Decimal) -> str:
    return format(value, "f")


SHAPES: dict[str, Callable[[Decimal], str]] = {
    "as asked": lambda value: json.dumps({"reasoning": "counted {1, 2}", "answer": plain(value)}),
    "bare": lambda value: f'{{"reasoning": "r", "answer": {plain(value)}}}',
    "fence": lambda value: f'```json\n{{"answer": "{plain(value)}"}}\n```',
    "thousands": lambda value: f'{{"answer": "{value:,f}"}}',
    "bare thousands": lambda value: f'{{"answer": {value:,f}}}',
    "zeros behind": lambda value: f'{{"answer": "{plain(value)}{"" if "." in plain(value) else ".0"}00"}}',
    "unicode minus": lambda value: f'{{"answer": "{plain(value).replace("-", "−")}"}}',
    "label": lambda value: f"Answer: {plain(value)}",
    "bold": lambda value: f"**Answer:** **{value:,f}**",
    "sentence": lambda value: f"The final answer is {plain(value)}.",
    "box": lambda value: rf"$\boxed{{{plain(value)}}}$",
    "Chinese": lambda value: f"答案：{plain(value)}。",
    "tags": lambda value: f"<answer>{plain(value)}</answer>",
    "hashes": lambda value: f"#### {plain(value)}",
    "sum": lambda value: f"Answer: 1 + 2.5 - 3 = {plain(value)}",
}
AROUND = [
    "{}",
    "Let me count.\n\n{}",
    "<think>Answer: 99</think>{}",
    'so {"answer": 99}?</think>\n{}',
    "{}\n<think>or",
]


@given(
    st.decimals(-(10**12), 10**12, places=6, allow_nan=False),
    st.sampled_from(sorted(SHAPES)),
    st.sampled_from(AROUND),
)
def test_any_decimal_in_any_shape_is_exact(value: Decimal, shape: str, around: str):
    assert parse_aggregate(around.replace("{}", SHAPES[shape](value)), "decimal").value == value


@given(st.integers(-(10**30), 10**30), st.sampled_from(sorted(SHAPES)), st.sampled_from(AROUND))
def test_any_integer_in_any_shape(value: int, shape: str, around: str):
    assert parse_aggregate(around.replace("{}", SHAPES[shape](Decimal(value))), "integer").value == value
