"""Tells a whole world, chapter by chapter, each as long as the ledger planned it."""

from collections import Counter
from collections.abc import Callable, Iterator

from lengthwise.builders.longnovel.storyworld.records import Chapter, Person, Told, World

from .chapters import ChapterTeller
from .decks import Draws
from .render import Frame, Narrator
from .teller import Teller, teller_of

# Characters of a token, before any was counted.
_FIRST_RATIO = {"en": 4.4, "zh": 1.5}
# A chapter is counted as far as it goes when these parts of it are written, and when all is.
_CHECKS = (0.2, 0.5, 0.8)
# No chapter is planned shorter than this, however far those before it ran over.
_LEAST = 300
# Chapters are joined with an empty line.
_JOINT = 1


def tell_novel(
    world: World,
    language: str | Teller,
    count_tokens: Callable[[str], int],
    trace: list[Frame] | None = None,
) -> Iterator[Told]:
    """Yield the chapters of a world as prose, in order; no more than one is held.

    Each is as long as its plan, give or take about 150 tokens, and what one is too long the next one makes up for; so
    the whole, joined with empty lines, is within 1,500 tokens of the sum of the plans, unless chapters have more
    pieces than fit.

    Args:
        world: what is told.
        language: "en" or "zh", or a teller of one's own.
        count_tokens: how tokens are counted; called about four times for each chapter, with a part of it.
        trace: gets the frame of every sentence and tag (section, place of the line), for measuring variety.

    Raises:
        InputError: there is no such language, or its text files have faults.
    """
    teller = teller_of(language)
    given = Counter((person.woman, person.name) for person in world.people)
    shared = {person.number for person in world.people if given[person.woman, person.name] > 1}
    draws = Draws(*world.key, "telling", teller.code)
    narrator = Narrator(teller.grammar, teller.language, draws, shared, trace)
    steer = _Steer(_FIRST_RATIO.get(teller.code, 3.0), count_tokens)
    for chapter in world.chapters:
        steer.begin(chapter.tokens)
        title = narrator.tell("title", {"place": chapter.place})
        page = ChapterTeller(narrator, chapter, _away(world, chapter), steer.measure).tell()
        steer.end(page.text)
        yield Told(chapter.number, title, page.text, page.spans)


def _away(world: World, chapter: Chapter) -> list[Person]:
    """Return who is alive on a chapter's day and not in it."""
    dead = {person for person, day in world.deaths.items() if day <= chapter.day}
    return [person for person in world.people if person not in dead and person not in chapter.cast]


class _Steer:
    """Turns tokens that are planned into characters to write, by what was counted so far.

    A chapter is counted part by part, and what is counted settles how long the rest is to be; no text is counted
    twice, and that parts are counted apart makes a token or two.
    """

    def __init__(self, ratio: float, count_tokens: Callable[[str], int]) -> None:
        self._ratio = ratio
        self._count = count_tokens
        self._owed = 0
        self._goal = 0
        self._counted = 0
        self._tokens = 0
        self._checks: list[float] = []

    def begin(self, tokens: int) -> None:
        self._owed += tokens
        self._goal = max(_LEAST, self._owed - _JOINT)
        self._counted = self._tokens = 0
        self._checks = list(_CHECKS)

    def measure(self, text: str) -> float:
        """Return how many characters the chapter that begins with `text` is to have."""
        whole = self._counted + (self._goal - self._tokens) * self._ratio
        if self._checks and len(text) > self._checks[0] * whole:
            self._add(text)
        return self._counted + (self._goal - self._tokens) * self._ratio

    def end(self, text: str) -> None:
        self._add(text)
        self._owed -= self._tokens + _JOINT

    def _add(self, text: str) -> None:
        self._tokens += self._count(text[self._counted :])
        self._counted = len(text)
        self._ratio = self._counted / max(1, self._tokens)
        self._checks = [check for check in self._checks if len(text) <= check * self._goal * self._ratio]
