"""Chinese: the forms of its words, numbers in characters, and how its sentences stand on the page."""

import re
from collections.abc import Mapping, Sequence

from lengthwise.builders.longnovel.storyworld.records import Arg, Count, Day, Deed, Item, Marked, Person, Truth, Word
from lengthwise.errors import InputError

from .language import ArgKind, Vocabulary

_FORMS: Mapping[ArgKind, frozenset[str]] = {
    "person": frozenset({"", "full", "ta"}),
    "item": frozenset({"", "short", "indefinite", "bare", "thing", "base"}),
    "word": frozenset({"", "after", "thing"}),
    "count": frozenset({"", "rough"}),
    "day": frozenset({"", "month", "season", "year"}),
    "deed": frozenset({"", "done", "base", "thing"}),
    "truth": frozenset({""}),
}
# What the forms in a section of words are, in the order of the file; one form alone where none are given here.
_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "structure": ("", "short"),
    "object": ("indefinite", "", "bare"),
    "incident": ("", "thing", "base"),
    "deed": ("done", "base", "thing"),
    "handover": ("", "after"),
    "motive": ("", "thing"),
}
_SECTIONS = (
    "structure", "paper", "object", "deed", "handover", "outcome", "motive", "next", "incident", "purpose",
    "organisation", "hall", "title", "mark", "relation", "hook",
)  # fmt: skip
_TABLES = ("women", "men", "families", "places", "hooks", "offstage")
_HOOKS = frozenset({"house", "works", "note", "school", "boat"})
# Unit -> what stands behind a number.
_UNITS: Mapping[str, str] = {"money": "块银元", "men": "名士兵", "years": "岁", "days": "天"}
_DIGITS = "零一二三四五六七八九"
_WEEK = 7
# Full stops, commas and the like that meet where a slot ends: the stronger one stays.
_MEETING = re.compile(r"[，；：、。](?=[。！？])|[，、；](?=[，；])|(?<=[。！？])[，。、；]")
_TAG_END = re.compile(r"[\s，。：:,.]+$")


def number_words(value: int) -> str:
    """Return a number of 0 to 99,999 in characters, as it stands before a measure word.

    两 is used before 百, 千 and 万 and for the number alone, 二 for tens and units of longer numbers.

    >>> [number_words(value) for value in (2, 10, 12, 20, 102, 222, 1005, 2050, 10500)]
    ['两', '十', '十二', '二十', '一百零二', '两百二十二', '一千零五', '两千零五十', '一万零五百']
    """
    if value == 2:
        return "两"
    text = _below_myriad(value % 10_000) if value < 10_000 else _myriads(value)
    return text[1:] if text.startswith("一十") else text


def year_words(year: int) -> str:
    """Return a year digit by digit.

    >>> year_words(1870)
    '一八七〇'
    """
    return "".join("〇" if digit == "0" else _DIGITS[int(digit)] for digit in str(year))


def rough_words(value: int, unit: str) -> str:
    """Return a count in words that are vague and true of it.

    >>> [rough_words(value, "money") for value in (7, 15, 60, 100, 340, 1200, 5000)]
    ['几块银元', '十几块银元', '几十块银元', '上百块银元', '几百块银元', '上千块银元', '几千块银元']
    >>> [rough_words(value, "years") for value in (8, 10, 17, 30, 34)], rough_words(45, "men")
    (['不到十岁', '十来岁', '十几岁', '三十来岁', '三十多岁'], '几十名士兵')
    >>> [rough_words(value, "days") for value in (3, 10, 21, 45, 200, 800)]
    ['几天', '十来天', '几个星期', '一个多月', '几个月', '两年多']
    """
    if unit == "years":
        return _rough_years(value)
    if unit == "days":
        return _rough_days(value)
    size = (
        (10, "几"), (11, "十来"), (20, "十几"), (100, "几十"), (200, "上百"), (1000, "几百"), (2000, "上千"),
        (10_000, "几千"), (20_000, "上万"),
    )  # fmt: skip
    return next((words for below, words in size if value < below), "几万") + _UNITS[unit]


