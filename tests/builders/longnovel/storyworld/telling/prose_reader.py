"""A reader that sees only the page: it takes pieces out of the prose and claims out of summaries, by rules alone.

It knows the language (names, the words of things, how numbers and dates are written, the shapes of sentences that tell
something), and nothing of any ledger. What it reads goes to the same rule that the ledger's checker uses. So its score
tells how much of the truth stands on the page.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from lengthwise.builders.longnovel.storyworld import catalogue
from lengthwise.builders.longnovel.storyworld.records import (
    Arg,
    Args,
    Claim,
    Count,
    Day,
    Deed,
    Item,
    Marked,
    Person,
    Piece,
    Truth,
    Word,
)
from lengthwise.builders.longnovel.storyworld.telling.grammar import Choice, Parts, Template
from lengthwise.builders.longnovel.storyworld.telling.sections import MODES, called
from lengthwise.builders.longnovel.storyworld.telling.teller import Teller, load_teller
from lengthwise.builders.longnovel.storyworld.truth import Facts
from lengthwise.errors import InputError

FIRST_YEAR, LAST_YEAR = 1740, 1905
MOST = {"money": 20_000, "men": 20_000, "years": 120, "days": 1500}
_UNITS = {"amount": "money", "men": "men", "years": "years", "days": "days"}
_ITEMS: Mapping[str, tuple[str, Sequence[str]]] = {
    "thing": ("object", catalogue.OBJECTS), "hall": ("hall", catalogue.HALLS),
    "organisation": ("organisation", catalogue.ORGANISATIONS),
}  # fmt: skip
_WORDS: Mapping[str, tuple[str, Sequence[str]]] = {
    "mark": ("mark", catalogue.MARKS), "title": ("title", catalogue.TITLES),
    "relation": ("relation", catalogue.RELATIONS), "outcome": ("outcome", catalogue.OUTCOMES),
    "motive": ("motive", catalogue.MOTIVES), "next": ("next", catalogue.CONTINUATIONS),
    "purpose": ("purpose", catalogue.PURPOSES), "handover": ("handover", catalogue.HANDOVERS),
}  # fmt: skip
_PEOPLE = frozenset(["a", "b", "c", "owner", "giver", "taker", "agent", "payee", "person", "other_agent", "witness"])
# By what an owner may be told who is one of two people in the sentence.
_PRONOUNS = frozenset({"his", "ta"})
# Numbers and dates: there are too many of them to look for each.
_OPEN = frozenset({*_UNITS, "day", "date"})
_STOPS = ".!?。！？“”\n"
_ANY = f"[^{_STOPS}]*?"
NOBODY = Person(-1, True, -1, -1)


@dataclass(frozen=True)
class Frame:
    """A sentence's shape.

    Attributes:
        kind: of the piece or claim that it tells.
        fixed: args that the section says by itself.
        anchor: words that stand in every sentence of this shape, folded.
        parts: the template.
        wanted: args that the sentence must name.
    """

    kind: str
    fixed: Mapping[str, Arg]
    anchor: str
    parts: Parts
    wanted: frozenset[str]


class Reader:
    """Reads a novel in one language.

    Args:
        language: "en" or "zh".
        article: the novel; its chapters are parted by an empty line.
    """

    def __init__(self, language: str, article: str) -> None:
        self.teller: Teller = load_teller(language)
        self.article = article
        self._dictionaries: dict[tuple[str, str], dict[str, Arg]] = {}

    def facts(self) -> Facts:
        """Return what the novel says."""
        return Facts(self.pieces())

    def pieces(self) -> list[Piece]:
        """Return every piece that is read in the novel."""
        found: list[Piece] = []
        page = _Page(self, self.article)
        for chapter, text in enumerate(self.article.split("\n\n"), 1):
            for frame, args in page.read(text, frames(self.teller.code, "piece")):
                found.append(Piece(len(found), frame.kind, args, chapter))  # type: ignore[arg-type]
        return found

    def claims(self, summary: str) -> list[Claim]:
        """Return every claim that is read in a summary; rough ones are no claims that could be untrue."""
        read = _Page(self, summary).read(summary, frames(self.teller.code, "claim"))
        return [
            Claim(number, frame.kind, args, (), 1)  # type: ignore[arg-type]
            for number, (frame, args) in enumerate(read)
        ]

    def is_faithful(self, summary: str, facts: Facts) -> bool:
        """Return whether every claim of a summary follows from the facts."""
        return all(facts.holds(claim) for claim in self.claims(summary))

    def known(self, name: str, form: str) -> dict[str, Arg]:
        """Return the words, folded, by which a slot may be filled, and what they mean."""
        if (name, form) not in self._dictionaries:
            found = self._dictionary(name, form)
            self._dictionaries[name, form] = {words.casefold(): arg for words, arg in found.items()}
        return self._dictionaries[name, form]

    def _dictionary(self, name: str, form: str) -> dict[str, Arg]:
        args: Iterator[Arg]
        if name == "owner" and form in _PRONOUNS:
            return self._worded((Person(-1, woman, 0, 0) for woman in (True, False)), form)
        if name in _PEOPLE:
            return self._people(form)
        if name in _UNITS:
            args = (Count(value, _UNITS[name]) for value in range(1, MOST[_UNITS[name]]))
        elif name in ("day", "date"):
            args = (Day(ordinal) for ordinal in range(FIRST_YEAR * 365, LAST_YEAR * 365))
        elif name in _WORDS:
            kind, keys = _WORDS[name]
            args = (Word(kind, key) for key in keys)
        elif name in _ITEMS:
            kind, keys = _ITEMS[name]
            args = (Item(kind, key) for key in keys)
        elif name == "place":
            args = iter(self.places)
        elif name == "structure":
            args = self._structures()
        elif name in ("incident", "cause", "effect"):
            args = (Item("incident", key, 0, at) for key in catalogue.INCIDENTS for at in self.places)
        elif name == "hook":
            kinds = dict.fromkeys(catalogue.HOOKS.values())
            args = (Item(kind, kind, number) for kind in kinds for number in range(self._names(kind)))
        elif name in ("deed", "other_deed"):
            args = self._deeds()
        elif name == "object":
            # Of people first, so that a thing of the same words would win.
            return {**self._people(form), **self._worded((*self._structures(), *self._papers()), form)}
        else:
            raise AssertionError(f"no words are known for {name}")
        return self._worded(args, form)

    def _worded(self, args: Any, form: str) -> dict[str, Arg]:
        found: dict[str, Arg] = {}
        for arg in args:
            try:
                # The first one stays: a short form that several share names none of them for sure.
                found.setdefault(self.teller.language.word(arg, form), arg)
            except InputError:
                continue
        return found

    def _names(self, kind: str) -> int:
        return len(self.teller.grammar.names("names.offstage" if kind == "offstage" else "names.hooks"))

    @cached_property
    def places(self) -> tuple[Item, ...]:
        """All named places: a summary may tell of one where the novel never is."""
        names = self.teller.grammar.names("names.places")
        return tuple(Item("place", "village", number) for number in range(len(names)))

    @cached_property
    def people(self) -> tuple[Person, ...]:
        """Everyone whose full name stands in the novel."""
        grammar, word = self.teller.grammar, self.teller.language.word
        found = []
        for woman, table in ((True, "names.women"), (False, "names.men")):
            for number, name in enumerate(grammar.names(table)):
                if name not in self.article:
                    continue
                for family in range(len(grammar.names("names.families"))):
                    person = Person(len(found), woman, number, family)
                    if word(person, "full") in self.article:
                        found.append(person)
        return tuple(found)

    def _people(self, form: str) -> dict[str, Arg]:
        found = self._worded(self.people, form)
        found |= self._worded(self.people, "full")
        for mark in catalogue.MARKS:
            for woman in (True, False):
                marked = Marked(Person(-1, woman, -1, -1), mark)
                found |= self._worded([marked], form) if form in ("", "full") else {}
        # Whose the mark is stands elsewhere in the novel.
        return {words: Marked(NOBODY, arg.mark) if isinstance(arg, Marked) else arg for words, arg in found.items()}

    def _structures(self) -> Iterator[Item]:
        return (Item("structure", key, 0, at) for key in catalogue.STRUCTURES for at in self.places)

    def _papers(self) -> Iterator[Item]:
        families = range(len(self.teller.grammar.names("names.families")))
        return (Item("paper", key, number) for key in catalogue.PAPERS for number in families)

    def _deeds(self) -> Iterator[Deed]:
        objects: Mapping[str, Callable[[], Any]] = {
            "work": self._structures, "paper": self._papers, "aid": lambda: self.people, "quarrel": lambda: self.people
        }  # fmt: skip
        for family, verbs in catalogue.DEEDS.items():
            for what in objects[family]():
                for verb in verbs:
                    yield Deed(family, verb, what)


class _Page:
    """A text that is being read: of the words that it could hold, only those that it does hold are looked for."""

    def __init__(self, reader: Reader, text: str) -> None:
        self._reader = reader
        self._folded = text.casefold()
        self._words: dict[tuple[str, str], str] = {}
        self._patterns: dict[int, tuple[re.Pattern[str], dict[str, tuple[str, str]]] | None] = {}

    def read(self, text: str, known: Sequence[Frame]) -> Iterator[tuple[Frame, dict[str, Arg]]]:
        folded = text.casefold()
        for frame in known:
            if frame.anchor not in folded:
                continue
            compiled = self._compiled(frame)
            if compiled is None:
                continue
            pattern, groups = compiled
            for match in pattern.finditer(text):
                args = self._args(frame, groups, match)
                if args is not None:
                    yield frame, args

    def _args(
        self, frame: Frame, groups: Mapping[str, tuple[str, str]], match: re.Match[str]
    ) -> dict[str, Arg] | None:
        args: dict[str, Arg] = dict(frame.fixed)
        # The owner last: who it is hangs on the two others.
        for group, (name, form) in sorted(groups.items(), key=lambda item: item[1][0] == "owner"):
            if match[group] is None:
                continue
            found = self._look_up(name, form, match[group].casefold(), args)
            if found is None or args.setdefault(name, found) != found:
                return None
        return args if frame.wanted <= set(args) else None

    def _look_up(self, name: str, form: str, words: str, args: Args) -> Arg | None:
        known = self._reader.known(name, form)
        if name == "owner" and form in _PRONOUNS:
            # Said by a pronoun: whichever of the two it fits.
            wanted = known[words]
            two = [args.get("giver"), args.get("taker")]
            assert isinstance(wanted, Person)
            return next((one for one in two if isinstance(one, Person) and one.woman == wanted.woman), None)
        if words in known or name not in _OPEN:
            return known.get(words)
        # What stands before a number or a date in its sentence is not its own.
        return next((known[words[cut:]] for cut in range(1, len(words)) if words[cut:] in known), None)

    def _compiled(self, frame: Frame) -> tuple[re.Pattern[str], dict[str, tuple[str, str]]] | None:
        if id(frame) not in self._patterns:
            groups: dict[str, tuple[str, str]] = {}
            text = self._pattern(frame, frame.parts, groups)
            self._patterns[id(frame)] = None if text is None else (re.compile(text, re.IGNORECASE), groups)
        return self._patterns[id(frame)]

    def _pattern(self, frame: Frame, parts: Parts, groups: dict[str, tuple[str, str]]) -> str | None:
        out = []
        for part in parts:
            if isinstance(part, str):
                literal = re.escape(part).replace(r"a\(n\)", "an?").replace(r"A\(n\)", "An?")
                # Who says it may stand behind the words, and then a comma at their end.
                out.append(re.sub(r"\\\.$|。$", "[.,!?。，！？]", literal))
            elif isinstance(part, Choice):
                options = [self._pattern(frame, option, groups) for option in part.options]
                out.append("(?:" + "|".join(option for option in options if option is not None) + ")")
            elif part.name in frame.wanted and _names(frame.kind, part.name, part.form):
                words = self._alternatives(part.name, part.form)
                if not words:
                    return None
                group = f"g{len(groups)}"
                groups[group] = (part.name, part.form)
                out.append(f"(?P<{group}>{words})")
            elif part.name in _PEOPLE and part.name in frame.wanted:
                # A pronoun; of whom is clear from the name.
                word = self._reader.teller.language.word
                both = {word(Person(-1, woman, 0, 0), part.form) for woman in (True, False)}
                out.append("(?:" + "|".join(map(re.escape, sorted(both))) + ")")
            else:
                out.append(_ANY)
        return "".join(out)

    def _alternatives(self, name: str, form: str) -> str:
        if name in _OPEN:
            return _ANY
        if (name, form) not in self._words:
            held = [words for words in self._reader.known(name, form) if words in self._folded]
            self._words[name, form] = "|".join(map(re.escape, sorted(held, key=len, reverse=True)))
        return self._words[name, form]


@lru_cache(maxsize=4)
def frames(code: str, what: str) -> tuple[Frame, ...]:
    """Return the shapes of all sentences that tell pieces ("piece"), or claims ("claim"; rough ones left out)."""
    teller = load_teller(code)
    found = []
    for section, params in called():
        head, _, rest = section.partition(".")
        if head != what or rest.endswith(".soft"):
            continue
        tail = rest.rpartition(".")[0] if rest.rpartition(".")[2] in MODES else rest
        kind, *shape = tail.split(".")
        fixed: dict[str, Arg] = {}
        if kind in ("link_a", "link_b"):
            fixed["relation"] = Word("relation", shape[0])
        if kind in ("kept", "vow") and shape:
            fixed["kept"] = Truth(shape[0] == "yes")
        for template in teller.grammar.templates[section]:
            wanted = frozenset(params) - set(fixed)
            found.append(Frame(kind, fixed, _anchor(template), template.parts, wanted))
    return tuple(found)


# Forms that name an argument; the others are pronouns and the like.
_NAMING = frozenset(
    {"", "full", "past", "base", "ing", "done", "thing", "now", "back", "month", "indefinite", "bare", "the", "one"}
)


def _names(kind: str, name: str, form: str) -> bool:
    if kind == "owner" and name == "owner":
        return form in _PRONOUNS
    return form in ("", "full") if name in _PEOPLE else form in _NAMING


def _anchor(template: Template) -> str:
    literals = [piece for part in template.parts if isinstance(part, str) for piece in part.split("a(n)")]
    return max(literals, key=len, default="").strip(" .。，,").casefold()
