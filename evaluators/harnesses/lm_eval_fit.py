"""Will lm-eval hand a prompt on whole? Where it does not fit, it cuts off the beginning, mostly without a word."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from lengthwise.errors import InputError

# The names under which lm-eval's models look for the number of tokens to generate.
_BUDGETS = ("max_gen_toks", "max_new_tokens", "max_tokens", "max_completion_tokens")

# What a tokenizer may put around a text.
_SPECIAL = 8


@dataclass(frozen=True)
class Asked:
    """One request of a task.

    Attributes:
        row: id of the row.
        text: the prompt in the model's chat template.
        settings: how to generate.
    """

    row: str
    text: Any
    settings: Mapping[str, Any]


def check_uncut(model: Any, task: str, asked: Iterable[Asked]) -> None:
    """Refuse prompts that a model of lm-eval would cut to `max_length` less the output.

    Models that send text leave the counting to the server, and are not looked at. For a local completions model
    `max_length` is 2,048 unless it is given, whatever the server has: less than the output alone, and then the first
    tokens are cut off every prompt.

    Args:
        model: lm-eval's model; what it may lack is looked up by name: `max_length`, `tok_encode`,
            `tokenized_requests`.
        task: its name, for the message.
        asked: the requests.

    Raises:
        InputError: some do not fit, or their tokens cannot be counted.
    """
    longest = getattr(model, "max_length", None)
    if not isinstance(longest, int) or not getattr(model, "tokenized_requests", True):
        return
    requests = list(asked)
    cut: list[tuple[int, int, str]] = []
    for request in requests:
        budget = _budget(model, request.settings)
        # No token is less than a byte.
        if isinstance(request.text, str) and len(request.text.encode()) + _SPECIAL + budget <= longest:
            continue
        tokens = _count(model, task, request.text)
        if tokens + budget > longest:
            cut.append((tokens, budget, request.row))
    if cut:
        tokens, budget, row = max(cut)
        raise InputError(
            f"{task}: {len(cut):,} of {len(requests):,} rows do not fit; {row} needs {tokens + budget:,} tokens "
            f"({tokens:,} of prompt, {budget:,} for output), this model's max_length is {longest:,}. lm-eval would "
            "cut off the beginning of these prompts and score the rest. Ways out: max_length=N in --model_args, if "
            "the model has that much; tasks of a smaller split; --model local-chat-completions, which cuts nothing"
        )


def _budget(model: Any, settings: Mapping[str, Any]) -> int:
    given = [int(settings[name]) for name in _BUDGETS if settings.get(name) is not None]
    return max(given) if given else int(getattr(model, "max_gen_toks", 0) or 0)


def _count(model: Any, task: str, text: Any) -> int:
    encode = getattr(model, "tok_encode", None)
    tokens = encode(text) if encode is not None and isinstance(text, str) else None
    if not isinstance(tokens, list) or not all(isinstance(token, int) for token in tokens):
        raise InputError(
            f"{task}: this model cuts prompts by token, and its tokens cannot be counted; "
            "take --model local-chat-completions, which cuts nothing"
        )
    return len(tokens)
