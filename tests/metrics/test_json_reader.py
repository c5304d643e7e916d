import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lengthwise.metrics.json_reader import Array, Node, Object, read_object


def plain(node: Node) -> Any:
    if isinstance(node, Object):
        return {key: plain(value) for key, value in node.pairs}
    if isinstance(node, Array):
        return [plain(item) for item in node.items]
    return node.text if node.quoted else Decimal(node.text) if node.text[-1:].isdigit() else node.text


def texts(node: Node) -> Any:
    """All scalars as they stand, quoted or bare."""
    if isinstance(node, Object):
        return {key: texts(value) for key, value in node.pairs}
    return [texts(item) for item in node.items] if isinstance(node, Array) else node.text


KEY = st.from_regex(r"[A-Za-z一-龥_0-9][A-Za-z一-龥_0-9 .-]{0,20}", fullmatch=True).map(str.strip).filter(bool)
LEAF = st.one_of(
    st.text(max_size=40).filter(lambda text: "@" not in text),
    st.integers(),
    st.decimals(allow_nan=False, allow_infinity=False, places=3),
)
TREE = st.recursive(
    LEAF,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEY, inner, min_size=1, max_size=3)),
    max_leaves=12,
)


@given(st.dictionaries(KEY, TREE, min_size=1, max_size=4), st.booleans(), st.sampled_from([None, 2]))
def test_valid_json_is_read_as_json_reads_it(tree: dict[str, Any], escape: bool, indent: int | None):
    # Decimals go in as bare numbers.
    marked = json.dumps(tree, ensure_ascii=escape, indent=indent, default=lambda value: f"@@{value}@@")
    text = marked.replace('"@@', "").replace('@@"', "")
    expected = json.loads(text, parse_int=Decimal, parse_float=Decimal)
    found = read_object(text, 0)
    assert found.complete
    assert found.span == (0, len(text))
    assert plain(found) == expected


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": "x "y" z"}', {"a": 'x "y" z'}),
        ('{"a": "x, "y", z", "b": "c"}', {"a": 'x, "y", z', "b": "c"}),
        ('{"a": ["x "y" z", "b"]}', {"a": ['x "y" z', "b"]}),
        ("{'a': 'the dog's bone'}", {"a": "the dog's bone"}),
        ('{"a": "x",, "b": "y",}', {"a": "x", "b": "y"}),
        ('{"a": "x" "b": "y"}', {"a": "x", "b": "y"}),
        ('{"a": "x"\n"b": "y"}', {"a": "x", "b": "y"}),
        ('{{"a": {{"b": "x"}}}}', {"a": {"b": "x"}}),
        ('{"a": {"b": "x"}}', {"a": {"b": "x"}}),
        ("{a: x y z, b: w}", {"a": "x y z", "b": "w"}),
        ('{"a": 1,024, "b": 2}', {"a": "1,024", "b": "2"}),
        ("{“a”：“x”，“b”：“y”｝", {"a": "x", "b": "y"}),
        ('{\\"a\\": \\"x\\"}', {"a": "x"}),
        ('{"a": "\\u4e00\\n\\/\\q"}', {"a": "一\n/q"}),
        ('{"a": "\\ud83d\\ude00"}', {"a": "😀"}),
        ('{"a": "x", // why\n"b": "y" # so\n}', {"a": "x", "b": "y"}),
        ('{"a": """x"""}', {"a": '""x""'}),
    ],
)
def test_mended(text: str, value: dict[str, Any]):
    found = read_object(text, 0)
    assert found.complete
    assert texts(found) == value


@pytest.mark.parametrize(
    "text", ["{", "{a", '{"a', '{"a":', '{"a": "x', '{"a": [1', "{{", '{"a" 1}', "{}" * 3, "{" * 99]
)
def test_what_cannot_be_read_ends_quietly(text: str):
    found = read_object(text, 0)
    assert 0 < found.span[1] <= len(text)


def test_a_cut_object_keeps_what_it_has():
    found = read_object('{"a": 1, "b": {"c": 2, "d": "x', 0)
    assert not found.complete
    assert plain(found) == {"a": 1, "b": {"c": 2}}


def test_depth_is_bounded():
    assert not read_object('{"a":' * 100_000, 0).complete
