"""From raw replies over many instances to diagnoses, by the table or the aggregate that is gold."""

import json
from collections.abc import Mapping
from typing import cast

from lengthwise.errors import InputError

from .answers import AnswerType, parse_aggregate, parse_instances
from .instances import Aggregation, Diagnosis, diagnose, diagnose_aggregate, number_of


def diagnose_reply(
    reply: str,
    gold: str | Mapping[str, object],
    *,
    aggregation: Aggregation | None = None,
    answer_type: str = "integer",
    overlong: bool = False,
) -> Diagnosis:
    """Compare a raw reply with its gold answer.

    Args:
        reply: the text of the reply; "" where there is none.
        gold: a number as text for the aggregate alone, or a table (a mapping or its JSON) for all instance answers.
        aggregation: how a table's summary keys follow from its instances; needed for tables.
        answer_type: "integer" or "decimal", what an aggregate alone may be.
        overlong: the prompt did not fit, so nothing was asked.

    Raises:
        InputError: for a gold answer that is neither, a table without an aggregation, or an unknown answer type.

    >>> diagnose_reply('{"reasoning": "counted", "answer": 4}', "5").error
    Decimal('-1')
    >>> diagnose_reply('{"1": 1, "2": 1, "odd": 1}', {"1": 1, "2": 1}, aggregation={"odd": 1}).failure
    'aggregation'
    """
    table = gold if isinstance(gold, Mapping) else _table(gold)
    if table is None:
        return _aggregate_alone(reply, str(gold), answer_type, overlong)
    if aggregation is None:
        raise InputError(
            'aggregation: a gold table needs one, e.g. {"odd": 1, "even": 0} for counts of labels or {"total": "sum"}'
        )
    keys = [*(key for key in table if key not in aggregation and key != "reasoning"), *aggregation]
    answers = None if overlong else parse_instances(reply, keys).value
    return diagnose(answers, table, aggregation, overlong=overlong)


def _table(gold: str) -> Mapping[str, object] | None:
    """Return the table that a gold text holds, None for a number."""
    if not gold.lstrip().startswith("{"):
        return None
    try:
        # Numbers stay text, so that no decimal passes through a float.
        return cast(Mapping[str, object], json.loads(gold, parse_float=str, parse_int=str))
    except json.JSONDecodeError as error:
        raise InputError(f"gold: {gold[:40]!r} is no JSON table ({error})") from None


def _aggregate_alone(reply: str, gold: str, answer_type: str, overlong: bool) -> Diagnosis:
    if answer_type not in ("integer", "decimal"):
        raise InputError(f'answer_type: is {answer_type!r}; give "integer" for counts or "decimal" for sums')
    number = number_of(gold)
    if answer_type == "integer" and number is not None and number != number.to_integral_value():
        raise InputError(f'answer_type: the gold {gold} is no whole number; give answer_type="decimal"')
    answer = None if overlong else parse_aggregate(reply, cast(AnswerType, answer_type)).value
    return diagnose_aggregate(answer, gold, overlong=overlong)
