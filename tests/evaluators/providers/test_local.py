"""A real model over real HTTP. Its answers are not looked at, only how they come."""

import asyncio
import socket
import subprocess
import sys
import time
from dataclasses import replace
from urllib.parse import urlsplit

import pytest
from run_helpers import write_data

from lengthwise.contracts import Message, OverlengthError, Request, Sampling
from lengthwise.errors import InputError
from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.providers import make_model
from lengthwise.evaluators.providers.local import LocalModel
from lengthwise.evaluators.runner import RunOptions, run_benchmark
from lengthwise.evaluators.scoring import score_outcomes
from lengthwise.evaluators.settings import RunSettings
from lengthwise.recording import read_log

pytestmark = pytest.mark.local
SPEC = "local:smollm2-135m"


def ask(*texts, max_tokens=8):
    """Return what the model replies to each text, or the error."""

    async def go():
        async with make_model(SPEC) as model:
            asks = [
                model.ask_for(Example("row", text, {}), 0)(
                    Request((Message("user", text),), Sampling(max_tokens=max_tokens, temperature=0.0))
                )
                for text in texts
            ]
            return await model.window(), await asyncio.gather(*asks, return_exceptions=True)

    return asyncio.run(go())


def test_usage_finish_reason_window_and_overlength():
    window, (short, cut, long) = ask("Say hello.", "Count from 1 to 500.", "word " * 9_000)
    assert window.tokens == 8_192
    assert short.usage.input > 5
    assert cut.finish_reason == "length"
    assert cut.usage.output == 8
    assert cut.text
    assert isinstance(long, OverlengthError)
    assert "exceeds the available context size" in str(long)


def test_a_reply_that_ends_by_itself():
    _, (reply,) = ask("Say hello.", max_tokens=60)
    assert reply.finish_reason == "stop"
    assert 0 < reply.usage.output < 60


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


def test_a_run_is_refused_by_the_preflight_at_the_papers_budget(tmp_path):
    data = write_data(tmp_path / "data", {"lex-locate/4k": 3})
    with pytest.raises(InputError, match="the server allows 8,192"):
        run_benchmark(RunSettings(str(data), SPEC), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_run_goes_on_where_it_was(tmp_path):
    data = write_data(tmp_path / "data", {"lex-locate/4k": 3})
    settings = RunSettings(str(data), SPEC, sampling=Sampling(max_tokens=8))
    run_benchmark(settings, tmp_path / "out", replace(RunOptions(), concurrency=2))
    log = tmp_path / "out" / "replies.jsonl"
    lines = log.read_bytes().splitlines(keepends=True)
    # As if it had been killed while the second reply was written.
    log.write_bytes(lines[0] + lines[1][:30])
    run_benchmark(settings, tmp_path / "out")
    assert log.read_bytes().startswith(lines[0])
    assert len(list(read_log(log))) == 3
    found = score_outcomes(tmp_path / "out").outcomes.values()
    assert all(outcome.usage.output and outcome.usage.input for outcome in found)


def test_without_the_engine_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "xllamacpp", None)

    async def go():
        async with make_model(SPEC):
            pass

    with pytest.raises(InputError, match=r"lengthwise\[local\]"):
        asyncio.run(go())
