"""The cases of every real engine, run against vLLM, and what only vLLM does."""

import json
import re
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pytest
from engine_cases import Engine, EngineCases, ask
from tiny_model import REPLY, REPLY_TOKENS

from lengthwise.contracts import OverlengthError, ReplyError
from lengthwise.errors import InputError
from lengthwise.evaluators.providers.bodies import read_reply
from lengthwise.evaluators.retry import PassingError

pytestmark = pytest.mark.vllm
WINDOW = 131_072


class TestVllm(EngineCases):
    @pytest.fixture
    def engine(self, server):
        return Engine(server.spec, WINDOW, f"maximum context length is {WINDOW} tokens")


def test_the_reply_is_the_models_own(server):
    _, (reply,) = ask(server.spec, "Say hello.", max_tokens=60, temperature=1.0)
    assert (reply.text, reply.finish_reason, reply.usage.output) == (REPLY, "stop", REPLY_TOKENS)
    assert (reply.model, reply.reasoning) == ("tiny", None)


def test_a_name_that_it_does_not_serve_is_refused_with_the_nearest(server):
    with pytest.raises(InputError, match="unknown model 'tinny': did you mean 'tiny'"):
        ask(server.spec.replace("#tiny", "#tinny"), "x")


def test_an_effort_is_taken_and_one_that_it_does_not_know_is_final(server):
    _, (taken,) = ask(server.spec, "hi", reasoning_effort="low")
    assert taken.text
    _, (refused,) = ask(server.spec, "hi", reasoning_effort="loww")
    assert type(refused) is ReplyError
    assert re.search("HTTP 400: .*reasoning_effort", str(refused))


def test_a_thinking_budget_needs_a_reasoning_parser_and_says_so(server):
    _, (refused,) = ask(server.spec, "hi", thinking_tokens=5)
    assert type(refused) is ReplyError
    assert re.search("HTTP 400: thinking_token_budget .*--reasoning-parser", str(refused))


def test_a_budget_beyond_the_whole_window_does_not_fit(server):
    _, (refused,) = ask(server.spec, "hi", max_tokens=WINDOW + 1)
    assert type(refused) is OverlengthError
    assert "cannot be greater than max_model_len" in str(refused)


def post(server, path, body, **headers):
    data = json.dumps(body).encode()
    headers = {"content-type": "application/json", **headers}
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(urllib.request.Request(server.address + path, data, headers), timeout=60) as answer:
        return answer.read()


def test_a_generation_that_was_aborted_on_the_server_may_be_asked_again(server):
    body = {"model": "tiny", "messages": [{"role": "user", "content": "word " * 25_000}], "max_tokens": 8}
    with ThreadPoolExecutor() as pool:
        asking = pool.submit(post, server, "/v1/chat/completions", body, **{"X-Request-Id": "to-be-aborted"})
        while not server.count("vllm:num_requests_running") and not asking.done():
            time.sleep(0.02)
        post(server, "/inference/v1/abort_requests", {"request_ids": ["chatcmpl-to-be-aborted"]})
        answer = json.loads(asking.result(timeout=60))
    assert answer["choices"][0]["finish_reason"] == "abort"
    with pytest.raises(PassingError, match="abort"):
        read_reply(answer, 0.0)
