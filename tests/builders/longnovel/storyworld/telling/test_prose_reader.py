"""The reader of the page: what it must read, and that it knows nothing but the page."""

from dataclasses import dataclass

import pytest
from prose_reader import Reader

from lengthwise.builders.longnovel.storyworld.books import Book
from lengthwise.builders.longnovel.storyworld.story import Story, make_story
from lengthwise.builders.longnovel.storyworld.truth import Facts


@dataclass
class Read:
    """A novel, and what was read in it."""

    story: Story
    reader: Reader
    facts: Facts


@pytest.fixture(scope="module", params=["en", "zh"])
def read(request: pytest.FixtureRequest) -> list[Read]:
    stories = [make_story(Book(request.param, "4k", "test", 5, index), "qwen3") for index in range(3)]
    readers = [Reader(request.param, story.article) for story in stories]
    return [Read(story, reader, reader.facts()) for story, reader in zip(stories, readers, strict=True)]


def test_the_page_shows_what_the_summaries_say(read: list[Read]) -> None:
    for one in read:
        assert one.reader.is_faithful(one.story.summary, one.facts)
        assert not one.reader.is_faithful(one.story.changed_summary, one.facts)


def test_every_sentence_of_a_summary_is_read(read: list[Read]) -> None:
    for one in read:
        told, claims = one.story.outline.told, one.reader.claims(one.story.summary)
        assert len(claims) >= len([sentence for sentence in told if not sentence.soft])


def test_nothing_is_known_that_is_not_on_the_page(read: list[Read]) -> None:
    one = read[0]
    nothing = Reader(one.story.book.language, "")
    assert not nothing.pieces()
    claims = one.reader.claims(one.story.summary)
    assert claims and not any(nothing.facts().holds(claim) for claim in claims)


def test_a_page_without_the_evidence_shows_nothing(read: list[Read]) -> None:
    one = read[0]
    change, _, right = one.story.changes[0]
    article = one.story.article
    for _, start, end in sorted((one.story.spans[piece] for piece in change.claim.pieces), reverse=True):
        article = article[:start] + article[end:]
    without = Reader(one.story.book.language, article)
    assert one.reader.is_faithful(right, one.facts)
    assert not without.is_faithful(right, without.facts())
