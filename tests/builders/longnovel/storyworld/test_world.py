"""The ledger: what is true of every world, and that a truth and its rival could have changed places."""

import hashlib
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from statistics import median

import pytest

from lengthwise.builders.longnovel.storyworld.catalogue import HOOKS, NAMES
from lengthwise.builders.longnovel.storyworld.records import (
    Arg,
    Claim,
    Count,
    Day,
    Deed,
    Item,
    Marked,
    Person,
    Piece,
    Truth,
    Word,
    World,
)
from lengthwise.builders.longnovel.storyworld.world import KINDS, make_world
from lengthwise.errors import InputError

# SHA-256 of a world as text: a change means that every build of this source gets other novels.
GOLDEN = "22c6e3194fcebc6cfae086708ff417ac198cd32cb1d1464e7a432c4070af0bb5"


def people_in(value: Arg | Item | None) -> Iterator[Person]:
    """Yield the people of an arg."""
    if isinstance(value, Person):
        yield value
    elif isinstance(value, Marked):
        yield value.person
    elif isinstance(value, Deed) and isinstance(value.object, Person):
        yield value.object


def people_of(told: Claim | Piece) -> set[Person]:
    return {person for value in told.args.values() for person in people_in(value)}


def days_of(told: Claim | Piece) -> list[Day]:
    return [value for value in told.args.values() if isinstance(value, Day)]


def deeds_of(told: Claim | Piece) -> list[Deed]:
    return [value for value in told.args.values() if isinstance(value, Deed)]


def middles(world: World) -> dict[int, float]:
    """Return how far into the novel the middle of each chapter is."""
    total, before, found = sum(chapter.tokens for chapter in world.chapters), 0, {}
    for chapter in world.chapters:
        found[chapter.number] = (before + chapter.tokens / 2) / total
        before += chapter.tokens
    return found


def distance(world: World, claim: Claim) -> float:
    """Return how far apart the first and the last piece of a claim are, of the novel."""
    pieces = world.pieces
    if len(world.chapters) == 1:
        return (max(claim.pieces) - min(claim.pieces)) / len(pieces)
    where = middles(world)
    places = [where[pieces[number].chapter] for number in claim.pieces]
    return max(places) - min(places)


def test_a_key_gives_the_same_world() -> None:
    assert make_world(("k", 1), 8_000, 24) == make_world(("k", 1), 8_000, 24) != make_world(("k", 2), 8_000, 24)


def test_golden_world() -> None:
    world = make_world(("golden", 1), 16_000, 34)
    assert hashlib.sha256(repr(world).encode()).hexdigest() == GOLDEN


@pytest.mark.parametrize(("tokens", "claims"), [(999, 5), (1_000_001, 5), (4_000, 0), (4_000, 5_000)])
def test_a_world_that_cannot_be(tokens: int, claims: int) -> None:
    with pytest.raises(InputError, match="a world has"):
        make_world(("k",), tokens, claims)


@pytest.mark.parametrize("tokens", [1_000, 2_000, 3_999, 4_000, 6_001, 11_999, 12_000, 13_801, 50_000, 1_000_000])
def test_chapters_add_up(tokens: int) -> None:
    for seed in range(8):
        world = make_world(("length", seed), tokens, 3)
        lengths = [chapter.tokens for chapter in world.chapters]
        assert sum(lengths) == tokens
        assert len(lengths) == 1 or 2_000 <= min(lengths) <= max(lengths) <= 6_000
        days = [chapter.day for chapter in world.chapters]
        assert days == sorted(set(days))
        assert 1838 <= world.begins.date[0] <= days[-1].date[0] <= 1899


def test_numbers_are_places(worlds: list[World]) -> None:
    for world in worlds:
        assert [piece.number for piece in world.pieces] == list(range(len(world.pieces)))
        told = [piece.number for chapter in world.chapters for piece in chapter.pieces]
        assert told == sorted(told)
        assert all(piece.chapter == chapter.number for chapter in world.chapters for piece in chapter.pieces)
        assert [claim.number for claim in world.claims] == list(range(len(world.claims)))
        for claim in world.claims:
            assert claim.chapter == max(world.pieces[number].chapter for number in claim.pieces)
        ends = [max(claim.pieces) for claim in world.claims]
        assert ends == sorted(ends)


def test_every_kind_is_in_a_world_of_18_claims(worlds: list[World]) -> None:
    for world in worlds:
        if len(world.claims) >= 18:
            assert {claim.kind for claim in world.claims} == set(KINDS)


