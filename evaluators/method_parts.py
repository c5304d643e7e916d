"""What methods are made of: what they may use, what is known of one before it runs, and asking several at once."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from lengthwise.contracts import Ask, Message, Reply, ReplyError, Request, Role, Sampling
from lengthwise.evaluators.contracts import Example, Method

if TYPE_CHECKING:
    import pyarrow as pa

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
class Part:
    """A prompt that a method makes of an example's.

    Attributes:
        prompt: ready to send.
        n_tokens: by the tokenizer of the row, chat template left out.
    """

    prompt: str
    n_tokens: int


@dataclass(frozen=True, slots=True)
class MethodKind:
    """An entry of `METHODS`.

    Attributes:
        about: one line for `lengthwise list methods`.
        make: builds the method.
        most_calls: how many calls one example, or each part of it, can take at most.
        parts: the prompts that it sends instead of the example's, each at least once (but see `most`); None sends
            that one.
        check: raises InputError where the method cannot do with a model (its spec) or with rows (their short columns).
        sized: builds the entry for a number N behind the name, as in `batched:20`; None takes no number.
        needs_size: whether it must have one.
        roles: which other models it asks besides the one that is run; each must be named.
        most: whether `parts` are all that it may send at most, and not what it sends at least: it may stop early.
        smaller: the way to smaller parts, for messages; "" where there is none.
    """

    about: str
    make: Callable[[Resources], Method]
    most_calls: int
    parts: Callable[[Example], Sequence[Part]] | None = None
    check: "Callable[[str, pa.Table], None] | None" = None
    sized: "Callable[[int], MethodKind] | None" = None
    needs_size: bool = False
    roles: tuple[Role, ...] = ()
    most: bool = False
    smaller: str = ""


def plain_request(example: Example, sampling: Sampling) -> Request:
    """Return the request that holds the prompt of `example` as its one user message."""
    return user_request(example.prompt, sampling)


def user_request(prompt: str, sampling: Sampling) -> Request:
    """Return the request that holds a prompt as its one user message."""
    return Request((Message("user", prompt),), sampling)


async def ask_together(ask: Ask, requests: Sequence[Request]) -> list[Reply]:
    """Ask several at once; all are under way together, as far as `ask` lets them.

    Calls are numbered as they start, and tasks start in the order in which they are made: a later pass numbers them
    alike, whichever is answered first, and so finds them in its log.

    Returns:
        The replies in the order of the requests.

    Raises:
        ReplyError: the first that got no reply, in that order. The others were waited for, and are on record.
    """

    async def one(request: Request) -> Reply | ReplyError:
        try:
            return await ask(request)
        except ReplyError as error:
            return error

    tasks = [asyncio.create_task(one(request)) for request in requests]
    try:
        ended = await asyncio.gather(*tasks)
    finally:
        # A full disk, or Ctrl-C: nothing may be asked for behind the back of a run that has ended.
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    replies: list[Reply] = []
    for one_ended in ended:
        if isinstance(one_ended, ReplyError):
            raise one_ended
        replies.append(one_ended)
    return replies
