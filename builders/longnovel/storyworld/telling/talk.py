"""Talks and letters of a scene, in which people tell pieces of the story."""

from collections.abc import Sequence

from lengthwise.builders.longnovel.storyworld.records import Person, Piece

from .paragraphs import Paragraph, locate, places_among, two
from .pieces import people, piece_section
from .render import Narrator
from .scenes import Scene

# In how many of 100 turns someone else of the scene says a word, and a turn is followed by a gesture.
_THIRD, _GESTURE = 12, 14
# In how many of 100 tagged turns the tag stands before the words.
_BEFORE = 35
# So many turns in a row may leave open who speaks.
_UNTAGGED = 2


def speakers(scene: Scene, pieces: Sequence[Piece]) -> list[Person]:
    """Return who of a scene can talk about some pieces: those of whom none of them speaks."""
    spoken_of = frozenset[int]().union(*(people(piece.args) for piece in pieces))
    return [person for person in scene.focus if person.number not in spoken_of]


def talk(narrator: Narrator, scene: Scene, turns: int, tagged: int, pieces: Sequence[Piece] = ()) -> Paragraph:
    """Return a talk of two people, a third of whom may say a word; each turn is a paragraph.

    Args:
        narrator: who tells it.
        scene: where.
        turns: how many there are, at least three, and one more than two for each piece.
        tagged: in how many of 100 turns it is said who speaks, where that is clear anyway.
        pieces: told in it, in order; at least two people of the scene are in none of them (`speakers`).
    """
    draws = narrator.draws
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
        args = scene.args(speaker, hearer)
        piece = telling.get(turn)
        told = {} if piece is None else {piece.number: narrator.tell(piece_section(piece, "speech"), piece.args)}
        section = (
            "talk.open"
            if turn == 0
            else "talk.close"
            if turn == turns - 1
            else ("talk.answer", "talk.line")[turn % 2 == 0]
        )
        words = list(told.values())
        if piece is None or draws.chance(20):
            words.append(narrator.tell(section if piece is None else "talk.line", args))
        needed = turn < 2 or interrupts or strange or untagged >= _UNTAGGED
        strange = interrupts
        spoken = narrator.language.join(words)
        if needed or draws.chance(tagged):
            untagged = 0
            before = draws.chance(_BEFORE)
            tag = narrator.fill("tag.before" if before else "tag.after", args)
            spoken = narrator.language.quote(spoken, tag, before=before)
            if draws.chance(_GESTURE):
                spoken = narrator.language.join([spoken, narrator.tell("gesture", args)])
        else:
            untagged += 1
            spoken = narrator.language.quote(spoken)
        start = len(text) + 1 if text else 0
        spans.update({number: (start + at, start + end) for number, (at, end) in locate(spoken, told).items()})
        text = f"{text}\n{spoken}" if text else spoken
    return Paragraph(text, spans)


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
                told[piece.number] = narrator.tell(piece_section(piece, "letter"), piece.args)
                words.append(told[piece.number])
        if place < lines:
            words.append(narrator.tell("letter.line", args))
    words.append(narrator.tell("letter.close", args))
    body = narrator.language.letter(words)
    start = len(lead) + 1
    spans = {number: (start + at, start + end) for number, (at, end) in locate(body, told).items()}
    return Paragraph(f"{lead}\n{body}", spans)
