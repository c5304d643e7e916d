"""Every parser takes time linear in the length of a reply, whatever it is made of, and raises on none."""

import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lengthwise.metrics.answers import (
    Unparsed,
    parse_aggregate,
    parse_consistency_score,
    parse_instances,
)
from lengthwise.metrics.refusals import find_refusal

KEYS = [str(number) for number in range(1, 101)]
PARSERS: dict[str, Callable[[str], object]] = {
    "score": parse_consistency_score,
    "integer": lambda text: parse_aggregate(text, "integer"),
    "decimal": lambda text: parse_aggregate(text, "decimal"),
    "instances": lambda text: parse_instances(text, KEYS),
    "refusal": find_refusal,
}
WITHOUT_BLANKS = """
{ } {" {“ " {"a": {"a":" {"a":{ {"a":[ [ {a: {a:b, {"a":"b", {"score": {"score":3, {"score":3} {\\" \\ \\"
score: score:3 score answer: answer:3 total 评分 评分：3 答案： ' ``` ```json ( score( 1 1, 1,000, 1.000. 一 百 百万
one twenty- - -- = 3+ 3+4= // {// {"a"// "// /* {/* {"a":1/* 。 ： ， ", "," <think> </think> <answer> < #### * _ ` | $
3outof 4/5 \\boxed{ between 3- 3–4 给 打 共 有 I'd is the NaN \\n {\\n ｛ \ud800 \x00
"""
UNITS = WITHOUT_BLANKS.split()
UNITS += [
    " ",
    "\n",
    "{ ",
    "score: ",
    "Score: 3 ",
    "answer: 3\n",
    "score is the ",
    "there are ",
    "i would rate it ",
    "one hundred ",
    "the total number of ",
    "0 to 5 ",
    "1 ",
    '{"a": "b" ',
    '{"answer": "3 + ',
    "i can't ",
]
FRAMES = ["{}", "score: {}3", '{"answer": "{}']


def seconds(parse: Callable[[str], object], text: str) -> float:
    best = float("inf")
    for _ in range(2):
        start = time.thread_time()
        parse(text)
        best = min(best, time.thread_time() - start)
    return best


@pytest.mark.parametrize("name", PARSERS)
@pytest.mark.parametrize("unit", dict.fromkeys(UNITS))
def test_time_grows_with_length_and_no_faster(unit: str, name: str):
    for frame in FRAMES:
        small, large = (
            seconds(PARSERS[name], frame.replace("{}", unit * (size // len(unit)))) for size in (2_000, 16_000)
        )
        # Eight times the text; quadratic would be 64 times.
        assert large < 24 * small + 0.02, frame


@pytest.mark.parametrize("unit", ["{", "}", '"', "'", "[", '{"', "score: ", "answer: 3 ", "评分：", "<think>", "```"])
@pytest.mark.parametrize("name", PARSERS)
def test_a_megabyte(unit: str, name: str):
    # A second on a machine of its own; the rest is for what else runs here.
    assert seconds(PARSERS[name], unit * (1_000_000 // len(unit))) < 4


PIECES = [
    *UNITS,
    "Score",
    ": ",
    "3",
    "5",
    "{",
    "}",
    '"',
    "score",
    "answer",
    "/",
    "分",
    "a",
    "\\",
    "\ud800",
    "\x00",
    "-",
    "%",
]


@given(
    st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=40).map("".join)), st.sampled_from(list(PARSERS))
)
def test_never_raises(text: str, name: str):
    found = PARSERS[name](text)
    span = getattr(found, "span", None)
    assert isinstance(found, (Unparsed, str, type(None))) or (span and 0 <= span[0] <= span[1] <= len(text))
