"""Options in a model's spec, for models in this process: `vllm:NAME?max_model_len=8192&quantization=fp8`."""

import json
from typing import Any
from urllib.parse import unquote

from lengthwise.errors import InputError


def split_options(spec: str, rest: str) -> tuple[str, dict[str, Any]]:
    """Return the name and the options behind it.

    Args:
        spec: the whole, for messages.
        rest: what stands behind the kind: `NAME`, or `NAME?OPTION=VALUE&OPTION=VALUE`. A value is JSON where it can be
            read as such (numbers, true, false, null, objects), else a word; `%26` is an &.

    Raises:
        InputError: no name, an option without a value, or one that comes twice.

    >>> split_options("", 'Qwen/Qwen3-8B?max_model_len=8192&dtype=auto&hf_overrides={"rope_theta": 1e6}')
    ('Qwen/Qwen3-8B', {'max_model_len': 8192, 'dtype': 'auto', 'hf_overrides': {'rope_theta': 1000000.0}})
    """
    name, _, query = rest.partition("?")
    if not name:
        raise InputError(f"--model {spec}: the name is missing in front of the options")
    options: dict[str, Any] = {}
    for part in query.split("&") if query else ():
        option, sign, value = part.partition("=")
        if not (option and sign):
            raise InputError(f"--model {spec}: {part!r} is no option; write NAME?OPTION=VALUE&OPTION=VALUE")
        option = option.replace("-", "_")
        if option in options:
            raise InputError(f"--model {spec}: names {option} twice")
        options[option] = _value(unquote(value))
    return name, options


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
