"""The Chinese words and frames: all there, well joined with any argument, and read back where they are numbers."""

import re
from collections.abc import Iterator
from importlib.resources import files

import pytest

from lengthwise.builders.longnovel.storyworld import catalogue, telling
from lengthwise.builders.longnovel.storyworld.records import Arg, Count, Day, Deed, Item, Marked, Person, Word
from lengthwise.builders.longnovel.storyworld.telling.checks import check_grammar, missing_words
from lengthwise.builders.longnovel.storyworld.telling.chinese import Chinese, make_language, number_words, rough_words
from lengthwise.builders.longnovel.storyworld.telling.grammar import Choice, Grammar, Parts, Slot, read_folder
from lengthwise.builders.longnovel.storyworld.telling.sections import called
from lengthwise.errors import InputError

WOMAN, MAN = Person(0, True, 0, 0), Person(1, False, 1, 1)
PLACE = Item("place", "town", 0)
WORDS = {
    "mark": catalogue.MARKS, "title": catalogue.TITLES, "relation": catalogue.RELATIONS,
    "outcome": catalogue.OUTCOMES, "motive": catalogue.MOTIVES, "next": catalogue.CONTINUATIONS,
    "purpose": catalogue.PURPOSES, "handover": catalogue.HANDOVERS,
}  # fmt: skip
UNITS = {"amount": "money", "men": "men", "years": "years", "days": "days"}
ITEMS = {
    "thing": ("object", catalogue.OBJECTS), "hall": ("hall", catalogue.HALLS), "place": ("place", ("town",)),
    "organisation": ("organisation", catalogue.ORGANISATIONS), "structure": ("structure", catalogue.STRUCTURES),
    "incident": ("incident", catalogue.INCIDENTS), "cause": ("incident", catalogue.INCIDENTS),
    "effect": ("incident", catalogue.INCIDENTS),
}  # fmt: skip
# What two words must not make where they meet.
CLASHES = re.compile(
    r"([的了着过把给是在从到要又再那于里])\1|一一[块盏副把枚架床支方只根本]|[，。：；！？]{2}|[{}|\[\] ]"
)


@pytest.fixture(scope="module")
def grammar() -> Grammar:
    return read_folder(files(telling) / "zh")


@pytest.fixture(scope="module")
def chinese(grammar: Grammar) -> Chinese:
    return make_language(grammar)


def deeds(other: Person) -> Iterator[Deed]:
    for family, verbs in catalogue.DEEDS.items():
        for number, verb in enumerate(verbs):
            thing: Item | Person = other
            if family == "work":
                thing = Item("structure", catalogue.STRUCTURES[number], 0, PLACE)
            elif family == "paper":
                thing = Item("paper", catalogue.PAPERS[number], number)
            yield Deed(family, verb, thing)


def values(section: str, name: str) -> list[Arg]:
    """Return all that an argument of a section may be, or a sample of it."""
    if name in WORDS:
        return [Word(name, key) for key in WORDS[name]]
    if name in UNITS:
        return [Count(value, UNITS[name]) for value in (2, 12, 20, 35, 101, 222, 340, 1005)]
    if name in ("day", "date"):
        return [Day(1870 * 365 + shift) for shift in (0, 45, 100, 200, 300, 364)]
    if name in ("deed", "other_deed"):
        return list(deeds(MAN))
    if name == "object":
        return [deed.object for deed in deeds(WOMAN)]
    if name == "hook":
        return [Item(catalogue.HOOKS[section.split(".")[2]], "", number) for number in range(3)]
    if name in ITEMS:
        kind, keys = ITEMS[name]
        return [Item(kind, key, 0, PLACE) for key in keys]
    people: list[Arg] = [WOMAN, MAN]
    if section.startswith("piece") and not section.startswith("piece.mark"):
        people += [Marked(person, mark) for mark in catalogue.MARKS for person in (WOMAN, MAN)]
    return people


def tellings(parts: Parts, option: int) -> Iterator[str | Slot]:
    for part in parts:
        if isinstance(part, Choice):
            yield from tellings(part.options[option % len(part.options)], option)
        else:
            yield part


def sections(grammar: Grammar) -> Iterator[tuple[str, dict[str, list[Arg]]]]:
    for section, params in called():
        if section.startswith(("piece.", "claim.", "summary.")):
            yield section, {name: values(section, name) for name in params}


def test_every_id_of_the_catalogue_has_words(grammar: Grammar) -> None:
    assert missing_words(grammar) == []


