"""What every kind of model offers to the runner."""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeAlias

from lengthwise.contracts import Ask, Request, Sampling
from lengthwise.errors import InputError
from lengthwise.evaluators.contracts import Example
from lengthwise.recording import Key

# Where a model tells what it is doing (fetching weights, starting a server): the caller decides how to show it.
Notify: TypeAlias = Callable[[str], None]


# Seconds for a whole reply: the prefill of 128K tokens on a busy server takes minutes, and reasoning many more.
DEFAULT_TIMEOUT = 3600.0


@dataclass(frozen=True, slots=True)
class Window:
    """How much a model can hold.

    Attributes:
        tokens: of input and output together; None where there is no limit or nobody tells it.
        told_by: who said so, for messages ("the server", "a reference model").
        count: counts a prompt as the model itself will, chat template included; None where that is not possible.
    """

    tokens: int | None
    told_by: str
    count: Callable[[str], int] | None = None


def check_timeout(timeout: float) -> None:
    """Refuse a time-out, in seconds, that is not positive.

    Raises:
        InputError: it is none.
    """
    if not timeout > 0:
        raise InputError(f"--timeout {timeout}: must be above 0 (seconds)")


class Model(ABC):
    """A model, to be used as an async context manager: what it needs (a session, a server) lives from enter to exit.

    Attributes:
        spec: as the user named it, without any key.
        kind: entry of `lengthwise.evaluators.providers.MODEL_KINDS`.
        name: what the provider calls the model.
        price_share: the part of the list price that is paid.
        gathers: whether it wants all calls of a run at once, before the first reply; see `gather`.
    """

    kind: str
    price_share: float = 1.0
    gathers: bool = False

    def __init__(self, spec: str, name: str) -> None:
        self.spec = spec
        self.name = name

    @abstractmethod
    def ask_for(self, example: Example, repeat: int) -> Ask:
        """Return the `ask` for one example and repeat; it tries once.

        A model that is a model ignores both arguments: all it sees is the request. Reference models may look.

        Returns:
            An `ask` that raises `PassingError` where another try makes sense, `OverlengthError` where the request
            does not fit, and any other `ReplyError` otherwise.
        """

    @abstractmethod
    async def window(self) -> Window:
        """Return how much the model can hold.

        Raises:
            InputError: nobody answers there, or the server has no model of that name.
        """

    async def gather(  # noqa: B027  (most models are asked call by call)
        self, folder: Path, calls: AsyncIterator[tuple[Key, Request]], sleep: Callable[[float], Awaitable[None]]
    ) -> None:
        """Get the replies to all calls of a run that are not on record; only a model that `gathers` is asked to.

        Args:
            folder: of the run, for what must outlive this process.
            calls: each with the key under which it will be recorded.
            sleep: takes seconds; raises where the run is to end.
        """

    def check(self, sampling: Sampling) -> None:  # noqa: B027  (most models take every setting)
        """Raise InputError for a setting that this model cannot be given."""

    def check_benchmark(self, benchmark: str) -> None:  # noqa: B027  (a model that is one takes any prompt)
        """Raise InputError for a benchmark, by its name, that this model has no answers for."""

    def describe(self) -> dict[str, Any]:
        """Return what run.json says of the model; JSON types, and never a key."""
        return {"spec": self.spec, "kind": self.kind, "name": self.name}

    async def __aenter__(self) -> Self:
        """Get ready to be asked."""
        return self

    async def __aexit__(  # noqa: B027  (most models hold nothing)
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let go of everything."""
