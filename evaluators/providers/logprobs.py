"""Which tokens could have begun an answer, and how likely each was: asked for and read in the form of OpenAI.

vLLM, SGLang and llama.cpp know it too. Of all the log-probabilities that a server sends, those of one place are kept:
where the visible answer begins, behind any reasoning.
"""

from collections.abc import Mapping
from typing import Any

from lengthwise.metrics.reasoning import mask_reasoning

Alternatives = tuple[tuple[str, float], ...]


def logprob_fields(alternatives: int) -> dict[str, Any]:
    """Return the part of a request's body that asks for log-probabilities; nothing where none are wanted.

    >>> logprob_fields(5), logprob_fields(0)
    ({'logprobs': True, 'top_logprobs': 5}, {})
    """
    return {"logprobs": True, "top_logprobs": alternatives} if alternatives else {}


def refuses_logprobs(status: int, message: str) -> bool:
    """Return whether an error says that this model or server gives no log-probabilities (an unknown field included).

    >>> refuses_logprobs(422, "Unexpected keys in the request: {'top_logprobs'}"), refuses_logprobs(500, "logprobs")
    (True, False)
    """
    return 400 <= status < 500 and status not in (401, 408, 429) and "logprob" in message.casefold()


def read_alternatives(choice: Mapping[str, Any], text: str | None) -> Alternatives:
    """Return the first token of the visible answer and the others that were likeliest there, with log-probabilities.

    Args:
        choice: of a chat completion.
        text: its text, reasoning inline or not.

    Returns:
        The token that was generated first; nothing where the server sends none, or none that make up the text.
    """
    logprobs = choice.get("logprobs")
    tokens = logprobs.get("content") if isinstance(logprobs, dict) else None
    if not isinstance(tokens, list) or not text:
        return ()
    written = [str(one.get("token", "")) if isinstance(one, dict) else "" for one in tokens]
    masked = mask_reasoning(text)
    # Reasoning that the server split off, and tokens that mark its end, stand before the text and may stand behind it.
    start = "".join(written).rfind(text)
    if start < 0 or not masked.strip():
        return ()
    place = start + len(masked) - len(masked.lstrip())
    for one, token in zip(tokens, written, strict=True):
        place -= len(token)
        if place < 0:
            return _of_token(one)
    return ()


def _of_token(token: Any) -> Alternatives:
    others = token.get("top_logprobs")
    found: dict[str, float] = {}
    for one in (token, *(others if isinstance(others, list) else ())):
        value = one.get("logprob") if isinstance(one, dict) else None
        if isinstance(value, int | float):
            found.setdefault(str(one.get("token", "")), float(value))
    return tuple(found.items())
