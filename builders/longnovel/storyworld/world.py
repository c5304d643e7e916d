"""A world: everything that a novel tells and what its summary may say, from a key alone."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from lengthwise.errors import InputError

from . import claims_days, claims_people
from .chapters import make_plan
from .draws import Deck, Draws
from .ledger import Ledger, NoneLeft
from .people import make_population
from .records import Chapter, Claim, ClaimKind, Day, Person, Piece, World

SHORTEST, LONGEST, MOST_CLAIMS = 1_000, 1_000_000, 1_500
_MAKERS: Mapping[ClaimKind, Callable[[Ledger], None]] = MappingProxyType({
    "owner": claims_people.owner, "deed": claims_people.deed, "post": claims_people.post,
    "amount": claims_days.amount, "troops": claims_days.troops, "age": claims_days.age, "date": claims_days.date,
    "death": claims_days.death, "interval": claims_days.interval, "kin": claims_people.kin, "vow": claims_people.vow,
    "outcome": claims_people.outcome, "motive": claims_people.motive, "joint": claims_days.joint,
    "order": claims_days.order, "cause": claims_days.cause, "next": claims_people.next_, "late": claims_days.late,
})  # fmt: skip
# Kinds that alone carry a type of hallucination come more often, once each kind has come.
_OFTEN: tuple[ClaimKind, ...] = (
    "owner", "deed", "deed", "kin", "kin", "vow", "vow", "order", "order", "cause", "cause", "next", "late",
    "interval",
)  # fmt: skip
KINDS = tuple(_MAKERS)


def make_world(key: tuple[str | int, ...], tokens: int, claims: int) -> World:
    """Return the world of a key.

    Args:
        key: parts of its stream; the same key gives the same world everywhere.
        tokens: how long the novel is to be, 1,000 to 1,000,000: chapters of 2,000 to 6,000 that add up to it.
        claims: how many sentences its summary can have, 1 to 1,500; from 18 on, every kind of claim is among them.

    Raises:
        InputError: a number is out of range, or the catalogue has not enough for so many claims.
    """
    if not SHORTEST <= tokens <= LONGEST:
        raise InputError(f"tokens {tokens}: a world has {SHORTEST:,} to {LONGEST:,}")
    if not 1 <= claims <= MOST_CLAIMS:
        raise InputError(f"claims {claims}: a world has 1 to {MOST_CLAIMS:,}")
    draws = Draws(*key)
    plan = make_plan(draws, tokens)
    ledger = Ledger(draws, plan, make_population(draws, claims))
    kinds = draws.shuffled(KINDS)
    failed = 0
    while len(ledger.drafts) < claims:
        if not kinds:
            kinds = draws.shuffled(KINDS + _OFTEN)
        # A kind that comes for the first time gets some tries: what it was dealt may not have fitted together.
        kind = kinds.pop()
        failed = 0 if any(_made(ledger, kind) for _ in range(8)) else failed + 1
        if failed > 2 * len(KINDS + _OFTEN):
            raise InputError(f"claims {claims}: too many, a world has people and things for {len(ledger.drafts)}")
    return _bound(key, ledger)


def _made(ledger: Ledger, kind: ClaimKind) -> bool:
    """Return whether a claim was made; where not, pieces that were told for it are taken back."""
    told = len(ledger.entries)
    try:
        _MAKERS[kind](ledger)
    except NoneLeft:
        assert len(ledger.entries) == told, f"{kind}: told something before it was sure"
        return False
    return True


def _bound(key: tuple[str | int, ...], ledger: Ledger) -> World:
    """Return the world of a ledger: pieces and claims numbered in the order of the novel."""
    plan = ledger.plan
    order = sorted(range(len(ledger.entries)), key=lambda entry: (ledger.entries[entry].position, entry))
    numbers = {entry: number for number, entry in enumerate(order)}
    told: list[list[Piece]] = [[] for _ in plan.lengths]
    for entry in order:
        one = ledger.entries[entry]
        chapter = plan.chapter(one.position)
        told[chapter].append(Piece(numbers[entry], one.kind, one.args, chapter + 1))
    drafts = sorted(ledger.drafts, key=lambda draft: max(numbers[entry] for entry in draft.entries))
    claims = []
    for number, draft in enumerate(drafts):
        last = max(ledger.entries[entry].position for entry in draft.entries)
        pieces = tuple(sorted(numbers[entry] for entry in draft.entries))
        claims.append(Claim(number, draft.kind, draft.args, pieces, plan.chapter(last) + 1, draft.rivals))
    places = Deck(ledger.draws, ledger.population.places)
    people = Deck(ledger.draws, ledger.population.people)
    chapters = []
    for place, (length, day) in enumerate(zip(plan.lengths, plan.days, strict=True)):
        at = places.deal()
        assert at is not None
        cast = _cast(ledger, people, Day(day))
        chapters.append(Chapter(place + 1, length, Day(day), at, cast, tuple(told[place])))
    population = ledger.population
    return World(
        key, Day(plan.begins), population.people, population.places, tuple(chapters), tuple(claims), ledger.deaths
    )


def _cast(ledger: Ledger, people: Deck[Person], day: Day) -> tuple[Person, ...]:
    """Return three to five people who are alive on a day."""
    alive = people.several(
        ledger.draws.between(3, 5), lambda one: one not in ledger.deaths or day < ledger.deaths[one]
    )
    assert alive is not None
    return tuple(alive)
