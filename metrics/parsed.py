"""What every parser of this package returns: an answer that was found, or the reason why there is none."""

from dataclasses import dataclass, field
from typing import Generic, TypeAlias, TypeVar

T_co = TypeVar("T_co", covariant=True)
Span: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Parsed(Generic[T_co]):
    """An answer that was found.

    Attributes:
        value: the answer itself.
        span: `[start, end)` character offsets into the original text of what the value was read from.
        rule: the name of the rule that found it.
    """

    value: T_co
    span: Span
    rule: str


@dataclass(frozen=True, slots=True)
class Unparsed:
    """No answer was found.

    Attributes:
        reason: why not, for people.
        value: always None, so that `.value` can be read of either kind.
    """

    reason: str
    value: None = field(default=None, init=False)
