"""The chapters of a world before anything happens in them: how long they are, and on which day each one plays.

What a world tells has a *position*, a whole number below `WHOLE`: so many millionths of the novel's tokens stand
before it. Positions come before days: no day is told in a chapter that plays before it.
"""

from bisect import bisect_right
from dataclasses import dataclass

from .draws import Draws

WHOLE = 1_000_000
SHORTEST, LONGEST = 2_000, 6_000
# Years within which a story may play.
_FIRST_YEAR, _LAST_YEAR = 1838, 1899
# Two pieces of a claim are as far apart as this, of the novel, unless there is a reason.
FAR = 400_000


@dataclass(frozen=True, slots=True)
class Plan:
    """Lengths and days of chapters.

    Attributes:
        begins: ordinal of the first day of what is told.
        lengths: tokens of each chapter.
        days: ordinal of each chapter's present; they rise.
        starts: position of each chapter's begin.
    """

    begins: int
    lengths: tuple[int, ...]
    days: tuple[int, ...]
    starts: tuple[int, ...]

    def chapter(self, position: int) -> int:
        """Return the chapter of a position, from 0."""
        return bisect_right(self.starts, position) - 1

    def until(self, *positions: int) -> int:
        """Return the first day that may not be told at all of these positions: the earliest of their chapters'."""
        return min(self.days[self.chapter(position)] for position in positions)

    def distance(self, one: int, other: int) -> int:
        """Return how far apart two positions are: from the middle of one's chapter to that of the other's.

        A novel of one chapter has the positions themselves.
        """
        if len(self.lengths) == 1:
            return abs(one - other)
        return abs(self._middle(self.chapter(one)) - self._middle(self.chapter(other)))

    def _middle(self, chapter: int) -> int:
        end = self.starts[chapter + 1] if chapter + 1 < len(self.starts) else WHOLE
        return (self.starts[chapter] + end) // 2


def make_plan(draws: Draws, tokens: int) -> Plan:
    """Return the chapters of a novel of so many tokens."""
    lengths = _lengths(draws, tokens)
    before = 0
    starts = []
    for length in lengths:
        starts.append(before * WHOLE // tokens)
        before += length
    lead = draws.between(180, 330)
    span = max(draws.between(365, 1095), 12 * (len(lengths) - 1))
    last_year = _LAST_YEAR - (lead + span) // 365 - 1
    begins = draws.between(_FIRST_YEAR * 365, last_year * 365)
    # Steps of a length, each shortened by up to a third of it: chapters are weeks or months apart, never alike.
    step = span // max(1, len(lengths) - 1)
    days = [begins + lead]
    days += [days[0] + place * step - draws.below(step // 3 + 1) for place in range(1, len(lengths))]
    return Plan(begins, lengths, tuple(days), tuple(starts))


def _lengths(draws: Draws, tokens: int) -> tuple[int, ...]:
    """Return chapter lengths of 2,000 to 6,000 tokens that add up; a shorter novel is one chapter."""
    if tokens < 3 * SHORTEST * 2:
        fewest, most = -(-tokens // LONGEST), max(1, tokens // SHORTEST)
        # The larger of two draws: most short novels have chapters enough to put evidence apart.
        count = max(draws.between(fewest, most), draws.between(fewest, most))
    else:
        count = draws.between(-(-tokens // 4_600), tokens // 3_400)
    if count == 1:
        return (tokens,)
    lengths = [draws.between(SHORTEST, LONGEST) for _ in range(count)]
    # What is missing or too much is shared out by the room that each chapter has.
    missing = tokens - sum(lengths)
    bound = LONGEST if missing > 0 else SHORTEST
    room = sum(abs(bound - length) for length in lengths)
    step = 1 if missing > 0 else -1
    if missing:
        lengths = [length + step * (abs(missing) * abs(bound - length) // room) for length in lengths]
    rest = tokens - sum(lengths)
    for place, length in enumerate(lengths):
        if rest and length != bound:
            lengths[place] += step
            rest -= step
    return tuple(lengths)
