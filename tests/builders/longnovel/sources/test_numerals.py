import pytest

from lengthwise.builders.longnovel.sources.numerals import number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7", 7), ("１２", 12), ("iv", 4), ("XLIX", 49), ("MCMXC", 1990), ("IIII", 4), ("Forty Two", 42),
        ("the First", 1), ("twenty", 20), ("十", 10), ("十二", 12), ("二十", 20), ("廿一", 21), ("一百零八", 108),
        ("一百二十", 120), ("一二〇", 120), ("两百", 200), ("千", 1000), ("第", None), ("did", None), ("", None),
        ("IVI", None), ("chapter", None),
    ],
)  # fmt: skip
def test_numbers(text: str, value: int | None) -> None:
    assert number(text) == value
