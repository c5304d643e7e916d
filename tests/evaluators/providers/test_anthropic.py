"""The messages endpoint by script; a real one is in test_anthropic_local.py and in tests/vllm."""

import asyncio
import json

import pytest
from faulty_server import FaultyServer, Step, error, text_of
from run_helpers import write_data

from lengthwise.contracts import Message, OverlengthError, ReplyError, Request, Sampling
from lengthwise.errors import InputError
from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.providers import ModelOptions, anthropic, make_model
from lengthwise.evaluators.retry import PassingError, RefusedError
from lengthwise.evaluators.runner import run_benchmark
from lengthwise.evaluators.scoring import score_outcomes
from lengthwise.evaluators.settings import RunSettings, settings_from

KEY = "sk-planted-0123456789"
ROW = Example("row", "[x] hi", {})


def message(text="<answer>a b c</answer>", reason="end_turn", usage=None, before=()):
    content = [*before, *([{"type": "text", "text": text}] if text is not None else [])]
    counts = {"input_tokens": 100, "output_tokens": 10} if usage is None else usage
    return {"type": "message", "role": "assistant", "model": "fake-1", "content": content, "stop_reason": reason} | {
        "usage": counts
    }


@pytest.fixture
def server():
    with FaultyServer() as running:
        running.default = lambda body: Step(body=message())
        yield running


def spec_of(server):
    return f"anthropic:{server.url.removesuffix('/v1')}#fake"


def ask(spec, sampling=Sampling(max_tokens=50), messages=(Message("user", "[x] hi"),), example=ROW, **options):  # noqa: B008
    async def go():
        async with make_model(spec, ModelOptions(**options)) as model:
            return await model.ask_for(example, 0)(Request(tuple(messages), sampling))

    return asyncio.run(go())


def window(spec, **options):
    async def go():
        async with make_model(spec, ModelOptions(**options)) as model:
            return await model.window()

    return asyncio.run(go())


def test_what_is_sent(server):
    talk = [
        Message("system", "Be brief."),
        Message("user", "[x] hi"),
        Message("assistant", "hi"),
        Message("user", "so"),
    ]
    ask(spec_of(server), Sampling(max_tokens=50, temperature=0.5, top_p=0.9), talk)
    assert server.seen[0].path == "/v1/messages"
    assert server.seen[0].headers["anthropic-version"] == "2023-06-01"
    assert server.seen[0].body == {
        "model": "fake",
        "max_tokens": 50,
        "temperature": 0.5,
        "top_p": 0.9,
        "system": "Be brief.",
        "messages": [
            {"role": "user", "content": "[x] hi"},
            {"role": "assistant", "content": "hi"},
            {"role": "user", "content": "so"},
        ],
    }


def test_the_budget_is_always_sent_and_what_anthropics_models_do_anyway_is_not(server, monkeypatch):
    ask(spec_of(server), Sampling(temperature=1.0, top_p=1.0))
    assert server.seen[0].body["max_tokens"] == 8192
    # Another server has other defaults.
    assert (server.seen[0].body["temperature"], server.seen[0].body["top_p"]) == (1.0, 1.0)
    monkeypatch.setattr(anthropic, "BASE_URL", server.url.removesuffix("/v1"))
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    ask("anthropic:fake", Sampling(temperature=1.0, top_p=1.0))
    assert set(server.seen[1].body) == {"model", "max_tokens", "messages"}
    ask("anthropic:fake", Sampling(temperature=0.0))
    assert server.seen[2].body["temperature"] == 0.0


@pytest.mark.parametrize(
    ("said", "way"),
    [
        ("`temperature` is deprecated for this model.", "Add --temperature 1"),
        ("`temperature` and `top_p` cannot both be specified for this model.", "Add --top-p 1"),
        ('"thinking.type.enabled" is not supported for this model.', "Take --reasoning-effort"),
    ],
)
def test_what_newer_models_refuse_is_told_with_the_way_out(server, said, way):
    server.script["x"] = [error(400, said)]
    with pytest.raises(ReplyError, match=way) as caught:
        ask(spec_of(server))
    assert said in str(caught.value) and type(caught.value) is ReplyError


@pytest.mark.parametrize(
    ("sampling", "fields"),
    [
        (Sampling(4000, thinking_tokens=2000), {"thinking": {"type": "enabled", "budget_tokens": 2000}}),
        (Sampling(4000, thinking_tokens=0), {"thinking": {"type": "disabled"}}),
        (Sampling(4000, reasoning_effort="none"), {"thinking": {"type": "disabled"}}),
        (Sampling(4000, reasoning_effort="high"), {"output_config": {"effort": "high"}}),
    ],
)
def test_thinking_and_effort(server, sampling, fields):
    ask(spec_of(server), sampling)
    body = server.seen[0].body
    assert {name: body.get(name) for name in ("thinking", "output_config") if name in body} == fields


