"""Who may talk and write about what: nobody is spoken of in their presence, and letters come from elsewhere."""

from lengthwise.builders.longnovel.storyworld.records import Day, Deed, Item, Person, Piece
from lengthwise.builders.longnovel.storyworld.telling.scenes import Scene
from lengthwise.builders.longnovel.storyworld.telling.talk import speakers, writers

ADA, BEN, CY, DORA, EVE = (Person(number, bool(number % 2), number, number) for number in range(5))
SCENE = Scene("house", "clear", "day", (ADA, BEN), (DORA, EVE), Item("place", "town"), Day(0), 1.0)


def deed(agent: Person, other: Person) -> Piece:
    return Piece(0, "deed", {"agent": agent, "deed": Deed("aid", "nurse", other)}, 1)


def test_who_is_not_spoken_of_talks() -> None:
    assert speakers(SCENE, [deed(CY, DORA)]) == [ADA, BEN]


def test_nobody_talks_where_someone_present_is_spoken_of() -> None:
    assert speakers(SCENE, [deed(CY, DORA), deed(CY, BEN)]) == []


def test_letters_come_from_people_elsewhere_who_are_not_in_them() -> None:
    assert writers(SCENE, [deed(CY, DORA)]) == [EVE]
