"""Numbers as people and models write them, exact: digits of any script, Chinese numerals, English words.

No value passes through a float, and none is rounded to a context's precision: digits are put together as text. A
number of more than 1,000 digits is no number here, so that "1e999999999" costs nothing.
"""

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal

_MOST_DIGITS = 1000

# One character for one, so that offsets hold: full-width forms, dashes used as minus, the blanks of thousands, primes.
_FOLD: dict[int, int | str] = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_FOLD |= {ord(char): "-" for char in "−‐‑‒﹣⁻"} | {
    ord(char): " " for char in "\u3000\u00a0\u2009\u202f\u2007\u2002\u200b\u200c\u200d\u2060\ufeff\u00ad"
}
_FOLD |= {ord("﹪"): "%", ord("．"): ".", ord("﹒"): ".", ord("﹐"): ",", ord("’"): "'", ord("＇"): "'"}
_OTHER_DIGIT = re.compile(r"[^\x00-\x7f](?<=\d)")

_SEPARATOR = r"(?:\{,\}|\\[,!;:]|[,' _])"
_PLAIN = re.compile(
    rf"""(?P<whole>
        [0-9]{{1,3}}(?:\.[0-9]{{3}})+(?=,[0-9]{{1,9}}(?![0-9,])) | [0-9]{{1,3}}(?:\.[0-9]{{3}}){{2,}}(?![0-9.])
      | [0-9]{{1,3}}(?P<mark>{_SEPARATOR})[0-9]{{3}}(?:(?P=mark)[0-9]{{3}})*(?![0-9])
      | [0-9]{{1,2}}(?:,[0-9]{{2}})+,[0-9]{{3}}(?![0-9])
      | [0-9]*)
      (?P<part>(?:(?<=[0-9]{{3}}),(?=[0-9]+(?![0-9,]))|\.)[0-9]+)?
      (?:[eE](?P<e>[+-]?[0-9]{{1,9}})(?![0-9])
        |[ ]?(?:[×xX*]|\\times|\\cdot)[ ]?10[ ]?(?:\^|\*\*)[ ]?\{{?(?P<ten>[+-]?[0-9]{{1,9}})\}}?)?""",
    re.VERBOSE,
)
_SIGN = re.compile(r"(?P<minus>[-–]|minus\s|negative\s|负|負)\s?|\+\s?", re.IGNORECASE)
_QUARTERS = {"½": "5", "¼": "25", "¾": "75"}

_DIGITS = {char: value for value, chars in enumerate(
    ("〇零○", "一壹弌", "二两贰兩貳", "三叁參叄", "四肆", "五伍", "六陆陸", "七柒", "八捌", "九玖")
) for char in chars}  # fmt: skip
_UNITS = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
_MYRIADS = {"万": 4, "萬": 4, "亿": 8, "億": 8}
_SCORES = {"廿": "二十", "卅": "三十"}
_CHINESE = re.compile(rf"[{''.join((*_DIGITS, *_UNITS, *_MYRIADS, *_SCORES))}0-9]{{1,60}}")
_CHINESE_PART = re.compile(rf"[点點]([{''.join(_DIGITS)}]{{1,60}})")
_CHINESE_TOKEN = re.compile(r"[0-9]+|.")
_CHINESE_POWER = re.compile(r"(?:([十拾])|([百佰])|([千仟])|)([万萬]?)([亿億]?)")

