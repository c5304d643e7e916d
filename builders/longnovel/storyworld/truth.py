"""Whether a claim follows from pieces: worked out from what they say, not from how a ledger drew them.

The same rule serves a checker that knows the whole ledger and a reader that took pieces from the prose. A person who
is told by a mark is looked up by the piece that says whose mark it is; where that or any other evidence is missing, or
two pieces disagree, no claim follows.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Set

from .records import Arg, Args, Claim, ClaimKind, Count, Day, Deed, Item, Marked, Person, Piece, Word

# From the second person's side these are the same relation.
_MUTUAL = frozenset({"cousin", "sibling", "in_law", "partner"})


class Facts:
    """What pieces say, looked up by what claims ask.

    Args:
        pieces: in any order; one that comes twice counts once.

    Attributes:
        people: mark -> the one who is known by it.
    """

    def __init__(self, pieces: Iterable[Piece]) -> None:
        pieces = list(pieces)
        marks: dict[str, set[Person]] = defaultdict(set)
        for piece in pieces:
            if piece.kind == "mark":
                person, mark = piece.args["person"], piece.args["mark"]
                assert isinstance(person, Person) and isinstance(mark, Word)
                marks[mark.key].add(person)
        self.people = {mark: next(iter(known)) for mark, known in marks.items() if len(known) == 1}
        # Kind of piece -> what is asked by -> all answers.
        self._said: dict[str, dict[tuple[Hashable, ...], set[Hashable]]] = defaultdict(lambda: defaultdict(set))
        for piece in pieces:
            args = self._resolved(piece.args)
            if args is not None:
                self._note(piece.kind, args)

    def holds(self, claim: Claim) -> bool:
        """Return whether a claim follows from the pieces."""
        return _RULES[claim.kind](self, claim.args)

    def all(self, kind: str, *asked: Hashable) -> Set[Hashable]:
        """Return all answers of a kind of piece."""
        return self._said[kind].get(asked, frozenset())

    def only(self, kind: str, *asked: Hashable) -> Hashable | None:
        """Return the answer of a kind of piece, None where there is none or more than one."""
        found = self.all(kind, *asked)
        return next(iter(found)) if len(found) == 1 else None

    def day(self, agent: Arg, deed: Arg) -> int | None:
        """Return the day when someone did something: told, or that of what befell a place on the same day."""
        days = set(self.all("day", agent, deed))
        for incident in self.all("same_day", agent, deed):
            days |= self.all("incident", incident)
        return _ordinal(days)

    def place(self, agent: Arg, deed: Arg) -> Hashable | None:
        """Return where someone did something: told, or where the structure stands."""
        places = set(self.all("place", agent, deed))
        if isinstance(deed, Deed) and isinstance(deed.object, Item) and deed.object.at is not None:
            places.add(deed.object.at)
        return next(iter(places)) if len(places) == 1 else None

    def _resolved(self, args: Args) -> dict[str, Arg] | None:
        """Return args with people in place of their marks; None where nobody is known by one."""
        found: dict[str, Arg] = {}
        for name, value in args.items():
            if isinstance(value, Marked):
                if value.mark not in self.people:
                    return None
                value = self.people[value.mark]
            found[name] = value
        return found

    def _note(self, kind: str, args: dict[str, Arg]) -> None:
        """Take up a piece."""
        if kind == "deed" or kind == "same_day":
            self._add("deed", (args["agent"], args["deed"]), True)
            for name in ("day", "place"):
                if name in args:
                    self._add(name, (args["agent"], args["deed"]), args[name])
        if kind == "incident":
            self._add("on_day", (args["day"],), args["incident"])
        if kind in _ASKED:
            asked, answer = _ASKED[kind]
            values = tuple(args[name] for name in answer)
            self._add(kind, tuple(args[name] for name in asked), values[0] if len(values) == 1 else values)

    def _add(self, kind: str, asked: tuple[Hashable, ...], answer: Hashable) -> None:
        self._said[kind][asked].add(answer)


# Kind of piece -> args that a claim asks by, args that answer.
_ASKED: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "owns": (("thing",), ("owner",)),
    "hands": (("thing",), ("giver", "taker", "handover")),
    "post": (("agent", "title"), ("hall",)),
    "seat": (("hall",), ("organisation",)),
    "paid": (("agent", "payee", "purpose"), ("amount",)),
    "paid_more": (("agent", "payee", "purpose"), ("amount",)),
    "troops": (("place",), ("men",)),
    "troops_more": (("place",), ("men",)),
    "born": (("agent",), ("day",)),
    "same_day": (("agent", "deed"), ("incident",)),
    "incident": (("incident",), ("day",)),
    "because": (("effect",), ("day",)),
    "link_a": (("person", "relation"), ("hook",)),
    "link_b": (("person", "relation"), ("hook",)),
    "vow": (("agent", "deed"), ("witness",)),
    "kept": (("agent", "witness"), ("kept",)),
    "outcome": (("agent", "structure"), ("outcome",)),
    "motive": (("agent", "object"), ("motive",)),
    "next": (("agent", "structure"), ("next",)),
    "death": (("person",), ("day",)),
}


def holds(pieces: Iterable[Piece], claim: Claim) -> bool:
    """Return whether a claim follows from pieces; for many claims, make `Facts` once."""
    return Facts(pieces).holds(claim)


def full_years(born: int, day: int) -> int:
    """Return the age in full years on a day (ordinals: every year has 365 days).

    >>> full_years(100, 100 + 364), full_years(100, 100 + 365)
    (0, 1)
    """
    return (day - born) // 365


def _ordinal(days: Set[Hashable]) -> int | None:
    """Return the one day of a set."""
    day = next(iter(days)) if len(days) == 1 else None
    return day.ordinal if isinstance(day, Day) else None


def _sum(facts: Facts, first: str, second: str, *asked: Hashable) -> int | None:
    """Return the sum of a number and what was added to it; None where either is missing."""
    one, more = facts.only(first, *asked), facts.only(second, *asked)
    return one.value + more.value if isinstance(one, Count) and isinstance(more, Count) else None


def _counts(value: Arg, found: int | None) -> bool:
    return isinstance(value, Count) and value.value == found


def _dated(value: Arg, found: int | None) -> bool:
    return isinstance(value, Day) and value.ordinal == found


def _days(facts: Facts, args: Args) -> tuple[int, int] | None:
    """Return the days of a claim's two deeds."""
    one = facts.day(args["agent"], args["deed"])
    other = facts.day(args["other_agent"], args["other_deed"])
    return None if one is None or other is None else (one, other)


