"""The forms of English words, and every frame of a fact and of a summary sentence told once over."""

import re
from collections.abc import Iterator
from importlib.resources import files
from itertools import product

import pytest

from lengthwise.builders.longnovel.storyworld import catalogue
from lengthwise.builders.longnovel.storyworld.records import Arg, Count, Day, Deed, Item, Marked, Person, Truth, Word
from lengthwise.builders.longnovel.storyworld.telling.english import English, article, make_language, number_words
from lengthwise.builders.longnovel.storyworld.telling.grammar import Choice, Grammar, Parts, Slot, read_grammar
from lengthwise.builders.longnovel.storyworld.telling.sections import called
from lengthwise.errors import InputError

PLACE = Item("place", "town", 3)
WOMAN, MAN = Person(0, True, 0, 0), Person(1, False, 1, 1)
PEOPLE: tuple[Person | Marked, ...] = (WOMAN, MAN, Marked(WOMAN, "keeps_bees"), Marked(MAN, "came_by_sea"))
VERBS = [(family, verb) for family, verbs in catalogue.DEEDS.items() for verb in verbs]
WORDS = {
    "mark": catalogue.MARKS, "title": catalogue.TITLES, "relation": catalogue.RELATIONS,
    "outcome": catalogue.OUTCOMES, "motive": catalogue.MOTIVES, "next": catalogue.CONTINUATIONS,
    "purpose": catalogue.PURPOSES, "handover": catalogue.HANDOVERS,
}  # fmt: skip
ITEMS = {
    "thing": ("object", catalogue.OBJECTS), "hall": ("hall", catalogue.HALLS),
    "organisation": ("organisation", catalogue.ORGANISATIONS), "structure": ("structure", catalogue.STRUCTURES),
    "incident": ("incident", catalogue.INCIDENTS), "cause": ("incident", catalogue.INCIDENTS),
    "effect": ("incident", catalogue.INCIDENTS),
}  # fmt: skip
FACTS = [section for section, _ in called() if section.startswith(("piece.", "claim.", "summary."))]
ROUNDS = 12


@pytest.fixture(scope="module")
def grammar() -> Grammar:
    """The English text files but the scenery."""
    folder = files("lengthwise.builders.longnovel.storyworld.telling") / "en"
    names = ("claims.txt", "names.txt", "pieces.txt", "words.txt")
    return read_grammar([(name, (folder / name).read_text(encoding="utf-8")) for name in names])


@pytest.fixture(scope="module")
def english(grammar: Grammar) -> English:
    """English."""
    return make_language(grammar)


def done(number: int) -> Deed:
    """A deed, another one for each number; so are the things below."""
    family, verb = VERBS[number % len(VERBS)]
    object_: Item | Person = Person(9, bool(number % 2), 9, 9)
    if family == "work":
        object_ = Item("structure", catalogue.STRUCTURES[number % 16], 0, PLACE)
    elif family == "paper":
        object_ = Item("paper", catalogue.PAPERS[number % 12], number % 120)
    return Deed(family, verb, object_)


def value(name: str, section: str, number: int) -> Arg:
    """An argument for a section."""
    if name in WORDS:
        return Word(name, WORDS[name][number % len(WORDS[name])])
    if name in ITEMS:
        kind, keys = ITEMS[name]
        return Item(kind, keys[number % len(keys)], 0, PLACE)
    if name == "hook":
        kind = catalogue.HOOKS[section.split(".")[2]]
        return Item(kind, kind, number)
    if name in ("deed", "other_deed"):
        return done(number * 5 + len(name))
    if name in ("day", "date"):
        return Day(1850 * 365 + number * 37)
    if name in ("amount", "men", "years", "days"):
        return Count(20 + number * 11, {"amount": "money"}.get(name, name))
    if name == "kept":
        return Truth(bool(number % 2))
    if name == "place":
        return PLACE
    if name == "object":
        return (Person(7, True, 7, 7), Item("paper", "will", 4), Item("structure", "kiln", 0, PLACE))[number % 3]
    people = PEOPLE if section.startswith("piece.") else PEOPLE[:2]
    return people[(number + len(name)) % len(people)]


