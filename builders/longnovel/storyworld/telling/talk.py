"""Talks and letters of a scene, in which people tell pieces of the story."""

from collections.abc import Sequence
from dataclasses import dataclass

from lengthwise.builders.longnovel.storyworld.records import Person, Piece

from .paragraphs import Paragraph, locate, places_among, two
from .pieces import people, piece_section
from .render import Narrator
from .scenes import Scene

# In how many of 100 turns someone else of the scene says a word, the hearer stirs, and more is said with a piece.
_THIRD, _GESTURE, _MORE = 12, 14, 20
# In how many of 100 tagged turns the tag stands before the words.
_BEFORE = 35
# So many turns in a row may leave open who speaks.
_UNTAGGED = 2


def speakers(scene: Scene, pieces: Sequence[Piece]) -> list[Person]:
    """Return who of a scene can talk about some pieces: those of whom none of them speaks."""
    spoken_of = frozenset[int]().union(*(people(piece.args) for piece in pieces))
    return [person for person in scene.focus if person.number not in spoken_of]


@dataclass(frozen=True, slots=True)
class Course:
    """How a talk goes.

    Attributes:
        turns: how many there are, at least three, and one more than two for each piece.
        tagged: in how many of 100 turns it is said who speaks, where that is clear anyway.
        opens: its first words may be a greeting; nobody has talked in the scene yet.
        closes: its last words may be a farewell; the scene is nearly at its end.
    """

    turns: int
    tagged: int
    opens: bool
    closes: bool

    def section(self, turn: int) -> str:
        """Return what is said in a turn that tells no piece."""
        if turn == 0 and self.opens:
            return "talk.open"
        if turn == self.turns - 1 and self.closes:
            return "talk.close"
        return "talk.answer" if turn % 2 else "talk.line"


def talk(narrator: Narrator, scene: Scene, course: Course, pieces: Sequence[Piece] = ()) -> Paragraph:
    """Return a talk of two people, a third of whom may say a word; each turn is a paragraph.

    Args:
        narrator: who tells it.
        scene: where.
        course: how it goes.
        pieces: told in it, in order; at least two people of the scene are in none of them (`speakers`).
    """
    draws, turns = narrator.draws, course.turns
    pair = two(narrator, speakers(scene, pieces))
    thirds = [person for person in speakers(scene, pieces) if person not in pair]
    # Neither the first turn nor the last one tells a piece: they open and close the talk.
    chosen = sorted(1 + place for place in draws.shuffled(turns - 2)[: len(pieces)])
    telling = dict(zip(chosen, pieces, strict=True))
    text, spans = "", {}
    untagged = 0
    strange = False
    for turn in range(turns):
        speaker, hearer = pair[turn % 2], pair[1 - turn % 2]
        interrupts = bool(thirds) and 1 < turn < turns - 1 and draws.chance(_THIRD)
        if interrupts:
            speaker = thirds[draws.below(len(thirds))]
        tagged = turn < 2 or interrupts or strange or untagged >= _UNTAGGED or draws.chance(course.tagged)
        untagged = 0 if tagged else untagged + 1
        strange = interrupts
        tag = "" if not tagged else "tag.before" if draws.chance(_BEFORE) else "tag.after"
        spoken = _turn(narrator, scene, (speaker, hearer), tag, course.section(turn), telling.get(turn))
        start = len(text) + 1 if text else 0
        spans.update({number: (start + at, start + end) for number, (at, end) in spoken.spans.items()})
        text = f"{text}\n{spoken.text}" if text else spoken.text
    return Paragraph(text, spans)


def _turn(
    narrator: Narrator, scene: Scene, pair: tuple[Person, Person], tag: str, section: str, piece: Piece | None
) -> Paragraph:
    """Return what the first of two people says to the second; `tag` is a section of tags, or empty."""
    language, draws = narrator.language, narrator.draws
    args = scene.args(*pair)
    before = tag == "tag.before"
    # Everything is told in the order of the page: the first to name someone gives the full name.
    who = narrator.fill(tag, args) if before else ""
    words, told = [], {}
    if piece is not None:
        words.append(narrator.tell_fact(piece_section(piece, "speech"), piece.args))
        told[piece.number] = words[0]
    if piece is None:
        words.append(narrator.tell(section, args))
    elif draws.chance(_MORE):
        words.append(narrator.tell("talk.line", args))
    if tag and not before:
        who = narrator.fill(tag, args)
    spoken = language.quote(language.join(words), who, before=before)
    spans = locate(spoken, told)
    if tag and draws.chance(_GESTURE):
        spoken = language.join([spoken, narrator.tell("gesture", scene.args(pair[1], pair[0]))])
    return Paragraph(spoken, spans)


def writers(scene: Scene, pieces: Sequence[Piece]) -> list[Person]:
    """Return who can have written a letter about some pieces: cast members who are away, and in none of them."""
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
