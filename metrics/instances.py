"""Many instances in one prompt: what a reply got right, how it failed, and by how much.

An *experiment* is one prompt over instances "1" to "n" with an aggregate over them (a count, a sum); its reply is
either the aggregate alone or a table of all instance answers with summary keys. Exact match says little once n is
large (every experiment fails), so the error of the aggregate and the share of right instances stand beside it.

Failures (multi-instance paper, sections 3.1 and 5.2): *invalid* is `parse` (no answer could be read) and `overlong`
(the prompt did not fit the window); *wrong* is `key` (keys do not span 1 to n), `individual` (some instance is wrong,
no aggregation error), `aggregation` (all instances right, the aggregate wrong) and `combined` (both). The paper leaves
open what an aggregation error is where instances are wrong. Two readings, both reported:

- *own* (the default): the reported aggregate is not that of the reply's own instance answers, so that an honest sum of
  wrong parts is `individual`;
- *gold*: the reported aggregate is not the gold one.
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Context, Decimal, InvalidOperation
from typing import Literal, TypeAlias

from lengthwise.errors import InputError

Failure: TypeAlias = Literal["parse", "overlong", "key", "individual", "aggregation", "combined", "wrong"]
INVALID: tuple[Failure, ...] = ("parse", "overlong")
WRONG: tuple[Failure, ...] = ("key", "individual", "aggregation", "combined")
"""The kinds of a wrong table; a wrong aggregate that came without one is just `wrong`."""

Aggregation: TypeAlias = Mapping[str, int | str]
"""Summary key -> what it aggregates: `"sum"` adds the instance answers, any other value counts the instances with that
label. The first key is the one whose error is measured: `{"odd": 1, "even": 0}`, `{"total": "sum"}`."""

SUM = "sum"
_IGNORED = "reasoning"
_INSTANCE = re.compile(r"\d+", re.ASCII)
_GROUPED = re.compile(r"[-+]?\d{1,3}(?:,\d{3})+(?:\.\d*)?", re.ASCII)
# A sum of numbers within these bounds is exact at this precision; an answer beyond them is no number of any task.
_MOST_DIGITS = 100
_EXACT = Context(prec=3 * _MOST_DIGITS)


@dataclass(frozen=True, slots=True)
class InstanceCounts:
    """How the instance answers of one table fared.

    Attributes:
        right: gold instances answered rightly; missing ones are not right.
        wrong: gold instances answered, but wrongly.
        missing: gold instances that have no answer (an omission).
        extra: keys that are neither an instance, a summary key, nor `reasoning`.
    """

    right: int
    wrong: int
    missing: int
    extra: int


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What became of one experiment.

    Attributes:
        failure: None for a right answer, else its kind, by the reading *own*.
        failure_by_gold: the same by the reading *gold*.
        gold: the gold aggregate (of the aggregation's first key).
        answer: the reported one, None where there is none.
        n_instances: how many instance answers were asked for; None where only the aggregate was.
        instances: the instance answers; None for an aggregate alone and for invalid replies.
    """

    failure: Failure | None
    failure_by_gold: Failure | None
    gold: Decimal
    answer: Decimal | None
    n_instances: int | None = None
    instances: InstanceCounts | None = None

    @property
    def share_right(self) -> float:
        """The share of instances that are right, in [0, 1]; 0 where no table was read or asked for."""
        return self.instances.right / self.n_instances if self.instances is not None and self.n_instances else 0.0

    @property
    def error(self) -> Decimal | None:
        """The reported aggregate minus the gold one, exact; None where none is reported."""
        return None if self.answer is None else _EXACT.subtract(self.answer, self.gold)


def number_of(value: object) -> Decimal | None:
    """Return the exact number that an answer states, or None; a boolean is no number.

    >>> number_of("1,024"), number_of("-3.140"), number_of(7), number_of(True), number_of("tech")
    (Decimal('1024'), Decimal('-3.140'), Decimal('7'), None, None)
    """
    if isinstance(value, str) and len(value) <= _MOST_DIGITS and value.isascii() and value.isdigit():
        return Decimal(value)  # what nearly every answer is, and tables hold thousands
    if isinstance(value, bool) or not isinstance(value, str | int | float | Decimal):
        return None
    if isinstance(value, int) and value.bit_length() > 4 * _MOST_DIGITS:
        return None
    text = unicodedata.normalize("NFKC", str(value)).strip().replace("\u2212", "-")
    if _GROUPED.fullmatch(text):
        text = text.replace(",", "")
    try:
        number = Decimal(text) if len(text) <= 3 * _MOST_DIGITS else None
    except InvalidOperation:
        return None
    if number is None or not number.is_finite():
        return None
    exponent = number.as_tuple().exponent
    bounded = isinstance(exponent, int) and exponent >= -_MOST_DIGITS and number.adjusted() <= _MOST_DIGITS
    return number if bounded else None


def same_answer(one: object, other: object) -> bool:
    """Whether two answers are equal: as exact numbers if one of them is a number, else as text in any case.

    >>> same_answer("5.0", 5), same_answer(" Tech", "tech"), same_answer(True, 1)
    (True, True, False)
    """
    first, second = number_of(one), number_of(other)
    if first is not None or second is not None:
        return first == second
    return isinstance(one, str) and isinstance(other, str) and one.strip().casefold() == other.strip().casefold()


