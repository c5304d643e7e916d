"""Tables of instances out of replies: a JSON object with the keys "1" to "n" and the summary keys."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from .found_json import all_objects
from .json_reader import Array, Node, Object
from .numerals import exact
from .parsed import Parsed, Unparsed
from .reasoning import mask_reasoning

# The prompts ask for it beside the answers; it is no answer.
_REASONING = "reasoning"
_WORDS = {"true": True, "false": False, "null": None, "none": None}


@dataclass(frozen=True, slots=True)
class ParsedInstances(Parsed[dict[str, Any]]):
    """A table that was found.

    Attributes:
        missing: wanted keys that it lacks, in the order wanted.
        extra: keys that were not wanted, in the order found, without `reasoning`.
        repeated: keys that occur more than once; the last value counts, as in JSON.
    """

    missing: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    repeated: tuple[str, ...] = ()


def parse_instances(text: str, keys: Sequence[str]) -> ParsedInstances | Unparsed:
    """Read the table of a reply that answers every instance by itself.

    The object that holds most of the wanted keys counts, the last of equals. A cut object counts only if it holds all
    of them. Values are kept exact: a string as it is, a whole number as an int, any other as a `Decimal` with its
    trailing zeros, true, false and null as Python's.

    Args:
        text: the raw reply, any string.
        keys: the keys asked for: "1" to "n" and the summary keys.

    Returns:
        The table (`.value`) with its missing, extra and repeated keys, or why there is none. An object with none of
        the keys is a table too: all of its keys are wrong.

    >>> found = parse_instances('{"reasoning": "r", "1": "odd", "3": "even", "odd": 1}', ["1", "2", "odd", "even"])
    >>> found.value, found.missing, found.extra
    ({'1': 'odd', '3': 'even', 'odd': 1}, ('2', 'even'), ('3',))
    """
    if not text.strip():
        return Unparsed("the reply is empty")
    masked = mask_reasoning(text)
    if not masked.strip():
        return Unparsed("the reply is all reasoning")
    wanted = set(keys)
    best: Object | None = None
    most, cut = -1, False
    for found in all_objects(masked):
        held = len(wanted.intersection(key for key, _ in found.pairs))
        if not found.complete and held < len(wanted):
            cut = cut or held > 0
        elif held >= most and (held or best is None or not most):
            best, most = found, held
    if best is None or (cut and not most):
        return Unparsed("the JSON object is cut" if cut else "the reply holds no JSON object")
    value: dict[str, Any] = {}
    repeated: dict[str, None] = {}
    for key, node in best.pairs:
        if key == _REASONING and _REASONING not in wanted:
            continue
        if key in value:
            repeated[key] = None
        value[key] = _plain(node)
    missing = tuple(key for key in keys if key not in value)
    extra = tuple(key for key in value if key not in wanted)
    rule = "json" if best.complete else "cut-json"
    return ParsedInstances(value, best.span, rule, missing, extra, tuple(repeated))


def _plain(node: Node) -> Any:
    """Return a node as Python's types; the reader bounds the depth."""
    if isinstance(node, Object):
        return {key: _plain(value) for key, value in node.pairs}
    if isinstance(node, Array):
        return [_plain(item) for item in node.items]
    if node.quoted:
        return node.text
    if node.text.lower() in _WORDS:
        return _WORDS[node.text.lower()]
    digits = node.text.removeprefix("-")
    if digits.isascii() and digits.isdigit():
        value = exact("-" if digits != node.text else "", digits)
        return node.text if value is None else int(value)
    try:
        number = Decimal(node.text)
    except InvalidOperation:
        return node.text
    # A power of ten as large as one likes is a short text and a long number.
    return number if number.is_finite() and abs(number.adjusted()) <= 1000 else node.text
