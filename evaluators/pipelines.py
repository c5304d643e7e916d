"""Asking a transformers pipeline, or any function from prompts to replies, for the replies to all rows at once."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from lengthwise.contracts import Sampling
from lengthwise.errors import InputError

# Takes all prompts, returns as many replies.
AskAll: TypeAlias = Callable[[Sequence[str]], list[str]]

TASK = "text-generation"


def ask_all(
    model_or_pipeline: Any, sampling: Sampling, *, tokenizer: Any, device: Any, generation: Mapping[str, Any] | None
) -> AskAll:
    """Return what asks a model.

    Args:
        model_or_pipeline: a transformers text-generation pipeline; the name of a model or a model, of which one is
            made; or any function that takes a list of prompts and returns a list of replies.
        sampling: how a pipeline is to generate.
        tokenizer: for a pipeline that is made here.
        device: likewise; None leaves it to transformers.
        generation: further arguments of every call, over `sampling`; a function gets these alone.

    Raises:
        InputError: it is none of these, or a pipeline of another task.
    """
    if model_or_pipeline is None:
        raise InputError("model_or_pipeline is missing: a text-generation pipeline, a model, its name, or a function")
    made = _made(model_or_pipeline, tokenizer, device)
    task = getattr(made, "task", None)
    if task is not None and task != TASK:
        raise InputError(f"model_or_pipeline is a pipeline for {task!r}; these benchmarks need one for {TASK!r}")
    if not callable(made):
        raise InputError(f"model_or_pipeline is a {type(made).__name__}, which cannot be called")
    if getattr(made, "tokenizer", None) is None:
        return lambda prompts: _texts(made(list(prompts), **(generation or {})), len(prompts))
    settings = {**_generation(sampling), **(generation or {})}
    chat = bool(getattr(made.tokenizer, "chat_template", None))

    def ask(prompts: Sequence[str]) -> list[str]:
        given = [[{"role": "user", "content": prompt}] if chat else prompt for prompt in prompts]
        return _texts(made(given, return_full_text=False, **settings), len(prompts))

    return ask


def _made(given: Any, tokenizer: Any, device: Any) -> Any:
    """Return a pipeline for a model or its name, and anything else as it is."""
    if not isinstance(given, str) and not (hasattr(given, "generate") and hasattr(given, "config")):
        return given
    try:
        from transformers import pipeline
    except ImportError as error:
        raise InputError(
            f"model_or_pipeline={given!r}: needs transformers and torch ({error}); pip install 'lengthwise[hf]' torch"
        ) from error
    return pipeline(TASK, model=given, tokenizer=tokenizer, device=device)


def _generation(sampling: Sampling) -> dict[str, Any]:
    """Return the sampling as transformers has it, which takes no temperature of 0."""
    found: dict[str, Any] = {} if sampling.max_tokens is None else {"max_new_tokens": sampling.max_tokens}
    if not sampling.temperature:
        return {**found, "do_sample": False}
    found |= {"do_sample": True, "temperature": sampling.temperature}
    return found if sampling.top_p is None else {**found, "top_p": sampling.top_p}


def _texts(outputs: Any, n: int) -> list[str]:
    if isinstance(outputs, str | bytes | Mapping) or not hasattr(outputs, "__iter__"):
        raise InputError(
            f"model_or_pipeline returned a {type(outputs).__name__}: it is given the list of all prompts and must "
            "return a list of replies; for a function of one prompt: lambda prompts: [ask(one) for one in prompts]"
        )
    texts = [_text(output) for output in outputs]
    if len(texts) != n:
        raise InputError(f"model_or_pipeline returned {len(texts):,} replies to {n:,} prompts")
    return texts


def _text(output: Any) -> str:
    """Return the text of one reply: text, {"generated_text": ...}, a list of one of these, or a conversation."""
    if isinstance(output, str):
        return output
    if output is None:
        return ""
    if isinstance(output, Sequence) and output:
        # Of several sequences to one prompt the first, of a conversation the last turn.
        turn = output[-1] if isinstance(output[-1], Mapping) and "content" in output[-1] else output[0]
        return _text(turn)
    if isinstance(output, Mapping):
        for name in ("generated_text", "content"):
            if name in output:
                return _text(output[name])
    raise InputError(f"model_or_pipeline returned {str(output)[:60]!r}: a reply is text or {{'generated_text': text}}")
