import pytest

from lengthwise.metrics.numerals import fold
from lengthwise.metrics.values import read_value


@pytest.mark.parametrize(
    ("text", "value", "over"),
    [
        ("42", "42", None),
        ("42!", "42", None),
        ("(42).", "42", None),
        ("[42]", "42", None),
        ("42:", "42", None),
        ("**42**", "42", None),
        ("about 42", "42", None),
        ("$1,024", "1024", None),
        ("4/5", "4", "5"),
        ("**4** / 5", "4", "5"),
        ("4 out of 5", "4", "5"),
        ("4分，满分5分", "4", "5"),
        ("3 + 4 = 7", "7", None),
        ("1+1 = 2 = 2.0", "2", None),
        ("4 - 2 minor errors", "4", None),
        ("25", "25", None),
        ("33.14", "33.14", None),
        ("-5", "-5", None),
        ("三分", "3", None),
        ("4，因为", "4", None),
    ],
)
def test_value(text: str, value: str, over: str | None):
    found = read_value(fold(text))
    assert found is not None
    assert found.fault is None
    assert (str(found.value), None if found.over is None else str(found.over)) == (value, over)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("85%", "a percentage"),
        ("85 percent", "a percentage"),
        (r"85\%", "a percentage"),
        ("三分之二", "a percentage"),
        ("3-4", "a range"),
        ("3 – 4", "a range"),
        ("3 to 4", "a range"),
        ("3 or 4", "a range"),
        ("3～4", "a range"),
        ("3到4", "a range"),
        ("3 or above", "a bound"),
        ("3+", "a bound"),
        ("3分及以上", "a bound"),
        ("1, 2, 3", "a list"),
        ("3 and 4", "a list"),
        ("3 4 5", "several numbers"),
        ("12th", "part of a word, a date or a time"),
        ("12:30", "part of a word, a date or a time"),
        ("1.2.3", "part of a word, a date or a time"),
        ("1805年", "part of a word, a date or a time"),
        ("一致性", "part of a word"),
        ("one of them", "a part of something"),
        ("3 + 4", "a sum without its result"),
        ("between 3 and 4", "a bound, a range or a denial"),
        ("at least 3", "a bound, a range or a denial"),
        ("not 3", "a bound, a range or a denial"),
        ("至少3", "a bound, a range or a denial"),
    ],
)
def test_fault(text: str, fault: str):
    found = read_value(fold(text))
    assert found is not None
    assert (found.value, found.fault) == (None, fault)


@pytest.mark.parametrize("text", ["", "abc", "true", "x42", "**", "-", "A12"])
def test_no_number(text: str):
    assert read_value(fold(text)) is None
