"""Counting a prompt as the model will: its own tokenizer and chat template, where they are on this machine."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from lengthwise.contracts import Sampling


def template_counter(name: str) -> Callable[[str], int] | None:
    """Return a function that counts the tokens of a prompt inside the model's chat template.

    Looks in the local Hub cache and at local paths only: a preflight must not start a download.

    Args:
        name: Hub id or path, as the server calls the model.

    Returns:
        None where `transformers` (the extra `hf`) is missing, or has no tokenizer with a template for this name.
    """
    # To import transformers takes longer than the rest of a run's start.
    if not _may_be_here(name):
        return None
    # transformers logs advice about frameworks that are missing; it is of no use to who counts tokens.
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    try:
        from transformers import AutoTokenizer
    except ImportError:
        return None
    try:
        tokenizer = AutoTokenizer.from_pretrained(name, local_files_only=True)
    except (OSError, ValueError, KeyError):
        return None
    if not tokenizer.chat_template:
        return None

    def count(prompt: str) -> int:
        text = tokenizer.apply_chat_template(
            [{"role": "user", "content": prompt}], tokenize=False, add_generation_prompt=True
        )
        return len(tokenizer(text, add_special_tokens=False)["input_ids"])

    return count


def _may_be_here(name: str) -> bool:
    """Return whether a path or the local Hub cache holds something of that name."""
    entry = "models--" + name.replace("/", "--")
    return Path(name).is_dir() or any((cache / entry).is_dir() for cache in _caches())


def _caches() -> Iterator[Path]:
    """Yield where models that were fetched can be, as `huggingface_hub` and `transformers` are told it."""
    for variable in ("HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "TRANSFORMERS_CACHE"):
        if folder := os.environ.get(variable):
            yield Path(folder).expanduser()
    home = os.environ.get("HF_HOME") or Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache") / "huggingface"
    yield Path(home).expanduser() / "hub"


def template_arguments(sampling: Sampling) -> dict[str, Any]:
    """Return what a chat template is told of the sampling: the effort, under the names that templates know it by.

    >>> template_arguments(Sampling(reasoning_effort="none")), template_arguments(Sampling())
    ({'reasoning_effort': 'none', 'enable_thinking': False}, {})
    """
    if sampling.reasoning_effort is None:
        return {}
    off = {"enable_thinking": False} if sampling.reasoning_effort == "none" else {}
    return {"reasoning_effort": sampling.reasoning_effort, **off}