def test_names_are_unique_and_known(worlds: list[World]) -> None:
    for world in worlds:
        assert [person.number for person in world.people] == list(range(len(world.people)))
        for women, table in ((True, "women"), (False, "men")):
            names = [person.name for person in world.people if person.woman is women]
            assert len(set(names)) == len(names) >= 3 and max(names) < NAMES[table]
        families = [person.family for person in world.people]
        papers = {
            deed.object.name
            for piece in world.pieces
            for deed in deeds_of(piece)
            if isinstance(deed.object, Item) and deed.object.kind == "paper"
        }
        assert len(set(families)) == len(families) and not papers & set(families)
        assert max(families) < NAMES["families"]
        assert 4 <= len({place.name for place in world.places}) == len(world.places) <= 40


def test_nothing_is_told_before_its_day(worlds: list[World]) -> None:
    for world in worlds:
        for chapter in world.chapters:
            assert all(day < chapter.day for piece in chapter.pieces for day in days_of(piece))


def test_what_happened_on_an_incidents_day_is_told_after_it(worlds: list[World]) -> None:
    for world in worlds:
        days = {piece.args["incident"]: piece.args["day"] for piece in world.pieces if piece.kind == "incident"}
        for piece in world.pieces:
            if piece.kind == "same_day":
                day = days[piece.args["incident"]]
                assert isinstance(day, Day) and day < world.chapters[piece.chapter - 1].day


def test_the_dead_do_nothing(worlds: list[World]) -> None:
    for world in worlds:
        assert set(world.deaths) == {claim.args["person"] for claim in world.claims if claim.kind == "death"}
        for claim in world.claims:
            if claim.kind != "death":
                assert not people_of(claim) & set(world.deaths)
                for rivals in claim.rivals.values():
                    assert not {one for args in rivals for value in args.values() for one in people_in(value)} & set(
                        world.deaths
                    )
        for chapter in world.chapters:
            assert 3 <= len(set(chapter.cast)) == len(chapter.cast) <= 5
            assert all(chapter.day < world.deaths.get(person, Day(10**9)) for person in chapter.cast)


def test_a_mark_is_told_while_its_owner_lives(worlds: list[World]) -> None:
    for world in worlds:
        for piece in world.pieces:
            if piece.kind == "mark":
                [person] = people_of(piece)
                day = world.chapters[piece.chapter - 1].day
                assert day <= world.deaths.get(person, day)


def test_nobody_acts_before_the_age_of_twelve(worlds: list[World]) -> None:
    for world in worlds:
        for piece in world.pieces:
            if piece.kind == "born":
                [born] = days_of(piece)
                assert 12 * 365 <= world.begins.ordinal - born.ordinal <= 80 * 365


def test_one_age_for_one_who_is_not_closely_related(worlds: list[World]) -> None:
    for world in worlds:
        aged = Counter(claim.args["agent"] for claim in world.claims if claim.kind == "age")
        assert not aged or max(aged.values()) == 1
        near = {Word("relation", key) for key in ("cousin", "sibling", "in_law", "teacher")}
        kin = {
            person
            for claim in world.claims
            if claim.kind == "kin" and claim.args["relation"] in near
            for person in people_of(claim)
        }
        assert not kin & set(aged)


def test_two_people_are_related_once_and_close_kin_in_one_way(worlds: list[World]) -> None:
    for world in worlds:
        pairs: Counter[frozenset[Arg]] = Counter()
        close: Counter[Person] = Counter()
        for claim in world.claims:
            if claim.kind == "kin":
                [rival] = claim.rivals["b"]
                pairs.update(frozenset({claim.args["a"], b}) for b in (claim.args["b"], rival["b"]))
                relation = claim.args["relation"]
                assert isinstance(relation, Word)
                if HOOKS[relation.key] == "offstage":
                    close.update(people_of(claim))
        assert not pairs or max(pairs.values()) == 1
        assert not close or max(close.values()) == 1


def test_what_is_done_to_things_and_people_is_in_one_claim(worlds: list[World]) -> None:
    for world in worlds:
        used: Counter[object] = Counter()
        for claim in world.claims:
            # A rival's deed belongs to the claim as its own does.
            deeds = {deed.object: deed for deed in deeds_of(claim)}
            for rivals in claim.rivals.values():
                deeds |= {v.object: v for args in rivals for v in args.values() if isinstance(v, Deed)}
            used.update({one for one in deeds if isinstance(one, Item)})
            used.update({v for v in claim.args.values() if isinstance(v, Item) and v.kind not in ("place",)})
            if claim.kind == "troops":
                used[claim.args["place"]] += 1
        assert max(used.values()) == 1


