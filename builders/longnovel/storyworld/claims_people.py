"""Claims about what people are, own and do: owner, deed, post, kin, vow, outcome, motive, next.

In every maker, what can be changed is drawn as a pair whose first is the truth; all that the pair has in common is
drawn without looking at it.
"""

from .catalogue import CONTINUATIONS, DEEDS, HANDOVERS, HOOKS, MOTIVES, OBJECTS, OUTCOMES, RELATIONS, TITLES
from .ledger import Ledger, NoneLeft
from .records import Arg, Args, ClaimKind, Deed, Item, Marked, Person, PieceKind, Truth, Word

# Relations of people whose ages or other kin would have to fit.
_NEAR = frozenset({"cousin", "sibling", "in_law", "teacher"})
_DISTANT = tuple(one for one in RELATIONS if one not in _NEAR)
# Agents who are told by their marks where nothing asks for it.
_MARKED_PERCENT = 15


def maybe_marked(ledger: Ledger, person: Person) -> tuple[Person | Marked, list[int]]:
    """Return a person by name or, at times, by mark, with the entry that says whose mark that is."""
    if person in ledger.population.marks and ledger.draws.chance(_MARKED_PERCENT):
        marked, entry = ledger.marked(person)
        return marked, [entry]
    return person, []


def owner(ledger: Ledger) -> None:
    """Whose a thing was that one gave to the other, said by a pronoun."""
    draws = ledger.draws
    things = [key for key in OBJECTS if ("thing", key) not in ledger.used]
    if not things:
        raise NoneLeft
    [one] = ledger.people(1)
    [other] = ledger.people(1, lambda person: person.woman != one.woman)
    (giver, taker), (mine, yours) = draws.shuffled([one, other]), draws.shuffled([one, other])
    thing, handover = Item("object", draws.one(things)), Word("handover", draws.one(HANDOVERS))
    ledger.take("thing", thing.key)
    first, second = ledger.far()
    hand: Args = {"giver": giver, "taker": taker, "thing": thing, "handover": handover}
    entries = [ledger.tell("owns", {"owner": mine, "thing": thing}, first), ledger.tell("hands", hand, second)]
    ledger.claim("owner", {**hand, "owner": mine}, entries, owner={"owner": yours})


def deed(ledger: Ledger) -> None:
    """What someone did to a structure, a paper or another person, at times with the place."""
    draws = ledger.draws
    first = all(draft.kind != "deed" for draft in ledger.drafts)
    # The first one of a world can be changed in every way that there is.
    family = draws.one(("aid", "quarrel")) if first else draws.one(tuple(DEEDS))
    verb, other_verb = draws.two(DEEDS[family])
    args: dict[str, Arg] = {}
    rivals: dict[str, Args] = {}
    if family in ("aid", "quarrel"):
        [agent] = ledger.known(1)
        [object_] = ledger.known(1, lambda one: ledger.free_pair("met", agent, one))
        ledger.take_pair("met", agent, object_)
        agent, object_ = draws.shuffled([agent, object_])
        rivals["agent"] = {"agent": object_, "deed": Deed(family, verb, agent)}
        done, other = Deed(family, verb, object_), Deed(family, other_verb, object_)
    else:
        [agent] = ledger.known(1)
        thing = ledger.structure() if family == "work" else ledger.paper()
        done, other = Deed(family, verb, thing), Deed(family, other_verb, thing)
    rivals["deed"] = {"deed": other}
    if family != "work" and (first or draws.chance(60)):
        args["place"], place = draws.two(ledger.population.places)
        rivals["place"] = {"place": place}
    args = {"agent": agent, "deed": done, **args}
    marked, mark = ledger.marked(agent)
    _, position = ledger.far(ledger.mark_position(agent))
    ledger.claim("deed", args, [mark, ledger.tell("deed", {**args, "agent": marked}, position)], **rivals)


