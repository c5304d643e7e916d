"""Who lives in a world and where: people, their marks, and named places."""

from dataclasses import dataclass

from .catalogue import MARKS, NAMES, PLACES
from .draws import Draws
from .records import Item, Person

# More people would leave too few families that never enter the story: papers are known by their names.
_MOST_PEOPLE, _MOST_PLACES = 80, 40


@dataclass(frozen=True, slots=True)
class Population:
    """Everyone and everywhere.

    Attributes:
        people: by number; half of them women.
        doomed: those who die in the story, if anybody does; they do nothing that a claim tells.
        active: all others.
        marks: people -> what they are known by; those who die first, then as many as there are marks for.
        strangers: families, by number, of which nobody is in the story.
        places: named places.
    """

    people: tuple[Person, ...]
    doomed: tuple[Person, ...]
    active: tuple[Person, ...]
    marks: dict[Person, str]
    strangers: tuple[int, ...]
    places: tuple[Item, ...]


def make_population(draws: Draws, claims: int) -> Population:
    """Return the people and places of a world with so many claims: 8 for 18 claims, 30 for 80, at most 80."""
    count = min(_MOST_PEOPLE, max(6, 2 + claims * 35 // 100))
    women, men = (draws.shuffled(range(NAMES[one])) for one in ("women", "men"))
    families = draws.shuffled(range(NAMES["families"]))
    # Half and half, and the odd one by a coin.
    sexes = draws.shuffled([True, False] * (count // 2) + [draws.chance(50)] * (count % 2))
    people = tuple(
        Person(number, woman, (women if woman else men).pop(), families.pop()) for number, woman in enumerate(sexes)
    )
    order = draws.shuffled(people)
    dying = max(1, count // 10)
    marks = dict(zip(order, draws.shuffled(MARKS), strict=False))
    places = tuple(
        Item("place", draws.one(PLACES), name)
        for name in draws.shuffled(range(NAMES["places"]))[: min(_MOST_PLACES, 4 + claims // 6)]
    )
    doomed, active = tuple(order[:dying]), tuple(order[dying:])
    return Population(people, doomed, active, marks, tuple(families), places)
