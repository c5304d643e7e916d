"""The reader of the page: what it must read, and that it knows nothing but the page."""

import pytest
from prose_reader import Reader

from lengthwise.builders.longnovel.storyworld.books import Book
from lengthwise.builders.longnovel.storyworld.story import Story, make_story
from lengthwise.builders.longnovel.storyworld.truth import Facts


@pytest.fixture(scope="module", params=["en", "zh"])
def stories(request: pytest.FixtureRequest) -> list[Story]:
    return [make_story(Book(request.param, "8k", "test", 5, index), "qwen3") for index in range(3)]


def test_the_page_shows_what_the_summaries_say(stories: list[Story]) -> None:
    for story in stories:
        reader = Reader(story.book.language, story.article)
        facts = reader.facts()
        assert reader.is_faithful(story.summary, facts)
        assert not reader.is_faithful(story.changed_summary, facts)


def test_nothing_is_known_that_is_not_on_the_page(stories: list[Story]) -> None:
    for story in stories:
        reader = Reader(story.book.language, "")
        assert not reader.pieces()
        assert not reader.is_faithful(story.summary, reader.facts())


def test_a_page_without_the_evidence_shows_nothing(stories: list[Story]) -> None:
    for story in stories:
        (change, *_) = story.changes
        right = change[0].claim
        article = story.article
        for start, end in sorted((story.spans[piece][1:] for piece in right.pieces), reverse=True):
            article = article[:start] + article[end:]
        with_it = Reader(story.book.language, story.article)
        without = Reader(story.book.language, article)
        sentence = change[2]
        assert with_it.is_faithful(sentence, with_it.facts())
        assert not without.is_faithful(sentence, without.facts())


def test_what_is_read_is_what_was_told(stories: list[Story]) -> None:
    for story in stories:
        told, read = Facts(story.world.pieces), Reader(story.book.language, story.article)
        claims = read.claims(story.summary)
        assert len(claims) >= len([one for one in story.outline.told if not one.soft])
        assert all(told.holds(one.claim) for one in story.outline.told)
