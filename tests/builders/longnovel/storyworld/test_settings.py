import pytest

from lengthwise.builders.longnovel.records import PAPER_SCALES
from lengthwise.builders.longnovel.storyworld.books import Book, read_book
from lengthwise.builders.longnovel.storyworld.settings import (
    BENCHMARK,
    TITLE,
    StorySettings,
    story_range,
    story_tokens,
    summary_words,
)
from lengthwise.builders.longnovel.windows import length_range
from lengthwise.errors import InputError


@pytest.mark.parametrize("scale", [*PAPER_SCALES, "24k", "200k", "1000k"])
def test_long_novels_have_the_range_of_the_papers_windows(scale: str) -> None:
    assert story_range(scale) == length_range(scale)


def test_short_novels_are_never_twice_as_long_as_they_should_be() -> None:
    assert [story_range(scale) for scale in ("1k", "2k", "8k")] == [(500, 1500), (1000, 3000), (6000, 12000)]


def test_summaries_grow_with_the_novels() -> None:
    words = [summary_words(scale) for scale in ("1k", "2k", "4k", "8k", "s", "m", "l", "xl", "1000k")]
    assert words == sorted(words) == [60, 110, 220, 450, 900, 1000, 1200, 1500, 9000]


@pytest.mark.parametrize("scale", ["0k", "1001k", "k", "8", "08k", "huge", "-4k"])
def test_a_length_that_is_none_is_refused(scale: str) -> None:
    with pytest.raises(InputError, match="scale"):
        story_tokens(scale)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"examples": 3}, "examples must be even"),
        ({"train": -2}, "train must be even"),
        ({"examples": 0}, "nothing to build"),
        ({"scales": ()}, "at least one"),
        ({"scales": ("s", "s")}, "each given once"),
        ({"languages": ()}, "languages must be"),
        ({"languages": ("fr",)}, "languages must be"),
        ({"seed": 0}, "seed must be"),
    ],
)
def test_what_cannot_be_built_is_refused(given: dict[str, object], says: str) -> None:
    with pytest.raises(InputError, match=says):
        StorySettings(**given)  # type: ignore[arg-type]


def test_half_of_the_pairs_are_of_each_language() -> None:
    settings = StorySettings(("4k",), examples=200, train=10)
    assert settings.pairs("test") == {"en": 50, "zh": 50}
    assert settings.pairs("train") == {"en": 3, "zh": 2}
    assert settings.pairs("validation") == {"en": 0, "zh": 0}
    assert StorySettings(("4k",), 200, languages=("zh",)).pairs("test") == {"zh": 100}


def test_a_book_is_known_by_its_id() -> None:
    book = Book("zh", "xl", "train", 7, 12_345)
    assert book.id == "storyworld-zh-xl-train-s7-12345"
    assert read_book(book.id) == book


@pytest.mark.parametrize(
    "name",
    ["moby_dick", "storyworld-fr-xl-test-s42-0000", "storyworld-en-xl-dev-s42-0000", "storyworld-en-xl-test-s42-00007",
     "storyworld-en-xl-test-s042-0000"],
)  # fmt: skip
def test_other_ids_are_refused(name: str) -> None:
    with pytest.raises(InputError, match="no generated novel"):
        read_book(name)


def test_nothing_is_called_as_the_paper_calls_its_data() -> None:
    assert BENCHMARK == "longnovel-storyworld"
    assert TITLE.startswith("Story world")