def tell(english: English, parts: Parts, args: dict[str, Arg], number: int) -> str:
    """The words of a template, unfinished."""
    out = []
    for part in parts:
        if isinstance(part, Slot):
            out.append(english.word(args[part.name], part.form))
        elif isinstance(part, Choice):
            out.append(tell(english, part.options[number % len(part.options)], args, number))
        else:
            out.append(part)
    return "".join(out)


def told(grammar: Grammar, english: English) -> Iterator[tuple[str, str]]:
    """Every frame, some times over with other people and words, and where it stands."""
    for (section, params), number in product([one for one in called() if one[0] in FACTS], range(ROUNDS)):
        args = {name: value(name, section, number + place) for place, name in enumerate(params)}
        for template in grammar.templates[section]:
            yield template.origin, english.finish(tell(english, template.parts, args, number))


def test_every_frame_is_one_sentence_for_women_men_and_marks(grammar: Grammar, english: English) -> None:
    whole = re.compile(r"[A-Z][^“”{}|\[\]]*[.!?]")
    bad = [
        (origin, text)
        for origin, text in told(grammar, english)
        if not whole.fullmatch(text) and origin.startswith("pieces")
    ]
    assert bad == []


def test_articles_and_spaces_are_right(grammar: Grammar, english: English) -> None:
    wrong = re.compile(
        r"\b[Aa] [aeioAEIO]|\b[Aa]n [^aeiouAEIOU]|\b([Aa]n?|[Tt]he) (an?|the)\b|  | [,.;:]|[,.;:][A-Za-z]|\b(\w+) \3\b"
    )
    bad = [(origin, text) for origin, text in told(grammar, english) if wrong.search(text)]
    assert bad == []


def test_claims_begin_small_so_that_a_link_may_stand_before_them(grammar: Grammar) -> None:
    capital = [
        template.origin
        for section in grammar.templates
        if section.startswith("claim.")
        for template in grammar.templates[section]
        if isinstance(first := template.parts[0], str) and first[0].isupper()
    ]
    assert capital == []


def test_each_section_has_frames_enough(grammar: Grammar) -> None:
    least = {"narration": 6, "speech": 5, "letter": 4, "soft": 4}
    few = [section for section in FACTS if len(grammar.templates[section]) < least.get(section.rpartition(".")[2], 8)]
    assert few == []


def test_no_frame_is_written_twice(grammar: Grammar) -> None:
    seen: dict[object, str] = {}
    twice = [
        (template.origin, seen[template.parts])
        for section in FACTS
        if not section.endswith(".soft")
        for template in grammar.templates[section]
        if seen.setdefault(template.parts, template.origin) != template.origin
    ]
    assert twice == []


def test_no_name_is_part_of_another(grammar: Grammar) -> None:
    single = [name for table, names in grammar.lists.items() for line in names for name in line.split()]
    joined = " ".join(name.lower() for name in single)
    assert [name for name in single if joined.count(name.lower()) > 1] == []


def test_names_of_places_hold_no_word_of_the_catalogue(grammar: Grammar) -> None:
    words = {
        piece for key in (*catalogue.STRUCTURES, *catalogue.OBJECTS) for piece in key.split("_") if len(piece) > 3
    }
    assert [name for name in grammar.names("names.places") if any(word in name.lower() for word in words)] == []


@pytest.mark.parametrize("verb", [verb for _, verb in VERBS])
def test_a_deed_names_its_object_in_every_form(english: English, verb: str) -> None:
    family = next(family for family, one in VERBS if one == verb)
    object_: Item | Person = MAN if family in ("aid", "quarrel") else Item("structure", "mill", 0, PLACE)
    thing = english.word(object_, "full" if object_ is MAN else "")
    forms = [english.word(Deed(family, verb, object_), form) for form in ("past", "base", "ing", "done")]
    assert all(thing in form for form in forms)
    assert "ing " in forms[2]


