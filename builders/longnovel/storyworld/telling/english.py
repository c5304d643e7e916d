"""English: the forms of its words, and how its sentences stand on the page."""

import re
from collections.abc import Callable, Mapping, Sequence

from lengthwise.builders.longnovel.storyworld.records import Arg, Count, Day, Deed, Item, Marked, Person, Truth, Word
from lengthwise.errors import InputError

from .language import ArgKind, Vocabulary

_VERB = ("past", "base", "ing", "done")
_FORMS: Mapping[ArgKind, frozenset[str]] = {
    "person": frozenset({"", "full", "he", "him", "his", "himself", "man"}),
    "item": frozenset({"", "short", "bare", "indefinite", "past", "done"}),
    "word": frozenset({"", "thing", "now", "back", *_VERB}),
    "count": frozenset({"", "rough"}),
    "day": frozenset({"", "month", "season", "year"}),
    "deed": frozenset({"", *_VERB}),
    "truth": frozenset({""}),
}
# What the forms in a section of words are, in the order of the file.
_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "structure": ("", "short"),
    "paper": ("", "short"),
    "object": ("", "indefinite", "bare"),
    "incident": ("past", "", "done"),
    "hook": ("", "short"),
    "deed": _VERB,
    "handover": _VERB,
    "outcome": _VERB,
    "next": _VERB,
    "motive": ("", "thing"),
    "mark": ("past", "now"),
    "relation": ("past", "base", "ing", "back"),
}
_HOOKS = frozenset({"house", "works", "note", "school", "boat", "offstage"})
_PRONOUNS: Mapping[str, tuple[str, str]] = {
    "he": ("she", "he"),
    "him": ("her", "him"),
    "his": ("her", "his"),
    "himself": ("herself", "himself"),
    "man": ("woman", "man"),
}
# fmt: off
_ONES = (
    "nought", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)
