"""Calls of one example that begin alike: the first goes alone, so that the others find its prompt in a cache.

vLLM and the providers keep what they have read of a prompt, and read only the rest of the next one that begins in the
same way; of two that come together both are read whole.
"""

import asyncio

from lengthwise.contracts import Ask, Reply, Request

# Shorter beginnings are not kept by providers (1,024 tokens at least), and cost little.
LEAST_SHARED = 4096


def first_alone(ask: Ask) -> Ask:
    """Return an `ask` for the calls of one example that holds back those which begin like one that is under way.

    Requests are compared by their first `LEAST_SHARED` characters; shorter ones are never held back. One that is held
    back goes when the first has ended, however it did; then all that begin so may go together.
    """
    under_way: dict[str, asyncio.Event] = {}
    read: set[str] = set()

    async def ask_in_order(request: Request) -> Reply:
        start = beginning(request)
        if start is None or start in read:
            return await ask(request)
        while (other := under_way.get(start)) is not None:
            await other.wait()
        if start in read:
            return await ask(request)
        ended = under_way[start] = asyncio.Event()
        try:
            reply = await ask(request)
            read.add(start)
            return reply
        finally:
            del under_way[start]
            ended.set()

    return ask_in_order


def beginning(request: Request) -> str | None:
    """Return the first `LEAST_SHARED` characters of a request; None if it has fewer, or no model reads it in order."""
    if request.role == "embed":
        return None
    start = ""
    for message in request.messages:
        start += f"{message.role}\n{message.content[:LEAST_SHARED]}\n"
        if len(start) >= LEAST_SHARED:
            return start[:LEAST_SHARED]
    return None
