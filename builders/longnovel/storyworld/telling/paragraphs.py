"""Paragraphs of prose in a scene: description, action, memory, thought and custom, with pieces of the story."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from lengthwise.builders.longnovel.storyworld.records import Person, Piece

from .pieces import piece_section
from .render import Narrator
from .scenes import Scene

# Kind of paragraph -> section -> weight with which its sentences are drawn from there; the setting is the scene's.
_MIXTURES: Mapping[str, Mapping[str, int]] = MappingProxyType({
    "description": {"describe.{setting}": 6, "weather.{weather}": 2},
    "action": {"gesture": 4, "between": 6, "describe.{setting}": 1},
    "memory": {"memory": 4, "thought": 1, "gesture": 1},
    "thought": {"thought": 4, "gesture": 2, "weather.{weather}": 1},
    "custom": {"custom": 4, "describe.{setting}": 1},
})  # fmt: skip
PROSE = tuple(_MIXTURES)
# Sections about someone, and those of them that are about one person throughout a paragraph.
_PERSONAL = frozenset({"gesture", "between", "thought", "memory"})
_INWARD = frozenset({"thought", "memory"})
# Nobody thinks of more things than these in a paragraph.
_INWARD_MOST = 3
# In how many of 100 cases words of narration lead up to a piece.
_LED = 35


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph, or a talk, whose turns are paragraphs parted by line ends; and where each piece is told in it."""

    text: str
    spans: Mapping[int, tuple[int, int]] = field(default_factory=dict)


def prose(narrator: Narrator, scene: Scene, kind: str, count: int, pieces: Sequence[Piece] = ()) -> Paragraph:
    """Return a paragraph of narration.

    Args:
        narrator: who tells it.
        scene: where.
        kind: one of `PROSE`.
        count: how many sentences there are beside those of the pieces; 0 only with pieces.
        pieces: told in it, in order, never at its start unless there is nothing else.
    """
    narrator.forget()
    if kind in _INWARD:
        count = min(count, max(_INWARD_MOST, len(pieces)))
    slots = places_among(narrator, count, pieces)
    led = "piece.lead" in narrator.grammar.templates
    args = scene.args(scene.focus[0], scene.focus[1])
    # Everything is told in the order of the page: the first to name someone gives the full name.
    filler = _sentences(narrator, scene, kind, count)
    sentences: list[str] = []
    told: dict[int, str] = {}
    for place in range(count + 1):
        for slot, piece in zip(slots, pieces, strict=True):
            if slot == place:
                if led and narrator.draws.chance(_LED):
                    sentences.append(narrator.tell("piece.lead", args))
                told[piece.number] = narrator.tell_fact(piece_section(piece, "narration"), piece.args)
                sentences.append(told[piece.number])
        sentences += itertools.islice(filler, 1)
    return Paragraph(text := narrator.language.join(sentences), locate(text, told))


def opening(narrator: Narrator, scene: Scene, *, first: bool) -> Paragraph:
    """Return the paragraph that opens a scene: who comes where; date and place before it where a chapter begins.

    Args:
        narrator: who tells it.
        scene: which.
        first: whether the chapter begins here.
    """
    draws = narrator.draws
    args = scene.args(scene.focus[0], scene.focus[1])
    sections = ["chapter.open"] if first else ["pass"] if draws.chance(40) else []
    if draws.chance(60):
        sections.append(f"hour.{scene.hour}")
    if draws.chance(60):
        sections.append(f"weather.{scene.weather}")
    sections.append(f"scene.open.{scene.setting}")
    if draws.chance(60):
        sections.append(f"describe.{scene.setting}")
    return Paragraph(narrator.language.join([narrator.tell(section, args) for section in sections]))


def ending(narrator: Narrator, scene: Scene) -> Paragraph:
    """Return the paragraph that ends a scene."""
    draws = narrator.draws
    first, second = two(narrator, scene.focus)
    sections = [f"describe.{scene.setting}"] if draws.chance(40) else []
    sections.append("scene.end")
    return Paragraph(
        narrator.language.join([narrator.tell(section, scene.args(first, second)) for section in sections])
    )


def two(narrator: Narrator, people: Sequence[Person]) -> tuple[Person, Person]:
    """Return two different people out of two or more."""
    first = narrator.draws.below(len(people))
    second = narrator.draws.below(len(people) - 1)
    return people[first], people[second + (second >= first)]


def places_among(narrator: Narrator, count: int, pieces: Sequence[Piece]) -> list[int]:
    """Return behind how many of `count` sentences each piece stands: behind one at least, and apart where they can."""
    if count < len(pieces):
        return sorted(1 + narrator.draws.below(count) if count else 0 for _ in pieces)
    return sorted(1 + place for place in narrator.draws.shuffled(count)[: len(pieces)])


def locate(text: str, told: Mapping[int, str]) -> dict[int, tuple[int, int]]:
    """Return where each piece is told in a text that tells them in this order.

    Where the text is joined, a language may change the mark at a sentence's end (“It rained,” said Ada), so that the
    last character is not looked for; a sentence whose inner marks were changed too is taken to be all that is left.
    """
    spans: dict[int, tuple[int, int]] = {}
    at = 0
    for number, sentence in told.items():
        start = text.find(sentence[:-1], at)
        spans[number] = (start, start + len(sentence)) if start >= 0 else (at, len(text))
        at = spans[number][1] if start >= 0 else at
    return spans


def lives_on(scene: Scene, kind: str) -> str:
    """Return the section that most sentences of a kind of paragraph come from."""
    return next(iter(_MIXTURES[kind])).format(setting=scene.setting)


def _sentences(narrator: Narrator, scene: Scene, kind: str, count: int) -> Iterator[str]:
    mixture = {
        section.format(setting=scene.setting, weather=scene.weather): weight
        for section, weight in _MIXTURES[kind].items()
    }
    first, second = two(narrator, scene.focus)
    section, last = "", None
    for place in range(count):
        # Two sentences in a row that begin with one name read like a list, two of weather like an almanac.
        options = {
            name: weight
            for name, weight in mixture.items()
            if not (name == section and name.startswith("weather.")) and not (name in _INWARD and last is first)
        }
        # The first sentence shows what kind of paragraph it is.
        section = narrator.pick(options) if place else next(iter(mixture))
        if section in _INWARD and kind in _INWARD:
            subject, other = first, second
        else:
            others = [person for person in scene.focus if person is not last]
            subject = others[narrator.draws.below(len(others))]
            rest = [person for person in scene.focus if person is not subject]
            other = rest[narrator.draws.below(len(rest))]
        last = subject if section in _PERSONAL else None
        yield narrator.tell(section, scene.args(subject, other))
