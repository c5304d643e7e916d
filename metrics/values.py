"""One value at one place of a reply: the number that stands there, and whether it is said as one.

"4/5", "(42).", "**12**" and "3 + 4 = 7" are values. "85%", "between 5 and 10", "3 or 4", "12:30", "12th" and "at
least 3" hold a number and are none: they are faults, told apart from places where no number stands.
"""

import re
from dataclasses import dataclass
from decimal import Decimal

from .numerals import read_numeral

_TAG = r"</?[a-z]{1,10}(?:\s[^<>]{0,60})?>"
_LATEX = (
    r"\\(?:[(\[)\]!,;: ]|(?:boxed|fbox|text(?:bf|it|rm)?|math(?:bf|rm|it)|displaystyle|d?frac(?=\{))(?![a-z])\s?\{?)"
)
# What may stand between a label and its value besides the label's own words; so many of it that repeating a label
# costs no more than its length.
_LEAD = re.compile(
    rf"""(?:\s{{1,100}}+|```[a-z]{{1,10}}(?=\n)|[*_`"'“”‘’「『《(（\[【{{$€£¥\#>|~≈:=]|{_LATEX}|{_TAG}|(?<=\n)[-•]\s
        |\b(?:about|approximately|approx\.?|roughly|around|exactly|just|only|simply|precisely|the|solid|number)\s
        |\ban?\s(?!hundred|thousand|million|billion)
        |大约|约|大概|差不多|正好|恰好|只有|仅为|仅){{0,30}}+""",
    re.IGNORECASE | re.VERBOSE,
)
_CLOSERS = rf"(?:[*_`\"'”’」』》)）\]】}}$|]|\\[)\]]|{_TAG})*+"
_EXPRESSION = re.compile(r"[-0-9(][-0-9\s.,+*×÷·/()–x_$=≈^{}\\]*+")
_AFTER_EQUALS = re.compile(r"[=≈]\s*+")
_NO_VALUE = re.compile(
    r"between\b|from\s\d[^.\n]{0,12}\bto\b|at (?:least|most)\b|(?:more|less|fewer|greater|higher|lower) than\b"
    r"|(?:over|under|above|below|up to|not|n/?a)\b|[≥≤>]|介于|至少|至多|最多|超过|不到|不足"
    r"|高于|低于|大于|小于|百分之|不是",
    re.IGNORECASE,
)
_PERCENT = re.compile(rf"\s?{_CLOSERS}\s?(?:\\?%|‰|per ?cent\b|percentage)|\s?分之", re.IGNORECASE)
_GLUED = re.compile(r"[A-Za-z]|[.:][0-9]|,[0-9]|['’][0-9]|[年月日章回节岁页时点]|小时|分钟|分之")
_UNIT = r"(?:\s?(?:分|points?|pts?|stars?|marks?)(?![a-z钟]))?"
_RATIO = re.compile(
    rf"\s?{_CLOSERS}{_UNIT}{_CLOSERS}\s?(?:[,(（,]\s?)?(?:[/／]|\bout\sof\s(?:a\s(?:possible|maximum)\s|a\stotal\sof\s)?"
    rf"|\bof\s(?=[0-9])|(?:满分|总分|共)(?:为|是)?)\s?{_CLOSERS}\s?",
    re.IGNORECASE,
)
_RANGE = re.compile(
    r"[*_`]*+(?P<gap>[ \t]*)(?:(?P<dash>[-–—])|~|～|\.{2,3}|…|(?:to|through|or)\b|至|到|或者?)[*_`]*+[ \t]*[*_`]*+",
    re.IGNORECASE,
)
_BOUND = re.compile(
    rf"\s?{_UNIT}\s?(?:\+(?!\s?[0-9])|(?:or|and)\s(?:more|higher|above|greater|less|fewer|lower|below|over|under|up)\b"
    r"|(?:及|或)?以[上下]|或更[高低多少])",
    re.IGNORECASE,
)
_LIST = re.compile(r"\s?(?:[,、;]\s?(?:and\s|or\s)?|(?:and\b|[&和与])\s?)", re.IGNORECASE)
_LIST_GOES_ON = re.compile(r"\s?(?:[,、;.)\]]|and\b|or\b|和|或|\Z|\n)")
_OPERATOR = re.compile(r"\s?(?:[+×÷·^]|[*x](?=\s?[0-9])|\\times)\s?[-(]?[0-9]")
_SPACED_NUMBER = re.compile(r" (?=[0-9])")
# A number that is compared with, not said: "3 or above".
BOUND = "a bound"
_ENDS = re.compile(r"\s*(?:[.,;!?)\]。，；！？]|\Z|\n)")
_CLASSIFIER = re.compile(r"(?:分(?![之钟秒不一])|[个條条项次名人位篇件种句段只家份道题处元件])|[^\w]|[A-Za-z_]|\Z")


