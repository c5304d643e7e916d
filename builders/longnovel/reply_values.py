"""What the readers of replies share: the strings under a key of a reply's JSON, and what counts as nothing said."""

import re
import unicodedata
from collections.abc import Iterator

from lengthwise.metrics.answers import Unparsed
from lengthwise.metrics.found_json import find_held
from lengthwise.metrics.json_reader import Array, Node, Scalar
from lengthwise.metrics.refusals import find_refusal

_PLACEHOLDER = re.compile(r"<[^<>]{1,120}>|\.{3}|…+")
_NOTHING = frozenset({"", "none", "nil", "null", "na", "nothing", "nonefound", "无", "没有", "暂无", "空"})


def values(text: str, keys: tuple[str, ...]) -> list[str]:
    """Return what stands under the first of the keys, each item of a list by itself; what says "none" is left out."""
    held = find_held(text, keys)
    if held is None:
        return []
    items = [held.value] if not isinstance(held.value, Array) else held.value.items
    said = (" - ".join(filter(None, (part.strip() for part in _texts(item)))) for item in items)
    return [item for item in said if not says_nothing(item)]


def _texts(node: Node) -> Iterator[str]:
    if isinstance(node, Scalar):
        yield node.text
    else:
        inner = node.items if isinstance(node, Array) else [value for _, value in node.pairs]
        for item in inner:
            yield from _texts(item)


def _is_said(node: Node) -> bool:
    return isinstance(node, Scalar) and not _PLACEHOLDER.fullmatch(node.text.strip())


def sentence(text: str, keys: tuple[str, ...]) -> str:
    """Return the string under the first of the keys that has more than a placeholder, "" where there is none."""
    held = find_held(text, keys, usable=_is_said)
    return held.value.text.strip() if held is not None and isinstance(held.value, Scalar) else ""


def says_nothing(text: str) -> bool:
    """Whether a value is empty, a word for "none", or a placeholder of the format that was asked for."""
    return plain(text) in _NOTHING or _PLACEHOLDER.fullmatch(text.strip()) is not None


def plain(text: str) -> str:
    """Return the letters and digits of a text of a few words, case folded; "" of nothing else, all of a longer one."""
    if len(text) > 40:
        return text
    return "".join(char for char in unicodedata.normalize("NFKC", text).casefold() if char.isalnum())


def unread(text: str, why: str) -> Unparsed:
    """Return why a reply was not read; a refusal says so itself."""
    refusal = find_refusal(text)
    return Unparsed(why if refusal is None else f"a refusal: {refusal}")
