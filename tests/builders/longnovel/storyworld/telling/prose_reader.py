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

FIRST_YEAR, LAST_YEAR = 1800, 1905
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
_STOPS = ".!?。！？“”\n"
_ANY = f"[^{_STOPS}]+?"
NOBODY = Person(-1, True, -1, -1)


@dataclass(frozen=True)
class Frame:
    """A sentence's shape, as a pattern whose groups are the words of its arguments."""

    section: str
    kind: str
    fixed: Mapping[str, Arg]
    anchor: str
    pattern: re.Pattern[str]
    groups: Mapping[str, tuple[str, str]]


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
        for chapter, text in enumerate(self.article.split("\n\n"), 1):
            for frame, args in self._read(text, frames(self.teller.code, "piece")):
                found.append(Piece(len(found), frame.kind, args, chapter))  # type: ignore[arg-type]
        return found

    def claims(self, summary: str) -> list[Claim]:
        """Return every claim that is read in a summary; rough ones are no claims that could be untrue."""
        return [
            Claim(number, frame.kind, args, (), 1)  # type: ignore[arg-type]
            for number, (frame, args) in enumerate(self._read(summary, frames(self.teller.code, "claim")))
        ]

    def is_faithful(self, summary: str, facts: Facts) -> bool:
        """Return whether every claim of a summary follows from the facts."""
        return all(facts.holds(claim) for claim in self.claims(summary))

    def _read(self, text: str, known: Sequence[Frame]) -> Iterator[tuple[Frame, dict[str, Arg]]]:
        folded = text.casefold()
        for frame in known:
            if frame.anchor not in folded:
                continue
            start = 0
            while (match := frame.pattern.search(text, start)) is not None:
                args = self._args(frame, match)
                if args is not None:
                    yield frame, args
                    start = match.end() - 1
                else:
                    start = match.start() + 1

    def _args(self, frame: Frame, match: re.Match[str]) -> dict[str, Arg] | None:
        args: dict[str, Arg] = dict(frame.fixed)
        for group, (name, form) in frame.groups.items():
            words = match[group]
            if words is None:
                continue
            found = self._look_up(name, form, words, leading=match.start(group) == match.start())
            if found is None or args.setdefault(name, found) != found:
                return None
        wanted = {name for name, _ in frame.groups.values()}
        return args if wanted <= set(args) else None

    def _look_up(self, name: str, form: str, words: str, leading: bool) -> Arg | None:
        known = self._known(name, form)
        candidates = [words, words[:1].lower() + words[1:]]
        if leading:
            # What stands before it in the sentence is not its own.
            candidates += [words[cut:] for cut in range(1, len(words))]
        return next((known[one] for one in candidates if one in known), None)

    def _known(self, name: str, form: str) -> dict[str, Arg]:
        if (name, form) not in self._dictionaries:
            self._dictionaries[name, form] = self._dictionary(name, form)
        return self._dictionaries[name, form]

    def _dictionary(self, name: str, form: str) -> dict[str, Arg]:
        args: Iterator[Arg]
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
        """The named places of the novel."""
        names = self.teller.grammar.names("names.places")
        return tuple(Item("place", "village", number) for number, name in enumerate(names) if name in self.article)

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
            found.append(_frame(section, kind, fixed, template, frozenset(params), code))
    return tuple(found)


# Forms that name an argument; the others are pronouns and the like.
_NAMING = frozenset(
    {"", "full", "past", "base", "ing", "done", "thing", "now", "back", "month", "indefinite", "short"}
)


def _frame(
    section: str, kind: str, fixed: Mapping[str, Arg], template: Template, params: frozenset[str], code: str
) -> Frame:
    groups: dict[str, tuple[str, str]] = {}

    def pattern(parts: Parts) -> str:
        out = []
        for part in parts:
            if isinstance(part, str):
                # Who says it may stand behind the words, and then a comma behind them.
                literal = re.escape(part).replace(r"a\(n\)", "an?").replace(r"A\(n\)", "An?")
                out.append(re.sub(r"\\\.$", "[.,!?。，！？]", literal))
            elif isinstance(part, Choice):
                out.append("(?:" + "|".join(pattern(option) for option in part.options) + ")")
            elif part.name in params and part.name not in fixed and _names(part.name, part.form):
                group = f"g{len(groups)}"
                groups[group] = (part.name, part.form)
                out.append(f"(?P<{group}>{_ANY})")
            else:
                out.append(_ANY)
        return "".join(out)

    text = pattern(template.parts)
    literals = [part for part in template.parts if isinstance(part, str)]
    anchor = max(literals, key=len, default="").strip(" .。，,").casefold()
    anchor = anchor.split("a(n)")[0].strip() if "a(n)" in anchor else anchor
    return Frame(section, kind, fixed, anchor, re.compile(text, re.IGNORECASE), groups)


def _names(name: str, form: str) -> bool:
    if name in _PEOPLE:
        return form in ("", "full")
    return form in _NAMING and not (form == "short" and name == "structure")
