"""The reference models of LongNovel: its gold replies, and what answers come to that look at no text."""

import json
from collections.abc import Mapping
from types import MappingProxyType

from lengthwise.builders.streams import Stream
from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.references import Reference


def _gold(example: Example, repeat: int, prompt: str) -> str:
    """Give the row's own reply."""
    return str(example.columns["answer_text"])


def _reply(score: int) -> str:
    return json.dumps({"reason": "", "score": score} | ({} if score > 2 else {"hallucination_types": []}))


def _random(example: Example, repeat: int, prompt: str) -> str:
    """Give a class by the toss of a coin."""
    return _reply(5 * Stream("reference:random", example.id, repeat).below(2))


LONGNOVEL_REFERENCES: Mapping[str, Reference] = MappingProxyType(
    {
        "gold": Reference("gives the gold reply: the ceiling of the scoring", _gold, "ceiling"),
        "random": Reference("calls a summary faithful or hallucinated by the toss of a coin", _random, "floor"),
        "faithful": Reference("calls every summary faithful", lambda *_: _reply(5), "floor"),
        "hallucinated": Reference("calls every summary hallucinated", lambda *_: _reply(0), "floor"),
    }
)
