"""SQuALITY: short stories with four human summaries each, an anthology rather than a novel.

Its stories are independent of each other: nothing goes on from one to the next, so that a window over several asks for
less than one over a novel's chapters. The books' ids say that they are anthologies.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from lengthwise.errors import InputError

from ..records import Unit
from .book import Book
from .books import json_rows

LICENCE = "summaries: CC BY 4.0 (SQuALITY); stories: Project Gutenberg licence, public domain in the USA"
_SPLITS = {"train": "train", "dev": "validation", "validation": "validation", "test": "test"}
_PLOT = 1


def is_squality(row: Mapping[str, Any]) -> bool:
    """Return whether a row is of SQuALITY's shape: a document, and questions on it."""
    return isinstance(row.get("document"), str) and isinstance(row.get("questions"), list)


def story_unit(row: Mapping[str, Any], place: str, book: str, index: int) -> Unit:
    """Return a story as a unit, with the longest answer to the question for its plot: it leaves out least.

    Args:
        row: metadata {passage_id}, document, questions [{question_number, responses [{response_text}]}].
        place: of the row, for an error.
        book: id of the anthology.
        index: of the story in it, from 1.

    Raises:
        InputError: the row is not of that shape, or nobody summarised the plot.
    """
    if not is_squality(row):
        raise InputError(f"{place}: no row of SQuALITY: it lacks document or questions")
    try:
        name = row["metadata"]["passage_id"]
        plots = [
            response["response_text"].strip()
            for question in row["questions"]
            if question["question_number"] == _PLOT
            for response in question["responses"]
        ]
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{place}: no row of SQuALITY ({type(error).__name__}: {error})") from error
    if not any(plots):
        raise InputError(f"{place}: question {_PLOT}, on the plot, has no response; take the files of v1-3/txt")
    return Unit(book, index, "en", f"Story {name}", row["document"].strip(), max(plots, key=len), "human:squality")


def squality_books(paths: Iterable[Path]) -> Iterator[Book]:
    """Yield an anthology for each file (train.jsonl, dev.jsonl).

    Raises:
        InputError: a row is not of SQuALITY's shape.
    """
    for path in paths:
        book = f"squality_{path.stem}_anthology".lower()
        units = [story_unit(row, place, book, index) for index, (place, row) in enumerate(json_rows(path), 1)]
        yield Book(tuple(units), _SPLITS.get(path.stem.lower(), ""))
