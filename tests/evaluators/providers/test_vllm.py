"""What of `vllm:` needs no vLLM; the engine itself is in tests/vllm/test_in_process.py."""

import asyncio
import sys
from types import SimpleNamespace as Thing

import pytest

from lengthwise.errors import InputError
from lengthwise.evaluators.providers import ModelOptions, make_model
from lengthwise.evaluators.providers.vllm import read_output
from lengthwise.evaluators.retry import PassingError


def output(text="Yes.", reason="stop", tokens=(5, 6), logprobs=None):
    said = Thing(text=text, finish_reason=reason, token_ids=list(tokens), logprobs=logprobs)
    return Thing(prompt_token_ids=[1, 2, 3], num_cached_tokens=2, outputs=[said])


def likely(**values):
    return {number: Thing(decoded_token=token, logprob=value) for number, (token, value) in enumerate(values.items())}


def test_a_finished_output():
    reply = read_output(output(), "m", 1.5)
    assert (reply.text, reply.finish_reason, reply.latency, reply.model) == ("Yes.", "stop", 1.5, "m")
    assert (reply.usage.input, reply.usage.cached, reply.usage.output) == (3, 2, 2)
    assert read_output(output(reason="length"), "m", 0.0).finish_reason == "length"


def test_the_tokens_that_could_have_begun_the_answer():
    places = [likely(Yes=-0.1, No=-2.5), {6: Thing(decoded_token=".", logprob=-0.2)}]
    reply = read_output(output(tokens=(0, 6), logprobs=places), "m", 0.0)
    assert reply.alternatives == (("Yes", -0.1), ("No", -2.5))


@pytest.mark.parametrize("unfinished", [None, Thing(outputs=[]), output(reason="abort"), output(reason=None)])
def test_what_the_engine_broke_off_may_be_asked_again(unfinished):
    with pytest.raises(PassingError, match="aborted"):
        read_output(unfinished, "m", 0.0)


def test_without_vllm_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "vllm", None)

    async def go():
        async with make_model("vllm:m"):
            pass

    with pytest.raises(InputError, match=r"lengthwise\[vllm\]"):
        asyncio.run(go())


@pytest.mark.parametrize("kind", ["vllm", "hf-local"])
def test_a_time_out_must_be_positive(kind):
    with pytest.raises(InputError, match="--timeout 0"):
        make_model(f"{kind}:m", ModelOptions(timeout=0))
