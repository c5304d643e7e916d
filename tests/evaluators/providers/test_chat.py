import asyncio
import time

import pytest
from faulty_server import FaultyServer, Step

from lengthwise.contracts import Message, Request, Sampling
from lengthwise.errors import InputError
from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.providers import ModelOptions, make_model
from lengthwise.evaluators.providers.hosts import ANY_HOST, HOSTS, sampling_fields

EXAMPLE = Example("row", "prompt", {})


@pytest.fixture
def server():
    with FaultyServer() as running:
        yield running


def window(spec, **options):
    async def go():
        async with make_model(spec, ModelOptions(**options)) as model:
            return await model.window()

    return asyncio.run(go())


def ask(spec, sampling, **options):
    async def go():
        async with make_model(spec, ModelOptions(**options)) as model:
            return await model.ask_for(EXAMPLE, 0)(Request((Message("user", "[x] hi"),), sampling))

    return asyncio.run(go())


@pytest.mark.parametrize(
    ("entry", "tokens"),
    [
        ({"id": "fake", "owned_by": "vllm", "max_model_len": 40_960}, 40_960),
        ({"id": "fake", "context_length": 131_072}, 131_072),
        ({"id": "fake", "owned_by": "llamacpp", "meta": {"n_ctx": 4_096}}, 4_096),
        ({"id": "/models/other.gguf", "owned_by": "llamacpp", "meta": {"n_ctx": 4_096}}, 4_096),
        ({"id": "fake"}, None),
    ],
)
def test_the_servers_limit_in_its_forms(server, entry, tokens):
    server.models = [entry]
    assert window(server.spec).tokens == tokens


def test_llama_cpp_divides_its_context_by_its_slots(server):
    server.models = [{"id": "fake", "owned_by": "llamacpp", "meta": {"n_ctx": 8_192}}]
    server.props = {"default_generation_settings": {"n_ctx": 2_048}, "total_slots": 4}
    assert window(server.spec).tokens == 2_048


def test_a_connection_that_the_server_closes_while_a_tokenizer_is_loaded_is_not_used_again(monkeypatch):
    def load_slowly(name):
        time.sleep(0.5)

    monkeypatch.setattr("lengthwise.evaluators.providers.chat.template_counter", load_slowly)
    monkeypatch.setattr("lengthwise.evaluators.providers.http.KEEP_IDLE", 0.2)

    async def go(spec):
        async with make_model(spec) as model:
            await model.window()
            return await model.ask_for(EXAMPLE, 0)(Request((Message("user", "[x] hi"),), Sampling()))

    with FaultyServer(idle=0.3) as server:
        assert asyncio.run(go(server.spec)).model == "fake-1"


def test_a_server_without_a_list_does_not_tell(server):
    server.models = None
    assert window(server.spec).tokens is None


def test_a_name_that_vllm_does_not_serve_is_refused_with_the_nearest(server):
    with pytest.raises(InputError, match="unknown model 'fakes': did you mean 'fake'"):
        window(server.url + "#fakes")


def test_a_name_that_another_server_does_not_list_may_still_be_right(server):
    server.models = [{"id": "fake:latest", "owned_by": "library"}]
    assert window(server.spec).tokens is None


def test_nobody_answers():
    with pytest.raises(InputError, match=r"--model http://127\.0\.0\.1:9/v1#m: .*Cannot connect"):
        window("http://127.0.0.1:9/v1#m")


def test_the_sampling_goes_into_the_body(server):
    sampling = Sampling(50, 0.5, 0.9, "low", 20)
    ask(server.spec, sampling)
    assert server.seen[0].body == {
        "model": "fake",
        "messages": [{"role": "user", "content": "[x] hi"}],
        "max_tokens": 50,
        "temperature": 0.5,
        "top_p": 0.9,
        "reasoning_effort": "low",
        "thinking_token_budget": 20,
    }


