"""Which sections of a grammar the teller calls, and which arguments it hands to each; the same in all languages."""

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import TypeAlias

from lengthwise.builders.longnovel.storyworld import catalogue

from .language import ArgKind

# Names of the arguments -> the kinds that each may be of (a form has to be there for all of them).
Params: TypeAlias = Mapping[str, tuple[ArgKind, ...]]

SETTINGS = ("street", "house", "field", "water", "workshop", "inn")
WEATHERS = ("clear", "rain", "wind", "fog", "snow", "heat")
HOURS = ("dawn", "day", "dusk", "night")
MODES = ("narration", "speech", "letter")

_NAMES: Mapping[ArgKind, str] = MappingProxyType({
    "person": "a b c owner giver taker agent payee person other_agent witness", "deed": "deed other_deed",
    "day": "day date", "count": "amount men years days",
    "word": "mark title relation outcome motive next purpose handover",
    "item": "thing place hall organisation incident hook structure cause effect",
})  # fmt: skip
_KINDS: Mapping[str, tuple[ArgKind, ...]] = MappingProxyType(
    {name: (kind,) for kind, names in _NAMES.items() for name in names.split()} | {"object": ("item", "person")}
)
_PIECES = MappingProxyType({
    "mark": "person mark", "owns": "owner thing", "hands": "giver taker thing handover", "deed": "agent deed",
    "deed.day": "agent deed day", "deed.place": "agent deed place", "deed.day.place": "agent deed day place",
    "post": "agent title hall", "seat": "organisation hall", "paid": "agent payee amount purpose",
    "paid_more": "agent payee amount purpose", "troops": "place men", "troops_more": "place men", "born": "agent day",
    "same_day": "agent deed incident", "incident": "incident day", "because": "effect day",
    **{f"link_a.{relation}": "person relation hook" for relation in catalogue.RELATIONS},
    **{f"link_b.{relation}": "person relation hook" for relation in catalogue.RELATIONS},
    "vow": "agent deed witness", "kept.yes": "agent witness", "kept.no": "agent witness",
    "outcome": "agent structure outcome", "motive": "agent object motive", "next": "agent structure next",
    "death": "person day",
})  # fmt: skip
# Those in SOFT_CLAIMS have a section `.soft` too, which says less.
_CLAIMS = MappingProxyType({
    "owner": "giver taker thing handover owner", "deed": "agent deed", "deed.place": "agent deed place",
    "post": "agent title organisation", "amount": "agent payee amount purpose", "troops": "place men",
    "age": "agent deed years", "date": "agent deed day", "death": "person day",
    "interval": "agent deed other_agent other_deed days", "kin": "a b relation", "vow.yes": "agent deed",
    "vow.no": "agent deed", "outcome": "agent deed outcome", "motive": "agent deed motive",
    "joint": "agent deed other_agent other_deed place day", "order": "agent deed other_agent other_deed",
    "cause": "cause effect", "next": "agent deed next", "late": "agent deed day",
})  # fmt: skip
SOFT_CLAIMS = ("deed.place", "amount", "troops", "age", "date", "death", "interval", "joint", "late")
_SCENE = "a b place date"
# What people talk about: each section of this prefix is a subject, and a talk keeps to one. A language may have none.
SUBJECT, ANY_SUBJECT = "talk.topic.", "talk.line"
_FILLER = (
    *(f"scene.open.{setting}" for setting in SETTINGS), *(f"describe.{setting}" for setting in SETTINGS),
    *(f"weather.{weather}" for weather in WEATHERS), *(f"hour.{hour}" for hour in HOURS),
    "chapter.open", "gesture", "between", "thought", "custom", "memory", "talk.open", "talk.line", "talk.answer",
    "talk.close", "tag.before", "tag.after", "pass", "scene.end",
)  # fmt: skip
# Sections of words by id -> the ids that they have at least.
WORDS: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "words.structure": catalogue.STRUCTURES, "words.paper": catalogue.PAPERS, "words.object": catalogue.OBJECTS,
    "words.deed": tuple(verb for verbs in catalogue.DEEDS.values() for verb in verbs),
    "words.organisation": catalogue.ORGANISATIONS, "words.hall": catalogue.HALLS,
    "words.incident": catalogue.INCIDENTS, "words.title": catalogue.TITLES, "words.relation": catalogue.RELATIONS,
    "words.outcome": catalogue.OUTCOMES, "words.motive": catalogue.MOTIVES, "words.next": catalogue.CONTINUATIONS,
    "words.purpose": catalogue.PURPOSES, "words.handover": catalogue.HANDOVERS, "words.mark": catalogue.MARKS,
})  # fmt: skip
# Lists of names -> how many different ones they have at least.
LISTS: Mapping[str, int] = MappingProxyType(
    {f"names.{table}": size for table, size in catalogue.NAMES.items()} | {"names.offstage": 1}
)


def called() -> Iterator[tuple[str, Params]]:
    """Yield every section of templates that the teller calls, and the arguments that it hands to it."""
    for shape, names in _PIECES.items():
        for mode in MODES:
            yield f"piece.{shape}.{mode}", _params(names)
    for shape, names in _CLAIMS.items():
        yield f"claim.{shape}", _params(names)
        if shape in SOFT_CLAIMS:
            yield f"claim.{shape}.soft", _params(names)
    for section in _FILLER:
        yield section, _params(_SCENE)
    for section in ("letter.lead", "letter.open", "letter.line", "letter.close"):
        yield section, _params(f"{_SCENE} c")
    yield "title", _params("place")
    yield "summary.open", _params("place date a b c")
    yield "summary.link", {}


def welcome(sections: Iterable[str]) -> Iterator[tuple[str, Params]]:
    """Yield those of some sections that the teller calls where a language has them, as `called` yields the others.

    They are: `talk.topic.<name>`, subjects of talk in place of `talk.line`; `talk.bridge`, which leads up to a piece
    in a talk, and `piece.lead` in a paragraph; `tag.ask` and `tag.reply`, who asks it and who answers.
    """
    for section in sections:
        if section.startswith(SUBJECT) or section in ("talk.bridge", "piece.lead", "tag.ask", "tag.reply"):
            yield section, _params(_SCENE)


def _params(names: str) -> Params:
    return {name: _KINDS[name] for name in names.split()}
