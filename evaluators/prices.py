"""What tokens cost: a small, dated file that anyone can replace."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path

from lengthwise.contracts import Ask, Reply, Request, Usage
from lengthwise.errors import InputError


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens.

    Attributes:
        input: prompt tokens that no cache is asked for.
        cached: those served from a prompt cache.
        output: generated ones, reasoning included.
        written: prompt tokens written to a cache; None where that costs what `input` does.
    """

    input: float
    cached: float
    output: float
    written: float | None = None

    def of(self, usage: Usage) -> float | None:
        """Return the dollars that a call cost, or None where the server did not count its tokens."""
        if usage.input is None or usage.output is None:
            return None
        cached, written = usage.cached or 0, usage.written or 0
        dollars = (usage.input - cached - written) * self.input + cached * self.cached + usage.output * self.output
        return (dollars + written * (self.input if self.written is None else self.written)) / 1e6

    def times(self, share: float) -> "Price":
        """Return a share of the price."""
        written = None if self.written is None else self.written * share
        return Price(self.input * share, self.cached * share, self.output * share, written)


@dataclass(frozen=True, slots=True)
class PriceTable:
    """Prices by model name, and the date when they were looked up (ISO)."""

    as_of: str
    models: Mapping[str, Price]

    @staticmethod
    def load(path: Path | None = None) -> "PriceTable":
        """Read a price file; without a path, the one in the package.

        Raises:
            InputError: the file is missing or has not the form of the package's own.
        """
        file = path if path is not None else resources.files("lengthwise.evaluators") / "prices.json"
        try:
            content = json.loads(file.read_text("utf-8"))
            if content.get("per_tokens", 1_000_000) != 1_000_000 or content.get("currency", "USD") != "USD":
                raise ValueError("prices must be in USD for 1,000,000 tokens")
            models = {
                name: Price(
                    float(one["input"]),
                    float(one.get("cached", one["input"])),
                    float(one["output"]),
                    None if one.get("written") is None else float(one["written"]),
                )
                for name, one in content["models"].items()
            }
            return PriceTable(str(content["as_of"]), models)
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError(
                f"--prices {path}: cannot be read ({error!r}); it must be JSON like "
                '{"as_of": "2026-11-05", "models": {"NAME": {"input": 1.25, "cached": 0.125, "output": 10}}}; '
                '"written" is the price of input written to a prompt cache'
            ) from error

    def find(self, model: str) -> Price | None:
        """Return the price of a model by its exact name, or None."""
        return self.models.get(model)


def priced(ask: Ask, price: Price | None) -> Ask:
    """Return an `ask` that puts the cost on replies where the host did not; without a price they stay as they are."""

    async def priced_ask(request: Request) -> Reply:
        reply = await ask(request)
        if reply.cost is not None or price is None:
            return reply
        return replace(reply, cost=price.of(reply.usage))

    return priced_ask
