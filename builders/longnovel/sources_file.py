"""`steps/sources.json`: where a build's books are from, so that all later steps need the build folder alone."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lengthwise.errors import InputError

from ..hub_folder import write_text
from .records import Source

SOURCES_FILE = "steps/sources.json"


@dataclass(frozen=True)
class SourceFacts:
    """A source without its text.

    Attributes:
        name: see `records.Source`.
        kind: see there.
        licence: see there.
        redistributable: see there.
        books: ids, in order.
        splits: book -> split, where the source has its own.
        damage: what was found wrong with the text.
    """

    name: str
    kind: str
    licence: str
    redistributable: bool
    books: tuple[str, ...]
    splits: Mapping[str, str]
    damage: tuple[str, ...] = ()


def source_facts(source: Source) -> SourceFacts:
    """Return a source without its text."""
    books = tuple(dict.fromkeys(unit.book for unit in source.units))
    splits = {book: source.splits[book] for book in books if book in source.splits}
    return SourceFacts(source.name, source.kind, source.licence, source.redistributable, books, splits, source.damage)


def write_sources(folder: Path, sources: Sequence[SourceFacts]) -> None:
    """Write the sources of a build; `read_sources` is the inverse.

    Raises:
        InputError: two sources have a book of one id.
    """
    owner: dict[str, str] = {}
    for source in sources:
        for book in source.books:
            if book in owner:
                raise InputError(
                    f"source: the book {book} is in {owner[book]} and in {source.name}; leave one of them out"
                )
            owner[book] = source.name
    entries: list[dict[str, Any]] = [
        {
            "name": source.name,
            "kind": source.kind,
            "licence": source.licence,
            "redistributable": source.redistributable,
            "books": list(source.books),
            "splits": dict(source.splits),
            "damage": list(source.damage),
        }
        for source in sources
    ]
    path = folder / SOURCES_FILE
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, json.dumps(entries, indent=1, ensure_ascii=False) + "\n")


def read_sources(folder: Path) -> list[SourceFacts]:
    """Return the sources of a build folder.

    Raises:
        InputError: the file is not there, or damaged.
    """
    path = folder / SOURCES_FILE
    if not path.is_file():
        raise InputError(f"there is no {path}; make the units first")
    try:
        return [
            SourceFacts(**{**one, "books": tuple(one["books"]), "damage": tuple(one["damage"])})
            for one in json.loads(path.read_text("utf-8"))
        ]
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"{path} is damaged ({error!r}): remove it, and make the units again") from error