class Chinese:
    """The Chinese forms; see `Language`.

    Args:
        vocabulary: names and words of the text files.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._names = {table: vocabulary.names(f"names.{table}") for table in _TABLES}
        self._words = {section: _columns(section, vocabulary.keyed(f"words.{section}")) for section in _SECTIONS}

    def forms(self, kind: ArgKind) -> frozenset[str]:
        """Return the forms that slots may ask of an argument of this kind."""
        return _FORMS[kind]

    def word(self, arg: Arg, form: str) -> str:
        """Return the words of an argument in a form.

        Raises:
            InputError: the form is none of this argument's.
        """
        match arg:
            case Person():
                return self._person(arg, form)
            case Marked():
                return self._person(arg.person, form) if form == "ta" else self._marked(arg.mark, form)
            case Item():
                return self._item(arg, form)
            case Word(kind="mark") if form == "thing":
                return self._marked(arg.key, "")
            case Word():
                return self._keyed(arg.kind, arg.key, form)
            case Count() if form == "":
                return _count(arg)
            case Count() if form == "rough":
                return rough_words(arg.value, arg.unit)
            case Day() if form in _FORMS["day"]:
                return _day(arg, form)
            case Deed():
                text = self._keyed("deed", arg.verb, form or "done")
                return text.replace("{object}", self.word(arg.object, ""))
            case Truth() if form == "":
                return "做到了" if arg.value else "没有做到"
            case _:
                raise _no_form(arg, form)

    def finish(self, text: str) -> str:
        """Return a filled template as it stands on the page: marks that meet at a slot's edge become one.

        >>> make = Chinese.__new__(Chinese)
        >>> make.finish("下雨了。，林木走了，。")
        '下雨了。林木走了。'
        """
        return _MEETING.sub("", text.strip())

    def join(self, sentences: Sequence[str]) -> str:
        """Return finished sentences as one paragraph, with nothing between them."""
        return "".join(sentences)

    def quote(self, words: str, tag: str = "", *, before: bool = False) -> str:
        """Return spoken words with their quotation marks, and who says them.

        >>> make = Chinese.__new__(Chinese)
        >>> make.quote("下雨了。", "林木说，", before=True), make.quote("你来了？", "林木问")
        ('林木说：“下雨了。”', '“你来了？”林木问。')
        """
        spoken = "“" + _inner_quotes(words) + "”"
        tag = _TAG_END.sub("", tag)
        if not tag:
            return spoken
        return f"{tag}：{spoken}" if before else f"{spoken}{tag}。"

    def letter(self, sentences: Sequence[str]) -> str:
        """Return the words of a letter or diary, as one paragraph in quotation marks."""
        return self.quote(self.join(sentences))

    def _person(self, person: Person, form: str) -> str:
        if form == "ta":
            return "她" if person.woman else "他"
        if form not in _FORMS["person"]:
            raise _no_form(person, form)
        given = self._names["women" if person.woman else "men"][person.name]
        return self._names["families"][person.family] + given

    def _marked(self, mark: str, form: str) -> str:
        if form not in _FORMS["person"]:
            raise InputError(f"a person told by the mark {mark} has no form {form!r}")
        return self._keyed("mark", mark, "") + "的那个人"

    def _item(self, item: Item, form: str) -> str:
        if item.kind in ("place", "offstage") or item.kind in _HOOKS:
            if form:
                raise _no_form(item, form)
            if item.kind == "place":
                return self._names["places"][item.name]
            if item.kind == "offstage":
                return self._names["offstage"][item.name]
            return self._keyed("hook", item.kind, "").replace("{name}", self._names["hooks"][item.name])
        text = self._keyed(item.kind, item.key, form)
        if "{family}" in text:
            text = text.replace("{family}", self._names["families"][item.name])
        if "{at}" in text:
            # Where a thing without a place is told, only its short form is fit for the page.
            text = text.replace("{at}", self.word(item.at, "")) if item.at else text.replace("{at}的", "")
        return text

    def _keyed(self, section: str, key: str, form: str) -> str:
        forms = self._words[section][key] if section in self._words else {}
        if form not in forms:
            raise InputError(f"the {section} {key} has no form {form!r}, only {', '.join(map(repr, forms)) or 'none'}")
        return forms[form]


def make_language(vocabulary: Vocabulary) -> Chinese:
    """Return the Chinese language.

    Raises:
        InputError: the text files lack words or names.
    """
    return Chinese(vocabulary)


def _columns(section: str, words: Mapping[str, tuple[str, ...]]) -> dict[str, dict[str, str]]:
    columns = _COLUMNS.get(section, ("",))
    found = {}
    for key, forms in words.items():
        if section == "handover":  # nothing has to stand behind the taker
            forms = (*forms, "")[:2]
        if len(forms) != len(columns):
            raise InputError(f"words.{section}: {key} has {len(forms)} forms, not {len(columns)}")
        found[key] = dict(zip(columns, forms, strict=True))
    return found


def _below_myriad(value: int) -> str:
    """Return a number of 0 to 9,999 with 一十 for ten."""
    out, gap = "", False
    for size, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = value // size % 10
        if digit == 0:
            gap = bool(out)
            continue
        out += "零" if gap else ""
        out += ("两" if digit == 2 and size >= 100 else _DIGITS[digit]) + name
        gap = False
    return out or "零"


def _myriads(value: int) -> str:
    many, rest = divmod(value, 10_000)
    tail = "" if not rest else ("零" if rest < 1000 else "") + _below_myriad(rest)
    return number_words(many) + "万" + tail


def _count(count: Count) -> str:
    if count.unit == "days" and count.value and count.value % _WEEK == 0:
        return number_words(count.value // _WEEK) + "个星期"
    return number_words(count.value) + _UNITS[count.unit]


def _rough_years(value: int) -> str:
    if value <= 10:
        return "十来岁" if value == 10 else "不到十岁"
    if value < 20:
        return "十几岁"
    tens, ones = divmod(value, 10)
    return number_words(tens * 10) + ("多" if ones else "来") + "岁"


def _rough_days(value: int) -> str:
    table = ((10, "几天"), (14, "十来天"), (30, "几个星期"), (32, "一个月上下"), (60, "一个多月"), (360, "几个月"))
    if value > 2 * 365:
        return "几年" if value >= 3 * 365 else "两年多"
    return next((words for below, words in table if value < below), "一年上下" if value < 366 else "一年多")


def _day(day: Day, form: str) -> str:
    """Return a date, or part of it.

    >>> [_day(Day(1872 * 365 + 72), form) for form in ("", "month", "season", "year")]
    ['一八七二年三月十四日', '一八七二年三月', '一八七二年春天', '一八七二年']
    """
    year, month, of_month = day.date
    text = year_words(year) + "年"
    if form == "year":
        return text
    if form == "season":
        # A winter has two years, so its parts are told by those.
        return text + ("年初" if month <= 2 else "年底" if month == 12 else "春夏秋"[month // 3 - 1] + "天")
    text += _ordinal(month) + "月"
    return text if form == "month" else text + _ordinal(of_month) + "日"


def _ordinal(value: int) -> str:
    return "二" if value == 2 else number_words(value)


def _inner_quotes(words: str) -> str:
    return words.replace("“", "‘").replace("”", "’")


def _no_form(arg: Arg, form: str) -> InputError:
    return InputError(f"{arg!r} has no form {form!r} in Chinese")
