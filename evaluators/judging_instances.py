"""Judging one reply to multi-instance processing: the aggregate alone, or the table of all instance answers."""

from collections.abc import Iterable, Mapping
from typing import Any

from lengthwise.builders.multi_instance.tasks import InstanceTask, find_task
from lengthwise.evaluators.judging import Judgement, PromptOf, no_prompt
from lengthwise.metrics.answers import parse_aggregate, parse_instances
from lengthwise.metrics.instances import Diagnosis, diagnose, diagnose_aggregate, number_of
from lengthwise.metrics.stated_limits import find_stated_limit


def judge_instances(columns: Mapping[str, Any], text: str, prompt_of: PromptOf = no_prompt) -> Judgement:
    """Judge a reply by exact numbers; in the instance-level setting by all keys of its table (sections 3.1 and 5.2).

    The answer is the reported aggregate as text ("24"), with the instance-level setting a dict of the summary keys.
    Details, JSON types, `None` where a figure does not apply:

    - `failure`: None (right), or "parse", "key", "individual", "aggregation", "combined", "wrong" (a wrong aggregate
      that came alone), an aggregation error being one against the reply's own instance answers;
      `failure_by_gold`: the same with it being one against the gold aggregate.
    - `error`: the reported aggregate minus the right one, as the text of an exact number.
    - `n_instances`, and of these `right`, `wrong`, `missing`; `extra` keys. None for an aggregate alone, and but for
      `n_instances` for a table that could not be read.
    - `omission`: whether instances are missing; `missing_at`: which, as text ("51-200, 340").
    - `stated_limit`: a sentence of the reply that suggests batches or owns to a limit, as {"kind", "text"}; see
      `lengthwise.metrics.stated_limits`.

    Args:
        columns: the row: `task`, `setting`, `answer`, `instance_answers`.
        text: the reply's text, reasoning inline or not.
        prompt_of: not needed.
    """
    task = find_task(columns["task"])
    limit = find_stated_limit(text)
    stated = {"stated_limit": None if limit is None else {"kind": limit.kind, "text": limit.text}}
    judge = _judge_aggregate if columns["setting"] == "aggregate" else _judge_table
    found, answer, reason, missing = judge(task, columns, text)
    details = {**_details(found), "missing_at": missing, **stated}
    if found.failure == "parse":
        return Judgement(parsed=False, reason=reason, details=details)
    return Judgement(parsed=True, answer=answer, correct=found.failure is None, details=details)


def _judge_aggregate(
    task: InstanceTask, columns: Mapping[str, Any], text: str
) -> tuple[Diagnosis, Any, str | None, str | None]:
    parsed = parse_aggregate(text, task.answer_type)
    answer = None if parsed.value is None else str(parsed.value)
    return diagnose_aggregate(parsed.value, columns["answer"]), answer, getattr(parsed, "reason", None), None


def _judge_table(
    task: InstanceTask, columns: Mapping[str, Any], text: str
) -> tuple[Diagnosis, Any, str | None, str | None]:
    gold = {str(number): answer for number, answer in enumerate(columns["instance_answers"], 1)}
    parsed = parse_instances(text, [*gold, *task.aggregation])
    found = diagnose(parsed.value, gold, task.aggregation)
    if parsed.value is None:
        return found, None, parsed.reason, None
    reported = {key: _plain(parsed.value[key]) for key in task.aggregation if key in parsed.value}
    missing = ranges(int(key) for key in gold if key not in parsed.value)
    return found, reported, None, missing or None


def _details(found: Diagnosis) -> dict[str, Any]:
    counts = found.instances
    return {
        "failure": found.failure,
        "failure_by_gold": found.failure_by_gold,
        "error": None if found.error is None else f"{found.error:f}",
        "n_instances": found.n_instances,
        "right": counts and counts.right,
        "wrong": counts and counts.wrong,
        "missing": counts and counts.missing,
        "extra": counts and counts.extra,
        "omission": counts and counts.missing > 0,
    }


def _plain(value: Any) -> Any:
    """Return a value of a parsed table as a JSON type; exact numbers as their text."""
    number = number_of(value)
    if number is not None:
        return str(number)
    return value if isinstance(value, str | bool | None) else str(value)


def ranges(numbers: Iterable[int]) -> str:
    """Return rising whole numbers as text, with runs of them drawn together.

    >>> ranges([1, 2, 3, 7, 9, 10])
    '1-3, 7, 9-10'
    >>> ranges([])
    ''
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)
