"""What Anthropic's messages endpoint takes and sends back. Pure functions over parsed JSON.

vLLM and llama.cpp have the same endpoint.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from lengthwise.contracts import FinishReason, OverlengthError, Reply, ReplyError, Request, Sampling, Usage
from lengthwise.errors import InputError
from lengthwise.evaluators.providers.bodies import read_error
from lengthwise.evaluators.retry import PassingError, RefusedError

# The endpoint must be told; LongNovel's budget, the paper's smallest.
DEFAULT_MAX_TOKENS = 8192
LEAST_THINKING = 1024
# A whole reply that takes more than ten minutes to come may be cut off on the way: from here on it comes in pieces.
STREAM_ABOVE = 20_000

# What newer models refuse, and what to ask them for instead.
_WAYS_OUT = (
    (re.compile(r"`?temperature`? (?:is deprecated|is not supported|may only)"), "Add --temperature 1, its own"),
    (re.compile(r"`?top_p`? (?:is deprecated|is not supported)|`temperature` and `top_p`"), "Add --top-p 1, its own"),
    (re.compile(r"thinking\.type\.enabled|budget_tokens"), "Take --reasoning-effort instead of --thinking-tokens"),
)

_FINISH: Mapping[str, FinishReason] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "content_filter",
}


def check_sampling(sampling: Sampling) -> None:
    """Raise InputError for settings that the endpoint refuses together."""
    thinking, limit = sampling.thinking_tokens, sampling.max_tokens or DEFAULT_MAX_TOKENS
    if not thinking:
        return
    if thinking < LEAST_THINKING:
        raise InputError(f"--thinking-tokens {thinking}: Anthropic takes {LEAST_THINKING:,} or more, or 0 for none")
    if thinking >= limit:
        raise InputError(
            f"--thinking-tokens {thinking}: must be below --max-tokens {limit}, which holds the answer, too"
        )
    if sampling.temperature not in (None, 1.0):
        raise InputError(
            f"--temperature {sampling.temperature}: Anthropic's models think at 1 alone; add --temperature 1, or "
            "leave out --thinking-tokens"
        )


def messages_body(name: str, request: Request, shared: int = 0, own: bool = True) -> dict[str, Any]:
    """Return the body of a request.

    Args:
        name: of the model.
        request: what is asked.
        shared: how many leading characters of the first user message other requests have, too: they are marked to be
            kept in the prompt cache. 0 marks nothing.
        own: whether it goes to Anthropic, whose models have a temperature and a mass of 1 where nothing is said.
    """
    sampling = request.sampling
    fields: dict[str, Any] = {"model": name, "max_tokens": sampling.max_tokens or DEFAULT_MAX_TOKENS}
    for field, value in (("temperature", sampling.temperature), ("top_p", sampling.top_p)):
        # Newer models of Anthropic's refuse one of the two, or both, even at the values that they have anyway.
        if value is not None and not (own and value == 1.0):
            fields[field] = value
    if sampling.thinking_tokens:
        fields["thinking"] = {"type": "enabled", "budget_tokens": sampling.thinking_tokens}
    elif sampling.thinking_tokens == 0 or sampling.reasoning_effort == "none":
        fields["thinking"] = {"type": "disabled"}
    if sampling.reasoning_effort not in (None, "none"):
        fields["output_config"] = {"effort": sampling.reasoning_effort}
    system = "\n\n".join(message.content for message in request.messages if message.role == "system")
    if system:
        fields["system"] = system
    messages: list[dict[str, Any]] = []
    for message in request.messages:
        if message.role == "system":
            continue
        content: Any = message.content
        if message.role == "user" and shared:
            content, shared = _parted(message.content, shared), 0
        messages.append({"role": message.role, "content": content})
    return {**fields, "messages": messages}


def _parted(text: str, shared: int) -> list[dict[str, Any]]:
    """Return the blocks of a text, the first of which is to be kept."""
    kept = {"type": "text", "text": text[:shared], "cache_control": {"type": "ephemeral"}}
    rest = text[shared:]
    # The endpoint refuses a block that is blank.
    if not text[:shared].strip() or (rest and not rest.strip()):
        return [{"type": "text", "text": text}]
    return [kept, {"type": "text", "text": rest}] if rest else [kept]


def read_message(body: Any, latency: float) -> Reply:
    """Return the reply that the body of a 200 answer holds.

    Args:
        body: parsed JSON.
        latency: seconds.

    Raises:
        PassingError: the body has not the form of a message, or is an error that may pass.
        ReplyError: it is one that does not.
    """
    if isinstance(body, dict) and body.get("type") == "error":
        raise read_refusal(body)
    try:
        texts = [block["text"] for block in body["content"] if block["type"] == "text"]
        thoughts = [block["thinking"] for block in body["content"] if block["type"] == "thinking"]
        usage = _usage(body.get("usage") or {})
        reason, model = body.get("stop_reason"), body.get("model")
    except (KeyError, TypeError, AttributeError) as error:
        raise PassingError(f"the answer is not a message ({error!r}): {str(body)[:300]}") from error
    return Reply(
        "".join(texts) if texts else None,
        "".join(thoughts) or None,
        _FINISH.get(str(reason), "other"),
        usage,
        latency,
        model=model if isinstance(model, str) else None,
    )


def _usage(usage: Mapping[str, Any]) -> Usage:
    """Return the counts; the endpoint's own `input_tokens` leaves out what a cache served or took."""
    fresh, read, written = (
        usage.get(name) for name in ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
    )
    details = usage.get("output_tokens_details")
    return Usage(
        input=None if fresh is None else fresh + (read or 0) + (written or 0),
        cached=read,
        output=usage.get("output_tokens"),
        reasoning=details.get("thinking_tokens") if isinstance(details, dict) else None,
        written=written or None,
    )


