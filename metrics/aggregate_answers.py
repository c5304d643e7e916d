"""Aggregates, a count or an exact sum, out of replies to multi-instance prompts: JSON with an `answer`."""

import re
from decimal import Decimal
from typing import Literal, TypeAlias

from .found_json import find_held, only_scalar
from .json_reader import Node, Scalar
from .labels import labelled_values
from .numerals import fold
from .parsed import Parsed, Unparsed
from .reasoning import mask_reasoning
from .refusals import find_refusal
from .values import Reading, read_value

AnswerType: TypeAlias = Literal["integer", "decimal"]

_KEYS = ("finalanswer", "最终答案", "answer", "答案", "finalresult", "最终结果")
_OTHER_KEYS = (
    "result",
    "total",
    "count",
    "sum",
    "totalcount",
    "totalsum",
    "finalcount",
    "value",
    "结果",
    "总数",
    "总和",
    "总计",
    "数量",
)
_PLACEHOLDER = re.compile(
    r"\s*(?:<[^<>]{1,80}>|\[[^\[\]0-9]{1,80}\]|\{[^{}0-9]{1,80}\}|\.{2,}|…|int(?:eger)?|number|float|string|x|n"
    r"|your\s(?:final\s)?(?:answer|count|number)(?:\shere)?|整数|数字|答案)\s*",
    re.IGNORECASE,
)
_ANSWER = re.compile(
    r"(?<![a-z/])(?<!\\/)(?:final[\s_-]?)?answer(?![a-z])(?!\s?(?:to|for)\s(?:question|item|number|instance)?\s?#?[0-9])"
    r"|答案|\\(?:boxed|fbox)\s?\{|(?<![#\S])####(?!#)",
    re.IGNORECASE,
)
_RESULT = re.compile(
    r"(?<![a-z/])(?:result|(?:grand\s|sub-?)?total|sum|count|tally)(?![a-z])|结果|总数|总和|总计|合计|共计|总共|一共|共有|数量",
    re.IGNORECASE,
)
_PARTIAL = re.compile(
    r"(?:sub-?|partial\s|running\s|batch\s|intermediate\s|部分|小计)(?:total|sum|count|结果)?[\s*_]*\Z", re.IGNORECASE
)
_STATEMENT = re.compile(
    r"\b(?:there\s(?:are|is|were)|i\s(?:count(?:ed)?|found|find|get|got|see)|we\s(?:count(?:ed)?|get|have|find|found)"
    r"|(?:comes?|adds?\sup|amounts?|sums?|equal)\s(?:out\s)?to|equals|gives|makes)(?:\s(?:a\stotal\sof|exactly|only|in\stotal))?"
    r"|\b(?:number|count|total|sum)\b[^.\n0-9]{0,80}?(?:\b(?:is|are|was)\b|:)|共|有|等于|得到",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<![0-9])[.!?]|[.!?](?![0-9])|[。！？\n]")
_NUMBER = re.compile(r"[0-9][0-9,.]*+")
_LAST_EQUALS = re.compile(r"[=≈]\s*+")
_TAIL = re.compile(r"[\s\W_]*+\Z")
# Only statements in a short reply are read: in a long one nothing tells the answer from the way to it.
_SHORT = 600


def parse_aggregate(text: str, answer_type: AnswerType) -> Parsed[int] | Parsed[Decimal] | Unparsed:
    r"""Read the number that a reply gives as the answer over all its instances.

    In order: JSON that holds an `answer` (see `found_json.find_held`), else a result, a total or a count; a labelled
    answer in prose, the last one ("Answer: 3 + 4 = 7", `\boxed{7}`, "#### 7", "答案：7"), else a labelled result; the
    number alone; what follows the equals sign at the end; one statement ("there are 7") in a short reply that refuses
    nothing. A boolean, null, a percentage, a range, a bound or a list is no answer; nor, for an integer, is a number
    with a fraction.

    Args:
        text: the raw reply, any string.
        answer_type: "integer" for counts, "decimal" for exact sums.

    Returns:
        An int or an exact `Decimal` (no trailing zeros), or why there is none.

    Raises:
        ValueError: if `answer_type` is neither.

    >>> parse_aggregate('{"reasoning": "counted {so far}", "answer": "1,024"}', "integer").value
    1024
    >>> parse_aggregate('{"answer": "-9008709.090"}', "decimal").value
    Decimal('-9008709.09')
    >>> parse_aggregate("I count between 5 and 10 of them.", "integer").value is None
    True
    """
    if answer_type not in ("integer", "decimal"):
        raise ValueError(f"answer_type must be 'integer' or 'decimal', not {answer_type!r}")
    if not text.strip():
        return Unparsed("the reply is empty")
    masked = mask_reasoning(text)
    if not masked.strip():
        return Unparsed("the reply is all reasoning")
    held = find_held(masked, _KEYS, _OTHER_KEYS, usable=_is_answer_at_all)
    if held is not None:
        return _of_node(held.value, held.rule, answer_type)
    reading, rule = _of_prose(fold(masked))
    if reading is None:
        return Unparsed("the reply holds no answer")
    return _typed(reading, rule, answer_type)