@dataclass(frozen=True, slots=True)
class Reading:
    """What stands at a place.

    Attributes:
        value: the number; None for a fault.
        start: offset where it begins.
        end: offset behind it.
        over: of what it is a part, as 5 in "4/5" and "4 out of 5"; None if nothing is said.
        fault: why the number there is no value; None for a value.
    """

    value: Decimal | None
    start: int
    end: int
    over: Decimal | None = None
    fault: str | None = None


def read_value(text: str, at: int = 0) -> Reading | None:
    """Read the value that stands at a place of a folded text, behind any mark-up.

    Args:
        text: what `numerals.fold` returned.
        at: where to look; quotes, brackets, bold and "about" may stand in front.

    Returns:
        The value or its fault; None if no number stands there.

    >>> str(read_value("**4** out of 5").value), str(read_value("3 + 4 = 7").value)
    ('4', '7')
    >>> read_value("5 to 10").fault
    'a range'
    """
    lead = _LEAD.match(text, at)
    start = lead.end() if lead else at
    if refused := _NO_VALUE.match(text, start):
        return Reading(None, start, refused.end(), fault="a bound, a range or a denial")
    sums = _EXPRESSION.match(text, start)
    if sums and (equals := max(text.rfind("=", start, sums.end()), text.rfind("≈", start, sums.end()))) > 0:
        behind = _AFTER_EQUALS.match(text, equals)
        lead = _LEAD.match(text, behind.end()) if behind else None
        start = lead.end() if lead else start
    number = read_numeral(text, start)
    if number is None:
        return None
    end = number.end
    if fault := _fault_behind(text, start, end, number.value):
        return Reading(None, start, end, fault=fault)
    if ratio := _RATIO.match(text, end):
        whole = read_numeral(text, ratio.end())
        if whole is not None:
            if _PERCENT.match(text, whole.end):
                return Reading(None, start, whole.end, fault="a percentage")
            return Reading(number.value, start, end, over=whole.value)
    return Reading(number.value, start, end)


def _fault_behind(text: str, start: int, end: int, value: Decimal) -> str | None:
    """Return why what follows a number makes it no value, None if nothing does."""
    if _PERCENT.match(text, end):
        return "a percentage"
    if _GLUED.match(text, end):
        return "part of a word, a date or a time"
    if not text[end - 1].isascii() and text[end - 1].isalpha() and not _CLASSIFIER.match(text, end):
        return "part of a word"
    if text[start].isalpha() and re.compile(r" of\b(?! (?:five|5))").match(text, end):
        return "a part of something"
    if _BOUND.match(text, end):
        return BOUND
    if _OPERATOR.match(text, end):
        return "a sum without its result"
    if (between := _RANGE.match(text, end)) and (other := read_numeral(text, between.end())):
        # "4 - 2 minor errors" goes on with a remark.
        remark = between["dash"] and between["gap"] and not _ENDS.match(text, other.end) and other.value <= value
        if not remark:
            return "a range"
    if (comma := _LIST.match(text, end)) and (other := read_numeral(text, comma.end())):
        if _LIST_GOES_ON.match(text, other.end):
            return "a list"
    elif (space := _SPACED_NUMBER.match(text, end)) and (other := read_numeral(text, space.end())):
        return "several numbers"
    return None
