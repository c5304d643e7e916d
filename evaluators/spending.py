"""What a run may cost: no call is sent that could take it past a limit.

What a call will cost is not known before its reply, but what it can cost at most is: its prompt, and all the output
that it may ask for. Where that would pass the limit, the calls under way are waited for, as they mostly cost less than
they could; if it still would, the run ends in order.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

from lengthwise.contracts import Ask, Reply, Request, Usage
from lengthwise.errors import InputError
from lengthwise.evaluators.prices import Price
from lengthwise.evaluators.stopping import Stop

# Where neither the request nor the host limits the output: more than nearly any reply takes.
UNLIMITED_OUTPUT = 16_000
# What a chat template puts around a message, about; see `lengthwise.evaluators.preflight`.
TEMPLATE = 64


class Counted:
    """How many tokens a model counts where the data set counts one, as far as its replies have told; at least 1."""

    def __init__(self) -> None:
        self.factor = 1.0


class Estimate:
    """How many tokens requests about one row take.

    Args:
        characters: of the row's prompt.
        tokens: that these take, by the tokenizer of the data.
        counted: of the model that is asked.
    """

    def __init__(self, characters: int, tokens: int, counted: Counted) -> None:
        self._per_character = tokens / characters if characters and tokens else 1.0
        self._counted = counted

    def of(self, request: Request) -> Usage:
        """Return the tokens that a request takes at most, about."""
        tokens = int(_characters(request) * self._per_character * self._counted.factor) + TEMPLATE
        if request.role == "embed":
            return Usage(input=tokens, output=0)
        return Usage(input=tokens, output=request.sampling.max_tokens or UNLIMITED_OUTPUT)

    def learn(self, request: Request, usage: Usage) -> None:
        """Take note of what a request really took: where a model counts more than the data set, so does this."""
        expected = _characters(request) * self._per_character
        if usage.input and expected:
            self._counted.factor = max(self._counted.factor, (usage.input - TEMPLATE) / expected)


def _characters(request: Request) -> int:
    return sum(len(message.content) for message in request.messages)


@dataclass(frozen=True, slots=True)
class Limits:
    """What a run may take, earlier passes of the same folder included.

    Attributes:
        cost: US dollars (> 0); None for no limit.
        tokens: of prompts and replies (> 0); None for no limit.

    Raises:
        InputError: a number is out of its range.
    """

    cost: float | None = None
    tokens: int | None = None

    def __post_init__(self) -> None:
        for option, value in (("--max-cost", self.cost), ("--max-tokens-total", self.tokens)):
            if value is not None and not value > 0:
                raise InputError(f"{option} {value}: must be above 0; leave it out for no limit")


class Spending:
    """Adds up what a run has taken, and ends it before it takes too much.

    Args:
        limits: of the run.
        stop: of the run.

    Attributes:
        cost: US dollars so far.
        tokens: so far.
    """

    def __init__(self, limits: Limits, stop: Stop) -> None:
        self._limits = limits
        self._stop = stop
        self.cost = 0.0
        self.tokens = 0
        self._reserved_cost = 0.0
        self._reserved_tokens = 0
        self._reserved = 0
        self._changed = asyncio.Event()

    def known(self, reply: Reply) -> None:
        """Count a reply that is on record from an earlier pass."""
        self.cost += reply.cost or 0.0
        self.tokens += (reply.usage.input or 0) + (reply.usage.output or 0)

    def limited(self, ask: Ask, price: Price | None, estimate: Estimate) -> Ask:
        """Return an `ask` that sends nothing which could pass a limit, retries included.

        Args:
            ask: puts the cost on its replies.
            price: of the model asked; a limit on the cost needs one.
            estimate: of what requests take.
        """
        if self._limits == Limits():
            return ask

        async def limited_ask(request: Request) -> Reply:
            most = estimate.of(request)
            cost = (price.of(most) if price is not None else None) or 0.0
            tokens = (most.input or 0) + (most.output or 0)
            await self._reserve(cost, tokens)
            try:
                reply = await ask(request)
            finally:
                self._release(cost, tokens)
            estimate.learn(request, reply.usage)
            uncounted = reply.usage.input is None and reply.usage.output is None
            self.tokens += tokens if uncounted else (reply.usage.input or 0) + (reply.usage.output or 0)
            self.cost += cost if reply.cost is None else reply.cost
            return reply

        return limited_ask

    async def _reserve(self, cost: float, tokens: int) -> None:
        while (passed := self._would_pass(cost, tokens)) is not None:
            if not self._reserved or self._stop.stopped is not None:
                self._stop.request("limit", passed)
                await self._stop.check()
            self._changed.clear()
            await self._changed.wait()
        self._reserved_cost += cost
        self._reserved_tokens += tokens
        self._reserved += 1

    def _release(self, cost: float, tokens: int) -> None:
        self._reserved_cost -= cost
        self._reserved_tokens -= tokens
        self._reserved -= 1
        self._changed.set()

    def _would_pass(self, cost: float, tokens: int) -> str | None:
        """Return what would be passed by one more call, as a sentence; None if nothing would be."""
        limits = self._limits
        if limits.cost is not None and self.cost + self._reserved_cost + cost > limits.cost:
            return f"--max-cost {limits.cost:g}: ${self.cost:.4g} are spent, and the next call can cost ${cost:.2g}"
        if limits.tokens is not None and self.tokens + self._reserved_tokens + tokens > limits.tokens:
            total = f"--max-tokens-total {limits.tokens:,}"
            return f"{total}: {self.tokens:,} are used, and the next call can take {tokens:,}"
        return None


def check_prices(limits: Limits, prices: Mapping[str, Price | None]) -> None:
    """Raise InputError where a limit on the cost would limit nothing.

    Args:
        limits: of the run.
        prices: of its models that cost something, by name; None where no price is known.
    """
    unknown = [name for name, price in prices.items() if price is None]
    if limits.cost is not None and unknown:
        raise InputError(
            f"--max-cost {limits.cost:g}: no price is known for {', '.join(unknown)}; name a price file that has it "
            "(--prices), or limit the tokens instead (--max-tokens-total)"
        )