@pytest.mark.parametrize(
    ("sampling", "message"),
    [
        (Sampling(4000, thinking_tokens=500), "1,024 or more"),
        (Sampling(4000, thinking_tokens=4000), "must be below --max-tokens 4000"),
        (Sampling(4000, temperature=0.0, thinking_tokens=2000), "add --temperature 1"),
    ],
)
def test_settings_that_it_would_refuse(sampling, message):
    with pytest.raises(InputError, match=message):
        make_model("anthropic:claude").check(sampling)


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        ("end_turn", "stop"),
        ("stop_sequence", "stop"),
        ("max_tokens", "length"),
        ("model_context_window_exceeded", "length"),
        ("refusal", "content_filter"),
        ("pause_turn", "other"),
    ],
)
def test_why_it_stopped(server, reason, expected):
    server.script["x"] = [Step(body=message(reason=reason))]
    assert ask(spec_of(server)).finish_reason == expected


def test_thoughts_are_kept_apart_and_may_be_all_there_is(server):
    before = [{"type": "thinking", "thinking": "Hm.", "signature": "s"}, {"type": "redacted_thinking", "data": "x"}]
    server.script["x"] = [Step(body=message(before=before)), Step(body=message(None, "max_tokens", before=before))]
    reply = ask(spec_of(server))
    assert (reply.text, reply.reasoning) == ("<answer>a b c</answer>", "Hm.")
    assert ask(spec_of(server)).text is None


def test_cached_tokens_are_part_of_the_input(server):
    usage = {"input_tokens": 10, "cache_read_input_tokens": 60, "cache_creation_input_tokens": 30, "output_tokens": 5}
    usage["output_tokens_details"] = {"thinking_tokens": 3}
    server.script["x"] = [Step(body=message(usage=usage))]
    found = ask(spec_of(server)).usage
    assert (found.input, found.cached, found.written, found.output, found.reasoning) == (100, 60, 30, 5, 3)


def test_an_article_is_kept_in_the_cache_and_what_is_sent_is_the_same(server):
    article = "Once upon a time. " * 300
    example = Example("row", "", {}, texts={"article": article, "summary": "No."})
    ask(spec_of(server), messages=[Message("user", f"[x] Read.\n{article}\nNo.")], example=example)
    (sent,) = server.seen[0].body["messages"]
    kept, rest = sent["content"]
    assert kept == {"type": "text", "text": f"[x] Read.\n{article}", "cache_control": {"type": "ephemeral"}}
    assert rest == {"type": "text", "text": "\nNo."}
    assert text_of(sent["content"]) == f"[x] Read.\n{article}\nNo."


def test_what_the_runner_says_is_shared_is_kept(server):
    words = "[x] Words: " + "a b c " * 1000
    for shared, prompt in (
        (len(words), words + "Find."),
        (len(words), "[x] others"),
        (11, words),
        (len(words), words),
    ):
        example = Example("row", words + "Find.", {}, shared=shared)
        ask(spec_of(server), messages=[Message("user", prompt)], example=example)
    found = [one.body["messages"][0]["content"] for one in server.seen]
    assert [block["text"] for block in found[0]] == [words, "Find."]
    # Another prompt, too little to keep, and all of it.
    assert found[1:3] == ["[x] others", words]
    assert found[3] == [{"type": "text", "text": words, "cache_control": {"type": "ephemeral"}}]


@pytest.mark.parametrize(
    ("step", "kind", "said"),
    [
        (error(400, "prompt is too long: 208310 tokens > 200000 maximum"), OverlengthError, "208310"),
        (error(400, "input length and `max_tokens` exceed context limit: 1 + 2 > 2"), OverlengthError, "exceed"),
        (error(413, "Request exceeds the maximum size"), OverlengthError, "413"),
        (error(400, "temperature: may only be set to 1"), ReplyError, "temperature"),
        (error(401, "invalid x-api-key"), RefusedError, "401"),
        (error(400, "Your credit balance is too low to access the API."), RefusedError, "credit"),
        (error(429, "rate limit", retry_after="7"), PassingError, "429"),
        (error(529, "Overloaded"), PassingError, "529: Overloaded"),
        (Step(body=b"<html>"), PassingError, "not JSON"),
        (Step(body={"type": "message"}), PassingError, "not a message"),
        (Step(reset=True), PassingError, "."),
    ],
)
def test_errors(server, step, kind, said):
    server.script["x"] = [step]
    with pytest.raises(ReplyError, match=said) as caught:
        ask(spec_of(server))
    assert type(caught.value) is kind
    assert getattr(caught.value, "retry_after", None) == (7.0 if "rate limit" in str(caught.value) else None)


