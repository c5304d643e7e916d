import json

import pytest

from lengthwise.json_text import dump_json


@pytest.mark.parametrize(
    "value",
    [
        {},
        [],
        None,
        {"model": "m", "messages": [{"role": "user", "content": "é" * 5000}], "top_p": 1.0, "stop": None},
        {"one": "a" * 5000, "two": 'b"\n' * 5000, "three": "\0"},
        ["\0", 'ends in "\0', "\0" * 5000, '"\\u0000"' * 2000],
        "雨" * 4096,
        'one\ntwo\r\n\tthree "four" \\n \\" \x7f/' * 500,
        "\x1b[0m" * 2000,
        ("tuple", True, False, 1e-7),
    ],
)
def test_it_is_what_json_makes_of_it(value):
    assert dump_json(value) == json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


@pytest.mark.parametrize("text", ["\ud800", "\ud800" * 5000])
def test_half_a_surrogate_pair_is_an_escape(text):
    assert json.loads(dump_json({"x": text})) == {"x": text}
