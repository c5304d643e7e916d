"""Which JSON object of a reply is the answer: the whole text, the last fenced block, or the last that has the key."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from .json_reader import BRACE, Array, Node, Object, Scalar, read_object
from .parsed import Span

_FENCE = re.compile(r"```+|~~~+")
_BETWEEN_WORDS = re.compile(r"[\s_-]+")
_LONGEST_KEY = 60
# A quote that never closes hides what stands behind it: look there, but a few times only, as each look costs the rest.
_MOST_SECOND_LOOKS = 4


@dataclass(frozen=True, slots=True)
class Held:
    """A value under a wanted key.

    Attributes:
        value: the value.
        rule: "json" (the whole text), "fenced-json", "last-json", or "cut-json" for an object without its end.
    """

    value: Node
    rule: str


def normal_key(key: str) -> str:
    """Return a key without case, full-width forms and what stands between its words.

    >>> normal_key("Final_Score"), normal_key("ｆｉｎａｌ score")
    ('finalscore', 'finalscore')
    """
    return _BETWEEN_WORDS.sub("", unicodedata.normalize("NFKC", key).casefold().strip(" \t*`\"'：:"))


def find_objects(text: str) -> list[Object]:
    """Return the outermost objects of a text in order, cut ones included, in time linear in its length."""
    objects: list[Object] = []
    second_looks = _MOST_SECOND_LOOKS
    brace = BRACE.search(text)
    while brace is not None:
        found = read_object(text, brace.start())
        if found.pairs:
            objects.append(found)
        second_looks -= found.unclosed
        brace = BRACE.search(text, found.span[1]) if second_looks else None
    return objects


def find_held(text: str, *tiers: Sequence[str], usable: Callable[[Node], bool] = lambda _: True) -> Held | None:
    """Return the value under the wanted key in the object that is the answer, None if no object has one.

    In order: the object that is the whole text; the last one inside the last fenced block; the last one of all; the
    last one that is cut. An object holds a key if it or an object inside it does; the outermost key counts.

    Args:
        text: a reply without its reasoning.
        tiers: the keys that count, as `normal_key` gives them, the best first. Keys of a later tier count only where
            no object has one of an earlier tier.
        usable: tells values from placeholders such as `"<0-5>"`: a key with one of those is as good as absent.

    >>> find_held('{"score": 1} then {"score": 2}', ["score"]).value.text
    '2'
    """
    if not BRACE.search(text):
        return None
    objects = find_objects(text)
    for names in tiers:
        if (chosen := _choose(text, objects, names, usable)) is not None:
            return chosen
    return None


def _choose(text: str, objects: list[Object], names: Sequence[str], usable: Callable[[Node], bool]) -> Held | None:
    held = [(found, value) for found in objects if (value := _held_in(found, names, usable)) is not None]
    whole = [pair for pair in held if pair[0].complete]
    # What stands inside a cut object that has the key itself is part of it.
    cut = [pair for pair in held if not pair[0].complete]
    if cut and (not whole or cut[0][0].span[0] < whole[-1][0].span[0] < cut[0][0].span[1]):
        return Held(cut[0][1], "cut-json")
    if not whole:
        return None
    found, value = whole[-1]
    if not (text[: found.span[0]] + text[found.span[1] :]).strip():
        return Held(value, "json")
    low, high = _last_fence(text, objects)
    fenced = [value for found, value in whole if low <= found.span[0] < high]
    return Held(fenced[-1], "fenced-json") if fenced else Held(value, "last-json")


def _last_fence(text: str, objects: list[Object]) -> Span:
    """Return the inside of the last fenced block that holds an object; fences inside objects are none."""
    inside = [found.span for found in objects if found.complete]
    marks: list[int] = []
    place = 0
    for fence in _FENCE.finditer(text):
        while place < len(inside) and inside[place][1] <= fence.start():
            place += 1
        if place == len(inside) or fence.start() < inside[place][0]:
            marks.append(fence.start())
    blocks = [(low, (*marks, len(text))[index]) for index, low in enumerate(marks, 1) if index % 2]
    for low, high in reversed(blocks):
        if any(low <= start < high for start, _ in inside):
            return low, high
    return 0, 0


def _held_in(found: Object, names: Sequence[str], usable: Callable[[Node], bool]) -> Node | None:
    wanted = set(names)
    for level in _levels(found):
        for inner in reversed(level):
            held = {
                name: value
                for key, value in inner.pairs
                if len(key) <= _LONGEST_KEY and (name := normal_key(key)) in wanted and usable(value)
            }
            if held:
                return next(held[name] for name in names if name in held)
    return None


def _levels(found: Object) -> Iterator[list[Object]]:
    """Yield the objects of each depth, the outermost first."""
    level = [found]
    while level:
        yield level
        nodes: list[Node] = [value for inner in level for _, value in inner.pairs]
        level = []
        while nodes:
            node = nodes.pop()
            if isinstance(node, Object):
                level.append(node)
            elif isinstance(node, Array):
                nodes += node.items
        level.reverse()


def all_objects(text: str) -> list[Object]:
    """Return every object of a text, each before the objects inside it."""
    return [inner for found in find_objects(text) for level in _levels(found) for inner in level]


def only_scalar(node: Node) -> Scalar | None:
    """Return the scalar that a node is or that a list of one holds; None for anything else."""
    while isinstance(node, Array) and len(node.items) == 1:
        node = node.items[0]
    return node if isinstance(node, Scalar) else None
