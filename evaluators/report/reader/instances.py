"""Multi-instance processing as it is read: every instance by its number, and which a reply got wrong or left out."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lengthwise.builders.multi_instance.tasks import find_task
from lengthwise.contracts import Reply
from lengthwise.evaluators.contracts import Example, Outcome
from lengthwise.evaluators.report.reader.model import Document, Flag, Part, Reader, Section
from lengthwise.metrics.answers import parse_instances
from lengthwise.metrics.instances import same_answer

_LONGEST_ANSWER = 60


def instance_document(example: Example) -> Document:
    """Return the instances as the prompt has them, each a section with its right answer; beside them the question.

    Args:
        example: a row with its prompt.
    """
    row = example.columns
    question = row["question"]
    asked, text = (question, example.prompt[len(question) :]) if example.prompt.startswith(question) else ("", "")
    text = text.lstrip("\n") or example.prompt
    sections = tuple(_sections(text, find_task(row["task"]).item, row["instance_answers"], row["labels"]))
    main = Part("Instances", text, sections=sections, unit="instance {n}, right answer {label}")
    return Document(main, (Part("Question", asked),) if asked else ())


def _sections(text: str, item: str, answers: Sequence[str], labels: Sequence[str]) -> Iterator[Section]:
    at = 0
    for number, (answer, label) in enumerate(zip(answers, labels, strict=True), 1):
        at = text.find(f"\n\n{item} {number}: ", at)
        if at < 0:
            return
        at += 2
        yield Section(at, number, answer if answer == label else f"{answer} ({label})")


def instance_flags(row: Mapping[str, Any], outcome: Outcome, reply: Reply | None) -> Sequence[Flag]:
    """Return which instances a table of answers got wrong (and what it said), and which it left out.

    Args:
        row: short columns.
        outcome: of the reply.
        reply: the one that was scored.
    """
    counts = outcome.details
    if row["setting"] == "aggregate" or not (counts.get("wrong") or counts.get("missing")) or reply is None:
        return ()
    gold = {str(number): answer for number, answer in enumerate(row.get("instance_answers") or (), 1)}
    table = parse_instances(reply.text or "", [*gold, *find_task(row["task"]).aggregation]).value
    if table is None:
        return ()
    flags: list[Flag] = []
    for number, (key, right) in enumerate(gold.items(), 1):
        if key not in table:
            _extend(flags, number, "missing", "")
        elif not same_answer(table[key], right):
            _extend(flags, number, "wrong", str(table[key])[:_LONGEST_ANSWER])
    return flags


def _extend(flags: list[Flag], number: int, kind: str, title: str) -> None:
    """Add a number, to the last flag where it goes on with that."""
    last = flags[-1] if flags else None
    if last is not None and (last.last, last.kind, last.title) == (number - 1, kind, title):
        flags[-1] = Flag(last.first, number, kind, title)
    else:
        flags.append(Flag(number, number, kind, title))


INSTANCES = Reader(instance_document, flags=instance_flags)