_ONES = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_ONES += ["thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_SMALL = {word: value for value, word in enumerate(_ONES)} | {word: 10 * n for n, word in enumerate(_TENS, 2)}
_LARGE = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_WORD = "|".join(sorted((*_SMALL, *_LARGE, "hundred"), key=len, reverse=True))
_ENGLISH = re.compile(
    rf"(?:an? (?=hundred|thousand|million|billion))?(?:{_WORD})\b(?:(?:[ -]{{1,2}}|,? and |, )(?:{_WORD})\b){{0,40}}",
    re.IGNORECASE,
)
_ENGLISH_PART = re.compile(rf" point((?:[ -](?:{'|'.join(_ONES[:10])})\b){{1,40}})", re.IGNORECASE)
_POWER_WORD = re.compile(r"\s?(hundred|thousand|million|billion|trillion)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number in a text.

    Attributes:
        value: exact; no trailing zeros behind the point, no negative zero.
        start: offset of its first character, the sign included.
        end: offset behind its last character.
    """

    value: Decimal
    start: int
    end: int


def fold(text: str) -> str:
    """Return the text with digits, signs and punctuation in their plain forms, each at the offset it had.

    >>> fold("１２，０００ −٣")
    '12,000 -3'
    """
    if text.isascii():
        return text
    text = text.translate(_FOLD)
    return _OTHER_DIGIT.sub(lambda match: str(unicodedata.decimal(match.group())), text)


def exact(sign: str, whole: str, part: str = "", power: int = 0) -> Decimal | None:
    """Put a decimal together from its digits, or return None if it is longer than any answer."""
    if abs(power) > _MOST_DIGITS or len(whole) + len(part) + abs(power) > _MOST_DIGITS:
        return None
    digits, places = whole + part, len(part) - power
    digits += "0" * -places if places < 0 else ""
    places = max(places, 0)
    digits = digits.rjust(places + 1, "0")
    head, tail = digits[: len(digits) - places].lstrip("0"), digits[len(digits) - places :].rstrip("0")
    number = f"{head or '0'}.{tail}" if tail else head or "0"
    return Decimal(number if number == "0" else sign + number)


def read_numeral(text: str, at: int = 0) -> Numeral | None:
    """Read the number that begins at an offset of a folded text.

    Args:
        text: what `fold` returned.
        at: where the number, or its sign, begins.

    Returns:
        The number, or None if none begins there.

    >>> str(read_numeral("-1,141.090 in all").value), str(read_numeral("三千零五万").value)
    ('-1141.09', '30050000')
    >>> str(read_numeral("two hundred and six").value), str(read_numeral("2.5e3").value)
    ('206', '2500')
    """
    sign = _SIGN.match(text, at)
    start = sign.end() if sign else at
    found = _plain(text, start) or _chinese(text, start) or _english(text, start)
    if found is None:
        return None
    whole, part, power, end = found
    value = exact("-" if sign and sign["minus"] else "", whole, part, power)
    return None if value is None else Numeral(value, at, end)


# Each of the following returns the digits before and behind the point, a power of ten, and where the number ends.
_Digits = tuple[str, str, int, int]


def _plain(text: str, at: int) -> _Digits | None:
    match = _PLAIN.match(text, at)
    if match is None or not match.group() or not (match["whole"] or match["part"]):
        return None
    european = match["part"] is not None and match["part"][0] == ","
    if match["whole"] and not match["part"] and (mixed := _chinese(text, at)) and mixed[3] > match.end():
        # 3千5百; 1.2万 comes below.
        return mixed
    whole = re.sub(r"[^0-9]", "", match["whole"])
    part = (match["part"] or "")[1:]
    if european and "." not in match["whole"]:
        # 1141,09 may be two numbers.
        part, end = "", match.start("part")
        return whole, part, 0, end
    end = match.end()
    power = int(match["e"] or match["ten"] or 0)
    if (quarter := text[end : end + 1]) in _QUARTERS and not part and not power:
        return whole, _QUARTERS[quarter], 0, end + 1
    more, end = _power_behind(text, end)
    return whole, part, power + more, end


def _power_behind(text: str, at: int) -> tuple[int, int]:
    """Return the power of ten that stands behind digits (万, 百万, million), and where it ends."""
    if word := _POWER_WORD.match(text, at):
        return {"hundred": 2, **_LARGE}[word[1].lower()], word.end()
    match = _CHINESE_POWER.match(text, at)
    if match is None or not match.group():
        return 0, at
    power = sum(size for size, group in zip((1, 2, 3, 4, 8), match.groups(), strict=True) if group)
    return power, match.end()


def _chinese(text: str, at: int) -> _Digits | None:
    match = _CHINESE.match(text, at)
    if match is None or (match.group().isdigit() and match.group().isascii()):
        return None
    content = "".join(_SCORES.get(char, char) for char in match.group())
    value = _chinese_integer(content)
    if value is None:
        return None
    part = _CHINESE_PART.match(text, match.end())
    if part is None:
        return str(value), "", 0, match.end()
    digits = "".join(str(_DIGITS[char]) for char in part[1])
    power, end = _power_behind(text, part.end())
    return str(value), digits, power, end


def _chinese_integer(content: str) -> int | None:
    """Return the value of a Chinese numeral, None if it is no well-formed one."""
    if all(char in _DIGITS or char in "0123456789" for char in content):
        return int("".join(str(_DIGITS.get(char, char)) for char in content))
    for sizes, power in (("亿億", 8), ("万萬", 4)):
        cut = max(content.rfind(size) for size in sizes)
        if cut >= 0:
            head = _chinese_integer(content[:cut]) if cut else None
            tail = _tail(content[cut + 1 :], power)
            return None if head is None or tail is None else head * 10**power + tail
    return _section(content)


def _tail(content: str, power: int) -> int | None:
    """Return the value of what follows 万 or 亿; one digit alone counts the next lower unit: 一万二 is 12,000."""
    if not content:
        return 0
    if len(content) == 1 and _DIGITS.get(content, 0):
        return int(_DIGITS[content]) * int(10 ** (power - 1))
    value = _chinese_integer(content)
    return None if value is None or value >= 10**power else value


def _section(content: str) -> int | None:
    """Return the value of a numeral below 10,000 that has units."""
    total, digit, last, zero = 0, None, 10_000, False
    for token in _CHINESE_TOKEN.findall(content):
        if token in _UNITS:
            unit = _UNITS[token]
            # A unit without a digit is ten alone, or ten behind nothing or a zero: 十二, 一百零十.
            if unit >= last or (digit is None and unit != 10 and total) or digit == 0:
                return None
            total += (1 if digit is None else digit) * unit
            digit, last, zero = None, unit, False
        elif digit is not None and digit != 0:
            return None
        else:
            zero = zero or digit == 0
            digit = int(_DIGITS.get(token, token))
            if digit > 9 and len(token) > 3:
                return None
            zero = zero or digit == 0
    if digit is None:
        return total
    if (digit >= 10 and last <= 10) or digit >= last:
        return None
    return total + digit * (last // 10 if last > 10 and not zero and digit < 10 and total else 1)


def _english(text: str, at: int) -> _Digits | None:
    match = _ENGLISH.match(text, at)
    if match is None:
        return None
    words = re.findall(_WORD, match.group().lower())
    value = _english_integer(words)
    if value is None:
        return None
    part = _ENGLISH_PART.match(text, match.end())
    if part is None:
        return str(value), "", 0, match.end()
    digits = "".join(str(_SMALL[word]) for word in re.findall(r"[a-z]+", part[1].lower()))
    power, end = _power_behind(text, part.end())
    return str(value), digits, power, end


def _english_integer(words: list[str]) -> int | None:
    """Return the value of number words, None where they do not make one number ("one two")."""
    total, section, last, largest = 0, 0, 100, 99
    for index, word in enumerate(words):
        if word in _LARGE:
            if _LARGE[word] >= largest or (not section and index):
                return None
            total += (section or 1) * 10 ** _LARGE[word]
            section, last, largest = 0, 100, _LARGE[word]
        elif word == "hundred":
            if last == 1000 or section > 99 or (not section and index):
                return None
            section, last = (section or 1) * 100, 100
        else:
            small = _SMALL[word]
            size = 10 if small >= 10 else 1
            fits = last == 100 or (last == 20 and 0 < small < 10)
            if not fits or (small == 0 and index):
                return None
            section += small
            last = 20 if small >= 20 else size
    return total + section
