"""Splits that share no book (Table 8): the source's own, else books drawn in the paper's shares.

The paper has one title in training and validation; here a book is in one split, and `shared_text` finds the same text
under two names.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Literal, TypeAlias, get_args

from lengthwise.errors import InputError

from ..streams import Stream
from .records import Language, scale_tokens

Split: TypeAlias = Literal["train", "validation", "test"]
SPLITS: tuple[Split, ...] = get_args(Split)
# Titles of each split of the Chinese books in the paper's Table 8.
PAPER_SHARES: Mapping[Split, int] = MappingProxyType({"train": 15, "validation": 4, "test": 10})
# Beyond so many tokens the paper has a test split alone (Table 2).
MOST_TRAINED = 32_000
# Shorter paragraphs come in several books by chance: songs, proverbs, "The End".
_LONG = 200


def splits_of(scale: str) -> tuple[Split, ...]:
    """Return the splits that a scale has.

    >>> splits_of("m"), splits_of("xl")
    (('train', 'validation', 'test'), ('test',))
    """
    return SPLITS if scale_tokens(scale) <= MOST_TRAINED else ("test",)


def assign_splits(
    books: Mapping[str, Language],
    own: Mapping[str, str] | None = None,
    shares: Mapping[Split, int] = PAPER_SHARES,
    seed: int = 42,
) -> dict[str, Split]:
    """Return the split of every book.

    Books without a split of the source's own are drawn, language by language. With fewer books than splits, test goes
    first, then train: a benchmark without training data is one, the other way round is none.

    Args:
        books: book -> language.
        own: book -> split, where the source has one.
        shares: of the drawn books; those of the paper by default.
        seed: of the draw.

    Raises:
        InputError: the source names a split or a book that there is not, or shares are unusable.
    """
    own = own or {}
    if any(share < 0 for share in shares.values()) or not sum(shares.values()) or set(shares) - set(SPLITS):
        raise InputError(f"shares: whole numbers for {', '.join(SPLITS)}, not all 0; not {dict(shares)}")
    found: dict[str, Split] = {}
    drawn: dict[Language, list[str]] = defaultdict(list)
    for book, language in sorted(books.items()):
        if book in own:
            found[book] = _split(own[book], book)
        else:
            drawn[language].append(book)
    for language, names in drawn.items():
        order = Stream("longnovel", 1, "splits", language, seed).permutation(len(names)).tolist()
        places = iter(order)
        for split, count in _counts(len(names), shares).items():
            for _ in range(count):
                found[names[next(places)]] = split
    return {book: found[book] for book in sorted(books)}


def _split(name: str, book: str) -> Split:
    for split in SPLITS:
        if name == split:
            return split
    raise InputError(f"{book}: the split {name!r} is none of {', '.join(SPLITS)}")


def _counts(books: int, shares: Mapping[Split, int]) -> dict[Split, int]:
    """Return how many books each split gets: largest remainders, but none empty while another has two."""
    total = sum(shares.values())
    wanted: dict[Split, int] = {split: shares.get(split, 0) for split in ("test", "train", "validation")}
    counts = {split: books * share // total for split, share in wanted.items()}
    by_remainder = sorted(wanted, key=lambda split: -(books * wanted[split] % total))
    for split in by_remainder[: books - sum(counts.values())]:
        counts[split] += 1
    for split, share in wanted.items():
        if share and not counts[split]:
            # The fullest gives; of two alike the one that comes last in the order above.
            fullest = max(reversed(list(counts)), key=lambda one: counts[one])
            if counts[fullest] > 1 or (counts[fullest] == 1 and split == "test"):
                counts[fullest] -= 1
                counts[split] += 1
    return counts


def books_in_two(books: Iterable[tuple[str, str]]) -> list[str]:
    """Return a line for each book that stands in more than one split.

    Args:
        books: (split, book) of every row; "" for a book that nobody names.

    >>> books_in_two([("train", "a"), ("validation", "a"), ("test", "b"), ("test", "b")])
    ['the book a is in train and validation']
    """
    found: dict[str, set[str]] = defaultdict(set)
    for split, book in books:
        if book:
            found[book].add(split)
    return [
        f"the book {book} is in {' and '.join(split for split in SPLITS if split in splits)}"
        for book, splits in sorted(found.items())
        if len(splits) > 1
    ]


def shared_text(articles: Iterable[tuple[str, str, str]]) -> list[str]:
    """Return a line for each two books of different splits that share a paragraph of 200 characters and more.

    Args:
        articles: (split, book, text) of every row; "" for a book that nobody names.
    """
    owners: dict[bytes, tuple[str, str]] = {}
    found: dict[tuple[str, str, str, str], str] = {}
    for split, book, text in articles:
        for paragraph in text.split("\n"):
            if len(paragraph) < _LONG:
                continue
            digest = hashlib.sha256(paragraph.encode()).digest()[:12]
            other_split, other = owners.setdefault(digest, (split, book))
            # Books that nobody names may be one and the same.
            if other_split != split and (other != book or not book):
                line = f"{other or 'a book'} ({other_split}) and {book or 'a book'} ({split}) share a paragraph"
                found.setdefault((other_split, other, split, book), f"{line}: {paragraph[:40]}...")
    return list(found.values())
