"""Reference models, the ceiling and the floor of every table: what an entry is; the entries are in `references_*`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from lengthwise.evaluators.contracts import Example

# (example, repeat, what the request says) -> the text of the reply.
Answer: TypeAlias = Callable[[Example, int, str], str]
Bound: TypeAlias = Literal["ceiling", "floor"]


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference model of one benchmark.

    Attributes:
        about: one line.
        answer: gives the reply; raises ReplyError where it has none.
        bound: what its figures bound.
    """

    about: str
    answer: Answer
    bound: Bound
