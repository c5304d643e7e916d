"""Embeddings over HTTP: what servers send, and what they may not."""

import asyncio
import json
import math

import numpy as np
import pytest
from faulty_server import Step, error
from rag_cases import embeddings, vector

from lengthwise.contracts import OverlengthError, ReplyError
from lengthwise.errors import InputError
from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.embeddings import embed_request, read_vectors
from lengthwise.evaluators.providers import EMBEDDER_KINDS, ModelOptions, make_embedder
from lengthwise.evaluators.retry import PassingError, RefusedError

TEXTS = ("part 3", "part 1")


def ask(server, *texts, options=None):
    async def go():
        async with make_embedder(server.spec, options) as model:
            await model.window()
            asked = model.ask_for(Example("x", "", {}), 0)
            return [await asked(embed_request(one)) for one in texts]

    return asyncio.run(go())


@pytest.mark.parametrize("base64", [False, True])
def test_vectors_in_the_order_of_the_texts(server, base64):
    server.embed_steps = [Step(body=embeddings(TEXTS, base64))]
    (reply,) = ask(server, TEXTS)
    assert np.allclose(read_vectors(reply), [vector(text) for text in TEXTS], atol=1e-7)
    assert (reply.usage.input, reply.usage.output, reply.model) == (14, 0, "fake-m3")


def changed(*places, **entries):
    body = embeddings(TEXTS)
    for place in places:
        body["data"][place] |= entries
    return Step(body=body)


@pytest.mark.parametrize(
    ("step", "kind", "said"),
    [
        (error(429, "slow down", Retry_After="3"), PassingError, "HTTP 429: slow down"),
        (error(503, "busy"), PassingError, "HTTP 503"),
        (error(401, "no key"), RefusedError, "HTTP 401"),
        (error(400, "maximum context length is 512 tokens"), OverlengthError, "512"),
        (Step(body={"error": {"message": "provider is down", "code": 502}}), PassingError, "down"),
        (Step(body=b"<html>"), PassingError, "not JSON"),
        (Step(502, b"<html>bad gateway"), PassingError, "HTTP 502"),
        (Step(body={"choices": []}), PassingError, "no list of embeddings"),
        (Step(body=embeddings(["part 1"])), PassingError, "1 embeddings for 2 texts"),
        (changed(0, 1, index=0), PassingError, "2 embeddings for 2 texts"),
        (changed(0, embedding=[0.5, math.nan]), ReplyError, "not finite"),
        (changed(0, embedding=[0.5, None]), PassingError, "no list of embeddings"),
        (changed(0, embedding="AAA"), PassingError, "no list of embeddings"),
        (changed(1, embedding=[1.0]), ReplyError, "before of|several dimensions"),
        (changed(0, embedding=[0.0, 0.0]), ReplyError, "all zeros"),
    ],
)
def test_faults(server, step, kind, said):
    server.embed_steps = [step]
    with pytest.raises(ReplyError, match=said) as raised:
        ask(server, TEXTS)
    assert type(raised.value) is kind


def test_a_dimension_that_changes_under_way(server):
    server.embed_steps = [Step(body=embeddings(TEXTS)), changed(0, 1, embedding=[1.0, 2.0, 3.0])]
    with pytest.raises(ReplyError, match="vectors of 3 numbers, before of 2"):
        ask(server, TEXTS, TEXTS)


def test_no_key_is_in_an_error(server, monkeypatch):
    monkeypatch.setenv("MY_KEY", "sk-planted-0123456789")
    server.embed_steps = [Step(body={"error": {"message": "key sk-planted-0123456789", "code": 400}})]
    with pytest.raises(ReplyError, match=r"key \[key\]"):
        ask(server, TEXTS, options=ModelOptions("MY_KEY"))


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("http://h/v1", "http://host:port/v1#name"),
        ("openai:", "the name is missing"),
        ("sentence-transformer:x", "did you mean 'sentence-transformers'"),
    ],
)
def test_a_spec_that_cannot_be_meant(spec, said):
    with pytest.raises(InputError, match=said):
        make_embedder(spec)


def test_the_papers_model_is_the_default():
    assert make_embedder("sentence-transformers").name == "BAAI/bge-m3"
    assert make_embedder("sentence-transformers:a/b").name == "a/b"
    assert json.dumps(make_embedder("openai:text-embedding-3-large").describe())
    assert {"http", "https", "sentence-transformers"} <= set(EMBEDDER_KINDS)
