"""How a grammar file is read and expanded."""

import pytest

from lengthwise.builders.multi_instance.pools.generated.draws import Draws
from lengthwise.builders.multi_instance.pools.generated.grammar import Expansion, Grammar, load
from lengthwise.builders.streams import Stream
from lengthwise.errors import InputError

FILES = [
    (("names-en", "language-en"), 16),
    (("language-es",), 16),
    (("language-fa",), 16),
    (("language-zh",), 16),
]


def write(rules: str, seed: int = 0, thousands: str = ",") -> str:
    return Expansion(Grammar(rules, thousands), Draws(Stream("test", seed))).write("s")


def test_a_slot_is_filled_kept_and_repeated() -> None:
    assert write("= s\n{^N=noun}, {N}, {N}!\n= noun\nsalt") == "Salt, salt, salt!"


def test_fields_agree() -> None:
    rules = "= s\n{T:=thing}{T.el} {T} es roj{T.o}\n= thing: name el o\ncasa ; la ; a\npuente ; el ; o"
    assert {write(rules, seed) for seed in range(30)} == {"la casa es roja", "el puente es rojo"}


def test_brackets_choose() -> None:
    assert {write("= s\nx[ y]", seed) for seed in range(30)} == {"x", "x y"}
    assert {write("= s\n[a|b|[c]]", seed) for seed in range(60)} == {"a", "b", "c", ""}


def test_numbers_stay_in_their_range() -> None:
    assert {write("= s\n{2-4}", seed) for seed in range(60)} == {"2", "3", "4"}
    assert write("= s\n{#1234567-1234567}", thousands=".") == "1.234.567"


def test_a_weight_counts() -> None:
    heavy = [write("= s\n99* a\nb", seed) for seed in range(100)]
    assert heavy.count("a") > 90


def test_no_alternative_comes_twice_before_all_have_come() -> None:
    rules = "= s\n{x} {x} {x} {x}\n= x\na\nb\nc\nd"
    assert all(sorted(write(rules, seed).split()) == list("abcd") for seed in range(50))


def test_every_alternative_is_about_as_likely() -> None:
    drawn = [write("= s\n{x}\n= x\na\nb\nc", seed) for seed in range(600)]
    assert all(150 < drawn.count(letter) < 250 for letter in "abc")


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("= s\n{nothing}", "no rules nothing"),
        ("= s\n{a b}", "cannot read the slot"),
        ("= s\n{a", "brace is not closed"),
        ("= s\n[a", "bracket is not closed"),
        ("= s\na|b", "outside of brackets"),
        ("= s: a b\nonly one", "must have 2 parts"),
        ("= s\na\n= s\nb", "given twice"),
    ],
)
def test_what_cannot_be_read_is_named(rules: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Grammar(rules)


@pytest.mark.parametrize(("files", "least"), FILES)
def test_every_topic_has_its_rules(files: tuple[str, ...], least: int) -> None:
    rules = load(*files).rules
    topics = {str(one[0][0]) for one in rules["topic"].alternatives}
    assert len(topics) >= least
    for topic in topics:
        assert len(rules[f"{topic}-lead"].alternatives) >= 2 and len(rules[f"{topic}-more"].alternatives) >= 10
        assert f"{topic}-set" in rules


@pytest.mark.parametrize(("files", "least"), FILES)
def test_every_sentence_can_be_written_first(files: tuple[str, ...], least: int) -> None:
    grammar = load(*files)
    for topic in {str(one[0][0]) for one in grammar.rules["topic"].alternatives}:
        for rule in (f"{topic}-lead", f"{topic}-more"):
            for seed in range(60):
                writing = Expansion(grammar, Draws(Stream("test", topic, rule, seed)))
                writing.write(f"{topic}-set")
                assert writing.write(rule)
