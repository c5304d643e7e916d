import pytest
from hypothesis import given
from hypothesis import strategies as st

from lengthwise.metrics.reasoning import mask_reasoning, reasoning_spans, split_reasoning

PIECES = ["<think>", "</think>", "[THINK]", "[/THINK]", "analysis", "assistantfinal", "<|channel|>", "x", " "]


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("plain", "plain"),
        ("<think>a</think>b", "b"),
        ("<think>a</think>b<think>c</think>d", "bd"),
        ("a</think>b", "b"),
        ("b<think>a", "b"),
        ("a</think>b</think>c", "c"),
        ("<think>a<think>b</think>c</think>d", "d"),
        ("<THINK>a</THINK>b", "b"),
        ("<analysis>a</analysis>b", "b"),
        ("<思考>a</思考>b", "b"),
        ("<scratch_pad>a</scratch_pad>b", "b"),
        ("<thinking_process>a</thinking_process>b", "b"),
        ("no `<think>` here", "no `<think>` here"),
        ("<think>a `</think>` a</think>b", "b"),
        ("the analysis is short", "the analysis is short"),
        ("analysis of the list: none", "analysis of the list: none"),
    ],
)
def test_what_is_left(text: str, rest: str):
    assert "".join(mask_reasoning(text).split()) == "".join(rest.split())


@given(st.one_of(st.text(), st.lists(st.sampled_from(PIECES)).map("".join)))
def test_masking_keeps_length_and_spans_are_in_order(text: str):
    assert len(mask_reasoning(text)) == len(text)
    edges = [edge for span in reasoning_spans(text) for edge in span]
    assert edges == sorted(edges)


def test_reasoning_is_split_off_without_its_markers():
    assert split_reasoning("a<think>b</think>c<think>d") == ("b\nd", "a\nc")


def test_all_of_a_plain_reply_is_rest():
    assert split_reasoning("7") == ("", "7")


def test_all_of_a_reply_can_be_reasoning():
    assert split_reasoning("<think>7") == ("7", "")
