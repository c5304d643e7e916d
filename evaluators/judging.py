"""Judging one reply: what a benchmark's judge is given and what it returns; the judges are in `judging_*`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

# The prompt of the row being judged, on demand: it is long, and most rows are judged without it. None where the data
# are gone.
PromptOf: TypeAlias = Callable[[], str | None]
# Scores one reply, given the row's columns.
Judge: TypeAlias = Callable[[Mapping[str, Any], str, PromptOf], "Judgement"]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one reply is worth.

    Attributes:
        parsed: whether the reply holds an answer.
        answer: the answer as JSON types; None where nothing parsed.
        correct: whether it is right; False where nothing parsed.
        reason: why nothing parsed; None otherwise.
        details: the benchmark's further figures, JSON types; what of them holds of a reply that did not parse as well.
    """

    parsed: bool
    answer: Any = None
    correct: bool = False
    reason: str | None = None
    details: Mapping[str, Any] = field(default_factory=dict)


def no_prompt() -> str | None:
    """Return None: the `PromptOf` of a row whose data are gone."""
    return None