def aggregate(answers: Mapping[str, object], aggregation: Aggregation) -> dict[str, Decimal | None]:
    """Return each summary key's value over the instance answers (the keys that are whole numbers).

    Args:
        answers: instance key -> answer; other keys are ignored.
        aggregation: see `Aggregation`.

    Returns:
        Exact values; None for a sum over answers that are not all numbers.

    >>> aggregate({"1": "0.1", "2": "0.2", "reasoning": "..."}, {"sum": "sum"})
    {'sum': Decimal('0.3')}
    >>> aggregate({"1": 1, "2": 0, "3": 1}, {"odd": 1, "even": 0})
    {'odd': Decimal('2'), 'even': Decimal('1')}
    """
    given = [answer for key, answer in answers.items() if _INSTANCE.fullmatch(key)]
    found: dict[str, Decimal | None] = {}
    for key, what in aggregation.items():
        if what == SUM:
            found[key] = _sum(given)
        else:
            found[key] = Decimal(sum(same_answer(answer, what) for answer in given))
    return found


def _sum(answers: list[object]) -> Decimal | None:
    total = Decimal(0)
    for answer in answers:
        number = number_of(answer)
        if number is None:
            return None
        total = _EXACT.add(total, number)
    return total


def _gold_summary(gold: Mapping[str, object], aggregation: Aggregation) -> dict[str, Decimal]:
    """Return the gold aggregates; a gold that contradicts itself is refused."""
    summary: dict[str, Decimal] = {}
    for key, value in aggregate(gold, aggregation).items():
        if value is None:
            raise InputError(f"gold: the sum {key!r} needs numbers as instance answers; correct the gold answers")
        if key in gold and not same_answer(gold[key], value):
            raise InputError(
                f"gold: {key!r} is {gold[key]!r}, but its own instances give {value}; correct one of them, or the "
                "aggregation"
            )
        summary[key] = value
    return summary


def diagnose(
    answers: Mapping[str, object] | None,
    gold: Mapping[str, object],
    aggregation: Aggregation,
    *,
    overlong: bool = False,
) -> Diagnosis:
    """Compare a table of instance answers with the gold one.

    Args:
        answers: keys "1" to "n" and the summary keys, as `parse_instances` reads them; None where nothing was read.
        gold: keys "1" to "n" -> right answer; summary keys may be there and must then agree with the instances.
        aggregation: how the summary keys follow from the instances; its first key is the headline.
        overlong: the prompt did not fit, so nothing was asked.

    Raises:
        InputError: for an empty aggregation, gold keys that do not span 1 to n, or a gold that contradicts itself.

    >>> diagnose({"1": 1, "2": 1, "odd": 2}, {"1": 1, "2": 0}, {"odd": 1}).failure
    'individual'
    >>> found = diagnose({"1": 1, "2": 1, "odd": 2}, {"1": 1, "2": 0}, {"odd": 1})
    >>> found.failure_by_gold, found.error, found.instances.wrong
    ('combined', Decimal('1'), 1)
    """
    if not aggregation:
        raise InputError('aggregation: is empty; name at least one summary key, e.g. {"total": "sum"}')
    summary = _gold_summary(gold, aggregation)
    keys = [key for key in gold if key not in aggregation and key != _IGNORED]
    if set(keys) != {str(i) for i in range(1, len(keys) + 1)}:
        raise InputError('gold: instance keys must be "1" to "n"; other keys must be named in the aggregation')
    headline = next(iter(aggregation))
    if overlong or answers is None:
        kind: Failure = "overlong" if overlong else "parse"
        return Diagnosis(kind, kind, summary[headline], None, len(keys))
    right = sum(key in answers and same_answer(answers[key], gold[key]) for key in keys)
    missing = sum(key not in answers for key in keys)
    extra = len(answers.keys() - set(keys) - aggregation.keys() - {_IGNORED})
    counts = InstanceCounts(right, len(keys) - right - missing, missing, extra)
    own = aggregate({key: answers[key] for key in keys if key in answers}, aggregation)
    return Diagnosis(
        _failure(counts, _differs(answers, own)),
        _failure(counts, _differs(answers, summary)),
        summary[headline],
        number_of(answers.get(headline)),
        len(keys),
        counts,
    )


def _differs(answers: Mapping[str, object], expected: Mapping[str, Decimal | None]) -> bool:
    """Whether some reported aggregate is absent or not the expected one."""
    reported = {key: number_of(answers.get(key)) for key in expected}
    return any(reported[key] is None or reported[key] != value for key, value in expected.items())


def _failure(counts: InstanceCounts, aggregate_wrong: bool) -> Failure | None:
    if counts.missing or counts.extra:
        return "key"
    if counts.wrong:
        return "combined" if aggregate_wrong else "individual"
    return "aggregation" if aggregate_wrong else None


def diagnose_aggregate(answer: object, gold: object, *, overlong: bool = False) -> Diagnosis:
    """Compare an aggregate that came without instance answers; a wrong one is of no further kind.

    Args:
        answer: what `parse_aggregate` read; None where it read nothing.
        gold: the right aggregate, a number or its text.
        overlong: the prompt did not fit, so nothing was asked.

    Raises:
        InputError: if gold is no number.

    >>> diagnose_aggregate(7, "5").failure, diagnose_aggregate("5.0", 5).failure, diagnose_aggregate(None, 5).failure
    ('wrong', None, 'parse')
    """
    right = number_of(gold)
    if right is None:
        raise InputError(f"gold: {gold!r} is no number; give the aggregate as a whole number or an exact decimal")
    given = None if overlong else number_of(answer)
    failure: Failure | None = None
    if given is None:
        failure = "overlong" if overlong else "parse"
    elif given != right:
        failure = "wrong"
    return Diagnosis(failure, failure, right, given)