def test_slots_of_facts_ask_for_forms_that_there_are(grammar: Grammar, chinese: Chinese) -> None:
    facts = [
        fault for fault in check_grammar(grammar, chinese) if re.match(r"(words|names|pieces|links|claims)", fault)
    ]
    assert facts == []


def test_every_frame_reads_well_with_every_word(grammar: Grammar, chinese: Chinese) -> None:
    for section, options in sections(grammar):
        for template in grammar.templates[section]:
            # Each argument runs through all its values, at different paces, so that pairs meet too.
            for turn in range(max([len(found) for found in options.values()], default=1)):
                args = {name: found[turn * pace % len(found)] for pace, (name, found) in enumerate(options.items(), 1)}
                text = chinese.finish(
                    "".join(
                        part if isinstance(part, str) else chinese.word(args[part.name], part.form)
                        for part in tellings(template.parts, turn)
                    )
                )
                assert not CLASHES.search(text), f"{template.origin}: {text}"
                assert text[-1] in "。！？，：", f"{template.origin}: {text}"


def test_frames_of_facts_are_one_sentence(grammar: Grammar) -> None:
    for section, _ in sections(grammar):
        if section.startswith("claim"):
            for template in grammar.templates[section]:
                text = "".join(part for part in tellings(template.parts, 0) if isinstance(part, str))
                assert len(re.findall("[。！？]", text)) == 1, template.origin


@pytest.mark.parametrize(("mode", "least"), [("narration", 7), ("speech", 5), ("letter", 4)])
def test_pieces_have_many_frames(grammar: Grammar, mode: str, least: int) -> None:
    few = [name for name, lines in grammar.templates.items() if name.startswith("piece") and name.endswith(mode)
           and len(set(lines)) < least]  # fmt: skip
    assert few == []


def test_no_name_lies_within_another(chinese: Chinese, grammar: Grammar) -> None:
    given = [*grammar.names("names.women"), *grammar.names("names.men")]
    people = {family + name for family in grammar.names("names.families") for name in given}
    others = {name for table in ("places", "hooks", "offstage") for name in grammar.names(f"names.{table}")}
    assert len(people) == len(given) * len(grammar.names("names.families"))
    assert {len(name) for name in people} == {3}
    assert not people & others
    inside = [name for name in others if any(name != other and name in other for other in others)]
    assert inside == []


def value_of(text: str) -> int:
    """Read a number of characters back."""
    total = part = digit = 0
    for sign in text:
        if sign in "零一二三四五六七八九":
            digit = "零一二三四五六七八九".index(sign)
        elif sign == "两":
            digit = 2
        elif sign == "万":
            total, part, digit = (part + digit) * 10_000, 0, 0
        else:
            part, digit = part + (digit or 1) * {"十": 10, "百": 100, "千": 1000}[sign], 0
    return total + part + digit


def test_numbers_are_read_back() -> None:
    for value in [*range(2500), *range(2500, 100_000, 37)]:
        assert value_of(number_words(value)) == value


def test_dates_are_read_back(chinese: Chinese) -> None:
    for ordinal in range(1838 * 365, 1900 * 365, 11):
        found = re.fullmatch("(.{4})年(.+)月(.+)日", chinese.word(Day(ordinal), ""))
        assert found is not None
        year = int("".join(str("〇一二三四五六七八九".index(sign)) for sign in found[1]))
        assert (year, value_of(found[2]), value_of(found[3])) == Day(ordinal).date


def test_days_that_make_weeks_are_told_as_weeks(chinese: Chinese) -> None:
    assert [chinese.word(Count(value, "days"), "") for value in (2, 14, 15)] == ["两天", "两个星期", "十五天"]


def test_rough_counts_hold_the_count() -> None:
    assert [rough_words(value, "men") for value in (9, 10, 99, 100, 199, 200)] == [
        "几名士兵", "十来名士兵", "几十名士兵", "上百名士兵", "上百名士兵", "几百名士兵",
    ]  # fmt: skip


def test_pronouns_follow_the_person(chinese: Chinese) -> None:
    marked = Marked(WOMAN, "keeps_bees")
    assert [chinese.word(arg, "ta") for arg in (WOMAN, MAN, marked)] == ["她", "他", "她"]
    assert chinese.word(marked, "full") == "养蜂的那个人"


def test_quotes_within_a_letter_are_inner_ones(chinese: Chinese) -> None:
    assert chinese.letter(["他说“好”。", "雨停了。"]) == "“他说‘好’。雨停了。”"


def test_a_form_that_is_not_there_is_told(chinese: Chinese) -> None:
    with pytest.raises(InputError, match="no form 'bare'"):
        chinese.word(PLACE, "bare")
