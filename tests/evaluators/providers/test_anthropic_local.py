"""The messages endpoint of llama.cpp's own server: a real small model, asked as Anthropic's are."""

import asyncio
import subprocess
import sys

import pytest
from engine_cases import Engine, EngineCases, ask

from lengthwise.contracts import Message, Request, Sampling
from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.providers import make_model
from lengthwise.evaluators.providers.weights import fetch_weights

pytestmark = pytest.mark.local


@pytest.fixture(scope="module")
def spec():
    path = fetch_weights("smollm2-135m", lambda _: None)
    options = ["--alias=smollm2-135m", "--context=8192", "--slots=1", "--threads=2"]
    command = [sys.executable, "-m", "lengthwise.evaluators.providers.local_server", str(path), *options]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        yield f"anthropic:{server.stdout.readline().split()[1].decode()}#smollm2-135m"
        server.stdin.close()


class TestMessages(EngineCases):
    @pytest.fixture
    def engine(self, spec):
        return Engine(spec, 8_192, "exceeds the available context size")


def test_the_same_in_pieces(spec, monkeypatch):
    _, (whole,) = ask(spec, "What is the capital of France?", max_tokens=30)
    monkeypatch.setattr("lengthwise.evaluators.providers.anthropic.STREAM_ABOVE", 20)
    _, (pieces,) = ask(spec, "What is the capital of France?", max_tokens=30)
    assert whole.text == pieces.text
    assert (whole.usage.output, whole.finish_reason) == (pieces.usage.output, pieces.finish_reason)


def test_a_marked_prefix_and_a_system_prompt_are_taken_and_the_second_time_comes_from_the_cache(spec):
    article = "The fox ran over the hill. " * 100

    async def go():
        async with make_model(spec) as model:
            asked = model.ask_for(Example("row", "", {}, texts={"article": article}), 0)
            return [
                await asked(Request((Message("system", "Be brief."), Message("user", article + end)), Sampling(4)))
                for end in ("Who ran?", "Where?")
            ]

    first, second = asyncio.run(go())
    assert first.usage.input > 600
    assert second.usage.cached > 600 > (first.usage.cached or 0)
