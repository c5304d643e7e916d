"""How models are sampled: each paper's settings as the default, and what the caller changed."""

from dataclasses import asdict, replace
from typing import Literal, TypeAlias

from lengthwise.contracts import Sampling
from lengthwise.errors import InputError

SamplingOrigin: TypeAlias = Literal["paper", "changed"]


def resolve_sampling(paper: Sampling, changes: Sampling) -> tuple[Sampling, SamplingOrigin]:
    """Return the paper's sampling with `changes` laid over it, and whether that is still the paper's.

    Args:
        paper: `Benchmark.sampling`.
        changes: None in a field keeps the paper's value.

    Raises:
        InputError: a value out of range; the message names the option.

    >>> resolve_sampling(Sampling(max_tokens=16_000, top_p=1.0), Sampling(max_tokens=16_000))[1]
    'paper'
    >>> resolve_sampling(Sampling(max_tokens=16_000, top_p=1.0), Sampling(max_tokens=500))
    (Sampling(max_tokens=500, temperature=None, top_p=1.0, reasoning_effort=None, thinking_tokens=None), 'changed')
    """
    _check(changes)
    sampling = replace(paper, **{name: value for name, value in asdict(changes).items() if value is not None})
    return sampling, "paper" if sampling == paper else "changed"


def _check(sampling: Sampling) -> None:
    max_tokens, thinking = sampling.max_tokens, sampling.thinking_tokens
    if max_tokens is not None and max_tokens < 1:
        raise InputError(f"--max-tokens {max_tokens}: must be at least 1")
    if sampling.temperature is not None and not 0 <= sampling.temperature <= 2:
        raise InputError(f"--temperature {sampling.temperature}: must be in 0 to 2")
    if sampling.top_p is not None and not 0 < sampling.top_p <= 1:
        raise InputError(f"--top-p {sampling.top_p}: must be above 0 and at most 1")
    if thinking is not None and thinking < 0:
        raise InputError(f"--thinking-tokens {thinking}: must not be negative")
