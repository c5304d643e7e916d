"""Rows of many instances taken apart into batches, and the batches' answers put together again, exactly.

For the methods of `lengthwise.evaluators.instance_methods`, which says what they are for.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lengthwise.builders.multi_instance.prompts import assemble, load_prompts, read_instances
from lengthwise.builders.multi_instance.tasks import InstanceTask, find_task
from lengthwise.errors import InputError
from lengthwise.evaluators.contracts import Example
from lengthwise.metrics.answers import parse_aggregate, parse_instances
from lengthwise.metrics.instances import SUM, number_of
from lengthwise.metrics.parsed import Unparsed


@dataclass(frozen=True, slots=True)
class SplitRow:
    """A row whose instances are taken apart.

    Attributes:
        task: of the row.
        question: asked of each batch.
        batches: the texts of the instances as the prompt shows them, noise included.
        tables: whether a batch is answered by a table of instance answers, not by its aggregate alone.
        whole: whether the row asks for such a table.
    """

    task: InstanceTask
    question: str
    batches: tuple[tuple[str, ...], ...]
    tables: bool
    whole: bool

    def prompt(self, batch: int) -> str:
        """Return the whole prompt of a batch, its instances numbered from 1."""
        return assemble(self.task, self.question, self.batches[batch])

    def place(self, batch: int) -> str:
        """Say which batch that is."""
        start = sum(map(len, self.batches[:batch]))
        return (
            f"batch {batch + 1} of {len(self.batches)} (instances {start + 1} to {start + len(self.batches[batch])})"
        )


def split_row(example: Example, size: int | None, tables: bool) -> SplitRow:
    """Take a row apart.

    Args:
        example: of the multi-instance benchmark.
        size: instances in a batch, the last may have fewer; None makes one batch of all.
        tables: ask for instance answers though the row asks for its aggregate alone.

    Raises:
        InputError: its prompt does not show the instances in a way that they can be read back from.
    """
    task, whole = find_task(example.columns["task"]), example.columns["setting"] == "instances"
    found = read_instances(example.prompt)
    texts = found[1] if found is not None else []
    frame = assemble(task, "", texts)
    if len(texts) != example.columns["n_instances"] or not example.prompt.endswith(frame):
        raise InputError(
            f"{example.id}: cannot be split, because its prompt does not show {example.columns['n_instances']} "
            f"{task.items} between the lines '=== Here are the {task.items} ===' and '=== End of {task.items} ===', "
            f"each behind '{task.item} NUMBER: '; ask it with --method reask"
        )
    question = example.prompt.removesuffix(frame)
    if tables and not whole:
        question = load_prompts().question(task, "instances")
    size = size or len(texts)
    batches = tuple(tuple(texts[start : start + size]) for start in range(0, len(texts), size))
    return SplitRow(task, question, batches, tables or whole, whole)


def read_answer(row: SplitRow, batch: int, text: str) -> tuple[Any, str | None]:
    """Return what a reply answers to its batch (its number as text, or its table) and None, or None and the fault."""
    if not row.tables:
        parsed = parse_aggregate(text, row.task.answer_type)
        if isinstance(parsed, Unparsed):
            return None, parsed.reason
        return (str(parsed.value), None) if number_of(parsed.value) is not None else (None, "the number is too long")
    size = len(row.batches[batch])
    table = parse_instances(text, [*map(str, range(1, size + 1)), *row.task.aggregation])
    if isinstance(table, Unparsed):
        return None, table.reason
    fault = None if row.whole else _not_addable(row.task, table.value, size)
    return table.value, fault


def _not_addable(task: InstanceTask, table: Mapping[str, Any], size: int) -> str | None:
    """Say why no aggregate can be worked out from a table."""
    missing = [str(number) for number in range(1, size + 1) if str(number) not in table]
    if missing:
        more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
        return f"the table has no answer for {', '.join(missing[:5])}{more}"
    answers = {str(number): table[str(number)] for number in range(1, size + 1)}
    if SUM in task.aggregation.values():
        odd = next((key for key, answer in answers.items() if number_of(answer) is None), None)
        return None if odd is None else f"the answer for {odd} is no number"
    return None


def answers_whole(row: SplitRow, text: str) -> bool:
    """Whether the judge of the whole row would read an answer in a text."""
    if row.whole:
        n = sum(map(len, row.batches))
        return parse_instances(text, [*map(str, range(1, n + 1)), *row.task.aggregation]).value is not None
    return parse_aggregate(text, row.task.answer_type).value is not None


def aggregate_reply(row: SplitRow, answers: Sequence[Any]) -> str:
    """Return the text that gives the aggregate over all batches, one answer of `read_answer` each."""
    task = row.task
    if row.tables:
        every = [
            str(table[str(number)])
            for table, texts in zip(answers, row.batches, strict=True)
            for number in range(1, len(texts) + 1)
        ]
        total = task.summary(every)[task.headline]
    elif task.aggregation[task.headline] == SUM:
        total = task.summary(answers)[task.headline]
    else:
        total = str(sum(map(int, answers)))
    return json.dumps({"reasoning": "added up in code", "answer": _typed(task, total)})


def table_reply(row: SplitRow, tables: Sequence[Mapping[str, Any]]) -> str:
    """Return the text that gives one table of all batches, with the summary that its answers come to."""
    task, start, whole = row.task, 0, dict[str, Any]()
    for number, (table, texts) in enumerate(zip(tables, row.batches, strict=True), 1):
        own = {str(place): str(start + place) for place in range(1, len(texts) + 1)}
        for key, value in table.items():
            if key in own:
                whole[own[key]] = value
            elif key not in task.aggregation:
                # A key that was not asked for must stay one, and not become another batch's.
                whole[key if len(row.batches) == 1 else f"batch {number}: {key}"] = value
        start += len(texts)
    answers = [str(whole[str(place)]) for place in range(1, start + 1) if str(place) in whole]
    if SUM not in task.aggregation.values() or all(number_of(answer) is not None for answer in answers):
        whole |= {key: _typed(task, value) for key, value in task.summary(answers).items()}
    # Exact decimals go as their text, as the prompt asks for them.
    return json.dumps({**whole, "reasoning": "put together and added up in code"}, default=str)


def _typed(task: InstanceTask, value: str) -> str | int:
    return value if task.answer_type == "decimal" else int(value)
