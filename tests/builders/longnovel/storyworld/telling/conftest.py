"""A language of few forms, a grammar that words every section alike, and worlds of any size, to test the engine."""

import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from lengthwise.builders.longnovel.storyworld.catalogue import DEEDS, STRUCTURES
from lengthwise.builders.longnovel.storyworld.records import (
    Arg,
    Chapter,
    Claim,
    Count,
    Day,
    Deed,
    Item,
    Marked,
    Person,
    Piece,
    World,
)
from lengthwise.builders.longnovel.storyworld.telling.grammar import read_grammar
from lengthwise.builders.longnovel.storyworld.telling.language import ArgKind
from lengthwise.builders.longnovel.storyworld.telling.sections import LISTS, WORDS, called
from lengthwise.builders.longnovel.storyworld.telling.teller import Teller

sys.path.insert(0, str(Path(__file__).parent))

BEGINS = 1850 * 365


class Plain:
    """A language without forms: a person is `P7`, or `P7 F7` in full, a deed its verb and object."""

    def forms(self, kind: ArgKind) -> frozenset[str]:
        return frozenset({"", "full"}) if kind == "person" else frozenset({"", "year"} if kind == "day" else {""})

    def word(self, arg: Arg, form: str) -> str:
        match arg:
            case Person():
                return f"P{arg.name} F{arg.family}" if form == "full" else f"P{arg.name}"
            case Marked():
                return f"the one called {arg.mark}"
            case Deed():
                return f"{arg.verb} {self.word(arg.object, 'full' if isinstance(arg.object, Person) else '')}"
            case Item():
                return f"{arg.key}{arg.name}"
            case Count():
                return f"{arg.value} {arg.unit}"
            case Day():
                return "/".join(map(str, arg.date))
            case _:
                return str(getattr(arg, "key", getattr(arg, "value", "")))

    def finish(self, text: str) -> str:
        return text[0].upper() + text[1:]

    def join(self, sentences: Sequence[str]) -> str:
        return " ".join(sentences)

    def quote(self, words: str, tag: str = "", *, before: bool = False) -> str:
        if before:
            return f"{tag}, “{words}”"
        return f"“{words[:-1]},” {tag}." if tag and words.endswith(".") else f"“{words}” {tag}".strip()

    def letter(self, sentences: Sequence[str]) -> str:
        return f"“{' '.join(sentences)}”"


@pytest.fixture(scope="session")
def plain_language() -> Plain:
    return Plain()


def grammar_text(lines: int) -> str:
    """Return a grammar with so many lines in each section that the teller calls, each of which names all arguments."""
    text = []
    for section, params in called():
        slots = " ".join(f"{{{name}}}" for name in params)
        text += [f"== {section}", *(f"{section.replace('.', ' ')} line {n} [so|thus] {slots}." for n in range(lines))]
    for section, ids in WORDS.items():
        text += [f"== {section}", *(f"{key} = the {key}" for key in ids)]
    for section, size in LISTS.items():
        text += [f"== {section}", *(f"name{n}" for n in range(size))]
    return "\n".join(text)


@pytest.fixture(scope="session")
def plain_text() -> str:
    return grammar_text(30)


@pytest.fixture(scope="session")
def plain(plain_text: str, plain_language: Plain) -> Teller:
    return Teller("plain", read_grammar([("plain.txt", plain_text)]), plain_language)


def person(number: int) -> Person:
    return Person(number, number % 2 == 0, number, number)


def make_chapter(number: int, tokens: int, pieces: int) -> Chapter:
    """Return a chapter with a cast of five, some of whom did deeds that are told in it."""
    cast = tuple(person((number + n) % 20) for n in range(5))
    place = Item("place", "town", number % 4)
    told = []
    for n in range(pieces):
        verbs = DEEDS["work"]
        deed = Deed(
            "work", verbs[n % len(verbs)], Item("structure", STRUCTURES[(number + n) % len(STRUCTURES)], at=place)
        )
        args: dict[str, Arg] = {"agent": person(20 + n % 7), "deed": deed}
        if n % 2:
            args["day"] = Day(BEGINS + n)
        told.append(Piece(1000 * number + n, "deed", args, number))
    return Chapter(number, tokens, Day(BEGINS + 40 * number), place, cast, tuple(told))


@pytest.fixture(scope="session")
def world_of() -> Callable[..., World]:
    def make(tokens: Sequence[int], pieces: int = 6, key: tuple[str | int, ...] = ("test",)) -> World:
        chapters = tuple(make_chapter(n, size, pieces) for n, size in enumerate(tokens, 1))
        claims = tuple(
            Claim(
                piece.number,
                "deed",
                {name: piece.args[name] for name in ("agent", "deed")},
                (piece.number,),
                chapter.number,
            )
            for chapter in chapters
            for piece in chapter.pieces
        )
        people = tuple(person(number) for number in range(30))
        return World(key, Day(BEGINS), people, (chapters[0].place,), chapters, claims)

    return make


@pytest.fixture(scope="session")
def count_words() -> Callable[[str], int]:
    return lambda text: len(re.findall(r"\w+", text))