_TENS = ("nought", "ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
# fmt: on
_ARTICLE = re.compile(r"\b([Aa])(?:n|\(n\))?( [‘“]?)([A-Za-z][\w’'-]*)")
# Written with a vowel and spoken with a consonant, and the other way round.
_CONSONANT = re.compile(r"one\b|one-|once|u(?:ni(?!n|m|d|gn)|s[eu]|tens|tili|biq|ran)|eu|ewe", re.I)
_SILENT = re.compile(r"hour|honest|honou?r|heir", re.I)
# Not behind “Did it?”, where the sentence may go on: asked Ada.
_START = re.compile(r"(?:^|(?<=[.!?]) |(?<=\.[”’]) )[“‘(]*[a-z]")
_END = re.compile(r"[\s,.:;]+$")


def number_words(value: int) -> str:
    """Return a number of 0 to 999,999 in words.

    >>> number_words(340), number_words(1005), number_words(21_700)
    ('three hundred and forty', 'one thousand and five', 'twenty-one thousand seven hundred')
    """
    if value < 20:
        return _ONES[value]
    if value < 100:
        tens, ones = divmod(value, 10)
        return _TENS[tens] + (f"-{_ONES[ones]}" if ones else "")
    size, name = (100, "hundred") if value < 1000 else (1000, "thousand")
    many, rest = divmod(value, size)
    if not rest:
        return f"{number_words(many)} {name}"
    return f"{number_words(many)} {name}{' and ' if rest < 100 else ' '}{number_words(rest)}"


def ordinal(value: int) -> str:
    """Return a number of 1 to 31 as a date has it.

    >>> [ordinal(value) for value in (1, 2, 3, 11, 22, 30)]
    ['1st', '2nd', '3rd', '11th', '22nd', '30th']
    """
    if value in (11, 12, 13):
        return f"{value}th"
    return f"{value}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(value % 10, 'th') }"


def article(word: str) -> str:
    """Return the indefinite article before a word.

    >>> [article(word) for word in ("ivory", "watch", "hour", "one-eyed", "useful", "unpaid", "union")]
    ['an', 'a', 'an', 'a', 'a', 'an', 'a']
    """
    if _SILENT.match(word):
        return "an"
    return "an" if word[0] in "aeiouAEIOU" and not _CONSONANT.match(word) else "a"


class English:
    """The English forms; see `Language`.

    Args:
        vocabulary: names and words of the text files.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._names = {
            table: vocabulary.names(f"names.{table}")
            for table in ("women", "men", "families", "places", "hooks", "offstage")
        }
        self._words = {
            section: {
                key: dict(zip(_COLUMNS.get(section, ("",)), forms, strict=True))
                for key, forms in vocabulary.keyed(f"words.{section}").items()
            }
            for section in (*_COLUMNS, "purpose", "organisation", "hall", "title")
        }
        self._units = vocabulary.keyed("words.unit")
        self._months = vocabulary.keyed("words.month")

    def forms(self, kind: ArgKind) -> frozenset[str]:
        """Return the forms that slots may ask of an argument of this kind."""
        return _FORMS[kind]

    def word(self, arg: Arg, form: str) -> str:
        """Return the words of an argument in a form, as they stand within a sentence.

        Raises:
            InputError: the form is none of this argument's.
        """
        if isinstance(arg, Person | Marked):
            return self._person(arg, form)
        if isinstance(arg, Deed):
            thing = self.word(arg.object, "full" if isinstance(arg.object, Person) else "")
            return self._keyed("deed", arg.verb, form or "past").replace("{x}", thing)
        if isinstance(arg, Item):
            return self._item(arg, form)
        if isinstance(arg, Word):
            if not form and "" not in _COLUMNS.get(arg.kind, ("",)):
                form = "past"
            return self._keyed(arg.kind, arg.key, form)
        if isinstance(arg, Count):
            return self._count(arg, form)
        if isinstance(arg, Day):
            return self._day(arg, form)
        if isinstance(arg, Truth) and not form:
            return "kept" if arg.value else "broken"
        raise _no_form(arg, form)

    def finish(self, text: str) -> str:
        """Return a filled template with its articles settled and a capital at the start of each sentence.

        >>> English.finish(None, "it was a(n) hour's walk. a(n) union man said so.")
        "It was an hour's walk. A union man said so."
        """
        return _START.sub(lambda found: found.group()[:-1] + found.group()[-1].upper(), _with_articles(text))

    def join(self, sentences: Sequence[str]) -> str:
        """Return finished sentences as one paragraph."""
        return " ".join(sentences)

    def quote(self, words: str, tag: str = "", *, before: bool = False) -> str:
        """Return spoken words in quotation marks, and who says them.

        >>> English.quote(None, "It rained.", "said Ada"), English.quote(None, "Did it?", "said Ada.")
        ('“It rained,” said Ada.', '“Did it?” said Ada.')
        >>> English.quote(None, "It rained.", "Ada said,", before=True)
        'Ada said, “It rained.”'
        """
        words = _inner(words)
        tag = _with_articles(_END.sub("", tag))
        if not tag:
            return f"“{words}”"
        if before:
            return f"{tag[0].upper()}{tag[1:]}, “{words}”"
        if words.endswith(".") and not words.endswith(".."):
            words = words[:-1] + ","
        return f"“{words}” {tag}."

    def letter(self, sentences: Sequence[str]) -> str:
        """Return the words of a letter as one paragraph in quotation marks."""
        return f"“{_inner(' '.join(sentences))}”"

    def _keyed(self, section: str, key: str, form: str) -> str:
        forms = self._words[section][key]
        if form not in forms:
            raise InputError(f"{section} {key!r} has no form {form!r} in English; it has {', '.join(forms)}")
        return forms[form]

    def _person(self, arg: Person | Marked, form: str) -> str:
        person = arg.person if isinstance(arg, Marked) else arg
        if form in _PRONOUNS:
            return _PRONOUNS[form][0 if person.woman else 1]
        if form not in ("", "full"):
            raise _no_form(arg, form)
        if isinstance(arg, Marked):
            return f"the {self._person(person, 'man')} who {self._keyed('mark', arg.mark, 'past')}"
        given = self._names["women" if person.woman else "men"][person.name]
        return f"{given} {self._names['families'][person.family]}" if form else given

    def _item(self, item: Item, form: str) -> str:
        if item.kind == "place" and not form:
            return self._names["places"][item.name]
        if item.kind == "structure" and item.at is None and not form:
            form = "short"
        if item.kind in _HOOKS:
            text = self._keyed("hook", item.kind, form)
            return text.replace("{name}", self._names["offstage" if item.kind == "offstage" else "hooks"][item.name])
        if item.kind not in self._words:
            raise _no_form(item, form)
        text = self._keyed(item.kind, item.key, form)
        if "{at}" in text:
            if item.at is None:
                raise InputError(f"{item.kind} {item.key!r} has no place, and its wording needs one")
            text = text.replace("{at}", self.word(item.at, ""))
        return text.replace("{name}", self._names["families"][item.name]) if "{name}" in text else text

    def _count(self, count: Count, form: str) -> str:
        value, unit = count.value, count.unit
        if not form:
            if unit == "days" and value and value % 7 == 0:
                value, unit = value // 7, "weeks"
            return f"{number_words(value)} {self._units[unit][0 if value == 1 else 1]}"
        if form != "rough":
            raise _no_form(count, form)
        many = self._units[unit][1]
        if unit == "days":
            return next((words for most, words in _SPANS if value <= most), "more than a year")
        if unit == "years":
            return f"at least {number_words(value // 10 * 10)} {many}" if value >= 10 else f"some {many}"
        return next(words for least, words in _HEAPS if value >= least).replace("*", many)

    def _day(self, day: Day, form: str) -> str:
        year, month, number = day.date
        name = self._months[str(month)][0]
        told: Mapping[str, Callable[[], str]] = {
            "": lambda: f"the {ordinal(number)} of {name} {year}",
            "month": lambda: f"{name} {year}",
            "season": lambda: f"the {season(month)} of {year}",
            "year": lambda: str(year),
        }
        if form not in told:
            raise _no_form(day, form)
        return told[form]()


# Most days -> a rough word for them; least of a heap -> a rough word for it. Each is true of all it stands for.
_SPANS = ((13, "some days"), (59, "some weeks"), (365, "some months"))
_HEAPS = (
    (10_000, "many thousands of *"),
    (2000, "some thousands of *"),
    (1000, "a thousand * or more"),
    (200, "some hundreds of *"),
    (100, "a hundred * or more"),
    (24, "some dozens of *"),
    (12, "a dozen * or more"),
    (0, "a few *"),
)


def season(month: int) -> str:
    """Return the season of a month of 1 to 12.

    >>> season(2), season(3), season(11)
    ('winter', 'spring', 'autumn')
    """
    return ("winter", "spring", "summer", "autumn")[month % 12 // 3]


def make_language(vocabulary: Vocabulary) -> English:
    """Return English as its text files word it.

    Raises:
        InputError: a section is missing.
        ValueError: an id has more or fewer forms than its section says.
    """
    return English(vocabulary)


def _with_articles(text: str) -> str:
    """Return text with single spaces, and with a or an as the next word's sound asks."""

    def settled(found: re.Match[str]) -> str:
        letter, gap, word = found.groups()
        return (article(word).capitalize() if letter == "A" else article(word)) + gap + word

    return _ARTICLE.sub(settled, " ".join(text.split()))


def _inner(words: str) -> str:
    return words.replace("“", "‘").replace("”", "’")


def _no_form(arg: Arg, form: str) -> InputError:
    return InputError(f"{arg} has no form {form!r} in English")