def post(ledger: Ledger) -> None:
    """Who held which office where: the organisation is told by its hall."""
    draws = ledger.draws
    [agent] = ledger.people(1, lambda one: ("post", one) not in ledger.used)
    (organisation, hall), (other, other_hall) = ledger.seats()
    ledger.take("post", agent)
    title, other_title = (Word("title", key) for key in draws.two(TITLES))
    first, second = ledger.far()
    told, marks = maybe_marked(ledger, agent)
    entries = [
        ledger.tell("post", {"agent": told, "title": title, "hall": hall}, first),
        ledger.tell("seat", {"organisation": organisation, "hall": hall}, second),
    ]
    ledger.tell("seat", {"organisation": other, "hall": other_hall}, ledger.position())
    args: Args = {"agent": agent, "title": title, "organisation": organisation}
    rivals: dict[str, Args] = {"title": {"title": other_title}, "organisation": {"organisation": other}}
    ledger.claim("post", args, entries + marks, **rivals)


def kin(ledger: Ledger) -> None:
    """How two people are related: each half of it shows through the same house, note, mother and so on."""
    draws = ledger.draws
    keys = draws.two(RELATIONS)
    near = any(key in _NEAR for key in keys)
    try:
        a, b, other = _relatives(ledger, near)
    except NoneLeft:
        keys, near = draws.two(_DISTANT), False
        a, b, other = _relatives(ledger, near)
    for person in (a, b, other) if near else ():
        ledger.take("near", person)
    for person in (b, other):
        ledger.take_pair("kin", a, person)
    relation, rival = (Word("relation", key) for key in keys)
    hook = ledger.hook(HOOKS[relation.key])
    first, second = ledger.far()
    entries = [
        ledger.tell("link_a", {"person": a, "relation": relation, "hook": hook}, first),
        ledger.tell("link_b", {"person": b, "relation": relation, "hook": hook}, second),
    ]
    rivals: dict[str, Args] = {"relation": {"relation": rival}, "b": {"b": other}}
    ledger.claim("kin", {"a": a, "b": b, "relation": relation}, entries, **rivals)


def _relatives(ledger: Ledger, near: bool) -> list[Person]:
    """Return someone, and two of whom either may be the relative: none of them related so far."""

    def loose(person: Person) -> bool:
        return not near or ("near", person) not in ledger.used

    [a] = ledger.people(1, loose)
    return [a, *ledger.people(2, lambda one: loose(one) and ledger.free_pair("kin", a, one))]


def vow(ledger: Ledger) -> None:
    """Whether someone did what they had promised to do."""
    [agent] = ledger.people(1)
    [witness] = ledger.people(1, lambda one: one != agent and ("vow", agent, one) not in ledger.used)
    done = ledger.deed(agent, ("work", "paper", "aid"), [witness])
    ledger.take("vow", agent, witness)
    kept = ledger.draws.chance(50)
    first, second = ledger.far()
    told, marks = maybe_marked(ledger, agent)
    entries = [
        ledger.tell("vow", {"agent": told, "deed": done, "witness": witness}, first),
        ledger.tell("kept", {"agent": agent, "witness": witness, "kept": Truth(kept)}, second),
    ]
    args: Args = {"agent": agent, "deed": done, "kept": Truth(kept)}
    ledger.claim("vow", args, entries + marks, kept={"kept": Truth(not kept)})


def outcome(ledger: Ledger) -> None:
    """What came of work."""
    _follow_up(ledger, "outcome", "outcome", OUTCOMES, ("work",))


def motive(ledger: Ledger) -> None:
    """Why someone did something."""
    _follow_up(ledger, "motive", "motive", MOTIVES, tuple(DEEDS))


def next_(ledger: Ledger) -> None:
    """What someone went on to do with what they had worked on."""
    _follow_up(ledger, "next", "next", CONTINUATIONS, ("work",))


def _follow_up(
    ledger: Ledger, kind: ClaimKind, piece: PieceKind, values: tuple[str, ...], families: tuple[str, ...]
) -> None:
    """Tell a deed at one place and what belongs to it at another."""
    [agent] = ledger.people(1)
    done = ledger.deed(agent, families)
    truth, rival = (Word(kind, key) for key in ledger.draws.two(values))
    first, second = ledger.far()
    told, marks = maybe_marked(ledger, agent)
    thing = "object" if kind == "motive" else "structure"
    entries = [
        ledger.tell("deed", {"agent": told, "deed": done}, first),
        ledger.tell(piece, {"agent": agent, thing: done.object, kind: truth}, second),
    ]
    rivals: dict[str, Args] = {kind: {kind: rival}}
    ledger.claim(kind, {"agent": agent, "deed": done, kind: truth}, entries + marks, **rivals)
