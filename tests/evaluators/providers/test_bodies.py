import pytest

from lengthwise.contracts import OverlengthError, ReplyError, Usage
from lengthwise.evaluators.providers.bodies import is_filtered, read_error, read_reply
from lengthwise.evaluators.retry import PassingError, RefusedError


def body(message, finish="stop", **more):
    return {"choices": [{"finish_reason": finish, "message": message}], **more}


def read(message, finish="stop", **more):
    return read_reply(body(message, finish, **more), 1.5)


def test_a_plain_answer():
    reply = read({"content": "hi"}, model="m-1")
    assert (reply.text, reply.reasoning, reply.finish_reason) == ("hi", None, "stop")
    assert (reply.latency, reply.model, reply.cost) == (1.5, "m-1", None)


@pytest.mark.parametrize(
    ("content", "text", "reasoning"),
    [
        (None, None, None),
        ("", "", None),
        ([], None, None),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "ab", None),
        ([{"type": "thinking", "thinking": [{"type": "text", "text": "t"}]}, {"type": "text", "text": "a"}], "a", "t"),
        ([{"type": "reasoning", "text": "t"}], None, "t"),
        ([{"type": "image_url", "image_url": {}}, "a"], "a", None),
    ],
)
def test_content_in_its_forms(content, text, reasoning):
    reply = read({"content": content})
    assert (reply.text, reply.reasoning) == (text, reasoning)


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_reasoning_in_either_field(field):
    assert read({"content": None, field: "hmm"}).reasoning == "hmm"


@pytest.mark.parametrize(
    ("word", "ours"),
    [
        ("stop", "stop"),
        ("length", "length"),
        ("max_tokens", "length"),
        ("content_filter", "content_filter"),
        ("SAFETY", "content_filter"),
        ("tool_calls", "other"),
        (None, "other"),
    ],
)
def test_finish_reasons(word, ours):
    assert read({"content": "x"}, word).finish_reason == ours


def test_a_generation_that_the_server_aborted_may_be_asked_again():
    with pytest.raises(PassingError, match="aborted"):
        read({"content": "<answer>a b"}, "abort")


def test_a_refusal_field_is_the_text_of_a_refusal():
    reply = read({"content": None, "refusal": "I cannot"})
    assert (reply.text, reply.finish_reason) == ("I cannot", "content_filter")


@pytest.mark.parametrize(
    ("usage", "ours"),
    [
        (None, Usage()),
        ({}, Usage()),
        ({"prompt_tokens": 5, "completion_tokens": 2}, Usage(5, None, 2, None)),
        (
            {
                "prompt_tokens": 5,
                "completion_tokens": 2,
                "prompt_tokens_details": None,
                "completion_tokens_details": None,
            },
            Usage(5, None, 2, None),
        ),
        (
            {
                "prompt_tokens": 5,
                "completion_tokens": 4,
                "prompt_tokens_details": {"cached_tokens": 3},
                "completion_tokens_details": {"reasoning_tokens": 1},
            },
            Usage(5, 3, 4, 1),
        ),
    ],
)
def test_usage(usage, ours):
    assert read({"content": "x"}, usage=usage).usage == ours


def test_a_cost_that_the_host_names_is_kept():
    assert read({"content": "x"}, usage={"cost": 0.25}).cost == 0.25


@pytest.mark.parametrize("bad", [None, [], "text", {}, {"choices": None}, {"choices": []}, {"choices": [{}]}])
def test_a_body_of_another_form_may_pass(bad):
    with pytest.raises(PassingError, match="not a chat completion"):
        read_reply(bad, 0.0)


def test_an_error_inside_a_choice_may_pass():
    broken = {"choices": [{"message": {"content": ""}, "error": {"message": "cut off", "code": 502}}]}
    with pytest.raises(PassingError, match="cut off"):
        read_reply(broken, 0.0)


OVERLENGTH = [
    "This model's maximum context length is 2048 tokens. However, your prompt contains at least 2049 input tokens",
    "'max_tokens' is too large: 16000. This model's maximum context length is 8192 tokens",
    "request (8031 tokens) exceeds the available context size (2048 tokens), try increasing it",
    "The decoder prompt (length 9000) is longer than the maximum model length of 4096",
    "Your input exceeds the context window of this model. Please adjust your input and try again.",
    "prompt is too long: 213462 tokens > 200000 maximum",
    "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
    "Please reduce the length of the messages.",
    "`inputs` tokens + `max_new_tokens` must be <= 4096",
]


@pytest.mark.parametrize("message", OVERLENGTH)
def test_servers_ways_to_say_that_it_does_not_fit(message):
    assert isinstance(read_error(400, {"error": {"message": message}}, None), OverlengthError)
    assert isinstance(read_error(400, {"object": "error", "message": message}, None), OverlengthError)


@pytest.mark.parametrize(
    ("status", "error", "kind"),
    [
        (400, {"message": "nope", "code": "context_length_exceeded"}, OverlengthError),
        (400, {"message": "nope", "type": "exceed_context_size_error"}, OverlengthError),
        (400, {"message": "unknown field"}, ReplyError),
        (401, {"message": "bad key"}, RefusedError),
        (404, {"message": "no such model"}, RefusedError),
        (408, {"message": "slow"}, PassingError),
        (409, {"message": "conflict"}, PassingError),
        (429, {"message": "too many tokens for a minute; reduce the length of the messages"}, PassingError),
        (429, {"message": "quota", "code": "insufficient_quota"}, RefusedError),
        (500, {"message": "boom"}, PassingError),
        (529, {"message": "overloaded"}, PassingError),
    ],
)
def test_errors_by_status_and_code(status, error, kind):
    assert type(read_error(status, {"error": error}, None)) is kind


@pytest.mark.parametrize("body", ["plain text", {"error": "text"}, {"detail": "text"}, {"message": "text"}, [], None])
def test_an_error_body_of_any_form_gives_a_line(body):
    said = str(read_error(400, body, None))
    assert said.startswith("HTTP 400: ")
    assert "\n" not in said


def test_a_long_page_is_cut():
    assert len(str(read_error(502, "<html>\n" * 1000, None))) < 700


def test_what_a_router_was_told_is_passed_on():
    error = {"message": "Provider returned error", "metadata": {"raw": "maximum context length is 5"}}
    assert isinstance(read_error(400, {"error": error}, None), OverlengthError)


def test_azures_filter_is_no_error():
    assert is_filtered(400, {"error": {"message": "filtered", "code": "content_filter"}})
    assert not is_filtered(400, {"error": {"message": "content_filter", "code": "other"}})