def test_no_two_deeds_read_alike(english: English) -> None:
    past = [english.word(Deed(family, verb, Item("structure", "mill", 0, PLACE)), "past") for family, verb in VERBS]
    assert len(set(past)) == len(VERBS)


def test_people_are_told_by_name_pronoun_and_mark(english: English) -> None:
    assert [english.word(WOMAN, form) for form in ("", "full", "he", "him", "his", "himself", "man")] == [
        "Adelaide", "Adelaide Abernathy", "she", "her", "her", "herself", "woman",
    ]  # fmt: skip
    assert english.word(Marked(MAN, "never_wears_hat"), "") == "the man who never wore a hat"
    assert english.word(Marked(WOMAN, "keeps_bees"), "his") == "her"


def test_numbers_are_read_back(english: English) -> None:
    """A reader of its own: what it reads is what was written."""
    ones = {word: value for value, word in enumerate(number_words(one) for one in range(20))}
    tens = {number_words(10 * ten): 10 * ten for ten in range(2, 10)}

    def read(words: str) -> int:
        total = group = 0
        for word in words.replace("-", " ").replace(" and ", " ").split():
            if word == "thousand":
                total, group = 1000 * group, 0
            elif word == "hundred":
                group *= 100
            else:
                group += (ones | tens)[word]
        return total + group

    numbers = [*range(2100), *range(2100, 100_000, 397), 100_000]
    assert [read(number_words(number)) for number in numbers] == numbers


def test_dates_are_read_back(english: English) -> None:
    days = [Day(1838 * 365 + ordinal) for ordinal in range(730)]
    assert len({english.word(day, "") for day in days}) == len(days)
    assert english.word(Day(1872 * 365 + 72), "") == "the 14th of March 1872"
    assert [english.word(Day(1872 * 365 + 72), form) for form in ("month", "season", "year")] == [
        "March 1872", "the spring of 1872", "1872",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("count", "exact", "rough"),
    [
        (Count(340, "money"), "three hundred and forty crowns", "some hundreds of crowns"),
        (Count(1, "money"), "one crown", "a few crowns"),
        (Count(1250, "men"), "one thousand two hundred and fifty men", "a thousand men or more"),
        (Count(21, "days"), "three weeks", "some weeks"),
        (Count(7, "days"), "one week", "some days"),
        (Count(34, "years"), "thirty-four years", "at least thirty years"),
    ],
)
def test_counts_have_their_unit_and_a_rough_word(english: English, count: Count, exact: str, rough: str) -> None:
    assert (english.word(count, ""), english.word(count, "rough")) == (exact, rough)


@pytest.mark.parametrize(
    ("word", "wanted"),
    [("hour", "an"), ("honest", "an"), ("one", "a"), ("useful", "a"), ("uncle", "an"), ("owl", "an")],
)
def test_articles_go_by_sound(word: str, wanted: str) -> None:
    assert article(word) == wanted


def test_speech_and_its_tag(english: English) -> None:
    assert english.quote("It rained.", "said Ada,") == "“It rained,” said Ada."
    assert english.quote("Did it rain?", "asked Ada") == "“Did it rain?” asked Ada."
    assert english.quote("It rained.", "Ada said:", before=True) == "Ada said, “It rained.”"
    assert (
        english.quote("It rained.", "said Ada, as to a(n)  old  friend.")
        == "“It rained,” said Ada, as to an old friend."
    )
    assert english.quote("It rained.") == "“It rained.”"
    assert english.letter(["One.", "He said “two”."]) == "“One. He said ‘two’.”"


def test_sentences_get_their_capitals_and_articles(english: English) -> None:
    assert english.finish("a(n) owl called. it was  an early one; was it? “yes.”") == (
        "An owl called. It was an early one; was it? “Yes.”"
    )


@pytest.mark.parametrize("arg", [Day(0), PLACE, WOMAN, Count(1, "men"), Truth(True), Word("title", "warden")])
def test_a_form_that_is_not_there_is_refused(english: English, arg: Arg) -> None:
    with pytest.raises(InputError, match="no form 'colour'"):
        english.word(arg, "colour")
