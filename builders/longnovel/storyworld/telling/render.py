"""Fills templates: draws lines from decks, puts the words of arguments into slots, and notes which lines were used."""

from collections.abc import Collection, Mapping
from typing import TypeAlias

from lengthwise.builders.longnovel.storyworld.records import Arg, Marked, Person

from .decks import Deck, Draws
from .grammar import Choice, Grammar, Parts, Slot
from .language import Language

# Section and place of a line in it: the frame of a sentence.
Frame: TypeAlias = tuple[str, int]


class Narrator:
    """Tells sentences of one novel.

    Args:
        grammar: whose lines.
        language: whose forms.
        draws: of the novel.
        always_full: numbers of people who are never told by their given name alone, since others share it.
        trace: gets the frame of every line that is told, in order; None if nobody asks.

    Attributes:
        named: numbers of the people who were named since the chapter began.
        total: how many lines were told that count as sentences (all but tags).
    """

    def __init__(
        self,
        grammar: Grammar,
        language: Language,
        draws: Draws,
        always_full: Collection[int] = (),
        trace: list[Frame] | None = None,
    ) -> None:
        self.language = language
        self.draws = draws
        self.named: set[int] = set()
        self._grammar = grammar
        self._always_full = always_full
        self._trace = trace
        self._decks: dict[str, Deck] = {}
        self._words: dict[tuple[Arg, str], str] = {}

    def size(self, section: str) -> int:
        """Return how many lines a section has; 0 if there is none of this name."""
        return len(self._grammar.templates.get(section, ()))

    def cycles(self, section: str) -> float:
        """Return how many times the lines of a section have come up so far, on average."""
        return self._deck(section).cycles

    def tell(self, section: str, args: Mapping[str, Arg]) -> str:
        """Return a line of a section, filled and finished.

        Raises:
            KeyError: there is no such section; `check_grammar` finds those at load.
        """
        return self.language.finish(self.fill(section, args))

    def fill(self, section: str, args: Mapping[str, Arg]) -> str:
        """Return a line of a section, filled but not finished: part of a sentence, as a tag is."""
        line = self._deck(section).draw()
        if self._trace is not None:
            self._trace.append((section, line))
        out: list[str] = []
        self._fill(self._grammar.templates[section][line].parts, args, out)
        return "".join(out)

    def _fill(self, parts: Parts, args: Mapping[str, Arg], out: list[str]) -> None:
        for part in parts:
            if isinstance(part, str):
                out.append(part)
            elif isinstance(part, Slot):
                arg = args.get(part.name)
                if arg is not None:
                    out.append(self._word(arg, part.form))
                else:
                    line = self._deck(part.section).draw()
                    self._fill(self._grammar.templates[part.section][line].parts, args, out)
            else:
                self._fill(self._option(part), args, out)

    def _option(self, choice: Choice) -> Parts:
        return choice.options[self.draws.below(len(choice.options))]

    def _word(self, arg: Arg, form: str) -> str:
        if isinstance(arg, Person):
            if not form and (arg.number not in self.named or arg.number in self._always_full):
                form = "full"
            if form in ("", "full"):
                self.named.add(arg.number)
        found = self._words.get((arg, form))
        if found is None:
            # The same days and sums hardly come back, the same people do: only those are worth keeping.
            found = self.language.word(arg, form)
            if isinstance(arg, Person | Marked):
                self._words[arg, form] = found
        return found

    def _deck(self, section: str) -> Deck:
        deck = self._decks.get(section)
        if deck is None:
            deck = self._decks[section] = Deck(len(self._grammar.templates[section]), self.draws)
        return deck
