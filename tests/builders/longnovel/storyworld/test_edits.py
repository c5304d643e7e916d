"""Typed edits of claims."""

from collections import Counter
from dataclasses import replace

import pytest

from lengthwise.builders.longnovel.prompt_texts import subtypes
from lengthwise.builders.longnovel.records import LANGUAGES, Language
from lengthwise.builders.longnovel.storyworld.edits import TABLE, Change, changes, choose
from lengthwise.builders.longnovel.storyworld.records import Truth, World
from lengthwise.builders.longnovel.storyworld.truth import Facts
from lengthwise.builders.longnovel.storyworld.world import make_world
from lengthwise.builders.streams import Stream
from lengthwise.errors import InputError
from lengthwise.metrics.fault_types import HallucinationType as Type


def every(world: World, language: Language) -> list[Change]:
    return [change for claim in world.claims for change in changes(claim, language)]


def test_the_table_has_the_subtypes_of_the_prompts() -> None:
    assert {kind: tuple(ways) for kind, ways in TABLE.items()} == {
        kind: subtypes(kind, "en") or ("",) for kind in Type
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_subtypes_can_be_made_in_a_world_of_18_claims(worlds: list[World], language: Language) -> None:
    wanted = {(kind, way) for kind in Type for way in subtypes(kind, language) or ("",)}
    # Which of the two it is follows from a coin; a world may have two promises of one sort.
    coin = {(Type.LOGICAL_INVERSION, "T1"), (Type.LOGICAL_INVERSION, "T2")}
    for world in worlds:
        if len(world.claims) >= 18:
            found = {(change.type, change.subtype) for change in every(world, language)}
            assert wanted - coin <= found <= wanted
            assert found & coin


def test_every_rival_has_a_type(worlds: list[World]) -> None:
    for world in worlds[::4]:
        for claim in world.claims:
            assert len(changes(claim, "en")) == len(claim.rivals)


def test_a_changed_claim_is_untrue_and_nothing_else(worlds: list[World]) -> None:
    for world in worlds[::3]:
        facts = Facts(world.pieces)
        for change in every(world, "en"):
            assert facts.holds(change.claim) and not facts.holds(change.changed)
            assert replace(change.changed, args=change.claim.args) == change.claim
            assert set(change.changed.args) == set(change.claim.args)


def test_events_are_merged_in_english_only(worlds: list[World]) -> None:
    merged = {lang: {c.subtype for w in worlds for c in every(w, lang) if c.type is Type.EVENT} for lang in LANGUAGES}
    assert merged["en"] - merged["zh"] == {"T4"}


def test_logical_inversion_is_named_by_the_truth(worlds: list[World]) -> None:
    for world in worlds:
        for change in every(world, "zh"):
            if change.type is Type.LOGICAL_INVERSION:
                assert change.claim.args["kept"] == Truth(change.subtype == "T1")


def test_wanted_types_come_in_their_order() -> None:
    world = make_world(("choose",), 16_000, 60)
    wanted = [(Type.EVENT, "T1"), (Type.ENTITY, "T2"), (Type.CAUSAL, "")]
    for row in range(30):
        chosen = choose(world.claims, "en", Stream("row", row), wanted)
        assert [change.type for change in chosen] == [kind for kind, _ in wanted]
        assert [change.subtype for change in chosen[:2]] == ["T1", "T2"]
        assert len({change.claim.number for change in chosen}) == 3


def test_a_type_that_no_claim_allows_is_given_up() -> None:
    claims = [claim for claim in make_world(("few",), 4_000, 18).claims if claim.kind in ("deed", "order")]
    wanted = [(Type.EVENT, "T1"), (Type.TEMPORAL, ""), (Type.CAUSAL, "T1")]
    chosen = choose(claims, "zh", Stream("row"), wanted)
    assert [change.type for change in chosen] == [Type.EVENT, Type.TEMPORAL]
    assert choose(claims, "zh", Stream("row"), [(Type.RELATION, "T1")]) == ()


def test_another_subtype_where_no_claim_is_left_for_the_wanted_one() -> None:
    claims = [claim for claim in make_world(("few",), 4_000, 18).claims if claim.kind in ("deed", "owner")]
    chosen = choose(claims, "en", Stream("row"), [(Type.EVENT, "T1"), (Type.ENTITY, "T2")])
    assert [(change.type, change.subtype) for change in chosen] == [(Type.EVENT, "T1"), (Type.ENTITY, "T1")]


def test_one_claim_is_not_changed_twice() -> None:
    claims = [claim for claim in make_world(("few",), 4_000, 18).claims if claim.kind == "deed"]
    assert len(claims) == 1
    assert len(choose(claims, "en", Stream("row"), [(Type.EVENT, "T1"), (Type.ENTITY, "T2")])) == 1


def test_logical_inversion_goes_both_ways_whatever_is_wanted() -> None:
    ways = Counter(
        change.subtype
        for seed in range(200)
        for change in choose(
            make_world(("vow", seed), 1_000, 18).claims, "en", Stream("row", seed), [(Type.LOGICAL_INVERSION, "T1")]
        )
    )
    assert ways.total() == 200 and abs(ways["T1"] - 100) < 3 * 200**0.5 / 2


def test_what_cannot_be_wanted() -> None:
    with pytest.raises(InputError, match="twice"):
        choose([], "en", Stream("row"), [(Type.EVENT, "T1"), (Type.EVENT, "T2")])
    with pytest.raises(InputError, match="subtype of relation"):
        choose([], "en", Stream("row"), [(Type.RELATION, "T4")])


def test_a_change_that_nobody_sees_is_none() -> None:
    claims = make_world(("seen",), 4_000, 30).claims
    (first,) = choose(claims, "en", Stream("row"), [(Type.TEMPORAL, "")])
    (other,) = choose(claims, "en", Stream("row"), [(Type.TEMPORAL, "")], lambda change: change.claim != first.claim)
    assert other.claim != first.claim
    assert choose(claims, "en", Stream("row"), [(Type.TEMPORAL, "")], lambda _: False) == ()
