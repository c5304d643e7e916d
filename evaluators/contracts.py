"""Example, Prediction, Method and Outcome: what the evaluator's modules hand to each other."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from lengthwise.contracts import Ask, Reply, Role, Usage

OutcomeKind: TypeAlias = Literal[
    "correct", "wrong", "unparsed", "refused", "empty", "truncated_output", "overlength", "error"
]
OUTCOME_KINDS: tuple[OutcomeKind, ...] = get_args(OutcomeKind)


@dataclass(frozen=True, slots=True)
class Example:
    """One row of a data set.

    Attributes:
        id: unique within the data set.
        prompt: ready to send.
        columns: the row without its prompt, `config` and `split` added.
        benchmark: the name of its benchmark, which reference models must know.
        texts: the other long columns by name (article, summary), for methods that make prompts of their own.
        folder: of the data set, for what lies beside its rows (prompts of its own); None where there is none.
        shared: with how many characters of the prompt another request of the run begins, too; 0 where that is not
            known. A hint for prompt caches that must be told what to keep; what is asked stays the same.
    """

    id: str
    prompt: str
    columns: Mapping[str, Any]
    benchmark: str = ""
    texts: Mapping[str, str] = field(default_factory=dict)
    folder: Path | None = None
    shared: int = 0


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a method settled on: the reply that is scored, whatever number of calls led to it."""

    reply: Reply


Method: TypeAlias = Callable[[Example, Ask], Awaitable[Prediction]]


@dataclass(frozen=True, slots=True)
class Spent:
    """What some calls took.

    Attributes:
        calls: how many.
        usage: summed over them.
        latency: seconds, summed likewise.
        cost: US dollars, summed likewise; None where no price is known.
    """

    calls: int = 0
    usage: Usage = field(default_factory=Usage)
    latency: float = 0.0
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one example of a run ended: every example and repeat has exactly one.

    Attributes:
        example_id: the row.
        repeat: 0-based.
        kind: see `OUTCOME_KINDS`; decided in the order that DESIGN and `outcomes.decide` give.
        answer: the parsed answer as JSON types, None where nothing parsed.
        message: the error, or why nothing parsed; None otherwise.
        details: the benchmark's further figures for this reply (first word right, decoy hit, length error, ...).
        usage: summed over all calls of the example.
        latency: seconds, summed likewise.
        cost: US dollars, summed likewise; None where no price is known.
        calls: how many.
        roles: the same by role, where models in other roles than "generate" (embeddings, judges) were asked too; the
            totals hold them all. Empty where only the model itself was.
    """

    example_id: str
    repeat: int
    kind: OutcomeKind
    answer: Any = None
    message: str | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)
    latency: float = 0.0
    cost: float | None = None
    calls: int = 1
    roles: Mapping[Role, Spent] = field(default_factory=dict)

    @property
    def own(self) -> Spent:
        """What of the totals went to the model that was run; models in other roles are left out."""
        if not self.roles:
            return Spent(self.calls, self.usage, self.latency, self.cost)
        return self.roles.get("generate", Spent())
