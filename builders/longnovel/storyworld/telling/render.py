"""Fills templates: draws lines from decks, puts the words of arguments into slots, and notes which lines were used."""

from collections.abc import Collection, Mapping
from typing import TypeAlias

from lengthwise.builders.longnovel.storyworld.records import Arg, Marked, Person

from .decks import Deck, Draws
from .grammar import Choice, Grammar, Parts
from .language import Language
from .pieces import people
from .sections import ANY_SUBJECT, SUBJECT

# Section and place of a line in it: the frame of a sentence.
Frame: TypeAlias = tuple[str, int]
# A section whose lines have come up once more on average is drawn (1 + this) ** 2 times less often.
_RELIEF = 1.5
# A section of this prefix keeps what it was filled with until the narrator is told to forget, so that a talk that
# began with geese goes on about geese.
_STICKY = "the."
# Parts what one says from what the other answers, in a line that tells both.
_TURNS = "//"
# Characters of a sentence before any is told.
_TYPICAL = 60.0


class Filler:
    """Fills the slots and choices of templates; who inherits from it says which lines are drawn.

    Args:
        grammar: whose lines.
        language: whose forms.
        draws: for choices.
    """

    def __init__(self, grammar: Grammar, language: Language, draws: Draws) -> None:
        self.grammar = grammar
        self.language = language
        self.draws = draws
        self._kept: dict[str, str] = {}

    def forget(self) -> None:
        """Let sections that keep what they were filled with be filled anew: a talk, a letter, a paragraph begins."""
        self._kept.clear()

    def fill(self, section: str, args: Mapping[str, Arg]) -> str:
        """Return a line of a section, filled but not finished: part of a sentence, as a tag is.

        Raises:
            KeyError: there is no such section; `check_grammar` finds those at load.
        """
        return self.fill_line(section, self.draw_line(section), args)

    def fill_line(self, section: str, line: int, args: Mapping[str, Arg]) -> str:
        """Return one of the lines of a section, filled but not finished."""
        out: list[str] = []
        self._fill(self.grammar.templates[section][line].parts, args, out)
        return "".join(out)

    def draw_line(self, section: str) -> int:
        """Return the place of a line of a section."""
        return self.draws.below(len(self.grammar.templates[section]))

    def word(self, arg: Arg, form: str) -> str:
        """Return the words of an argument; a person without a form is told by the full name."""
        return self.language.word(arg, form or "full" if isinstance(arg, Person) else form)

    def _fill(self, parts: Parts, args: Mapping[str, Arg], out: list[str]) -> None:
        for part in parts:
            if isinstance(part, str):
                out.append(part)
            elif isinstance(part, Choice):
                self._fill(part.options[self.draws.below(len(part.options))], args, out)
            elif part.name in args:
                out.append(self.word(args[part.name], part.form))
            elif part.section.startswith(_STICKY):
                if part.section not in self._kept:
                    self._kept[part.section] = self.fill_line(part.section, self.draw_line(part.section), args)
                out.append(self._kept[part.section])
            else:
                section = part.section
                self._fill(self.grammar.templates[section][self.draw_line(section)].parts, args, out)


class Narrator(Filler):
    """Tells sentences of one novel, from decks that even out how often each line comes up.

    Args:
        grammar: whose lines.
        language: whose forms.
        draws: of the novel.
        always_full: numbers of people who are never told by their given name alone, since others share it.
        trace: gets the frame of every line that is told, in order; None if nobody asks.

    Attributes:
        named: numbers of the people who were named since the chapter began.
        subjects: the sections of exchanges for talks to keep to, at least one.
    """

    def __init__(
        self,
        grammar: Grammar,
        language: Language,
        draws: Draws,
        always_full: Collection[int] = (),
        trace: list[Frame] | None = None,
    ) -> None:
        super().__init__(grammar, language, draws)
        self.named: set[int] = set()
        self._always_full = always_full
        self._trace = trace
        self.subjects = [section for section in grammar.templates if section.startswith(SUBJECT)] or [ANY_SUBJECT]
        self._decks: dict[str, Deck] = {}
        self._words: dict[tuple[Arg, str], str] = {}
        self._lines = 0
        self._length = 0

    @property
    def typical(self) -> float:
        """How many characters a sentence has, on the average of those told so far."""
        return self._length / self._lines if self._lines else _TYPICAL

    def tell(self, section: str, args: Mapping[str, Arg]) -> str:
        """Return a line of a section, filled and finished."""
        text = self.language.finish(self.fill(section, args))
        self._lines += 1
        self._length += len(text)
        return text

    def tell_turns(self, section: str, args: Mapping[str, Arg]) -> list[str]:
        """Return what a line of a section lets people say by turns, filled and finished; mostly one says it all."""
        turns = [self.language.finish(words.strip()) for words in self.fill(section, args).split(_TURNS)]
        self._lines += len(turns)
        self._length += sum(map(len, turns))
        return turns

    def tell_fact(self, section: str, args: Mapping[str, Arg]) -> str:
        """Return a line that the story hangs on, filled and finished: it names its people in full once more."""
        self.named -= people(args)
        return self.tell(section, args)

    def fill(self, section: str, args: Mapping[str, Arg]) -> str:
        """Return a line of a section, filled but not finished, and note its frame."""
        line = self.draw_line(section)
        if self._trace is not None:
            self._trace.append((section, line))
        return self.fill_line(section, line, args)

    def draw_line(self, section: str) -> int:
        """Return the next line of a section's deck."""
        return self._deck(section).draw()

    def pick(self, options: Mapping[str, int]) -> str:
        """Return one of some sections, drawn by weight, less often the more its lines have been used already.

        So a small section is not worn out while a big one is fresh, whatever the weights are.
        """
        sections = list(options)
        used = [self._deck(section).cycles for section in sections]
        least = min(used)
        weights = [
            max(1, int(options[section] * 1000 / (1 + _RELIEF * (cycles - least)) ** 2))
            for section, cycles in zip(sections, used, strict=True)
        ]
        return sections[self.draws.weighted(weights)]

    def word(self, arg: Arg, form: str) -> str:
        """Return the words of an argument; a person's full name where it is the first in the chapter, or shared."""
        if isinstance(arg, Person):
            if not form and (arg.number not in self.named or arg.number in self._always_full):
                form = "full"
            if form in ("", "full"):
                self.named.add(arg.number)
        elif not isinstance(arg, Marked):
            # The same days and sums hardly come back, the same people do: only those are worth keeping.
            return self.language.word(arg, form)
        found = self._words.get((arg, form))
        if found is None:
            found = self._words[arg, form] = self.language.word(arg, form)
        return found

    def _deck(self, section: str) -> Deck:
        deck = self._decks.get(section)
        if deck is None:
            deck = self._decks[section] = Deck(len(self.grammar.templates[section]), self.draws)
        return deck