def test_what_is_not_set_is_left_to_the_server(server):
    ask(server.spec, Sampling())
    assert set(server.seen[0].body) == {"model", "messages"}


def test_known_hosts_name_settings_their_way():
    sampling = Sampling(max_tokens=50, reasoning_effort="high")
    assert sampling_fields(HOSTS["openai"], sampling) == {"max_completion_tokens": 50, "reasoning_effort": "high"}
    assert sampling_fields(HOSTS["hf"], sampling) == {"max_tokens": 50, "reasoning_effort": "high"}
    both = Sampling(reasoning_effort="high", thinking_tokens=9)
    assert sampling_fields(HOSTS["openrouter"], both) == {"reasoning": {"effort": "high", "max_tokens": 9}}


def test_a_setting_that_a_host_does_not_take_is_refused_before_the_run():
    with pytest.raises(InputError, match="--thinking-tokens: OpenAI takes no such setting"):
        make_model("openai:gpt-5.2").check(Sampling(thinking_tokens=5))
    make_model("http://h/v1#m").check(Sampling(thinking_tokens=5))
    assert ANY_HOST.key_env is None


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("gpt-5.2", "unknown model kind 'gpt-5.2'"),
        ("opnai:gpt-5.2", "did you mean 'openai'"),
        ("openai:", "the name is missing"),
        ("http://localhost:8000/v1", "the model's name is missing"),
        ("http://#m", "not an address"),
        ("http://h:99999/v1#m", "address"),
        ("http://user:secret@h/v1#m", "put no user"),
        ("http://h/v1?api_key=secret#m", "put no user"),
        ("reference:sover", "did you mean 'solver'"),
        ("local:gpt", "unknown local model 'gpt'"),
    ],
)
def test_a_spec_that_cannot_be_meant(spec, message):
    with pytest.raises(InputError, match=message) as caught:
        make_model(spec)
    assert "secret" not in str(caught.value)


def test_a_known_host_needs_its_own_variable(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(InputError, match="OPENAI_API_KEY is not set"):
        window("openai:gpt-5.2")


def test_a_known_host_takes_no_other_variable():
    with pytest.raises(InputError, match="takes its key from OPENAI_API_KEY"):
        make_model("openai:gpt-5.2", ModelOptions(api_key_env="OTHER"))


def test_a_key_given_in_place_of_its_variable_is_not_repeated(server):
    with pytest.raises(InputError, match="name of an environment variable") as caught:
        window(server.spec, api_key_env="sk-planted-0123456789")
    assert "planted" not in str(caught.value)


def test_a_known_host_sends_its_key_to_that_host_only(server, monkeypatch):
    import dataclasses

    from lengthwise.evaluators import providers

    host = dataclasses.replace(HOSTS["openai"], base_url=server.url, lists_all=False)
    monkeypatch.setattr(providers, "HOSTS", {"openai": host})
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted-0123456789")
    ask("openai:fake", Sampling(max_tokens=5))
    assert server.seen[0].authorization == "Bearer sk-planted-0123456789"
    assert server.seen[0].body["max_completion_tokens"] == 5


def test_a_redirect_sends_nothing_to_the_other_host(server, monkeypatch):
    monkeypatch.setenv("MY_KEY", "sk-planted-0123456789")
    with FaultyServer() as other:
        server.script["x"] = [Step(308, b"", {"Location": other.url + "/chat/completions"})]
        with pytest.raises(Exception, match="not followed"):
            ask(server.spec, Sampling(), api_key_env="MY_KEY")
        assert other.seen == []


def test_usage_and_model_come_from_the_answer(server):
    reply = ask(server.spec, Sampling())
    assert (reply.usage.input, reply.usage.output, reply.model) == (100, 10, "fake-1")
    assert reply.latency > 0


def test_a_time_out_must_be_positive():
    with pytest.raises(InputError, match="--timeout -1"):
        make_model("http://h/v1#m", ModelOptions(timeout=-1))
