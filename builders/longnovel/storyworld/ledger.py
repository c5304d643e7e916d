"""What has been decided so far in a world that is being made: what is used up, what will be told, and where.

Makers of claims (`claims_*.py`) ask it for people, things, days and positions, and hand it pieces and claims. It deals
so that nothing serves two claims that should serve one, and it never learns which of two values is the truth.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from .catalogue import DEEDS, HALLS, INCIDENTS, NAMES, ORGANISATIONS, PAPERS, STRUCTURES
from .chapters import FAR, WHOLE, Plan
from .draws import Deck, Draws
from .people import Population
from .records import Args, ClaimKind, Day, Deed, Item, Marked, Person, PieceKind, Word

# Steps of the golden section: positions that follow each other so are spread evenly however many there are.
_GOLDEN = 618_034
# A claim is far apart, unless it is one of so many per cent that may be anything.
_FAR_PERCENT = 85


@dataclass(slots=True)
class Entry:
    """A piece without its number and chapter.

    Attributes:
        kind: of the piece.
        args: of the piece.
        position: where it is told; see `chapters`.
    """

    kind: PieceKind
    args: Args
    position: int


@dataclass(slots=True)
class Draft:
    """A claim without its number and chapter; `entries` are places in the ledger's list."""

    kind: ClaimKind
    args: Args
    entries: Sequence[int]
    rivals: Mapping[str, tuple[Args, ...]]


class NoneLeft(Exception):
    """Something that a claim needs is used up: its maker gives up, and another kind of claim takes its turn."""


