"""What the `evaluate` modules share: inputs that are checked one by one before `evaluate` stores them.

`evaluate` checks only the first entry of a batch, refuses None as text, cuts 0.7 down to the label 0, and after an
exception holds a lock on its own cache file that the next call waits for. Checked here, every entry is either of the
declared form or refused by name, a missing reply is an empty one, and nothing is written to a file.

This module knows neither `evaluate` nor `datasets`; a metric is `class X(CheckedInputs, evaluate.Metric)`.
"""

import json
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from operator import index
from typing import Any, TypeAlias

from lengthwise.errors import InputError

Check: TypeAlias = Callable[[Any, str], Any]
"""Takes an entry and what to call it in a message; returns it in the declared form or raises InputError."""


def reply(entry: Any, name: str) -> str:
    """Return a raw reply; None, for a call that gave none, is "".

    >>> reply("<answer>a b</answer>", "predictions[0]"), reply(None, "predictions[1]")
    ('<answer>a b</answer>', '')
    """
    if entry is None:
        return ""
    if not isinstance(entry, str):
        raise InputError(f"{name} is {_kind(entry)}: give the reply as text, or None if there is none")
    return str(entry)


def reply_or_score(entry: Any, name: str) -> str:
    """Return a raw reply, or the text of a consistency score 0 to 5.

    >>> reply_or_score(4, "predictions[0]")
    '4'
    """
    if entry is None or isinstance(entry, str):
        return reply(entry, name)
    score = _whole(entry)
    if score is None or not 0 <= score <= 5:
        raise InputError(f"{name} is {entry!r}: give a reply as text, a whole score from 0 to 5, or None")
    return str(score)


def reply_or_answer(entry: Any, name: str) -> str:
    """Return a raw reply, or a parsed answer as the JSON text that a reply would hold: a number, or a table.

    >>> reply_or_answer(12, "predictions[0]"), reply_or_answer({"1": 0, "odd": 0}, "predictions[1]")
    ('{"answer": 12}', '{"1": 0, "odd": 0}')
    """
    if isinstance(entry, Mapping):
        return _json(entry, name)
    if isinstance(entry, Decimal):
        return json.dumps({"answer": str(entry)})
    whole = _whole(entry)
    return reply(entry, name) if whole is None else json.dumps({"answer": whole})


def gold_answer(entry: Any, name: str) -> str:
    """Return a gold aggregate or table as text: a number, or a JSON object.

    >>> gold_answer("-3.14", "references[0]"), gold_answer({"1": 0, "odd": 0}, "references[1]")
    ('-3.14', '{"1": 0, "odd": 0}')
    """
    if isinstance(entry, Mapping):
        return _json(entry, name)
    if isinstance(entry, str | Decimal) and str(entry).strip():
        return str(entry)
    whole = _whole(entry)
    if whole is None:
        raise InputError(
            f"{name} is {_kind(entry)}: give a number, a decimal as text, or a table (a dict or its JSON)"
        )
    return str(whole)


def gold_words(entry: Any, name: str) -> str:
    """Return gold sequences of words as `answer_text` has them; a list of words, or of such lists, will do.

    >>> gold_words(["ab", "bc"], "references[0]"), gold_words([["ab", "bc"], ["cd"]], "references[1]")
    ('ab bc', 'ab bc | cd')
    """
    if isinstance(entry, str):
        return str(entry)
    parts: list[Any] = list(entry) if isinstance(entry, Sequence) else [None]
    if all(isinstance(part, str) for part in parts):
        return " ".join(parts)
    if any(isinstance(part, str) or not isinstance(part, Sequence) for part in parts):
        raise InputError(f"{name} is {_kind(entry)}: give the gold words as text, or as a list")
    return " | ".join(gold_words(part, name) for part in parts)


def label(entry: Any, name: str) -> int:
    """Return a gold label: 1 or 0.

    >>> label(True, "references[0]")
    1
    """
    value = int(entry) if isinstance(entry, bool) else _whole(entry)
    if value not in (0, 1):
        raise InputError(f"{name} is {entry!r}: give 1 for hallucinated, 0 for not")
    return value


def number(entry: Any, name: str) -> float:
    """Return a finite number; True and False are 1 and 0."""
    try:
        value = math.nan if isinstance(entry, str) else float(entry)
    except TypeError:
        value = math.nan
    if not math.isfinite(value):
        raise InputError(f"{name} is {entry!r}: give a finite number")
    return value