def _is_answer_at_all(node: Node) -> bool:
    return not (isinstance(node, Scalar) and _PLACEHOLDER.fullmatch(node.text))


def _of_node(node: Node, rule: str, answer_type: AnswerType) -> Parsed[int] | Parsed[Decimal] | Unparsed:
    scalar = only_scalar(node)
    if scalar is None:
        return Unparsed("the answer is a list or an object")
    content = fold(scalar.text)
    reading = read_value(content)
    if reading is None:
        reading, _ = _of_prose(content)
    if reading is None:
        return Unparsed("the answer is no number")
    if _is_ratio(content, reading):
        return Unparsed("the answer is a fraction")
    return _typed(Reading(reading.value, *scalar.span, over=reading.over, fault=reading.fault), rule, answer_type)


def _typed(reading: Reading, rule: str, answer_type: AnswerType) -> Parsed[int] | Parsed[Decimal] | Unparsed:
    if reading.value is None:
        return Unparsed(f"the answer is {reading.fault}")
    span = (reading.start, reading.end)
    if answer_type == "decimal":
        return Parsed(reading.value, span, rule)
    if reading.value != reading.value.to_integral_value():
        return Unparsed("the answer is not a whole number")
    return Parsed(int(reading.value), span, rule)


def _of_prose(text: str) -> tuple[Reading | None, str]:
    """Return what a folded text says the answer is, and the rule that found it."""
    for label in (_ANSWER, _RESULT):
        for hit in labelled_values(text, label):
            if _is_ratio(text, hit.reading) or _PARTIAL.search(text[max(hit.label[0] - 20, 0) : hit.label[0]]):
                continue
            return hit.reading, "label"
    whole = read_value(text)
    if whole is not None and _TAIL.match(text, whole.end):
        return whole, "number-alone"
    if (last := _behind_last_equals(text)) is not None:
        return last, "equals"
    return _statement(text), "statement"


def _is_ratio(text: str, reading: Reading) -> bool:
    """Whether a value is written as a fraction, "3/4"; "3 out of 4" is a count."""
    return reading.over is not None and text[reading.end : reading.end + 8].lstrip(" *_`").startswith("/")


def _behind_last_equals(text: str) -> Reading | None:
    """Return the number that a reply ends with behind an equals sign."""
    place = max(text.rfind("="), text.rfind("≈"))
    behind = _LAST_EQUALS.match(text, place) if place >= 0 else None
    reading = read_value(text, behind.end()) if behind else None
    return reading if reading is not None and _TAIL.match(text, reading.end) else None


def _statement(text: str) -> Reading | None:
    """Return the one number that the statements of a short reply agree on."""
    stripped = text.strip()
    if len(stripped) > _SHORT or find_refusal(text):
        return None
    readings: list[Reading] = []
    for match in _STATEMENT.finditer(text):
        starts = [end.end() for end in _SENTENCE_END.finditer(text, 0, match.start())]
        stop = _SENTENCE_END.search(text, match.end())
        sentence = text[starts[-1] if starts else 0 : stop.start() if stop else len(text)]
        reading = read_value(text, match.end())
        if reading is None:
            continue
        if len(_NUMBER.findall(sentence)) > 1 and reading.fault is None:
            return None
        readings.append(reading)
    values = {reading.value for reading in readings}
    return readings[-1] if len(values) == 1 else None
