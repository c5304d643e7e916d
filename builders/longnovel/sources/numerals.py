"""Numbers as chapters bear them: 12, XII, twelve, 十二."""

import re
import unicodedata
from types import MappingProxyType

_ROMAN = re.compile(r"M*(?:CM|CD|D?C{0,4})(?:XC|XL|L?X{0,4})(?:IX|IV|V?I{0,4})", re.IGNORECASE)
_VALUES = MappingProxyType({"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000})
_UNITS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_WORDS = MappingProxyType(
    {word: value for words in (_UNITS, _ORDINALS) for value, word in enumerate(words.split(), 1)}
    | {word: value * 10 for value, word in enumerate(_TENS.split(), 2)}
    | {
        f"{tens}-{word}": value * 10 + rest
        for value, tens in enumerate(_TENS.split(), 2)
        for rest, word in enumerate(_UNITS.split()[:9], 1)
    }
)
_DIGITS = MappingProxyType(
    {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "兩": 2}
)
_POWERS = MappingProxyType({"十": 10, "百": 100, "千": 1000})
_JOINED_TENS = MappingProxyType({"廿": "二十", "卅": "三十"})


def number(text: str) -> int | None:
    """Return the number that a numeral stands for, None if it is none.

    >>> [number(text) for text in ("12", "xii", "Twelve", "十二", "一百零八", "一二〇", "word")]
    [12, 12, 12, 12, 108, 120, None]
    """
    plain = unicodedata.normalize("NFKC", text).strip().lower().replace(" ", "-").removeprefix("the-")
    if plain.isascii() and plain.isdigit():
        return int(plain)
    if plain in _WORDS:
        return _WORDS[plain]
    if plain and _ROMAN.fullmatch(plain):
        return _roman(plain.upper())
    return _chinese(plain)


def _roman(numeral: str) -> int:
    values = [_VALUES[letter] for letter in numeral]
    return sum(
        -value if any(later > value for later in values[place + 1 : place + 2]) else value
        for place, value in enumerate(values)
    )


def _chinese(numeral: str) -> int | None:
    for short, written_out in _JOINED_TENS.items():
        numeral = numeral.replace(short, written_out)
    if not numeral or not set(numeral) <= _DIGITS.keys() | _POWERS.keys():
        return None
    if not set(numeral) & _POWERS.keys():
        return int("".join(str(_DIGITS[digit]) for digit in numeral))
    total, digit = 0, None
    for character in numeral:
        if character in _POWERS:
            # 十二 is 12: a power without a digit before it stands for itself.
            total += _POWERS[character] * (1 if digit is None else digit)
            digit = None
        else:
            digit = _DIGITS[character] or None
    return total + (digit or 0)
