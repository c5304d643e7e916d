import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lengthwise.builders.longnovel.entity_replies import read_entities
from lengthwise.metrics.answers import Unparsed


@pytest.mark.parametrize(
    ("text", "entities"),
    [
        (
            '{"people": ["Ahab", "the old captain"], "organisations": [], "places": ["Nantucket"],'
            ' "titles": ["captain"], "times": [], "numbers": ["three ships"], "other": ["Pequod"]}',
            {
                "people": ("Ahab", "the old captain"),
                "places": ("Nantucket",),
                "titles": ("captain",),
                "numbers": ("three ships",),
                "other": ("Pequod",),
            },
        ),
        ('{"people": [], "places": []}', {}),
        ('{"characters": ["Ahab", "Ahab"], "locations": "Nantucket, New Bedford"}',
         {"people": ("Ahab",), "places": ("Nantucket", "New Bedford")}),
        ('{"numbers": "1,024 men; 3 ships"}', {"numbers": ("1,024 men", "3 ships")}),
        ('{"人物": ["宝玉", "黛玉"], "地点": "荣国府、大观园", "数字": ["无"]}',
         {"people": ("宝玉", "黛玉"), "places": ("荣国府", "大观园")}),
        ('{"entities": [{"text": "Ahab", "type": "PERSON"}, {"name": "Pequod", "type": "ship"}]}',
         {"people": ("Ahab",), "other": ("Pequod",)}),
        ('{"entities": {"people": ["Ahab"]}}', {"people": ("Ahab",)}),
        ('{"entities": ["Ahab", "Pequod"]}', {"other": ("Ahab", "Pequod")}),
        ('{"people": [{"name": "Ahab", "role": "captain"}]}', {"people": ("Ahab",)}),
        ('```json\n{"people": ["Ahab",],}\n```', {"people": ("Ahab",)}),
        ('<think>{"people": ["Bob"]}</think>{"people": ["Ahab"', {"people": ("Ahab",)}),
        ("- **People**: Ahab, Ishmael\n- **Places:** Nantucket.\nThat is all.",
         {"people": ("Ahab", "Ishmael"), "places": ("Nantucket",)}),
        ("人物：宝玉、黛玉\n地点：无", {"people": ("宝玉", "黛玉")}),
        ('{"people": ["' + "x" * 101 + '", "Ahab", "<name>"]}', {"people": ("Ahab",)}),
    ],
)  # fmt: skip
def test_entities(text: str, entities: dict[str, tuple[str, ...]]):
    assert read_entities(text) == entities


@pytest.mark.parametrize("text", ["", "Ahab sails.", '{"score": 4}', "<think>people: Ahab"])
def test_no_entities(text: str):
    assert read_entities(text) == Unparsed("the reply holds no list of entities")


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.sampled_from(['{"people": [', '"A"', ",", "]", "}", ":", "“", "places", "：", "\n"]) | st.text(max_size=5)
    )
)
def test_no_text_raises(pieces: list[str]):
    read_entities("".join(pieces))
