import itertools
import re
import tracemalloc
from collections import Counter

import pytest

from lengthwise.builders.longnovel.storyworld.telling.grammar import read_grammar
from lengthwise.builders.longnovel.storyworld.telling.novel import tell_novel
from lengthwise.builders.longnovel.storyworld.telling.teller import Teller


@pytest.fixture(scope="module")
def told(plain, world_of, count_words):
    return list(tell_novel(world_of([2000, 3000, 4500, 6000, 2500]), plain, count_words))


def test_the_same_world_is_told_in_the_same_words(plain, world_of, count_words, told):
    again = list(tell_novel(world_of([2000, 3000, 4500, 6000, 2500]), plain, count_words))
    assert again == told


def test_worlds_of_different_keys_are_told_differently(plain, world_of, count_words, told):
    other = next(tell_novel(world_of([2000], key=("other",)), plain, count_words))
    assert other.text != told[0].text


def test_chapters_are_as_long_as_planned(told, count_words):
    lengths = [count_words(chapter.text) for chapter in told]
    assert all(abs(found - plan) < 150 for found, plan in zip(lengths, [2000, 3000, 4500, 6000, 2500], strict=True))


@pytest.mark.parametrize("tokens", [[1000], [2000, 2000], [4000] * 25])
def test_a_novel_is_as_long_as_its_chapters_together(plain, world_of, count_words, tokens):
    novel = "\n\n".join(chapter.text for chapter in tell_novel(world_of(tokens), plain, count_words))
    assert abs(count_words(novel) - sum(tokens)) < 200


def test_every_piece_is_told_where_its_span_says(plain, world_of, told):
    world = world_of([2000, 3000, 4500, 6000, 2500])
    for chapter, plan in zip(told, world.chapters, strict=True):
        assert list(chapter.spans) == [piece.number for piece in plan.pieces]
        for piece in plan.pieces:
            start, end = chapter.spans[piece.number]
            deed, sentence = piece.args["deed"], chapter.text[start:end]
            assert sentence.startswith("Piece deed ")
            assert f"{deed.verb} {deed.object.key}" in sentence
            assert sentence.count("Piece deed") == 1
            assert sentence[-1] in ".,"


def test_pieces_are_spread_over_a_chapter(plain, world_of, count_words):
    chapter = next(tell_novel(world_of([6000], pieces=12), plain, count_words))
    starts = [start / len(chapter.text) for start, _ in chapter.spans.values()]
    assert starts == sorted(starts)
    assert starts[0] < 0.2
    assert starts[-1] > 0.75
    assert max(later - earlier for earlier, later in itertools.pairwise(starts)) < 0.25


def test_no_piece_is_left_out_of_a_chapter_that_is_too_short(plain, world_of, count_words):
    chapter = next(tell_novel(world_of([300], pieces=30), plain, count_words))
    assert len(chapter.spans) == 30


def test_no_line_is_empty(told):
    assert all(line.strip() for chapter in told for line in chapter.text.split("\n"))


def test_only_the_cast_acts(told, world_of):
    world = world_of([2000, 3000, 4500, 6000, 2500])
    for chapter, plan in zip(told, world.chapters, strict=True):
        acting = re.findall(r"(?:Gesture|Thought|Memory|Between) line \d+ \w+ P(\d+)", chapter.text)
        assert {int(number) for number in acting} <= {person.number for person in plan.cast}


def test_a_full_name_comes_first_in_a_chapter(told):
    for chapter in told:
        for number in set(re.findall(r"\bP(\d+)", chapter.text)):
            assert re.search(rf"\bP{number}\b", chapter.text).start() == chapter.text.index(f"P{number} F")


def test_chapters_have_shapes_of_their_own(plain, world_of, count_words):
    told = tell_novel(world_of([3000] * 10), plain, count_words)
    shares = [chapter.text.count("Talk line") / len(chapter.text) for chapter in told]
    assert max(shares) > 2 * min(shares)


def test_no_line_of_prose_is_used_much_more_often_than_others(plain, world_of, count_words):
    trace = []
    for _ in tell_novel(world_of([4000] * 10), plain, count_words, trace):
        pass
    counts = Counter(frame for frame in trace if frame[0] in ("gesture", "thought", "talk.line"))
    assert len(counts) == 90
    assert max(counts.values()) <= 3 * min(counts.values())


def test_a_long_novel_is_held_a_chapter_at_a_time(plain, world_of, count_words):
    world = world_of([2000] * 40)
    tracemalloc.start()
    chapters = tell_novel(world, plain, count_words)
    for _ in range(5):
        next(chapters)
    early = tracemalloc.get_traced_memory()[0]
    for _ in range(30):
        next(chapters)
    assert tracemalloc.get_traced_memory()[0] < early + 200_000
    tracemalloc.stop()


@pytest.fixture
def talking(plain_text, plain_language):
    """A grammar with two subjects of talk, each of which holds a thing, and with words before a fact."""
    lines = [
        "== the.thing", "geese", "hats", "salt", "== talk.bridge", "Listen.",
        "== talk.topic.one", "How are your {the.thing}? // My {the.thing} are well.",
        "== talk.topic.two", "No {the.thing} today. // No {the.thing}? // None.",
    ]  # fmt: skip
    return Teller("plain", read_grammar([("plain.txt", plain_text), ("x.txt", "\n".join(lines))]), plain_language)


def test_a_talk_keeps_to_its_subject_and_questions_are_answered(talking, world_of, count_words):
    text = "\n".join(chapter.text for chapter in tell_novel(world_of([4000] * 4), talking, count_words))
    assert "Talk line" not in text
    asked = re.findall(r"How are your (\w+)\?[^\n]*\n[^\n]*?[Mm]y (\w+) are well", text)
    assert len(asked) > 5
    assert all(thing == other for thing, other in asked)


def test_a_piece_that_is_led_up_to_keeps_its_place(talking, world_of, count_words):
    led = 0
    for chapter in tell_novel(world_of([4000] * 4), talking, count_words):
        for start, end in chapter.spans.values():
            led += chapter.text[:start].endswith("Listen. ")
            assert chapter.text[start:end].lower().startswith("piece deed")
    assert led
