"""Hosts of OpenAI-compatible chat endpoints, as data: where they are, whose key they get, how they name settings."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeAlias

from lengthwise.contracts import Sampling
from lengthwise.errors import InputError

# Where a setting goes in the body of a request: names from the outside in.
Path: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Host:
    """How to talk to one host.

    Attributes:
        about: one line for `lengthwise list models`.
        base_url: everything before `/chat/completions`; None for a host that the user names.
        key_env: the environment variable with the key; None where only `--api-key-env` can name one.
        token_limit: where the most tokens to generate go.
        effort: where a word for the reasoning effort goes; None if the host takes none.
        thinking: where a number of reasoning tokens goes; None if the host takes none.
        lists_all: whether a name that `/models` does not list is certainly wrong.
    """

    about: str
    base_url: str | None
    key_env: str | None
    token_limit: Path = ("max_tokens",)
    effort: Path | None = ("reasoning_effort",)
    thinking: Path | None = None
    lists_all: bool = False


HOSTS: Mapping[str, Host] = MappingProxyType(
    {
        "openai": Host(
            "OpenAI, e.g. openai:gpt-5.2 (key: OPENAI_API_KEY)",
            "https://api.openai.com/v1",
            "OPENAI_API_KEY",
            token_limit=("max_completion_tokens",),
            lists_all=True,
        ),
        "openrouter": Host(
            "OpenRouter, e.g. openrouter:qwen/qwen3-8b (key: OPENROUTER_API_KEY)",
            "https://openrouter.ai/api/v1",
            "OPENROUTER_API_KEY",
            effort=("reasoning", "effort"),
            thinking=("reasoning", "max_tokens"),
        ),
        "hf": Host(
            "Hugging Face Inference Providers, e.g. hf:Qwen/Qwen3-8B (key: HF_TOKEN)",
            "https://router.huggingface.co/v1",
            "HF_TOKEN",
        ),
    }
)

# vLLM and llama.cpp take the effort where OpenAI does; the number of thinking tokens is vLLM's name for it.
ANY_HOST = Host(
    "any OpenAI-compatible server, e.g. http://localhost:8000/v1#Qwen/Qwen3-8B (key: what --api-key-env names); "
    "several servers of one model by commas: http://a:8000/v1,http://b:8000/v1#NAME",
    None,
    None,
    thinking=("thinking_token_budget",),
)


def sampling_fields(host: Host, sampling: Sampling) -> dict[str, Any]:
    """Return the part of a request's body that holds the sampling; what is None is left to the server.

    Raises:
        InputError: the host has no place for a setting.

    >>> sampling_fields(HOSTS["openrouter"], Sampling(max_tokens=10, reasoning_effort="low"))
    {'max_tokens': 10, 'reasoning': {'effort': 'low'}}
    """
    fields: dict[str, Any] = {}
    places: list[tuple[str, Path | None, Any]] = [
        ("--max-tokens", host.token_limit, sampling.max_tokens),
        ("--temperature", ("temperature",), sampling.temperature),
        ("--top-p", ("top_p",), sampling.top_p),
        ("--reasoning-effort", host.effort, sampling.reasoning_effort),
        ("--thinking-tokens", host.thinking, sampling.thinking_tokens),
    ]
    for option, path, value in places:
        if value is None:
            continue
        if path is None:
            raise InputError(f"{option}: {host.about.split(',')[0]} takes no such setting; leave it out")
        inner = fields
        for name in path[:-1]:
            inner = inner.setdefault(name, {})
        inner[path[-1]] = value
    return fields