def group(entry: Any, name: str) -> str:
    """Return what a row belongs to, a pair or a source: text, or a whole number as text."""
    whole = _whole(entry)
    if whole is None and not (isinstance(entry, str) and entry):
        raise InputError(f"{name} is {entry!r}: give a name or a whole number for each row")
    return str(entry) if whole is None else str(whole)


def faults(entry: Any, name: str) -> list[dict[str, Any]]:
    """Return the gold faults of one summary, each with the keys `type`, `sentence`, `original` and `key_terms`.

    >>> faults([{"type": "Event", "sentence": "He fell."}], "references[0]")
    [{'type': 'Event', 'sentence': 'He fell.', 'original': '', 'key_terms': []}]
    """
    if isinstance(entry, str) or not isinstance(entry, Sequence) or not all(isinstance(one, Mapping) for one in entry):
        raise InputError(f"{name} is {_kind(entry)}: give a list of faults, each a dict with at least a `type`")
    return [
        {
            **{key: str(one.get(key) or "") for key in ("type", "sentence", "original")},
            "key_terms": list(one.get("key_terms") or ()),
        }
        for one in entry
    ]


def per_row(option: Any, n: int, name: str) -> list[Any]:
    """Return an option as one value a row: a list as it is, anything else for all rows.

    >>> per_row("integer", 2, "answer_type")
    ['integer', 'integer']
    """
    if isinstance(option, str | Mapping) or not hasattr(option, "__len__"):
        return [option] * n
    if len(option) != n:
        raise InputError(f"{name} has {len(option)} entries for {n} rows: give one for each, or one for all")
    return list(option)


def _whole(entry: Any) -> int | None:
    """Return a whole number of any integer type, numpy's among them; None for all else, booleans too."""
    if isinstance(entry, bool):
        return None
    try:
        return index(entry)
    except TypeError:
        return None


def _json(entry: Mapping[str, Any], name: str) -> str:
    try:
        return json.dumps(dict(entry), default=_exact)
    except TypeError as error:
        raise InputError(
            f"{name} is no table of plain answers ({error}): give whole numbers, decimals or text"
        ) from None


def _exact(value: Any) -> Any:
    return str(value) if isinstance(value, Decimal) else index(value)


def _kind(entry: Any) -> str:
    return "None" if entry is None else f"{type(entry).__name__} {str(entry)[:40]!r}"


class CheckedInputs(ABC):
    """A mixin before `evaluate.Metric` or `evaluate.Comparison`: checks inputs, keeps them in memory."""

    @abstractmethod
    def checks(self) -> Mapping[str, Check]:
        """Return the check of each column, by the name of its feature."""

    def __init__(
        self, config_name: str | None = None, *, keep_in_memory: bool = False, num_process: int = 1, **options: Any
    ) -> None:
        # Only several processes need the files by which they meet.
        in_memory = keep_in_memory or num_process == 1
        super().__init__(config_name, keep_in_memory=in_memory, num_process=num_process, **options)  # type: ignore[call-arg]

    def add(self, *, prediction: Any = None, reference: Any = None, **columns: Any) -> None:
        """Add one row; evaluate puts the description of the inputs here."""
        row = {"predictions": prediction, "references": reference, **columns}
        checked = {name: check(row.get(name), name) for name, check in self.checks().items()}
        singular = {"predictions": "prediction", "references": "reference"}
        super().add(**{singular.get(name, name): value for name, value in {**columns, **checked}.items()})  # type: ignore[misc]

    def add_batch(self, *, predictions: Any = None, references: Any = None, **columns: Any) -> None:
        """Add rows; evaluate puts the description of the inputs here."""
        rows = {"predictions": predictions, "references": references, **columns}
        checked = {name: _column(rows.get(name), name, check) for name, check in self.checks().items()}
        if len({len(column) for column in checked.values()}) > 1:
            lengths = ", ".join(f"{name} {len(column)}" for name, column in checked.items())
            raise InputError(f"columns differ in length ({lengths}): give one entry of each for a row")
        super().add_batch(**{**columns, **checked})  # type: ignore[misc]


def _column(entries: Any, name: str, check: Check) -> list[Any]:
    if entries is None or isinstance(entries, str | bytes | Mapping):
        raise InputError(f"{name} is {_kind(entries)}: give a list with one entry for each row")
    return [check(entry, f"{name}[{place}]") for place, entry in enumerate(entries)]
