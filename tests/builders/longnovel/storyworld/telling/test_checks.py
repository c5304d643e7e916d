import pytest

from lengthwise.builders.longnovel.storyworld.telling.checks import check_grammar
from lengthwise.builders.longnovel.storyworld.telling.grammar import read_grammar
from lengthwise.builders.longnovel.storyworld.telling.teller import load_teller
from lengthwise.errors import InputError


@pytest.fixture
def faults(plain_text, plain_language):
    return lambda text="", without="": check_grammar(
        read_grammar(
            [("plain.txt", plain_text.replace(without, "== words.gone" if without else without)), ("x.txt", text)]
        ),
        plain_language,
    )


def test_a_grammar_that_words_everything_has_no_faults(faults):
    assert faults() == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "== gesture\n{nobody} came.",
            "x.txt:2: {nobody} is no section, and no argument of gesture (a, b, place, date)",
        ),
        ("== custom\n{c} came.", "x.txt:2: {c} is no section, and no argument of custom (a, b, place, date)"),
        ("== gesture\n{a.hers} came.", "x.txt:2: {a.hers}: a person has no form 'hers', only (none), full"),
        (
            "== gesture\n[so|{how}].\n== how\n{who}",
            "x.txt:4: {who} is no section, and no argument of how (a, b, place, date)",
        ),
        ("== gesture\n{how}\n== how\n{gesture}", "x.txt:4: {gesture} leads back to itself"),
        ("== guesture\n{a} came.", "x.txt:1: nobody calls section guesture; is its name misspelt?"),
    ],
)
def test_a_fault_is_named_with_its_place(faults, text, message):
    assert faults(text) == [message]


def test_a_section_may_lie_between_the_teller_and_words(faults):
    assert faults("== gesture\n{a} {how.well}.\n== how.well\n[sat|stood] by {b}") == []


def test_a_section_that_the_teller_calls_has_to_be_there(plain_text, plain_language):
    grammar = read_grammar([("plain.txt", plain_text.replace("== weather.fog\n", "== weather.rain\n"))])
    assert check_grammar(grammar, plain_language) == [
        "no section weather.fog, which the teller calls with a, b, place, date"
    ]


def test_an_id_without_words_is_named(plain_text, plain_language):
    grammar = read_grammar([("plain.txt", plain_text.replace("kiln = the kiln\n", ""))])
    assert [fault.partition(": ")[2] for fault in check_grammar(grammar, plain_language)] == [
        "words.structure has no words for kiln"
    ]


def test_too_few_names_and_names_that_come_twice_are_named(plain_text, plain_language):
    grammar = read_grammar([("plain.txt", plain_text.replace("name79\n", "name78\n", 1))])
    found = [fault.partition(": ")[2] for fault in check_grammar(grammar, plain_language)]
    assert found == ["names.women has 79 different names, not 80 or more", "names.women has 1 names twice"]


@pytest.mark.parametrize("code", ["en", "zh"])
def test_the_languages_that_come_with_it_are_whole(code):
    teller = load_teller(code)
    assert check_grammar(teller.grammar, teller.language) == []


def test_a_language_that_nobody_wrote_is_unknown():
    with pytest.raises(InputError, match="unknown language 'fr'"):
        load_teller("fr")