def read_failure(status: int, body: Any, retry_after: float | None) -> ReplyError:
    """Return the error that an answer means; see `read_error`.

    Args:
        status: HTTP status, 400 or above; 529 is "overloaded".
        body: parsed JSON, or the text where it was none.
        retry_after: seconds that the server asks to wait.
    """
    error = read_error(status, body, retry_after)
    if status == 413:
        # A request of more than 32 MB is refused before its tokens are counted.
        return OverlengthError(str(error))
    if "credit balance is too low" in str(error):
        # A 400, as if it were the fault of this request.
        return RefusedError(str(error))
    way = next((way for said, way in _WAYS_OUT if said.search(str(error))), None) if status == 400 else None
    return ReplyError(f"{error}. {way}") if way and type(error) is ReplyError else error


def read_refusal(body: Mapping[str, Any]) -> ReplyError:
    """Return the error that stands where a message should: in a stream, or among the results of a batch."""
    return read_failure(_status_of(body), body, None)


def _status_of(body: Mapping[str, Any]) -> int:
    """Return the status that an error would have had if it had come before the answer began."""
    kind = body.get("error", {}).get("type") if isinstance(body.get("error"), dict) else None
    known = {
        "invalid_request_error": 400,
        "authentication_error": 401,
        "permission_error": 403,
        "not_found_error": 404,
        "request_too_large": 413,
        "rate_limit_error": 429,
    }
    return known.get(str(kind), 529)


def join_stream(text: str) -> dict[str, Any]:
    """Return the message that the events of a whole stream make up, or the error among them.

    Raises:
        PassingError: the stream ended before its message did.
    """
    message: dict[str, Any] = {}
    blocks: dict[int, dict[str, Any]] = {}
    for line in text.splitlines():
        if not line.startswith("data:"):
            continue
        try:
            event = json.loads(line[len("data:") :])
            match event["type"]:
                case "message_start":
                    message = dict(event["message"])
                case "content_block_start":
                    blocks[event["index"]] = dict(event["content_block"])
                case "content_block_delta":
                    _add(blocks[event["index"]], event["delta"])
                case "message_delta":
                    message.update({name: value for name, value in event["delta"].items() if value is not None})
                    counts = {name: value for name, value in (event.get("usage") or {}).items() if value is not None}
                    message["usage"] = {**(message.get("usage") or {}), **counts}
                case "message_stop":
                    return {**message, "content": [blocks[index] for index in sorted(blocks)]}
                case "error":
                    return dict(event)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise PassingError(f"the stream holds what is no event ({error!r})") from error
    raise PassingError("the stream ended before the message did")


def _add(block: dict[str, Any], delta: Mapping[str, Any]) -> None:
    for name in ("text", "thinking"):
        if name in delta:
            block[name] = (block.get(name) or "") + delta[name]
