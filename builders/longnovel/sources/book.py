"""What every reader makes of its input, one book after the other."""

from collections.abc import Iterable
from dataclasses import dataclass

from lengthwise.errors import InputError

from ..records import LANGUAGES, Language, Unit


@dataclass(frozen=True, slots=True)
class Book:
    """The chapters of one book.

    Attributes:
        units: a chapter each, in order, their indices counting from 1.
        split: "train", "validation" or "test" where the source has its own, else "".
        damage: what was found wrong with its text, a line each.
    """

    units: tuple[Unit, ...]
    split: str = ""
    damage: tuple[str, ...] = ()


def language_of(text: str) -> Language:
    """Return the language of a text by its script.

    >>> language_of("话说天下大势"), language_of("Call me Ishmael.")
    ('zh', 'en')
    """
    head = text[:20_000]
    chinese = sum("\u4e00" <= character <= "\u9fff" for character in head)
    # An English text may quote a few characters; a Chinese one is made of them but for signs and numbers.
    return "zh" if chinese > len(head) // 5 else "en"


def as_language(name: str, what: str) -> Language:
    """Return the language that a tag names, whatever script or country it adds.

    >>> as_language("zh-Hant", "row 1"), as_language("en_GB", "row 1")
    ('zh', 'en')

    Raises:
        InputError: it is neither English nor Chinese.
    """
    plain = name.replace("_", "-").split("-")[0].lower()
    for language in LANGUAGES:
        if plain == language:
            return language
    raise InputError(f"{what}: language {name!r}; texts must be in {' or '.join(LANGUAGES)}")


def check_ids(books: Iterable[Book]) -> None:
    """Check that no two books have one id.

    Raises:
        InputError: two have.
    """
    seen: set[str] = set()
    for book in books:
        name = book.units[0].book
        if name in seen:
            raise InputError(f"source: two books have the id {name!r}; rename a file or change its book_id")
        seen.add(name)
