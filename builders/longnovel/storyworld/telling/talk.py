"""Talks and letters of a scene, in which people tell pieces of the story."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from lengthwise.builders.longnovel.storyworld.records import Person, Piece

from .paragraphs import Paragraph, locate, places_among, two
from .pieces import people, piece_section
from .render import Narrator
from .scenes import Scene
from .sections import ANY_SUBJECT

# In how many of 100 exchanges someone else of the scene begins; of 100 pieces, how many are led up to; of 100 tagged
# turns, in how many the hearer stirs, and in how many the tag stands before the words.
_THIRD, _BRIDGED, _GESTURE, _BEFORE = 15, 60, 10, 30
# So many turns in a row may leave open who speaks.
_UNTAGGED = 2


def speakers(scene: Scene, pieces: Sequence[Piece]) -> list[Person]:
    """Return who of a scene can talk about some pieces: everyone, or nobody where one of them is spoken of.

    Nobody is talked about by full name to those who stand beside them.
    """
    spoken_of = frozenset[int]().union(*(people(piece.args) for piece in pieces))
    return [] if any(person.number in spoken_of for person in scene.focus) else list(scene.focus)


@dataclass(frozen=True, slots=True)
class Course:
    """How a talk goes.

    Attributes:
        turns: about how many there are; there are more if its pieces need them.
        tagged: in how many of 100 turns it is said who speaks, where that is clear anyway.
        opens: its first words may be a greeting; nobody has talked in the scene yet.
        closes: its last words may be a farewell; the scene is nearly at its end.
    """

    turns: int
    tagged: int
    opens: bool
    closes: bool


@dataclass(frozen=True, slots=True)
class _Turn:
    """What one says: sentences, and those of them that tell a piece, by its number."""

    words: Sequence[str]
    told: Mapping[int, str] = field(default_factory=dict)


def subject_of(narrator: Narrator) -> str:
    """Return a section of exchanges for a talk to keep to: one of those that have been used least."""
    return narrator.pick(dict.fromkeys(narrator.subjects, 1))


def talk(
    narrator: Narrator, scene: Scene, course: Course, pieces: Sequence[Piece] = (), subject: str = ANY_SUBJECT
) -> Paragraph:
    """Return a talk of two people, to whom a third may turn; each turn is a paragraph.

    Args:
        narrator: who tells it.
        scene: where.
        course: how it goes.
        pieces: told in it, in order; at least two people of the scene are in none of them (`speakers`).
        subject: what else is spoken of (`subject_of`).
    """
    narrator.forget()
    draws = narrator.draws
    first, second = two(narrator, speakers(scene, pieces))
    thirds = [person for person in speakers(scene, pieces) if person not in (first, second)]
    text, spans = "", {}
    untagged, strange = 0, True
    for place, exchange in enumerate(_exchanges(narrator, scene, course, pieces, subject)):
        third = place > 0 and bool(thirds) and draws.chance(_THIRD)
        speaker, hearer = (thirds[draws.below(len(thirds))], second) if third else (first, second)
        strange = strange or third
        for number, turn in enumerate(exchange):
            # Whoever breaks into a talk, and who goes on after that, is named.
            tagged = strange or untagged >= _UNTAGGED or draws.chance(course.tagged)
            strange = (strange and not number) or (third and number == len(exchange) - 1)
            untagged = 0 if tagged else untagged + 1
            spoken = _spoken(narrator, scene, (speaker, hearer), turn, tagged=tagged, replies=number > 0)
            start = len(text) + 1 if text else 0
            spans.update({piece: (start + at, start + end) for piece, (at, end) in spoken.spans.items()})
            text = f"{text}\n{spoken.text}" if text else spoken.text
            speaker, hearer = hearer, speaker
        # An exchange of three turns leaves the next word to the other one.
        if len(exchange) % 2 and not third:
            first, second = second, first
    return Paragraph(text, spans)


def _exchanges(
    narrator: Narrator, scene: Scene, course: Course, pieces: Sequence[Piece], subject: str
) -> Iterator[Sequence[_Turn]]:
    """Yield what is said: words and the answer to them, or a piece and what the hearer says to it."""
    draws = narrator.draws
    args = scene.args(scene.focus[0], scene.focus[1])
    bridged = "talk.bridge" in narrator.grammar.templates

    def exchange(section: str, *, answered: bool = True) -> Sequence[_Turn]:
        turns = narrator.tell_turns(section, args)
        if len(turns) == 1 and answered:
            turns += narrator.tell_turns("talk.answer", args)
        return [_Turn([words]) for words in turns]

    if course.opens:
        yield exchange("talk.open")
    size = max(len(pieces) + 1, (course.turns + 1) // 2 - course.opens - course.closes)
    # Nobody begins with a piece.
    chosen = sorted(1 + place for place in draws.shuffled(size - 1)[: len(pieces)])
    telling = dict(zip(chosen, pieces, strict=True))
    for place in range(size):
        piece = telling.get(place)
        if piece is None:
            yield exchange(subject)
            continue
        words = [narrator.tell("talk.bridge", args)] if bridged and draws.chance(_BRIDGED) else []
        words.append(narrator.tell_fact(piece_section(piece, "speech"), piece.args))
        answer = _Turn(narrator.tell_turns("talk.answer", args)[:1])
        yield [_Turn(words, {piece.number: words[-1]}), answer]
    if course.closes:
        yield exchange("talk.close", answered=False)


def _spoken(
    narrator: Narrator, scene: Scene, pair: tuple[Person, Person], turn: _Turn, *, tagged: bool, replies: bool
) -> Paragraph:
    """Return what the first of two people says to the second, and who says it if that is to be said."""
    language, draws = narrator.language, narrator.draws
    args = scene.args(*pair)
    words = language.join(turn.words)
    before = tagged and draws.chance(_BEFORE)
    tag = "tag.before" if before else "tag.ask" if words[-1] in "?？" else "tag.reply" if replies else "tag.after"
    tag = tag if tag in narrator.grammar.templates else "tag.after"
    spoken = language.quote(words, narrator.fill(tag, args) if tagged else "", before=before)
    spans = locate(spoken, turn.told)
    if tagged and draws.chance(_GESTURE):
        spoken = language.join([spoken, narrator.tell("gesture", scene.args(pair[1], pair[0]))])
    return Paragraph(spoken, spans)


def writers(scene: Scene, pieces: Sequence[Piece]) -> list[Person]:
    """Return who can have written a letter about some pieces: people who are elsewhere, and in none of them."""
    spoken_of = frozenset[int]().union(*(people(piece.args) for piece in pieces))
    return [person for person in scene.away if person.number not in spoken_of]


def letter(narrator: Narrator, scene: Scene, lines: int, pieces: Sequence[Piece] = ()) -> Paragraph:
    """Return a letter that someone of the scene reads: how it came, and a paragraph of its words.

    Args:
        narrator: who tells it.
        scene: where.
        lines: how many lines there are beside opening, close and pieces.
        pieces: told in it, in order; somebody can have written it and somebody can read it (`writers`, `speakers`).
    """
    narrator.forget()
    draws = narrator.draws
    candidates = writers(scene, pieces)
    writer = candidates[draws.below(len(candidates))]
    readers = speakers(scene, pieces)
    reader = readers[draws.below(len(readers))]
    rest = [person for person in scene.focus if person is not reader]
    args = scene.args(reader, rest[draws.below(len(rest))], writer)
    lead = narrator.tell("letter.lead", args)
    words = [narrator.tell("letter.open", args)]
    slots = places_among(narrator, lines, pieces)
    told: dict[int, str] = {}
    for place in range(lines + 1):
        for slot, piece in zip(slots, pieces, strict=True):
            if slot == place:
                told[piece.number] = narrator.tell_fact(piece_section(piece, "letter"), piece.args)
                words.append(told[piece.number])
        if place < lines:
            words.append(narrator.tell("letter.line", args))
    words.append(narrator.tell("letter.close", args))
    body = narrator.language.letter(words)
    start = len(lead) + 1
    spans = {number: (start + at, start + end) for number, (at, end) in locate(body, told).items()}
    return Paragraph(f"{lead}\n{body}", spans)
