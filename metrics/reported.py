"""What a reply to LongNovel reports: its reasons and the types it lists, from its JSON object or from its prose."""

import re
from dataclasses import dataclass

from .found_json import find_held
from .json_reader import Array, Node, Object, Scalar
from .reasoning import mask_reasoning

# As `normal_key` writes them; the prompts ask for the first of each.
_REASON_KEYS = ("reason", "reasons", "explanation", "理由", "原因")
_TYPE_KEYS = ("hallucinationtypes", "hallucinationtype", "types", "type", "幻觉类型")
_SCORE_KEYS = ("score", "评分", "得分", "分数", "打分")


@dataclass(frozen=True, slots=True)
class Report:
    """What a reply says is wrong.

    Attributes:
        reason: its reasons, a line for each that it keeps apart; all that it says where no JSON object has any.
        types: the names that it lists, as they stand there.
        in_json: whether some JSON object, cut short or not, holds reasons, types or a score.
    """

    reason: str
    types: tuple[str, ...]
    in_json: bool


def read_report(reply: str) -> Report:
    """Read what a raw reply reports; reasoning before the answer is no report.

    >>> read_report('{"reason": "he fell", "score": 2, "hallucination_types": ["Event", "Entity"]}')
    Report(reason='he fell', types=('Event', 'Entity'), in_json=True)
    """
    visible = mask_reasoning(reply)
    reason, types = find_held(visible, _REASON_KEYS), find_held(visible, _TYPE_KEYS)
    words = [text for _, text in _texts(types.value)] if types else []
    names = tuple(name for text in words for name in re.split(r"[,，、;；|/]", text))
    in_json = any(held is not None for held in (reason, types)) or find_held(visible, _SCORE_KEYS) is not None
    if reason is None:
        return Report(visible, names, in_json)
    said = "\n".join(f"{key}: {text}" if key else text for key, text in _texts(reason.value))
    return Report(said, names, in_json)


def _texts(node: Node, key: str = "") -> list[tuple[str, str]]:
    """Return the (key, text) pairs of a value: the keys of an object may be the types."""
    if isinstance(node, Scalar):
        return [(key, node.text)]
    if isinstance(node, Array):
        return [pair for item in node.items for pair in _texts(item, key)]
    assert isinstance(node, Object)
    return [pair for name, value in node.pairs for pair in _texts(value, name)]