def test_two_people_have_one_deed_between_them(worlds: list[World]) -> None:
    for world in worlds:
        pairs = Counter(
            frozenset({agent, deed.object})
            for claim in world.claims
            for agent, deed in ((claim.args.get("agent"), claim.args.get("deed")),
                                (claim.args.get("other_agent"), claim.args.get("other_deed")))
            if isinstance(deed, Deed) and isinstance(deed.object, Person)
        )  # fmt: skip
        assert all(len(pair) == 2 for pair in pairs)
        assert not pairs or max(pairs.values()) == 1


def test_nobody_does_two_dated_things_on_a_day(worlds: list[World]) -> None:
    for world in worlds:
        seen: Counter[tuple[object, Day]] = Counter()
        for piece in world.pieces:
            if piece.kind == "deed" and "day" in piece.args:
                [agent], [day] = people_in(piece.args["agent"]), days_of(piece)
                seen[agent, day] += 1
            if piece.kind == "incident":
                seen["incident", days_of(piece)[0]] += 1
        assert not seen or max(seen.values()) == 1


def test_numbers_read_naturally(worlds: list[World]) -> None:
    least = {"money": 20, "men": 40, "days": 3, "years": 18}
    for world in worlds:
        for told in (*world.pieces, *world.claims):
            for value in told.args.values():
                if isinstance(value, Count):
                    assert value.value >= least[value.unit]
                    assert value.unit not in ("money", "men") or value.value % 10 == 0
                    assert value.unit != "days" or value.value <= 120


def test_evidence_is_far_apart() -> None:
    found: dict[str, list[float]] = {}
    for tokens, claims in ((8_000, 24), (16_000, 40), (60_000, 60)):
        for seed in range(25):
            world = make_world(("far", seed), tokens, claims)
            for claim in world.claims:
                found.setdefault(claim.kind, []).append(distance(world, claim))
    every = [one for ones in found.values() for one in ones]
    assert median(every) > 0.45
    assert sum(one == 0 for one in every) < 0.02 * len(every)
    for kind, ones in found.items():
        assert sum(one >= 0.4 for one in ones) > 0.6 * len(ones), kind


def test_evidence_is_far_apart_within_one_chapter() -> None:
    found = []
    for seed in range(20):
        world = make_world(("one", seed), 1_900, 18)
        found += [distance(world, claim) for claim in world.claims]
    assert median(found) > 0.4


def test_pieces_are_spread_evenly() -> None:
    fifths = [0.0] * 5
    for seed in range(20):
        world = make_world(("even", seed), 60_000, 60)
        where = middles(world)
        for piece in world.pieces:
            fifths[int(where[piece.chapter] * 5)] += 1 / len(world.pieces)
    assert all(abs(one / sum(fifths) - 0.2) < 0.03 for one in fifths)


def rank(value: object) -> object:
    """Return what a value is ordered by."""
    if isinstance(value, Count | Truth):
        return value.value
    return value if isinstance(value, Day) else repr(value)


def test_the_larger_value_is_the_truth_as_often_as_not() -> None:
    seen: Counter[tuple[str, str]] = Counter()
    larger: Counter[tuple[str, str]] = Counter()
    for seed in range(300):
        for claim in make_world(("fair", seed), 8_000, 24).claims:
            for name, [rival] in claim.rivals.items():
                truth, other = rank(claim.args[name]), rank(rival[name])
                seen[claim.kind, name] += truth != other
                larger[claim.kind, name] += truth > other  # type: ignore[operator]
    assert len(seen) == 23
    for one, count in seen.items():
        assert count > 200
        assert abs(larger[one] - count / 2) < 3 * math.sqrt(count / 4), one


def facts_in(value: object) -> Iterator[str]:
    """Yield the words that a value is told in, more or less."""
    if is_dataclass(value) and not isinstance(value, Person):
        for field in fields(value):
            yield from facts_in(getattr(value, field.name))
    else:
        yield repr(value)


def test_repetition_in_a_summary_does_not_show_the_change() -> None:
    up: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    for seed in range(300):
        world = make_world(("repeat", seed), 4_000, 18)
        counts = Counter(word for claim in world.claims for value in claim.args.values() for word in facts_in(value))
        for claim in world.claims:
            for name, [rival] in claim.rivals.items():
                changed = counts.copy()
                for key, value in rival.items():
                    changed.subtract(facts_in(claim.args[key]))
                    changed.update(facts_in(value))
                more = sum(n * n for n in changed.values()) - sum(n * n for n in counts.values())
                one = f"{claim.kind}.{name}"
                seen[one] += more != 0
                up[one] += more > 0
    for one, count in seen.items():
        assert abs(up[one] - count / 2) < 3.3 * math.sqrt(count / 4 + 1), one
