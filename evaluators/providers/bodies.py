"""What OpenAI-compatible servers send back, read into replies and errors. Pure functions over parsed JSON."""

import re
from collections.abc import Mapping
from typing import Any

from lengthwise.contracts import FinishReason, OverlengthError, Reply, ReplyError, Usage
from lengthwise.evaluators.providers.logprobs import read_alternatives
from lengthwise.evaluators.retry import PassingError, RefusedError

_FINISH: Mapping[str, FinishReason] = {
    "stop": "stop",
    "eos": "stop",
    "eos_token": "stop",
    "end_turn": "stop",
    "stop_sequence": "stop",
    "length": "length",
    "max_tokens": "length",
    "max_output_tokens": "length",
    "model_length": "length",
    "content_filter": "content_filter",
    "safety": "content_filter",
    "refusal": "content_filter",
}

# How servers say that prompt and output do not fit: OpenAI and OpenRouter (code and text), vLLM, llama.cpp, SGLang,
# TGI, Anthropic and Gemini behind a compatible endpoint.
_OVERLENGTH = re.compile(
    r"context[_ ]length[_ ]exceeded|maximum context length|exceed_context_size|exceeds? the (?:available )?context"
    r"|exceeds the model'?s? (?:maximum )?context|exceed context limit|maximum model length|max_model_len"
    r"|prompt is too long|input is too long|longer than the model'?s? context|maximum prompt length"
    r"|input token count .{0,40}exceeds"
    r"|`?inputs`? tokens? \+ `?max_new_tokens`? must be|reduce the length of the (?:messages|prompt|input)",
    re.IGNORECASE,
)

# Refused for good although the status says "later": no waiting brings back a quota.
_PERMANENT_CODES = frozenset({"insufficient_quota", "billing_hard_limit_reached"})
_PASSING_STATUSES = frozenset({408, 409, 425, 429})
# Refused whatever is asked. 403 is not among them: routers also say it of a single prompt.
_REFUSALS = frozenset({401, 402, 404})
_LONGEST_MESSAGE = 600


def read_reply(body: Any, latency: float) -> Reply:
    """Return the reply that the body of a 200 answer holds.

    Args:
        body: parsed JSON.
        latency: seconds.

    Raises:
        PassingError: the body has not the form of a chat completion, or holds an error that may pass, or the server
            did not let the model finish.
        OverlengthError, ReplyError: the body holds an error that does not.
    """
    if isinstance(body, dict) and body.get("error"):
        # Routers answer 200 first and meet the provider's error afterwards.
        code = body["error"].get("code") if isinstance(body["error"], dict) else None
        raise read_error(code if isinstance(code, int) else 502, body, None)
    try:
        choice = body["choices"][0]
        message = choice["message"]
        text, reasoning = _texts(message.get("content"))
        if isinstance(choice.get("error"), dict):
            raise read_error(502, {"error": choice["error"]}, None)
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise PassingError(f"the answer is not a chat completion: {_clip(str(body))}") from error
    if choice.get("finish_reason") == "abort":
        # vLLM and SGLang: somebody stopped the generation on the server; what there is of a text is not the model's.
        raise PassingError("the server aborted the generation (finish_reason abort)")
    reasoning = reasoning or _string(message.get("reasoning_content")) or _string(message.get("reasoning"))
    finish = _FINISH.get(str(choice.get("finish_reason")).lower(), "other")
    refusal = _string(message.get("refusal"))
    if text is None and refusal:
        text, finish = refusal, "content_filter"
    usage, cost = _usage(body.get("usage"))
    alternatives = read_alternatives(choice, text)
    return Reply(text, reasoning, finish, usage, latency, cost, _string(body.get("model")), alternatives=alternatives)


def read_error(status: int, body: Any, retry_after: float | None) -> ReplyError:
    """Return what an error answer means: `OverlengthError`, `PassingError`, `RefusedError` or a plain `ReplyError`.

    Args:
        status: HTTP status, 400 or above.
        body: parsed JSON, or the text where it was none.
        retry_after: seconds that the server asks to wait.
    """
    message, codes = error_message(body)
    text = f"HTTP {status}: {message or 'no message'}"
    if status != 429 and (_OVERLENGTH.search(message) or any(_OVERLENGTH.search(code) for code in codes)):
        return OverlengthError(text)
    if (status in _PASSING_STATUSES or status >= 500) and _PERMANENT_CODES.isdisjoint(codes):
        return PassingError(text, retry_after, status=status)
    if status in _REFUSALS or not _PERMANENT_CODES.isdisjoint(codes):
        return RefusedError(text)
    return ReplyError(text)


def is_filtered(status: int, body: Any) -> bool:
    """Return whether an error is a content filter's refusal of the prompt (Azure's way to say it)."""
    return status == 400 and "content_filter" in error_message(body)[1]


def error_message(body: Any) -> tuple[str, frozenset[str]]:
    """Return the message of an error body, cut to one line, and its codes (`code`, `type`)."""
    error = body.get("error", body) if isinstance(body, dict) else body
    if not isinstance(error, dict):
        return _clip(str(error)), frozenset()
    codes = {str(error[name]) for name in ("code", "type") if error.get(name) is not None}
    message = error.get("message") or error.get("detail") or error
    # OpenRouter keeps what the provider said one level down.
    metadata = error.get("metadata")
    raw = metadata.get("raw") if isinstance(metadata, dict) else None
    return _clip(f"{message} ({raw})" if isinstance(raw, str) else str(message)), frozenset(codes)


def _clip(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_MESSAGE else line[:_LONGEST_MESSAGE] + "..."


def _string(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _texts(content: Any) -> tuple[str | None, str | None]:
    """Return (text, reasoning) of a message's content: None, a string, or a list of parts."""
    if content is None or isinstance(content, str):
        return content, None
    texts: list[str] = []
    reasonings: list[str] = []
    for part in content:
        if isinstance(part, str):
            texts.append(part)
        elif part.get("type") in ("thinking", "reasoning"):
            inner = part.get("thinking", part.get("text"))
            reasonings.append(inner if isinstance(inner, str) else _texts(inner)[0] or "")
        elif isinstance(part.get("text"), str):
            texts.append(part["text"])
    return ("".join(texts) if texts else None), ("".join(reasonings) or None)


def _usage(usage: Any) -> tuple[Usage, float | None]:
    """Return the token counts, and the dollars where the host names them (OpenRouter)."""
    if not isinstance(usage, dict):
        return Usage(), None
    cost = usage.get("cost")
    counts = Usage(
        input=_count(usage, "prompt_tokens"),
        cached=_count(usage.get("prompt_tokens_details"), "cached_tokens"),
        output=_count(usage, "completion_tokens"),
        reasoning=_count(usage.get("completion_tokens_details"), "reasoning_tokens"),
    )
    return counts, float(cost) if isinstance(cost, int | float) else None


def _count(counts: Any, name: str) -> int | None:
    value = counts.get(name) if isinstance(counts, dict) else None
    return value if isinstance(value, int) else None
