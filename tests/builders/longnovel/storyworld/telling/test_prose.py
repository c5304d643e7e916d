import re

import pytest

from lengthwise.builders.longnovel.storyworld.telling.novel import tell_novel
from lengthwise.builders.longnovel.storyworld.telling.summary import introduce, retell
from lengthwise.builders.longnovel.storyworld.world import make_world


def count(text: str) -> int:
    """Return about as many as a tokenizer finds, to steer by."""
    return len(re.findall(r"[a-z]+|[^\x00-\x7f]|[^\sa-z]", text, re.I))


@pytest.fixture(scope="module", params=["en", "zh"])
def novel(request):
    world = make_world(("prose", request.param), 24_000, 30)
    trace = []
    return request.param, world, list(tell_novel(world, request.param, count, trace)), trace


def test_nothing_of_a_template_is_left_on_the_page(novel):
    language, world, chapters, _ = novel
    texts = [chapter.text for chapter in chapters] + [chapter.title for chapter in chapters]
    texts += [sentence.text for chapter in retell(language, world) for sentence in chapter] + [
        introduce(language, world)
    ]
    for text in texts:
        assert not re.search(r"[\[\]{}|<>]|\(n\)|  | \n|\n |\n\n", text)


def test_paragraphs_open_and_close_their_quotation_marks(novel):
    for chapter in novel[2]:
        for line in chapter.text.split("\n"):
            assert line.count("“") == line.count("”")
            assert not re.search("“[^”]*“", line)


def test_every_piece_is_told_in_its_chapter_in_order(novel):
    _, world, chapters, _ = novel
    for chapter, told in zip(world.chapters, chapters, strict=True):
        assert list(told.spans) == [piece.number for piece in chapter.pieces]
        assert sorted(told.spans.values()) == list(told.spans.values())


def test_a_span_begins_and_ends_with_a_sentence(novel):
    for chapter in novel[2]:
        for start, end in chapter.spans.values():
            assert chapter.text[start - 1] in " “”。！？\n"
            assert chapter.text[end - 1] in ".!?,。！？"
            assert chapter.text[end : end + 1] in (" ", "”", "\n", "") or chapter.text[end] > "\u2e80"


def test_no_frame_comes_more_often_than_once_in_500_sentences(novel):
    trace = [frame for frame in novel[3] if not frame[0].startswith(("tag.", "title"))]
    assert max(trace.count(frame) for frame in set(trace)) <= max(3, len(trace) / 500)


def test_chapters_are_as_long_as_planned(novel):
    _, world, chapters, _ = novel
    assert (
        abs(sum(count(chapter.text) for chapter in chapters) - sum(chapter.tokens for chapter in world.chapters)) < 300
    )
