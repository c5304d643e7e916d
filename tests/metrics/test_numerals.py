import sys
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lengthwise.metrics.numerals import fold, read_numeral

WHOLE = {
    # Digits.
    "0": "0",
    "007": "7",
    "-42": "-42",
    "+42": "42",
    "−42": "-42",
    "－42": "-42",
    "- 42": "-42",
    "１２，０００": "12000",
    "٣٤": "34",
    "𝟒𝟐": "42",
    "8,000": "8000",
    "100,000": "100000",
    "1,234,567.890": "1234567.89",
    "1 234 567": "1234567",
    "1\u00a0234": "1234",
    "1'234": "1234",
    "1’234": "1234",
    "1_234": "1234",
    "9{,}500": "9500",
    r"9\,500": "9500",
    "1,00,000": "100000",
    "1.141,09": "1141.09",
    "1.234.567": "1234567",
    "1.024": "1.024",
    ".5": "0.5",
    "-.5": "-0.5",
    "5.0": "5",
    "-0": "0",
    "1e3": "1000",
    "1.5E-3": "0.0015",
    "1.2 × 10^3": "1200",
    "1.2*10**3": "1200",
    r"1.2 \times 10^{3}": "1200",
    "2½": "2.5",
    "2.5 million": "2500000",
    "3 hundred": "300",
    # Chinese.
    "零": "0",
    "〇": "0",
    "两": "2",
    "十": "10",
    "十二": "12",
    "二十": "20",
    "廿三": "23",
    "一百零一": "101",
    "一百一十": "110",
    "一百二": "120",
    "两千": "2000",
    "两千五": "2500",
    "两千零五": "2005",
    "五千九百": "5900",
    "一万二": "12000",
    "一万零二": "10002",
    "十万": "100000",
    "三百万": "3000000",
    "三亿四千万": "340000000",
    "一万亿": "1000000000000",
    "九千九百九十九": "9999",
    "二〇二四": "2024",
    "一二三": "123",
    "壹佰": "100",
    "壹仟贰佰叁拾肆": "1234",
    "伍萬陸仟柒佰捌拾玖": "56789",
    "三点一四": "3.14",
    "1.2万": "12000",
    "3千5百": "3500",
    "5百万": "5000000",
    "负五": "-5",
    "负42": "-42",
    # English.
    "zero": "0",
    "Twelve": "12",
    "forty-two": "42",
    "forty two": "42",
    "a hundred": "100",
    "one hundred and five": "105",
    "two thousand three hundred and six": "2306",
    "twelve hundred": "1200",
    "one million, two thousand": "1002000",
    "three point one four": "3.14",
    "minus seven": "-7",
    "negative 7": "-7",
}


@pytest.mark.parametrize(("text", "value"), WHOLE.items())
def test_whole_text(text: str, value: str):
    found = read_numeral(fold(text))
    assert found is not None
    assert (str(found.value), found.end) == (value, len(text))


@pytest.mark.parametrize(
    ("text", "value", "end"),
    [
        ("12,34", "12", 2),
        ("1, 024", "1", 1),
        ("100 20", "100", 3),
        ("1141,09", "1141", 4),
        ("5.", "5", 1),
        ("5.a", "5", 1),
        ("4e", "4", 1),
        ("1,0240", "1", 1),
        ("十分", "10", 1),
        ("one of", "1", 3),
    ],
)
def test_the_number_in_front(text: str, value: str, end: int):
    found = read_numeral(fold(text))
    assert found is not None
    assert (str(found.value), found.end) == (value, end)


@pytest.mark.parametrize(
    "text", ["", "-", ".", "e3", "x1", "万", "one two", "ten five", "none", "二百三四", "点五", "百千"]
)
def test_no_number(text: str):
    assert read_numeral(fold(text)) is None


@pytest.mark.parametrize("text", ["1e999999999", "1e-999999999", "9" * 2000, "1e1001"])
def test_longer_than_any_answer(text: str):
    assert read_numeral(text) is None


def test_no_float_and_no_context_rounds():
    text = "-" + "1234567890" * 5 + "." + "123456789" * 5
    found = read_numeral(text)
    assert found is not None
    assert str(found.value) == text


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**15), max_value=10**15))
def test_any_decimal(value: Decimal):
    found = read_numeral(str(value))
    assert found is not None
    assert found.value == value
    assert found.end == len(str(value))


def chinese(number: int, digits: str, units: str) -> str:
    """The standard reading, written independently: four places at a time, one zero for a gap."""
    if number < 10_000:
        places = [number // 10**power % 10 for power in (3, 2, 1, 0)]
        said, gap = "", False
        for power, place in zip((3, 2, 1, 0), places, strict=True):
            if place:
                said += (digits[0] if gap and said else "") + digits[place] + ("" if power == 0 else units[power - 1])
                gap = False
            else:
                gap = True
        return said or digits[0]
    power = 8 if number >= 10**8 else 4
    head, rest = divmod(number, 10**power)
    said = chinese(head, digits, units) + ("亿" if power == 8 else "万")
    if not rest:
        return said
    return said + (digits[0] if rest < 10 ** (power - 1) else "") + chinese(rest, digits, units)


@given(st.integers(0, 10**12 - 1), st.booleans())
def test_any_chinese_numeral(number: int, financial: bool):
    digits, units = ("零壹贰叁肆伍陆柒捌玖", "拾佰仟") if financial else ("零一二三四五六七八九", "十百千")
    said = chinese(number, digits, units)
    found = read_numeral(said)
    assert found is not None
    assert (found.value, found.end) == (number, len(said))


ONES = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
ONES += ["thirteen", "fourteen", "fifteen"]
ONES += ["sixteen", "seventeen", "eighteen", "nineteen"]
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def english(number: int) -> str:
    if number < 20:
        return ONES[number]
    if number < 100:
        return TENS[number // 10 - 2] + (f"-{ONES[number % 10]}" if number % 10 else "")
    for size, name in ((10**9, "billion"), (10**6, "million"), (1000, "thousand"), (100, "hundred")):
        if number >= size:
            head, rest = divmod(number, size)
            joint = " and " if size == 100 else " "
            return f"{english(head)} {name}" + (joint + english(rest) if rest else "")
    raise AssertionError


@given(st.integers(0, 10**12 - 1))
def test_any_english_number(number: int):
    found = read_numeral(english(number))
    assert found is not None
    assert (found.value, found.end) == (number, len(english(number)))


@given(st.text())
def test_folding_keeps_every_offset(text: str):
    assert len(fold(text)) == len(text)


@given(st.text(alphabet="0123456789,.'-+ eE×^十百千万亿零一点½{}\\", max_size=30))
def test_never_raises(text: str):
    found = read_numeral(fold(text))
    assert found is None or 0 < found.end <= len(text)


def test_folding_covers_every_digit():
    digits = [chr(code) for code in range(sys.maxunicode) if chr(code).isdecimal()]
    assert all(fold(digit) in "0123456789" for digit in digits)
