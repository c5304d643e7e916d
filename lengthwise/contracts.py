"""Request, Reply and `ask`: the few types that builders and evaluators hand to each other.

A `Request` goes to a model through an `Ask` and comes back as a `Reply`. Whoever makes the `Ask` owns concurrency,
retries, rate limits, cost, ordering and recording; whoever is given one just awaits it.
"""

import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, fields
from typing import Any, Literal, TypeAlias

from lengthwise.json_text import dump_json

Role: TypeAlias = Literal["generate", "judge", "embed"]
FinishReason: TypeAlias = Literal["stop", "length", "content_filter", "other"]

# Roles whose replies hang on nothing but the request: equal requests of one run are asked once.
SHARED_ROLES: frozenset[Role] = frozenset({"embed"})


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Sampling:
    """How a model is to generate; None leaves a setting to the server.

    Attributes:
        max_tokens: most tokens to generate, reasoning included (> 0).
        temperature: softmax temperature (>= 0).
        top_p: nucleus mass, in (0, 1].
        reasoning_effort: a provider's word for it, e.g. "high", "low", "none".
        thinking_tokens: reasoning budget in tokens (>= 0), for providers that take a number.
    """

    max_tokens: int | None = None
    temperature: float | None = None
    top_p: float | None = None
    reasoning_effort: str | None = None
    thinking_tokens: int | None = None


_SAMPLING = tuple(sorted(one.name for one in fields(Sampling)))


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked of a model, complete: equal requests have equal digests.

    Attributes:
        messages: the conversation.
        sampling: how the model is to generate.
        role: whose model is asked.
        alternatives: how many tokens that could have begun the answer the reply should bring; see `Reply`. 0 is none.
    """

    messages: tuple[Message, ...]
    sampling: Sampling = Sampling()
    role: Role = "generate"
    alternatives: int = 0

    @property
    def digest(self) -> str:
        """SHA-256 (hex) over the canonical JSON of the request; the part of the replay key that content decides."""
        sampling = self.sampling
        # Keys in the order of the alphabet.
        content: dict[str, Any] = {
            "messages": [{"content": one.content, "role": one.role} for one in self.messages],
            "role": self.role,
            "sampling": {name: getattr(sampling, name) for name in _SAMPLING},
        }
        if self.alternatives:
            # Without any as it was before there were any: what is on record keeps its key.
            content = {"alternatives": self.alternatives, **content}
        return hashlib.sha256(dump_json(content)).hexdigest()


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens that a reply cost, as the server counted them; None where it did not say.

    Attributes:
        input: prompt tokens, cached ones included.
        cached: the part of `input` served from a prompt cache.
        output: generated tokens, reasoning included.
        reasoning: the part of `output` spent on reasoning.
        written: the part of `input` written to a prompt cache, where that has a price of its own.
    """

    input: int | None = None
    cached: int | None = None
    output: int | None = None
    reasoning: int | None = None
    written: int | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said.

    Attributes:
        text: the answer; None where the server sent none (all tokens spent on reasoning, or filtered).
        reasoning: the separate reasoning text, where the server shows it.
        finish_reason: why generation ended, in our four words.
        usage: token counts.
        latency: seconds from sending the request to the whole reply, retries not included.
        cost: US dollars, where a price is known.
        model: the model name the server reported.
        role: of the request.
        alternatives: the first token of the visible answer, and behind it the others that were likeliest there, each
            with its log-probability; empty where none were asked for, or the server gives none.
    """

    text: str | None
    reasoning: str | None = None
    finish_reason: FinishReason = "stop"
    usage: Usage = field(default_factory=Usage)
    latency: float = 0.0
    cost: float | None = None
    model: str | None = None
    role: Role = "generate"
    alternatives: tuple[tuple[str, float], ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the reply as plain JSON types; role, alternatives and `written` only where there are any."""
        record: dict[str, Any] = {name: getattr(self, name) for name in self.__slots__}
        record["usage"] = {name: getattr(self.usage, name) for name in self.usage.__slots__}
        if self.role == "generate":
            del record["role"]
        if not self.alternatives:
            del record["alternatives"]
        if self.usage.written is None:
            del record["usage"]["written"]
        return record

    @staticmethod
    def from_json(record: dict[str, Any]) -> "Reply":
        """Rebuild a reply from what `to_json` gave."""
        alternatives = tuple((token, value) for token, value in record.get("alternatives") or ())
        return Reply(**{**record, "usage": Usage(**record["usage"]), "alternatives": alternatives})


Ask: TypeAlias = Callable[[Request], Awaitable[Reply]]


class ReplyError(Exception):
    """No reply came, after every retry that made sense. The message is what the server or the network said."""


class OverlengthError(ReplyError):
    """The request cannot fit the model's window, as the preflight or the server says."""
