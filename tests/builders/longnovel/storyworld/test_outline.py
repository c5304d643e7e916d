from collections.abc import Sequence
from dataclasses import replace

import pytest

from lengthwise.builders.longnovel.storyworld.designs import Design
from lengthwise.builders.longnovel.storyworld.draws import Draws
from lengthwise.builders.longnovel.storyworld.outline import Outline, claims_wanted, make_outline
from lengthwise.builders.longnovel.storyworld.records import Claim, Sentence, World
from lengthwise.builders.longnovel.storyworld.truth import Facts
from lengthwise.builders.longnovel.storyworld.world import make_world
from lengthwise.builders.longnovel.text import count_words
from lengthwise.builders.streams import Stream
from lengthwise.errors import InputError
from lengthwise.metrics.fault_types import HallucinationType as Type


def tell(claim: Claim, soft: bool) -> Sentence:
    """Sentences of ten to twenty-two words that show the whole claim."""
    words = ["w"] * (10 + claim.number % 13)
    words[0] = f"{claim.kind}{sorted(claim.args.items(), key=str)!r}".replace(" ", "_")
    soft = soft and claim.kind in ("amount", "date", "deed", "troops", "age")
    return Sentence(" ".join(words[: 8 if soft else None]), claim, soft)


@pytest.fixture(scope="module")
def world() -> World:
    return make_world(("outline", 1), 16_000, claims_wanted(900, "en"))


def outline(world: World, wanted: Sequence[tuple[Type, str]], soft: int = 0, words: int = 900) -> Outline:
    return make_outline(world.claims, Design(tuple(wanted), soft), words, "en", tell, Draws("o", 1), Stream("o", 1))


def length(sentences: Sequence[Sentence]) -> int:
    return sum(count_words(one.text, "en") for one in sentences)


@pytest.mark.parametrize("kind", list(Type))
def test_what_is_wanted_is_changed_and_nothing_else(world: World, kind: Type) -> None:
    made = outline(world, [(kind, "T1" if kind is not Type.TEMPORAL else "")], soft=4)
    facts = Facts(world.pieces)
    assert [change.type for change in made.changes] == [kind]
    differ = [(old, new) for old, new in zip(made.told, made.changed, strict=True) if old != new]
    assert [(old.claim, new.claim) for old, new in differ] == [(c.claim, c.changed) for c in made.changes]
    assert all(facts.holds(sentence.claim) for sentence in made.told)
    assert [facts.holds(sentence.claim) for sentence in made.changed].count(False) == 1


def test_subtypes_are_the_wanted_ones(world: World) -> None:
    made = outline(world, [(Type.ENTITY, "T2"), (Type.EVENT, "T4"), (Type.CAUSAL, "T2")])
    assert {(change.type, change.subtype) for change in made.changes} == {
        (Type.ENTITY, "T2"), (Type.EVENT, "T4"), (Type.CAUSAL, "T2")
    }  # fmt: skip


def test_claims_stand_in_their_order_and_come_once(world: World) -> None:
    numbers = [sentence.claim.number for sentence in outline(world, [(Type.ENTITY, "T1")], soft=5).told]
    assert numbers == sorted(set(numbers))


@pytest.mark.parametrize("soft", range(6))
def test_soft_sentences_are_in_both_summaries_and_never_the_changed_ones(world: World, soft: int) -> None:
    made = outline(world, [(Type.NUMERICAL, "T1"), (Type.ENTITY, "T3")], soft=soft)
    assert sum(sentence.soft for sentence in made.told) == soft
    assert [one for one in made.told if one.soft] == [one for one in made.changed if one.soft]


@pytest.mark.parametrize("words", [220, 450, 900])
def test_both_summaries_have_their_length(world: World, words: int) -> None:
    for seed in range(5):
        made = make_outline(
            world.claims, Design(((Type.EVENT, "T1"),), 3), words, "en", tell, Draws("o", seed), Stream("o", seed), 20
        )
        assert abs(length(made.told) + 20 - words) <= 0.05 * words
        assert abs(length(made.changed) + 20 - words) <= 0.1 * words


def test_a_summary_of_a_few_sentences_has_its_length(world: World) -> None:
    for seed in range(20):
        design = Design(((Type.EVENT, "T1"),), 0)
        made = make_outline(world.claims, design, 60, "en", tell, Draws("o", seed), Stream("o", seed))
        assert abs(length(made.told) - 60) <= 6
        assert abs(length(made.changed) - 60) <= 6


def test_a_short_summary_gives_up_what_it_has_no_room_for(world: World) -> None:
    made = outline(world, [(Type.ENTITY, "T1"), (Type.EVENT, "T1"), (Type.CAUSAL, "T1")], soft=5, words=60)
    assert Type.ENTITY in {change.type for change in made.changes}
    assert length(made.told) <= 66


def test_too_few_claims_are_an_error(world: World) -> None:
    few = replace(world, claims=world.claims[:20])
    with pytest.raises(InputError, match="too few"):
        outline(few, [(Type.ENTITY, "T1")], words=2000)