def events(*parts):
    return "".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in parts).encode()


START = {"type": "message_start", "message": message(None, None, {"input_tokens": 9, "output_tokens": 1})}
PARTS = [
    START,
    {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}},
    {"type": "ping"},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "Hm."}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "x"}},
    {"type": "content_block_stop", "index": 0},
    {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "<answer>a"}},
    {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": " b</answer>"}},
    {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 12}},
]
LONG = Sampling(max_tokens=64_000)


def test_a_large_budget_is_streamed(server):
    server.script["x"] = [Step(body=events(*PARTS, {"type": "message_stop"}))]
    reply = ask(spec_of(server), LONG)
    assert server.seen[0].body["stream"] is True
    assert (reply.text, reply.reasoning, reply.finish_reason) == ("<answer>a b</answer>", "Hm.", "stop")
    assert (reply.usage.input, reply.usage.output, reply.model) == (9, 12, "fake-1")


@pytest.mark.parametrize(
    ("end", "kind", "said"),
    [
        ([], PassingError, "ended before"),
        ([{"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}], PassingError, "529"),
        ([{"type": "error", "error": {"type": "invalid_request_error", "message": "no"}}], ReplyError, "400: no"),
    ],
)
def test_a_stream_that_breaks_off(server, end, kind, said):
    server.script["x"] = [Step(body=events(*PARTS, *end))]
    with pytest.raises(ReplyError, match=said) as caught:
        ask(spec_of(server), LONG)
    assert type(caught.value) is kind


def test_the_key_goes_to_anthropic_and_is_in_no_message(server, monkeypatch):
    monkeypatch.setattr(anthropic, "BASE_URL", server.url.removesuffix("/v1"))
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    server.script["x"] = [error(401, f"invalid x-api-key {KEY}")]
    with pytest.raises(ReplyError) as caught:
        ask("anthropic:fake")
    assert KEY not in str(caught.value) and "[key]" in str(caught.value)
    assert server.seen[0].headers["x-api-key"] == KEY and server.seen[0].authorization is None


def test_another_server_gets_the_key_that_is_named_for_it_and_no_other(server, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    ask(spec_of(server))
    assert "x-api-key" not in server.seen[0].headers
    monkeypatch.setenv("OTHER", "other-0123456789")
    ask(spec_of(server), api_key_env="OTHER")
    assert server.seen[1].headers["x-api-key"] == "other-0123456789"
    with pytest.raises(InputError, match="takes its key from ANTHROPIC_API_KEY"):
        make_model("anthropic:claude", ModelOptions(api_key_env="OTHER"))


def test_without_a_key_nothing_is_sent(monkeypatch):
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    with pytest.raises(InputError, match="ANTHROPIC_API_KEY is not set"):
        window("anthropic:claude")


def test_the_window_is_that_of_the_input(server, monkeypatch):
    monkeypatch.setattr(anthropic, "BASE_URL", server.url.removesuffix("/v1"))
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    server.models = [{"id": "claude-a", "max_input_tokens": 200_000}, {"id": "claude-b"}]
    server.pages["/v1/models/claude-latest"] = {"id": "claude-a", "max_input_tokens": 200_000}
    assert window("anthropic:claude-latest").tokens == 200_000
    with pytest.raises(InputError, match="did you mean 'claude-b'"):
        window("anthropic:claude-c")


def test_a_run_and_its_repetition(server, tmp_path, monkeypatch):
    monkeypatch.setenv("OTHER", KEY)
    data = write_data(tmp_path / "data", {"lex-locate/4k": 3})
    run_benchmark(RunSettings(str(data), spec_of(server), api_key_env="OTHER"), tmp_path / "out")
    assert [one.kind for one in score_outcomes(tmp_path / "out").outcomes.values()] == ["correct"] * 3
    assert KEY not in "".join(path.read_text(errors="replace") for path in (tmp_path / "out").glob("*.json*"))
    again = settings_from(tmp_path / "out")
    assert (again.model, again.api_key_env) == (spec_of(server), "OTHER")


@pytest.mark.parametrize("spec", ["anthropic:", "anthropic:http://h", "anthropic:http://u:p@h#m"])
def test_a_spec_that_cannot_be_meant(spec):
    with pytest.raises(InputError):
        make_model(spec)
