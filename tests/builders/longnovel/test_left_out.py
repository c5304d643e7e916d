from pathlib import Path

import pytest

from lengthwise.builders.longnovel.left_out import card_note, left_out, names, plain_reason


@pytest.mark.parametrize(
    ("message", "plain"),
    [
        ("HTTP 400: the prompt was filtered", "HTTP 400: the prompt was filtered"),
        ("HTTP 503: overloaded (after 5 tries; the server asks to wait 900 s)", "HTTP 503: overloaded"),
        ("Cannot connect to host gpu7.internal:8000 ssl:default", "Cannot connect to host a server ssl:default"),
        ("no connection to https://gpu7/v1/chat within 10 s", "no connection to a server within 10 s"),
        ("HTTP 400: refused (request req_7fA9b)", "HTTP 400: refused (request …)"),
        ("HTTP 400: refused, 0a1b2c3d-0011-2233-4455-66778899aabb", "HTTP 400: refused, …"),
        ("two\nlines", "two lines"),
    ],
)
def test_a_reason_names_no_machine_and_no_tries(message: str, plain: str) -> None:
    assert plain_reason(message) == plain


def test_a_long_reason_is_cut() -> None:
    assert len(plain_reason("word " * 100)) == 120


def test_many_names_are_cut_and_their_file_is_told() -> None:
    found = [f"s-b-{number:04d}" for number in range(12)]
    assert names(found, "injection").endswith("s-b-0009 and 2 more, see steps/injection.json")
    assert names(found[:2], "injection") == "s-b-0000, s-b-0001"


def test_nothing_left_out(tmp_path: Path) -> None:
    assert left_out(tmp_path) == [] and card_note([]) == ""