@dataclass
class Ledger:
    """A world that is being made.

    Attributes:
        draws: all randomness.
        plan: the chapters.
        population: people and places.
        entries: pieces so far.
        drafts: claims so far.
        deaths: who dies when.
        used: (what, value...) -> taken by a claim.
    """

    draws: Draws
    plan: Plan
    population: Population
    entries: list[Entry] = field(default_factory=list)
    drafts: list[Draft] = field(default_factory=list)
    deaths: dict[Person, Day] = field(default_factory=dict)
    used: set[tuple[object, ...]] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Lay out the decks."""
        draws, population = self.draws, self.population
        self._everyone = Deck(draws, population.active)
        known = [person for person in population.active if person in population.marks]
        self._known = Deck(draws, known)
        self.places = Deck(draws, population.places)
        self._papers = draws.shuffled([(key, family) for key in PAPERS for family in population.strangers])
        self._hooks = draws.shuffled(range(NAMES["hooks"]))
        self._seats = draws.shuffled(list(zip(draws.shuffled(ORGANISATIONS), draws.shuffled(HALLS), strict=True)))
        self._turn = draws.below(WHOLE)
        # Those who die are told of by mark before, or the mark would be that of a dead one.
        self._mark_positions = {
            person: self.position(high=self.early) if person in population.doomed else self._step()
            for person in population.marks
        }
        self._mark_entries: dict[Person, int] = {}

    # People

    def people(self, count: int, fits: Callable[[Person], bool] = lambda person: True) -> list[Person]:
        """Return different people, each as likely in each part.

        Raises:
            NoneLeft: too few fit.
        """
        return self._dealt(self._everyone.several(count, fits))

    def known(self, count: int, fits: Callable[[Person], bool] = lambda person: True) -> list[Person]:
        """Return different people who have marks, each as likely in each part; see `people`."""
        return self._dealt(self._known.several(count, fits))

    @staticmethod
    def _dealt(people: list[Person] | None) -> list[Person]:
        if people is None:
            raise NoneLeft
        return people

    def marked(self, person: Person) -> tuple[Marked, int]:
        """Return a person as known by their mark, and the entry that says whose mark it is: told once in a world."""
        mark = self.population.marks[person]
        if person not in self._mark_entries:
            args: Args = {"person": person, "mark": Word("mark", mark)}
            self._mark_entries[person] = self.tell("mark", args, self._mark_positions[person])
        return Marked(person, mark), self._mark_entries[person]

    def mark_position(self, person: Person) -> int:
        """Return where it is told whose mark someone's is."""
        return self._mark_positions[person]

    # Things

    def take(self, *values: object) -> bool:
        """Return whether something was free, and take it."""
        if values in self.used:
            return False
        self.used.add(values)
        return True

    def _fresh(self, kind: str, keys: Sequence[str], place: Item | None) -> Item:
        """Return something at a place that no claim has."""
        for _ in range(64):
            at = place or self.draws.one(self.population.places)
            item = Item(kind, self.draws.one(keys), 0, at)
            if self.take(item):
                return item
        raise NoneLeft

    def structure(self) -> Item:
        """Return a structure that no claim has."""
        return self._fresh("structure", STRUCTURES, None)

    def incident(self) -> Item:
        """Return an incident that no claim has."""
        return self._fresh("incident", INCIDENTS, None)

    def paper(self) -> Item:
        """Return a paper that no claim has."""
        if not self._papers:
            raise NoneLeft
        key, family = self._papers.pop()
        return Item("paper", key, family)

    def hook(self, kind: str) -> Item:
        """Return a house, note, boat and so on that no claim has."""
        if not self._hooks:
            raise NoneLeft
        return Item(kind, kind, self._hooks.pop())

    def seats(self) -> tuple[tuple[Item, Item], tuple[Item, Item]]:
        """Return two organisations with their halls that no claim has."""
        if len(self._seats) < 2:
            raise NoneLeft
        pairs = [self._seats.pop() for _ in range(2)]
        one, other = ((Item("organisation", name), Item("hall", hall)) for name, hall in pairs)
        return one, other

    def deed(self, agent: Person, families: Sequence[str], others: Sequence[Person] = ()) -> Deed:
        """Return a deed that no claim has.

        Args:
            agent: who does it.
            families: of `catalogue.DEEDS`, one of which it is of, as long as there is something to do it to.
            others: who must not be the one it is done to.

        Raises:
            NoneLeft: there is none.
        """
        for family in self.draws.shuffled(families):
            verb = self.draws.one(DEEDS[family])
            try:
                if family == "work":
                    return Deed(family, verb, self.structure())
                if family == "paper":
                    return Deed(family, verb, self.paper())
                [person] = self.people(1, lambda one: one not in others and self.free_pair("met", agent, one))
            except NoneLeft:
                continue
            self.take_pair("met", agent, person)
            return Deed(family, verb, person)
        raise NoneLeft

    def free_pair(self, what: str, one: Person, other: Person) -> bool:
        """Return whether two different people, in either order, have nothing of a kind between them."""
        return one != other and (what, *sorted((one.number, other.number))) not in self.used

    def take_pair(self, what: str, one: Person, other: Person) -> None:
        """Put something of a kind between two people."""
        self.used.add((what, *sorted((one.number, other.number))))

    # Days

    def day(self, low: int, until: int, *busy: object) -> int:
        """Return a day of `low` to `until` - 1 on which none of `busy` has done a dated deed, and note it for them.

        Raises:
            NoneLeft: there is hardly one.
        """
        for _ in range(64):
            if until <= low:
                break
            day = self.draws.between(low, until - 1)
            if self.note_day(day, *busy):
                return day
        raise NoneLeft

    def note_day(self, day: int, *busy: object) -> bool:
        """Return whether none of `busy` had that day taken, and take it for them."""
        if any(("day", one, day) in self.used for one in busy):
            return False
        self.used.update(("day", one, day) for one in busy)
        return True

    # Positions

    def position(self, low: int = 0, high: int = WHOLE) -> int:
        """Return a position of `low` to `high` - 1, spread evenly."""
        return low + self._step() * (high - low) // WHOLE

    @property
    def early(self) -> int:
        """Return before which position something is told that a later chapter, far from it, is to go on with."""
        return min(WHOLE - FAR - 50_000, self.plan.starts[-1] or WHOLE)

    def after(self, position: int, low: int = 0) -> int:
        """Return a position of `low` or more that is far behind an early one, and in a later chapter if there are."""
        following = self.plan.starts[self.plan.chapter(position) + 1] if len(self.plan.starts) > 1 else 0
        return self.position(max(low, following, position + FAR + 20_000))

    def _step(self) -> int:
        self._turn = (self._turn + _GOLDEN) % WHOLE
        return self._turn

    def far(self, position: int | None = None) -> tuple[int, int]:
        """Return two positions, far apart as a rule; the first is the given one, or either.

        Args:
            position: where something is told already.
        """
        far = self.draws.chance(_FAR_PERCENT)
        one = other = 0
        for _ in range(12):
            one = self._step() if position is None else position
            # On a ring, half a turn away, more or less: that leaves both spread evenly.
            turn = self.draws.between(FAR, WHOLE - FAR) if far else self.draws.below(WHOLE)
            other = (one + turn) % WHOLE
            if self.plan.distance(one, other) >= (FAR if far else 1):
                break
        return one, other

    # Results

    def tell(self, kind: PieceKind, args: Args, position: int) -> int:
        """Note a piece, and return its place in the list."""
        self.entries.append(Entry(kind, args, position))
        return len(self.entries) - 1

    def claim(self, kind: ClaimKind, args: Args, entries: Sequence[int], **rivals: Args) -> None:
        """Note a claim.

        Args:
            kind: which.
            args: what it says.
            entries: the pieces that show it, by place in the list.
            rivals: name of an arg -> what changes together.
        """
        self.drafts.append(Draft(kind, args, tuple(entries), {name: (one,) for name, one in rivals.items()}))
