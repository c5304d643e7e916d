"""The extractor's reply, read into lists of entities by kind: JSON of any shape, or lines."""

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from lengthwise.metrics.answers import Unparsed
from lengthwise.metrics.found_json import find_held, normal_key
from lengthwise.metrics.json_reader import Array, Node, Object, Scalar
from lengthwise.metrics.reasoning import mask_reasoning

from .prompt_files import ENTITY_KINDS
from .reply_values import says_nothing, unread

_ENTITIES: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "people": ("people", "persons", "characters", "names", "人物", "人名"),
    "organisations": ("organisations", "organizations", "groups", "组织", "机构", "团体"),
    "places": ("places", "locations", "地点", "地名"),
    "titles": ("titles", "ranks", "offices", "professions", "头衔", "官职", "身份", "职业"),
    "times": ("times", "dates", "时间", "日期"),
    "numbers": ("numbers", "quantities", "数字", "数量"),
    "other": ("other", "others", "miscellaneous", "其他", "其它"),
})  # fmt: skip
# What one entity may be labelled with; a list of them is not.
_SINGULAR = {"person": "people", "character": "people", "name": "people", "per": "people",
             "organisation": "organisations", "organization": "organisations", "org": "organisations",
             "group": "organisations", "place": "places", "location": "places", "loc": "places", "gpe": "places",
             "title": "titles", "rank": "titles", "time": "times", "date": "times", "number": "numbers",
             "quantity": "numbers", "money": "numbers", "misc": "other"}  # fmt: skip
_KINDS = _SINGULAR | {name: kind for kind, names in _ENTITIES.items() for name in names}
_LISTS = ("entities", "entity", "entitylist", "实体", "实体列表")
_NAME = ("text", "name", "entity", "value", "mention", "实体", "名称")
_KIND = ("type", "kind", "category", "label", "类型", "类别")

_BETWEEN_ENTITIES = re.compile(r"[,，](?!\d{3})|[、;；]")
_ENTITY_LINE = re.compile(r"[\s*_#>•-]{0,12}(\w[\w ]{0,30}?)[\s*_]{0,6}[:：](.*)")
_LONGEST_ENTITY = 100


def read_entities(text: str) -> dict[str, tuple[str, ...]] | Unparsed:
    """Read a list of entities.

    Returns:
        Kind -> entities in the order given, each once; kinds as in `ENTITY_KINDS`, those without any left out. An
        empty dict is a reply that says that there are none.

    >>> read_entities('{"people": ["Ahab", "Ishmael"], "places": [], "numbers": "none"}')
    {'people': ('Ahab', 'Ishmael')}
    """
    visible = mask_reasoning(text)
    found: dict[str, list[str]] = {kind: [] for kind in ENTITY_KINDS}
    lists = [(kind, held.value) for kind, keys in _ENTITIES.items() if (held := find_held(visible, keys)) is not None]
    one_list = None if lists else find_held(visible, _LISTS)
    lines = [] if lists or one_list else list(_entity_lines(visible))
    for kind, node in lists:
        found[kind] += _items(node)
    if one_list is not None:
        for kind, item in _labelled(one_list.value):
            found[kind].append(item)
    for kind, line in lines:
        found[kind] += _split(line)
    if not (lists or one_list or lines):
        return unread(text, "the reply holds no list of entities")
    return {kind: kept for kind, items in found.items() if (kept := tuple(dict.fromkeys(filter(_is_entity, items))))}


def _entity_lines(text: str) -> Iterator[tuple[str, str]]:
    """Yield what a reply without JSON lists behind the name of a kind, a line each."""
    for line in text.splitlines():
        match = _ENTITY_LINE.match(line)
        if match and (kind := _KINDS.get(normal_key(match[1]))):
            yield kind, match[2]


def _items(node: Node) -> list[str]:
    """Return the entities of a list, whatever it is made of; of an object in it, its name."""
    if isinstance(node, Scalar):
        return _split(node.text)
    if isinstance(node, Object):
        return [key for key, _ in node.pairs]
    items: list[str] = []
    for item in node.items:
        items += [item.text.strip()] if isinstance(item, Scalar) else [_named(item)[1]]
    return items


def _labelled(node: Node) -> Iterator[tuple[str, str]]:
    """Yield the entities of one list of all kinds, with the kind that each is labelled with."""
    if isinstance(node, Array):
        yield from (_named(item) for item in node.items)
    elif isinstance(node, Object):
        yield from (
            (_KINDS.get(normal_key(key), "other"), item) for key, value in node.pairs for item in _items(value)
        )
    else:
        yield from (("other", item) for item in _split(node.text))


def _named(node: Node) -> tuple[str, str]:
    if isinstance(node, Scalar):
        return "other", node.text.strip()
    values: dict[str, str] = {}
    if isinstance(node, Object):
        values = {normal_key(key): value.text.strip() for key, value in node.pairs if isinstance(value, Scalar)}
    name = next((values[key] for key in _NAME if key in values), "")
    kind = next((values[key] for key in _KIND if key in values), "")
    return _KINDS.get(normal_key(kind), "other"), name


def _split(text: str) -> list[str]:
    return [item.strip(" \t\"'“”‘’*`.。[]") for item in _BETWEEN_ENTITIES.split(text)]


def _is_entity(item: str) -> bool:
    return len(item) <= _LONGEST_ENTITY and not says_nothing(item)
