"""PredicateLongBench as it is read: the word list with its target, its decoys, and what a wrong reply answered."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from lengthwise.evaluators.contracts import Example, Outcome
from lengthwise.evaluators.report.reader.model import Document, Mark, Part, Reader, Section

_LABEL = re.compile(r"\b(?:Words|List \d+):")
# Where one answered sequence is marked: a single word of a document can stand in it anywhere.
_MOST_PLACES = 20
_WORD = re.compile(r"\S+")
Span = tuple[int, int]


def word_document(example: Example) -> Document:
    """Return the word list with target and decoys marked; beside it what is asked.

    Args:
        example: a row with its prompt.
    """
    row = example.columns
    start, end = row["list_span"]
    text = example.prompt[start:end]
    words = word_spans(row, text)
    marks = [*_targets(row, text, words), *_decoys(row, words)] if words else []
    lists = row["list_starts"]
    label = re.compile(r"\bList (\d+):")
    sections = [Section(found.start(), int(found[1])) for found in label.finditer(text)] if len(lists) > 1 else []
    around = (_LABEL.sub("", example.prompt[:start]).strip(), example.prompt[end:].strip())
    asked = "\n\n".join(part for part in around if part)
    main = Part("Word list", text, tuple(marks), tuple(sections), unit="list {n}" if sections else "")
    return Document(main, (Part("Question", asked),))


def answered(example: Example, document: Document, outcome: Outcome) -> Sequence[Mark]:
    """Return where a wrong answer stands in the list, and the decoy that it fell for."""
    if outcome.kind != "wrong" or not outcome.answer:
        return ()
    text = document.main.text
    words = word_spans(example.columns, text)
    marks = []
    sequences = outcome.answer if isinstance(outcome.answer[0], list) else [outcome.answer]
    for sequence in sequences:
        marks += [Mark(*span, "answer") for span in islice(find_runs(sequence, text, words), _MOST_PLACES)]
    hit = outcome.details.get("decoy_hit")
    if hit and words:
        decoy = example.columns["decoys"][hit["index"]]
        start, end = _span(words, decoy["start"], decoy["length"])
        if not any(mark.start <= start and end <= mark.end for mark in marks):
            # Its words in another order, or a single word.
            marks.append(Mark(start, end, "answer", title=decoy["kind"]))
    return marks


def word_spans(row: Mapping[str, Any], text: str) -> list[Span]:
    """Return where each word of the flat list stands in its text; empty if the text is not the row's."""
    plain = _LABEL.sub(lambda label: " " * len(label[0]), text)
    words = [found.span() for found in _WORD.finditer(plain)]
    return words if len(words) == row["n_words"] else []


def find_runs(sequence: Sequence[str], text: str, words: Sequence[Span]) -> Iterator[Span]:
    """Yield where these words stand one behind the other."""
    length = len(sequence)
    for place, (start, end) in enumerate(words[: len(words) - length + 1] if length else ()):
        if text[start:end] == sequence[0] and length == sum(
            text[slice(*span)] == word for span, word in zip(words[place : place + length], sequence, strict=True)
        ):
            yield _span(words, place, length)


def _span(words: Sequence[Span], start: int, length: int) -> Span:
    return words[start][0], words[start + length - 1][1]


def _targets(row: Mapping[str, Any], text: str, words: Sequence[Span]) -> Iterator[Mark]:
    for number, answer in enumerate(row["answers"], 1):
        for span in find_runs(answer, text, words):
            yield Mark(*span, "target", f"{number}" if len(row["answers"]) > 1 else "")


def _decoys(row: Mapping[str, Any], words: Sequence[Span]) -> Iterator[Mark]:
    for number, decoy in enumerate(row["decoys"], 1):
        # Single words are too many and too near each other to be numbered.
        label = f"{number}" if decoy["length"] > 1 else ""
        yield Mark(*_span(words, decoy["start"], decoy["length"]), "decoy", label, decoy["kind"])


WORD_LISTS = Reader(word_document, marks=answered)
