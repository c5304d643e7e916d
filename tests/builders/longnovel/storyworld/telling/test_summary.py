from dataclasses import replace

import pytest

from lengthwise.builders.longnovel.storyworld.records import Claim, Count, Day, Item, Truth, Word
from lengthwise.builders.longnovel.storyworld.telling.summary import introduce, retell, tell_claim

PLACE = Item("place", "town", 3)


@pytest.fixture
def claim(world_of):
    people = world_of([2000]).people
    args = {"agent": people[1], "payee": people[2], "amount": Count(40, "money"), "purpose": Word("purpose", "roof")}
    return Claim(7, "amount", args, (1, 2), 1)


def test_a_claim_is_told_by_full_names(plain, claim):
    assert "P1 F1 P2 F2 40 money roof." in tell_claim(plain, ("k",), claim).text


def test_a_changed_claim_is_told_by_the_same_frame(plain, claim):
    for number in range(50):
        true = replace(claim, number=number)
        false = replace(true, args={**claim.args, "amount": Count(55, "money")})
        told, changed = tell_claim(plain, ("k",), true), tell_claim(plain, ("k",), false)
        assert told.text.replace("40 money", "55 money") == changed.text != told.text


def test_claims_of_other_numbers_and_worlds_are_told_by_other_frames(plain, claim):
    assert len({tell_claim(plain, ("k",), replace(claim, number=number)).text for number in range(60)}) > 20
    assert len({tell_claim(plain, ("k", key), claim).text for key in range(60)}) > 20


def test_a_few_sentences_begin_with_a_link(plain, claim):
    told = [tell_claim(plain, ("k",), replace(claim, number=number)).text for number in range(200)]
    assert 10 < sum(text.startswith("Summary link") for text in told) < 60


def test_a_soft_claim_is_told_by_a_soft_frame_where_there_is_one(plain, claim, world_of):
    soft = tell_claim(plain, ("k",), claim, soft=True)
    assert soft.soft
    assert "laim amount soft line" in soft.text
    owner = world_of([2000]).claims[0]
    assert not tell_claim(plain, ("k",), owner, soft=True).soft


@pytest.mark.parametrize(
    ("kind", "args", "section"),
    [
        ("deed", {"agent": 1, "deed": 0}, "laim deed line"),
        ("deed", {"agent": 1, "deed": 0, "place": PLACE}, "laim deed place line"),
        ("vow", {"agent": 1, "deed": 0, "kept": Truth(True)}, "laim vow yes line"),
        ("vow", {"agent": 1, "deed": 0, "kept": Truth(False)}, "laim vow no line"),
        ("late", {"agent": 1, "deed": 0, "day": Day(1850 * 365)}, "laim late line"),
    ],
)
def test_what_is_told_decides_on_the_section(plain, world_of, kind, args, section):
    known = world_of([2000]).pieces[0].args
    told = tell_claim(
        plain, ("k",), Claim(1, kind, {name: known.get(name, arg) for name, arg in args.items()}, (1,), 1)
    )
    assert section in told.text


def test_a_summary_is_introduced_by_place_and_people(plain, world_of):
    told = introduce(plain, world_of([2000]))
    assert "town1 1850/2/10 P1 F1 P2 F2 P3 F3." in told


def test_the_reference_tells_every_claim_in_the_chapter_that_completes_it(plain, world_of):
    world = world_of([2000, 2000, 2000])
    found = retell(plain, world)
    assert [[sentence.claim.chapter for sentence in chapter] for chapter in found] == [[1] * 6, [2] * 6, [3] * 6]
