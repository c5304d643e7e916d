"""The names of generated novels, which say all that it takes to make one again."""

import re
from dataclasses import dataclass

from lengthwise.errors import InputError

from ..records import LANGUAGES, Language
from ..splits import SPLITS, Split
from .settings import BENCHMARK, SOURCE, VERSION, story_tokens

_ID = re.compile(
    rf"{SOURCE}-(?P<language>[a-z]+)-(?P<scale>[a-z0-9]+)-(?P<split>[a-z]+)-s(?P<seed>[0-9]+)-(?P<index>[0-9]{{4,}})"
)


@dataclass(frozen=True, slots=True, order=True)
class Book:
    """Which novel: one world, told in one language, the whole of which is one window.

    Attributes:
        language: in which it is told.
        scale: its length, by name.
        split: where its two rows stand.
        seed: of the build.
        index: of the pair among those of its scale, split and language, from 0.
    """

    language: Language
    scale: str
    split: Split
    seed: int
    index: int

    @property
    def id(self) -> str:
        """The `book` of its rows.

        >>> Book("en", "xl", "test", 42, 7).id
        'storyworld-en-xl-test-s42-0007'
        """
        return f"{SOURCE}-{self.language}-{self.scale}-{self.split}-s{self.seed}-{self.index:04d}"

    @property
    def key(self) -> tuple[str | int, ...]:
        """What all draws of its world begin with."""
        return (BENCHMARK, VERSION, self.scale, self.split, self.language, self.seed, self.index)


def read_book(name: str) -> Book:
    """Return the novel that an id names.

    >>> read_book("storyworld-zh-8k-train-s1-0012").index
    12

    Raises:
        InputError: it is the id of no generated novel.
    """
    found = _ID.fullmatch(name)
    if found is not None:
        language = next((one for one in LANGUAGES if one == found["language"]), None)
        split = next((one for one in SPLITS if one == found["split"]), None)
        if language is not None and split is not None:
            story_tokens(found["scale"])
            book = Book(language, found["scale"], split, int(found["seed"]), int(found["index"]))
            if book.id == name:
                return book
    raise InputError(f"book {name!r}: no generated novel is called so; one is {SOURCE}-en-xl-test-s42-0007")
