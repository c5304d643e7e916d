"""PredicateLongBench as it is read: the word list with its target, its decoys, and what a wrong reply answered."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, islice
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
    marks = [*_targets(row, text), *_decoys(row, words)] if words else []
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
    marks = []
    sequences = outcome.answer if isinstance(outcome.answer[0], list) else [outcome.answer]
    for sequence in sequences:
        marks += [Mark(*span, "answer") for span in islice(find_runs(sequence, _plain(text)), _MOST_PLACES)]
    hit = outcome.details.get("decoy_hit")
    if hit and (words := word_spans(example.columns, text)):
        decoy = example.columns["decoys"][hit["index"]]
        start, end = _span(words, decoy["start"], decoy["length"])
        if not any(mark.start <= start and end <= mark.end for mark in marks):
            # Its words in another order, or a single word.
            marks.append(Mark(start, end, "answer", title=decoy["kind"]))
    return marks


def word_spans(row: Mapping[str, Any], text: str) -> list[Span]:
    """Return where each word of the flat list stands in its text; empty if the text is not the row's."""
    plain = _plain(text)
    words = plain.split()
    if len(words) != row["n_words"]:
        return []
    if " ".join(words) != plain:
        return [found.span() for found in _WORD.finditer(plain)]
    # One space between each: their lengths say it all, several times as fast.
    starts = accumulate((len(word) + 1 for word in words), initial=0)
    return [(start, start + len(word)) for start, word in zip(starts, words, strict=False)]


def find_runs(sequence: Sequence[str], plain: str) -> Iterator[Span]:
    """Yield where these words stand one behind the other in a text without labels."""
    if not sequence:
        return
    # Beginning with a word, not with what stands before it, a pattern is searched for at the speed of a plain text.
    run = re.compile(r"\s+".join(map(re.escape, sequence)) + r"(?!\S)")
    found = run.search(plain)
    while found is not None:
        start = found.start()
        if start == 0 or plain[start - 1].isspace():
            yield found.span()
        found = run.search(plain, start + 1)


def _plain(text: str) -> str:
    """Return a text with blanks for the labels of its lists."""
    return _LABEL.sub(lambda label: " " * len(label[0]), text) if ":" in text else text


def _span(words: Sequence[Span], start: int, length: int) -> Span:
    return words[start][0], words[start + length - 1][1]


def _targets(row: Mapping[str, Any], text: str) -> Iterator[Mark]:
    for number, answer in enumerate(row["answers"], 1):
        for span in find_runs(answer, _plain(text)):
            yield Mark(*span, "target", f"{number}" if len(row["answers"]) > 1 else "")


def _decoys(row: Mapping[str, Any], words: Sequence[Span]) -> Iterator[Mark]:
    for number, decoy in enumerate(row["decoys"], 1):
        # Single words are too many and too near each other to be numbered.
        label = f"{number}" if decoy["length"] > 1 else ""
        yield Mark(*_span(words, decoy["start"], decoy["length"]), "decoy", label, decoy["kind"])


WORD_LISTS = Reader(word_document, marks=answered)
