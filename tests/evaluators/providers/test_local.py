"""A real model over real HTTP, in a server that comes and goes with its run."""

import asyncio
import socket
import subprocess
import sys
import time
from urllib.parse import urlsplit

import pytest
from engine_cases import Engine, EngineCases

from lengthwise.errors import InputError
from lengthwise.evaluators.providers import make_model
from lengthwise.evaluators.providers.local import LocalModel

pytestmark = pytest.mark.local
SPEC = "local:smollm2-135m"


class TestLlamaCpp(EngineCases):
    @pytest.fixture
    def engine(self):
        return Engine(SPEC, 8_192, "exceeds the available context size")


def test_the_server_is_gone_when_the_model_is_left():
    async def go():
        model = make_model(SPEC)
        assert isinstance(model, LocalModel)
        async with model:
            server = model._server
            assert server.returncode is None
        return server.returncode

    assert asyncio.run(go()) is not None


HOLD = """
import asyncio
from lengthwise.evaluators.providers import make_model
async def main():
    async with make_model("local:smollm2-135m") as model:
        print(model.base_url, flush=True)
        await asyncio.sleep(600)
asyncio.run(main())
"""


def test_the_server_is_gone_when_its_parent_is_killed():
    parent = subprocess.Popen([sys.executable, "-c", HOLD], stdout=subprocess.PIPE, text=True)
    port = urlsplit(parent.stdout.readline().strip()).port
    socket.create_connection(("127.0.0.1", port), timeout=5).close()
    parent.kill()
    parent.communicate()
    for _ in range(100):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=5).close()
        except ConnectionRefusedError:
            return
        time.sleep(0.1)
    pytest.fail("the server still listens")


def test_without_the_engine_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "xllamacpp", None)

    async def go():
        async with make_model(SPEC):
            pass

    with pytest.raises(InputError, match=r"lengthwise\[local\]"):
        asyncio.run(go())
