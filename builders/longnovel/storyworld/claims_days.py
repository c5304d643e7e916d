"""Claims with numbers, days and causes: amount, troops, age, date, death, interval, joint, order, cause, late."""

from .catalogue import PURPOSES
from .claims_people import maybe_marked
from .ledger import Ledger, NoneLeft
from .records import Arg, Args, Count, Day, Deed, Marked, Person, Word

# Deeds of every family; and those that can be done anywhere.
_ALL = ("work", "paper", "aid", "quarrel")
_MOVABLE = ("paper", "aid", "quarrel")
# Days between two that must not be mistaken for each other.
_NEAR_DAYS = 10
# Where the end of a novel begins.
_LATE = 600_000


def _clear(one: int, other: int) -> bool:
    """Return whether two numbers differ by a sixth of the larger."""
    return 6 * abs(one - other) >= max(one, other)


def _pair(found: tuple[int, int] | None) -> tuple[int, int]:
    if found is None:
        raise NoneLeft
    return found


def _split(ledger: Ledger, total: int, least: int) -> tuple[int, int]:
    """Return two parts of a sum, in tens, none below `least`."""
    first = 10 * ledger.draws.between(least // 10, (total - least) // 10)
    return first, total - first


def amount(ledger: Ledger) -> None:
    """How much someone paid in all for a purpose, in two payments."""
    draws = ledger.draws
    agent, payee = ledger.people(2)
    purpose = Word("purpose", draws.one(PURPOSES))
    if not ledger.take("paid", agent, payee, purpose):
        raise NoneLeft
    truth, rival = (10 * one for one in _pair(draws.apart(8, 98, _clear)))
    part, rest = _split(ledger, truth, 20)
    both: Args = {"agent": agent, "payee": payee, "purpose": purpose}
    told, marks = maybe_marked(ledger, agent)
    first, second = ledger.far()
    entries = [
        ledger.tell("paid", {**both, "agent": told, "amount": Count(part, "money")}, first),
        ledger.tell("paid_more", {**both, "amount": Count(rest, "money")}, second),
    ]
    args = {**both, "amount": Count(truth, "money")}
    ledger.claim("amount", args, entries + marks, amount={"amount": Count(rival, "money")})


def troops(ledger: Ledger) -> None:
    """How many men were quartered at a place, in two columns."""
    free = [place for place in ledger.population.places if ("troops", place) not in ledger.used]
    if not free:
        raise NoneLeft
    place = ledger.draws.one(free)
    ledger.take("troops", place)
    truth, rival = (10 * one for one in _pair(ledger.draws.apart(12, 190, _clear)))
    part, rest = _split(ledger, truth, 40)
    first, second = ledger.far()
    entries = [
        ledger.tell("troops", {"place": place, "men": Count(part, "men")}, first),
        ledger.tell("troops_more", {"place": place, "men": Count(rest, "men")}, second),
    ]
    ledger.claim("troops", {"place": place, "men": Count(truth, "men")}, entries, men={"men": Count(rival, "men")})


def age(ledger: Ledger) -> None:
    """How old someone was when they did something."""
    plan = ledger.plan
    [agent] = ledger.people(1, lambda one: ("near", one) not in ledger.used)
    # So old that nobody did anything before the age of twelve, however long before this the story begins.
    youngest = 20 + (plan.days[-1] - plan.begins) // 365
    truth, rival = _pair(ledger.draws.apart(youngest, youngest + 44, lambda one, other: abs(one - other) >= 3))
    done = ledger.deed(agent, ("work", "paper"))
    first, second = ledger.far()
    day = ledger.day(plan.begins, plan.until(first), agent)
    ledger.take("near", agent)
    born = day - 365 * truth - ledger.draws.below(365)
    told, marks = maybe_marked(ledger, agent)
    entries = [
        ledger.tell("deed", {"agent": told, "deed": done, "day": Day(day)}, first),
        ledger.tell("born", {"agent": agent, "day": Day(born)}, second),
    ]
    args: Args = {"agent": agent, "deed": done, "years": Count(truth, "years")}
    ledger.claim("age", args, entries + marks, years={"years": Count(rival, "years")})


def _days_apart(ledger: Ledger, low: int, until: int, *busy: object) -> tuple[int, int]:
    """Return two days of `low` to `until` - 1, well apart, on which none of `busy` does anything dated."""

    def fits(one: int, other: int) -> bool:
        free = all(("day", who, day) not in ledger.used for who in busy for day in (one, other))
        return abs(one - other) >= _NEAR_DAYS and free

    pair = _pair(ledger.draws.apart(low, until - 1, fits))
    for day in pair:
        ledger.note_day(day, *busy)
    return pair


def date(ledger: Ledger) -> None:
    """When someone did something: told as the day of an incident, or with a date but without the name."""
    plan = ledger.plan
    if ledger.draws.chance(70):
        [agent] = ledger.people(1)
        done, incident = ledger.deed(agent, _ALL), ledger.incident()
        first, second = ledger.far()
        truth, rival = _days_apart(ledger, plan.begins, plan.until(first, second), agent, "incident")
        entries = [
            ledger.tell("same_day", {"agent": agent, "deed": done, "incident": incident}, first),
            ledger.tell("incident", {"incident": incident, "day": Day(truth)}, second),
        ]
    else:
        [agent] = ledger.known(1)
        done = ledger.deed(agent, _ALL)
        _, position = ledger.far(ledger.mark_position(agent))
        truth, rival = _days_apart(ledger, plan.begins, plan.until(position), agent)
        marked, mark = ledger.marked(agent)
        entries = [mark, ledger.tell("deed", {"agent": marked, "deed": done, "day": Day(truth)}, position)]
    args: Args = {"agent": agent, "deed": done, "day": Day(truth)}
    ledger.claim("date", args, entries, day={"day": Day(rival)})


def death(ledger: Ledger) -> None:
    """When someone died."""
    left = [person for person in ledger.population.doomed if person not in ledger.deaths]
    if not left:
        raise NoneLeft
    person = left[0]
    known = ledger.mark_position(person)
    plan = ledger.plan
    position = ledger.after(known)
    # A mark is that of someone alive: a novel of one chapter, told after the death, has none.
    alone = len(plan.days) == 1
    truth, rival = _days_apart(ledger, plan.begins if alone else plan.until(known), plan.until(position))
    told: Person | Marked = person
    entries: list[int] = []
    if not alone:
        told, mark = ledger.marked(person)
        entries.append(mark)
    ledger.deaths[person] = Day(truth)
    entries.append(ledger.tell("death", {"person": told, "day": Day(truth)}, position))
    ledger.claim("death", {"person": person, "day": Day(truth)}, entries, day={"day": Day(rival)})


def _two_deeds(ledger: Ledger, families: tuple[str, ...]) -> tuple[tuple[Person, Deed], tuple[Person, Deed]]:
    """Return two people and what they did."""
    one, other = ledger.people(2)
    pairs = [(one, ledger.deed(one, families, [other])), (other, ledger.deed(other, families, [one]))]
    first, second = ledger.draws.shuffled(pairs)
    return first, second


def _tell_dated(ledger: Ledger, agent: Person, done: Deed, day: int, position: int) -> list[int]:
    """Tell a deed with its day, at times under a mark; return all entries."""
    told, marks = maybe_marked(ledger, agent)
    return [ledger.tell("deed", {"agent": told, "deed": done, "day": Day(day)}, position), *marks]


def _both(one: tuple[Person, Deed], other: tuple[Person, Deed]) -> dict[str, Arg]:
    """Return the args of two deeds."""
    return {"agent": one[0], "deed": one[1], "other_agent": other[0], "other_deed": other[1]}


def interval(ledger: Ledger) -> None:
    """How many days lay between two deeds."""
    one, other = _two_deeds(ledger, _ALL)
    truth, rival = _pair(ledger.draws.apart(3, 120, lambda a, b: abs(a - b) >= 3 and _clear(a, b)))
    first, second = ledger.far()
    until = ledger.plan.until(first, second) - max(truth, rival)
    day = ledger.day(ledger.plan.begins, until, one[0])
    # Both are asked for, or the day of the rival would be the one that the story has no room for.
    free = [ledger.note_day(day + days, other[0]) for days in (truth, rival)]
    if not all(free):
        raise NoneLeft
    entries = _tell_dated(ledger, *one, day, first) + _tell_dated(ledger, *other, day + truth, second)
    ledger.claim("interval", {**_both(one, other), "days": Count(truth, "days")}, entries,
                 days={"days": Count(rival, "days")})  # fmt: skip


def order(ledger: Ledger) -> None:
    """Which of two deeds came first."""
    pairs = _two_deeds(ledger, _ALL)
    first, second = ledger.far()
    days = _days_apart(ledger, ledger.plan.begins, ledger.plan.until(first, second), *(agent for agent, _ in pairs))
    entries = []
    for pair, day, position in zip(pairs, days, (first, second), strict=True):
        entries += _tell_dated(ledger, *pair, day, position)
    one, other = pairs if days[0] < days[1] else pairs[::-1]
    ledger.claim("order", _both(one, other), entries, agent=_both(other, one))


def joint(ledger: Ledger) -> None:
    """Who did what on the same day at the same place; a third one did something on another day elsewhere."""
    draws, plan = ledger.draws, ledger.plan
    people = ledger.people(3)
    deeds = [(agent, ledger.deed(agent, _MOVABLE, people)) for agent in people]
    one, other, rival = draws.shuffled(deeds)
    place, elsewhere = draws.two(ledger.population.places)
    first, second = ledger.far()
    third = ledger.position()
    day = ledger.day(plan.begins, plan.until(first, second), *people)
    another = ledger.day(plan.begins, plan.until(third), *people)
    entries = []
    for (agent, done), when, where, position in (
        (one, day, place, first), (other, day, place, second), (rival, another, elsewhere, third),
    ):  # fmt: skip
        told: Args = {"agent": agent, "deed": done, "day": Day(when), "place": where}
        entries.append(ledger.tell("deed", told, position))
    args = {**_both(one, other), "place": place, "day": Day(day)}
    ledger.claim("joint", args, entries[:2], other_deed={"other_agent": rival[0], "other_deed": rival[1]})


def cause(ledger: Ledger) -> None:
    """Which incident brought about which elsewhere; a third one has nothing to do with it."""
    incidents = [ledger.incident() for _ in range(3)]
    cause_, effect, other = ledger.draws.shuffled(incidents)
    if len({item.key for item in incidents}) < 3 or len({item.at for item in incidents}) < 3:
        raise NoneLeft
    plan = ledger.plan
    first, second = ledger.far()
    third = ledger.position()
    day = ledger.day(plan.begins, plan.until(first, second), "incident")
    another = ledger.day(plan.begins, plan.until(third), "incident")
    entries = [
        ledger.tell("because", {"effect": effect, "day": Day(day)}, first),
        ledger.tell("incident", {"incident": cause_, "day": Day(day)}, second),
    ]
    ledger.tell("incident", {"incident": other, "day": Day(another)}, third)
    rivals: dict[str, Args] = {"effect": {"cause": effect, "effect": cause_}, "cause": {"cause": other}}
    ledger.claim("cause", {"cause": cause_, "effect": effect}, entries, **rivals)


def late(ledger: Ledger) -> None:
    """What someone did towards the end; the same person did something like it early on."""
    plan = ledger.plan
    try:
        [agent] = ledger.known(1, lambda one: ledger.mark_position(one) < ledger.early)
        position = ledger.after(ledger.mark_position(agent), _LATE)
    except NoneLeft:
        [agent] = ledger.known(1)
        position = ledger.position(_LATE)
    done, early = ledger.deed(agent, ("work",)), ledger.deed(agent, ("work",))
    other_position = ledger.position()
    until = plan.until(position)
    length = until - plan.begins
    day = ledger.day(until - length // 4, until, agent)
    until = min(plan.begins + 2 * length // 5, plan.until(other_position))
    before = ledger.day(plan.begins, until, agent)
    marked, mark = ledger.marked(agent)
    entries = [mark, ledger.tell("deed", {"agent": marked, "deed": done, "day": Day(day)}, position)]
    ledger.tell("deed", {"agent": agent, "deed": early, "day": Day(before)}, other_position)
    ledger.claim("late", {"agent": agent, "deed": done, "day": Day(day)}, entries, deed={"deed": early})
