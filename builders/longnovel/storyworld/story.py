"""A generated novel with all that is known of it: the one place where ledger, teller and edits meet."""

from dataclasses import dataclass, replace
from functools import cached_property

from ...streams import Stream
from ...tokens import load_tokenizer
from ..records import Language
from ..text import count_words
from .books import Book
from .counting import GAP
from .designs import Design, find_design
from .draws import Draws
from .edits import Change
from .outline import Outline, claims_wanted, make_outline
from .records import Claim, Sentence, Told, World
from .settings import story_tokens, summary_words
from .telling.novel import tell_novel
from .telling.summary import introduce, retell, tell_claim
from .telling.teller import load_teller
from .world import make_world

# A novel has room for a claim in so many tokens; the prose between what is told is the greater part of it.
_TOKENS = 130
# Words of the shortest summary that begins with where and when.
_OPENED = 100
# Sentences of a summary's paragraph.
_PARAGRAPH = (5, 8)


@dataclass(frozen=True)
class Story:
    """A novel, its two summaries and its reference.

    Attributes:
        book: which.
        world: what it tells of.
        chapters: its text; none where it was only planned.
        opening: sentence with which both summaries begin: where and when, and nothing that is changed; "" for none.
        outline: what the summaries say behind it.
        breaks: places among the outline's sentences where a new paragraph begins.
        reference: a longer telling of all claims, a paragraph a chapter.
        joint: what stands between two sentences.
    """

    book: Book
    world: World
    chapters: tuple[Told, ...]
    opening: str
    outline: Outline
    breaks: frozenset[int]
    reference: str
    joint: str

    @cached_property
    def article(self) -> str:
        """The text of all chapters, without their headings."""
        return GAP.join(chapter.text for chapter in self.chapters)

    @cached_property
    def summary(self) -> str:
        """The faithful summary."""
        return self._joined(self.outline.told)

    @cached_property
    def changed_summary(self) -> str:
        """The summary with hallucinations."""
        return self._joined(self.outline.changed)

    @property
    def soft(self) -> list[tuple[str, str]]:
        """The sentences of both summaries that say less than they could, each with the one that says all."""
        return [
            (sentence.text, _told(self.book.language, self.world, sentence.claim).text)
            for sentence in self.outline.told
            if sentence.soft
        ]

    @property
    def changes(self) -> list[tuple[Change, str, str]]:
        """What was changed, in order: the change, the sentence that is untrue, the one that is true."""
        pairs = [
            (new.text, old.text)
            for old, new in zip(self.outline.told, self.outline.changed, strict=True)
            if old.claim != new.claim
        ]
        return [(change, *pair) for change, pair in zip(self.outline.changes, pairs, strict=True)]

    @cached_property
    def spans(self) -> dict[int, tuple[int, int, int]]:
        """Number of each piece -> chapter, start and end of its sentences in the article (half-open, characters)."""
        found, start = {}, 0
        for chapter in self.chapters:
            for piece, (begin, end) in chapter.spans.items():
                found[piece] = (chapter.number, start + begin, start + end)
            start += len(chapter.text) + len(GAP)
        return found

    def _joined(self, sentences: tuple[Sentence, ...]) -> str:
        shown = [self.opening]
        for place, sentence in enumerate(sentences):
            shown += [GAP if place in self.breaks else self.joint if shown[-1] else "", sentence.text]
        return "".join(shown)


def _told(language: Language, world: World, claim: Claim, soft: bool = False) -> Sentence:
    return tell_claim(language, world.key, claim, soft=soft)


def _fitting(world: World, outline: Outline, most: int, draws: Draws) -> World:
    """Return a world without the claims that a very short novel has no room for, and without their pieces.

    It is made with claims of every kind, so that every type can be had, and then keeps those that are told.
    """
    if len(world.claims) <= most:
        return world
    kept = {sentence.claim.number for sentence in outline.told}
    others = [claim.number for claim in draws.shuffled(world.claims) if claim.number not in kept]
    kept |= set(others[: most - len(kept)])
    claims = tuple(claim for claim in world.claims if claim.number in kept)
    pieces = {piece for claim in claims for piece in claim.pieces}
    # What no claim rests on is told of those who could have been meant: some of it stays.
    cited = {piece for claim in world.claims for piece in claim.pieces}
    loose = [piece.number for piece in world.pieces if piece.number not in cited]
    pieces |= set(draws.shuffled(loose)[: most // 4])
    chapters = tuple(
        replace(chapter, pieces=tuple(piece for piece in chapter.pieces if piece.number in pieces))
        for chapter in world.chapters
    )
    return replace(world, claims=claims, chapters=chapters)


def make_story(book: Book, tokenizer: str) -> Story:
    """Make a novel's world, choose what its summaries say, and tell it.

    Args:
        book: which.
        tokenizer: see `lengthwise.builders.tokens.load_tokenizer`; it measures the chapters.

    Raises:
        InputError: a world of this size cannot be had.
    """
    story = plan_story(book)
    count = load_tokenizer(tokenizer).count
    return replace(story, chapters=tuple(tell_novel(story.world, book.language, count)))


def plan_story(book: Book, design: Design | None = None) -> Story:
    """Return a novel without its chapters, which take nearly all the time: its world, summaries and reference.

    Args:
        book: which.
        design: what its pair is to be; None takes the book's own.

    Raises:
        InputError: a world of this size cannot be had.
    """
    language, words = book.language, summary_words(book.scale)
    world = make_world(book.key, story_tokens(book.scale), claims_wanted(words, language))
    design = design or find_design(book.scale, book.split, language, book.seed, book.index)
    draws = Draws(*book.key, "outline")
    # A sentence in three is too many for one that says so little.
    opening = introduce(language, world) if words >= _OPENED else ""
    outline = make_outline(
        world.claims,
        design,
        words,
        language,
        lambda claim, soft: _told(language, world, claim, soft),
        draws,
        Stream(*book.key, "changes"),
        count_words(opening, language),
    )
    world = _fitting(world, outline, story_tokens(book.scale) // _TOKENS, draws)
    joint = load_teller(language).language.join(("", ""))
    reference = GAP.join(
        joint.join(sentence.text for sentence in paragraph) for paragraph in retell(language, world) if paragraph
    )
    breaks, place = set(), draws.between(*_PARAGRAPH)
    # No paragraph of a sentence or two at the end.
    while place + _PARAGRAPH[0] <= len(outline.told):
        breaks.add(place)
        place += draws.between(*_PARAGRAPH)
    return Story(book, world, (), opening, outline, frozenset(breaks), reference, joint)
