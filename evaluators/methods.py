"""How an example becomes a prediction: one table of factories. Calls go through `ask`, which the runner makes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

from lengthwise.contracts import Ask, Message, Reply, Request, Sampling
from lengthwise.errors import InputError, unknown_name
from lengthwise.evaluators.contracts import Example, Method, Prediction

# Whether a reply holds an answer that can be scored; the benchmark knows.
HasAnswer: TypeAlias = Callable[[Example, Reply], bool]


@dataclass(frozen=True, slots=True)
class Resources:
    """What a method may be made with.

    Attributes:
        sampling: settings of every request.
        has_answer: tells a reply that can be scored from one that cannot.
    """

    sampling: Sampling
    has_answer: HasAnswer


@dataclass(frozen=True, slots=True)
class MethodKind:
    """An entry of `METHODS`.

    Attributes:
        about: one line for `lengthwise list methods`.
        make: builds the method.
        most_calls: how many calls one example can take at most.
    """

    about: str
    make: Callable[[Resources], Method]
    most_calls: int


def zero_shot(resources: Resources) -> Method:
    """Return the method that sends the prompt as it is, once."""

    async def method(example: Example, ask: Ask) -> Prediction:
        return Prediction(await ask(plain_request(example, resources.sampling)))

    return method


def reask(resources: Resources, times: int = 3) -> Method:
    """Return the method that sends the prompt again while the reply holds no answer that can be parsed.

    The last reply is the prediction, whatever it holds.

    Args:
        resources: see `Resources`.
        times: most calls for one example (>= 1).

    Raises:
        InputError: `times` is less than 1.
    """
    if times < 1:
        raise InputError(f"times={times}: a method must ask at least once")

    async def method(example: Example, ask: Ask) -> Prediction:
        request = plain_request(example, resources.sampling)
        reply = await ask(request)
        for _ in range(times - 1):
            if resources.has_answer(example, reply):
                break
            reply = await ask(request)
        return Prediction(reply)

    return method


def plain_request(example: Example, sampling: Sampling) -> Request:
    """Return the request that holds the prompt of `example` as its one user message."""
    return Request((Message("user", example.prompt),), sampling)


METHODS: Mapping[str, MethodKind] = MappingProxyType(
    {
        "zero-shot": MethodKind("sends the prompt once", zero_shot, 1),
        "reask": MethodKind("sends it again, up to 3 times in all, until the reply holds an answer", reask, 3),
    }
)


def method_kind(name: str) -> MethodKind:
    """Return an entry of `METHODS`.

    Raises:
        InputError: there is none of that name.
    """
    if name not in METHODS:
        raise unknown_name("method", name, METHODS)
    return METHODS[name]