def _owner(facts: Facts, args: Args) -> bool:
    handed = facts.only("hands", args["thing"])
    return handed == (args["giver"], args["taker"], args["handover"]) and (
        facts.only("owns", args["thing"]) == args["owner"]
    )


def _deed(facts: Facts, args: Args) -> bool:
    done = bool(facts.all("deed", args["agent"], args["deed"]))
    return done and ("place" not in args or facts.place(args["agent"], args["deed"]) == args["place"])


def _post(facts: Facts, args: Args) -> bool:
    halls = facts.all("post", args["agent"], args["title"])
    return any(facts.only("seat", hall) == args["organisation"] for hall in halls)


def _amount(facts: Facts, args: Args) -> bool:
    return _counts(args["amount"], _sum(facts, "paid", "paid_more", args["agent"], args["payee"], args["purpose"]))


def _troops(facts: Facts, args: Args) -> bool:
    return _counts(args["men"], _sum(facts, "troops", "troops_more", args["place"]))


def _age(facts: Facts, args: Args) -> bool:
    born, day = _ordinal(facts.all("born", args["agent"])), facts.day(args["agent"], args["deed"])
    return born is not None and day is not None and _counts(args["years"], full_years(born, day))


def _date(facts: Facts, args: Args) -> bool:
    return _dated(args["day"], facts.day(args["agent"], args["deed"]))


def _death(facts: Facts, args: Args) -> bool:
    return _dated(args["day"], _ordinal(facts.all("death", args["person"])))


def _interval(facts: Facts, args: Args) -> bool:
    days = _days(facts, args)
    return days is not None and _counts(args["days"], days[1] - days[0])


def _kin(facts: Facts, args: Args) -> bool:
    a, b, relation = args["a"], args["b"], args["relation"]
    assert isinstance(relation, Word)
    sides = [(a, b), (b, a)] if relation.key in _MUTUAL else [(a, b)]
    return any(facts.all("link_a", x, relation) & facts.all("link_b", y, relation) for x, y in sides)


def _vow(facts: Facts, args: Args) -> bool:
    witness = facts.only("vow", args["agent"], args["deed"])
    return witness is not None and facts.only("kept", args["agent"], witness) == args["kept"]


def _about(kind: str) -> Callable[[Facts, Args], bool]:
    """Return the rule of what was told about what a deed was done to."""

    def rule(facts: Facts, args: Args) -> bool:
        deed = args["deed"]
        assert isinstance(deed, Deed)
        return bool(facts.all("deed", args["agent"], deed)) and (
            facts.only(kind, args["agent"], deed.object) == args[kind]
        )

    return rule


def _joint(facts: Facts, args: Args) -> bool:
    pairs = [(args["agent"], args["deed"]), (args["other_agent"], args["other_deed"])]
    return all(_dated(args["day"], facts.day(*pair)) and facts.place(*pair) == args["place"] for pair in pairs)


def _order(facts: Facts, args: Args) -> bool:
    days = _days(facts, args)
    return days is not None and days[0] < days[1]


def _cause(facts: Facts, args: Args) -> bool:
    day = facts.only("because", args["effect"])
    return day is not None and facts.only("on_day", day) == args["cause"]


def _late(facts: Facts, args: Args) -> bool:
    told, done = args["day"], facts.day(args["agent"], args["deed"])
    return isinstance(told, Day) and done is not None and told.date[:2] == Day(done).date[:2]


_RULES: dict[ClaimKind, Callable[[Facts, Args], bool]] = {
    "owner": _owner, "deed": _deed, "post": _post, "amount": _amount, "troops": _troops, "age": _age, "date": _date,
    "death": _death, "interval": _interval, "kin": _kin, "vow": _vow, "outcome": _about("outcome"),
    "motive": _about("motive"), "joint": _joint, "order": _order, "cause": _cause,
    "next": _about("next"), "late": _late,
}  # fmt: skip
