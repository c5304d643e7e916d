"""Tells one chapter: scene after scene, paragraph after paragraph, until it is as long as it is to be."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from lengthwise.builders.longnovel.storyworld.records import Chapter, Person, Piece

from .manner import Manner, draw_manner
from .paragraphs import PROSE, Paragraph, ending, lives_on, opening, prose
from .render import Narrator
from .scenes import Scene, cut_scenes
from .talk import Course, letter, speakers, subject_of, talk, writers

# Pieces stand in this part of a chapter, and its last sentences tell none.
_SPREAD = (0.03, 0.94)
# No paragraph tells more pieces than this, so that the story does not come in lists.
_TOGETHER = 2
# So many paragraphs at least stand between two letters.
_APART = 14
# A talk of fewer turns is none.
_TURNS = 4
# People take their leave where no more sentences than this are left of the scene.
_CLOSING = 8


@dataclass(slots=True)
class Page:
    """A chapter as far as it is written."""

    text: str = ""
    spans: dict[int, tuple[int, int]] = field(default_factory=dict)

    def add(self, paragraph: Paragraph) -> None:
        """Put a paragraph behind what is there."""
        start = len(self.text) + 1 if self.text else 0
        self.text = f"{self.text}\n{paragraph.text}" if self.text else paragraph.text
        self.spans.update({number: (start + at, start + end) for number, (at, end) in paragraph.spans.items()})


class ChapterTeller:
    """Writes one chapter.

    Args:
        narrator: of the novel.
        chapter: what is told.
        away: people who are alive on its day, and not in its cast.
        measure: how many characters the chapter is to have, judged by what is written so far; asked before each
            paragraph.
    """

    def __init__(
        self, narrator: Narrator, chapter: Chapter, away: Sequence[Person], measure: Callable[[str], float]
    ) -> None:
        draws = narrator.draws
        self._narrator = narrator
        self._measure = measure
        self._manner: Manner = draw_manner(draws)
        self._scenes = cut_scenes(chapter, away, draws)
        self._due = list(zip(draws.spread(len(chapter.pieces), *_SPREAD), chapter.pieces, strict=True))
        self._due.reverse()
        self._page = Page()
        self._kinds: list[str] = []
        self._talked: list[Scene] = []
        self._subject = ""

    def tell(self) -> Page:
        """Return the chapter, written to its end."""
        narrator = self._narrator
        narrator.named.clear()
        for place, scene in enumerate(self._scenes):
            self._page.add(opening(narrator, scene, first=place == 0))
            last = place == len(self._scenes) - 1
            while self._room(scene) > narrator.typical / 2:
                self._page.add(self._paragraph(scene))
            if not last and narrator.draws.chance(50):
                self._page.add(ending(narrator, scene))
        # A chapter that is too short for its pieces gets longer than it was to be; none of them is left out.
        while self._due:
            rest = [piece for _, piece in reversed(self._due[-_TOGETHER:])]
            self._page.add(prose(narrator, self._scenes[-1], "memory", 1, self._told(rest)))
        return self._page

    def _room(self, scene: Scene) -> float:
        """Return how many characters are left until the scene's end."""
        return self._measure(self._page.text) * scene.ends - len(self._page.text)

    def _paragraph(self, scene: Scene) -> Paragraph:
        narrator, draws = self._narrator, self._narrator.draws
        # So many sentences fit; whoever ends with the scene ends with its last one.
        fit = max(1, round(self._room(scene) / narrator.typical))
        low, high = self._manner.sentences
        count = min(fit, draws.between(low, high))
        pieces = self._due_within(count)
        kind = self._kind(scene, pieces, fit)
        self._kinds.append(kind)
        if kind == "talk":
            turns = max(_TURNS, min(fit, draws.between(*self._manner.turns)))
            # A talk is long: what falls due in its course is told in it, if its people can.
            more = self._due_within(turns)
            if len(more) > len(pieces) and len(speakers(scene, more)) > 1:
                pieces = more
            course = Course(turns, self._manner.tagged, scene not in self._talked, fit <= turns + _CLOSING)
            self._talked.append(scene)
            return talk(narrator, scene, course, self._told(pieces), self._subject)
        if kind == "letter":
            return letter(narrator, scene, min(draws.between(1, 5), max(1, fit - 3)), self._told(pieces))
        return prose(narrator, scene, kind, max(len(pieces), 1, count - len(pieces)), self._told(pieces))

    def _due_within(self, sentences: int) -> Sequence[Piece]:
        """Return the next pieces that are due before so many more sentences are told, the first of them first."""
        ahead = len(self._page.text) + sentences * self._narrator.typical
        reached = ahead / self._measure(self._page.text)
        return [piece for at, piece in reversed(self._due[-_TOGETHER:]) if at <= reached]

    def _told(self, pieces: Sequence[Piece]) -> Sequence[Piece]:
        """Return the pieces, which are due no more."""
        del self._due[len(self._due) - len(pieces) :]
        return pieces

    def _kind(self, scene: Scene, pieces: Sequence[Piece], fit: int) -> str:
        """Return the kind of the next paragraph: with pieces, by the modes that people of the scene allow."""
        last = self._kinds[-1:]
        options = {lives_on(scene, kind): kind for kind in PROSE if [kind] != last}
        if fit >= _TURNS + len(pieces):
            if last != ["talk"] and len(speakers(scene, pieces)) > 1:
                self._subject = subject_of(self._narrator)
                options[self._subject] = "talk"
            if "letter" not in self._kinds[-_APART:] and speakers(scene, pieces) and writers(scene, pieces):
                options["letter.line"] = "letter"
        shares = self._manner.shares
        if not pieces:
            return options[self._narrator.pick({section: shares[kind] for section, kind in options.items()})]
        modes = self._manner.modes
        narration = {"custom": 6, "memory": 3, "action": 2}
        weights = {
            section: modes["speech"] * 10
            if kind == "talk"
            else modes["letter"] * 10
            if kind == "letter"
            else modes["narration"] * narration.get(kind, 0)
            for section, kind in options.items()
        }
        drawn = self._narrator.draws.weighted(list(weights.values()))
        return list(options.values())[drawn]
