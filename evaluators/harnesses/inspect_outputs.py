"""What inspect_ai says of a model's reply, in our words."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from lengthwise.contracts import FinishReason, OverlengthError, Reply, ReplyError, Usage
from lengthwise.evaluators.providers.bodies import read_error

if TYPE_CHECKING:
    from inspect_ai.model import ModelOutput, ModelUsage

_FINISH: Mapping[str, FinishReason] = {
    "stop": "stop",
    "max_tokens": "length",
    "model_length": "length",
    "content_filter": "content_filter",
}


def read_output(output: "ModelOutput") -> Reply:
    """Return the reply that an output of inspect_ai holds.

    inspect puts reasoning aside, of a field of its own or between think tags, as we would; it is not scored here
    either. Where a server refuses a prompt as too long, inspect makes the error's message the model's reply, with
    `model_length` as the reason; only such an output has no usage.

    Raises:
        OverlengthError: the prompt did not fit.
        ReplyError: there is no reply.
    """
    if output.empty:
        raise ReplyError("no reply came; the sample's error in inspect's log says why")
    if output.stop_reason == "model_length" and output.usage is None:
        raise OverlengthError(output.error or output.completion)
    finish = _FINISH.get(output.stop_reason, "other")
    if any(getattr(part, "refusal", None) for part in _parts(output)):
        # OpenAI's refusal has a field of its own; the reason it ended for is still "stop".
        finish = "content_filter"
    # A prompt that a filter refused has no usage either, and the text is the error's message.
    unanswered = finish == "content_filter" and output.usage is None
    return Reply(
        None if unanswered else output.completion or None,
        finish_reason=finish,
        usage=_usage(output.usage),
        latency=output.time or 0.0,
        model=output.model or None,
    )


def overlength_message(error: RuntimeError) -> str | None:
    """Return what a server said if an error of inspect's `generate` is a prompt that does not fit; None if not.

    inspect itself knows only the code that OpenAI gives; vLLM's and others' refusals are errors to it, which end the
    whole evaluation.
    """
    # inspect's class is not public; what it adds to a RuntimeError is.
    message = getattr(error, "provider_message", None)
    status = getattr(error, "status_code", None)
    if not isinstance(message, str):
        return None
    found = read_error(status if isinstance(status, int) else 400, message, None)
    return message if isinstance(found, OverlengthError) else None


def _parts(output: "ModelOutput") -> list[object]:
    content = output.message.content
    return list(content) if isinstance(content, list) else []


def _usage(usage: "ModelUsage | None") -> Usage:
    """Return the counts; inspect takes cached tokens out of the input, we count them in."""
    if usage is None:
        return Usage()
    cached = usage.input_tokens_cache_read
    return Usage(
        input=usage.input_tokens + (cached or 0) + (usage.input_tokens_cache_write or 0),
        cached=cached,
        output=usage.output_tokens,
        reasoning=usage.reasoning_tokens,
    )
