import asyncio

import pytest
from faulty_server import FaultyServer

from lengthwise.contracts import Message, Request
from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.providers import make_model
from lengthwise.evaluators.providers.http import check_url


@pytest.fixture
def server():
    with FaultyServer() as running:
        yield running


def ask(spec):
    async def go():
        async with make_model(spec) as model:
            return await model.ask_for(Example("row", "", {}), 0)(Request((Message("user", "[x] hi"),)))

    return asyncio.run(go())


def test_a_base_url_loses_its_last_slash():
    assert check_url("https://h/v1/") == "https://h/v1"


def test_the_environments_proxy_is_used_but_not_for_loopback(server, monkeypatch):
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.setenv("http_proxy", server.url.removesuffix("/v1"))
    assert ask("http://model.invalid/v1#fake").model == "fake-1"
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    assert ask(server.spec).model == "fake-1"
