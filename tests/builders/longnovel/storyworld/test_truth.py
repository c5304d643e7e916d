"""What follows from pieces."""

from dataclasses import replace

from lengthwise.builders.longnovel.storyworld.records import (
    Args,
    Claim,
    ClaimKind,
    Count,
    Day,
    Deed,
    Item,
    Marked,
    Person,
    Piece,
    PieceKind,
    Word,
    World,
)
from lengthwise.builders.longnovel.storyworld.truth import Facts, holds

ANN, BEN, EVE = Person(0, True, 1, 1), Person(1, False, 2, 2), Person(2, True, 3, 3)
ASH = Item("place", "town", 1)
REPAIR = Deed("work", "repair", Item("structure", "mill", 0, ASH))
SIGN = Deed("paper", "sign", Item("paper", "will", 5))
BEES = Word("mark", "keeps_bees")


def piece(kind: PieceKind, **args: object) -> Piece:
    return Piece(0, kind, args, 1)  # type: ignore[arg-type]


def claim(kind: ClaimKind, **args: object) -> Claim:
    return Claim(0, kind, args, (), 1)  # type: ignore[arg-type]


def test_every_claim_of_a_world_holds(worlds: list[World]) -> None:
    for world in worlds:
        facts = Facts(world.pieces)
        assert [one.kind for one in world.claims if not facts.holds(one)] == []


def test_every_claim_holds_by_its_own_pieces(worlds: list[World]) -> None:
    for world in worlds[::5]:
        pieces = world.pieces
        for one in world.claims:
            assert holds([pieces[number] for number in one.pieces], one)


def test_no_piece_of_the_evidence_can_be_missed(worlds: list[World]) -> None:
    for world in worlds[::9]:
        pieces = world.pieces
        for one in world.claims:
            for number in one.pieces:
                assert not holds([pieces[other] for other in one.pieces if other != number], one), one.kind


def test_a_change_is_untrue(worlds: list[World]) -> None:
    for world in worlds:
        facts = Facts(world.pieces)
        for one in world.claims:
            assert one.rivals
            for rivals in one.rivals.values():
                for args in rivals:
                    assert not facts.holds(replace(one, args={**one.args, **args}))


def test_marks_are_looked_up_by_the_piece_alone() -> None:
    told = piece("deed", agent=Marked(EVE, "keeps_bees"), deed=REPAIR)
    mark = piece("mark", person=ANN, mark=BEES)
    assert holds([told, mark], claim("deed", agent=ANN, deed=REPAIR))
    assert not holds([told, mark], claim("deed", agent=EVE, deed=REPAIR))
    assert not holds([told], claim("deed", agent=EVE, deed=REPAIR))


def test_a_mark_of_two_people_is_nobodys() -> None:
    pieces = [piece("mark", person=one, mark=BEES) for one in (ANN, BEN)]
    pieces.append(piece("deed", agent=Marked(ANN, "keeps_bees"), deed=REPAIR))
    assert not holds(pieces, claim("deed", agent=ANN, deed=REPAIR))


def test_a_piece_that_comes_twice_counts_once() -> None:
    both: Args = {"agent": ANN, "payee": BEN, "purpose": Word("purpose", "roof")}
    paid = piece("paid", **both, amount=Count(40, "money"))
    more = piece("paid_more", **both, amount=Count(40, "money"))
    assert holds([paid, paid, more], claim("amount", **both, amount=Count(80, "money")))
    assert not holds([paid, paid], claim("amount", **both, amount=Count(80, "money")))


def test_pieces_that_disagree_show_nothing() -> None:
    pieces = [piece("deed", agent=ANN, deed=SIGN, day=Day(600_000 + day)) for day in (0, 1)]
    assert not any(holds(pieces, claim("date", agent=ANN, deed=SIGN, day=Day(600_000 + day))) for day in (0, 1))


def test_a_day_is_that_of_the_incident() -> None:
    strike = Item("incident", "strike", 0, ASH)
    pieces = [
        piece("same_day", agent=ANN, deed=SIGN, incident=strike),
        piece("incident", incident=strike, day=Day(620_000)),
    ]
    assert holds(pieces, claim("date", agent=ANN, deed=SIGN, day=Day(620_000)))
    assert holds(pieces, claim("deed", agent=ANN, deed=SIGN))
    assert not holds(pieces[:1], claim("date", agent=ANN, deed=SIGN, day=Day(620_000)))


def test_a_birthday_counts_from_the_day_itself() -> None:
    pieces = [
        piece("born", agent=ANN, day=Day(600_000)),
        piece("deed", agent=ANN, deed=SIGN, day=Day(600_000 + 20 * 365)),
    ]
    assert holds(pieces, claim("age", agent=ANN, deed=SIGN, years=Count(20, "years")))
    assert not holds(pieces, claim("age", agent=ANN, deed=SIGN, years=Count(19, "years")))


def test_relations_from_either_side() -> None:
    def links(relation: str) -> list[Piece]:
        args: Args = {"relation": Word("relation", relation), "hook": Item("boat", "boat", 3)}
        return [piece("link_a", person=ANN, **args), piece("link_b", person=BEN, **args)]

    for relation, mutual in (("partner", True), ("employer", False)):
        word = Word("relation", relation)
        assert holds(links(relation), claim("kin", a=ANN, b=BEN, relation=word))
        assert holds(links(relation), claim("kin", a=BEN, b=ANN, relation=word)) is mutual
        assert not holds(links(relation), claim("kin", a=ANN, b=EVE, relation=word))


def test_work_is_where_the_structure_stands() -> None:
    pieces = [piece("deed", agent=ANN, deed=REPAIR)]
    assert holds(pieces, claim("deed", agent=ANN, deed=REPAIR, place=ASH))
    assert not holds(pieces, claim("deed", agent=ANN, deed=REPAIR, place=Item("place", "town", 2)))


def test_late_is_the_same_month() -> None:
    pieces = [piece("deed", agent=ANN, deed=REPAIR, day=Day(1872 * 365 + 31))]
    assert holds(pieces, claim("late", agent=ANN, deed=REPAIR, day=Day(1872 * 365 + 58)))
    assert not holds(pieces, claim("late", agent=ANN, deed=REPAIR, day=Day(1872 * 365 + 59)))
