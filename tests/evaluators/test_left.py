"""What a run has left to do, and that a run with nothing left asks for no model."""

import asyncio
import json
from dataclasses import replace

import pytest
from faulty_server import FaultyServer, error
from run_helpers import write_data

from lengthwise.contracts import Message, Reply, Request
from lengthwise.errors import InputError
from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.dormant import Dormant
from lengthwise.evaluators.left import Left, has_ended, left_of
from lengthwise.evaluators.providers.base import Model, Window
from lengthwise.evaluators.retry import RetryPolicy
from lengthwise.evaluators.run_folder import BOUNDS_FILE, RunFolder
from lengthwise.evaluators.runner import RunOptions, run_benchmark
from lengthwise.evaluators.settings import RunSettings
from lengthwise.evaluators.sharding import Shard

FAST = RunOptions(retries=RetryPolicy(attempts=2, base=0.001))


@pytest.fixture
def gone(data, tmp_path):
    """Settings of a finished run whose server is away since."""
    with FaultyServer() as server:
        settings = RunSettings(str(data), server.spec)
        run_benchmark(settings, tmp_path / "out", replace(FAST, bounds=False))
    return settings


def test_a_finished_run_goes_on_without_its_server(gone, tmp_path):
    watched = []
    run_benchmark(gone, tmp_path / "out", replace(FAST, watch=watched.append))
    assert [outcome.kind for outcome in watched] == ["correct"] * 6
    # What the first pass left out is made up for.
    assert len((tmp_path / "out" / BOUNDS_FILE).read_text().splitlines()) == 6


def test_a_finished_run_prints_its_tables_as_ever(gone, data, tmp_path, lengthwise):
    done = lengthwise("run", data, "--model", gone.model, "--out", "out", "--label", "mine")
    assert done.returncode == 0, done.stderr
    assert "mine" in done.stdout and "100.0" in done.stdout


def test_a_finished_shard_loads_no_engine(tmp_path, data, monkeypatch):
    settings = RunSettings(str(data), "vllm:some/model", shard=Shard(1, 2))
    monkeypatch.setattr("lengthwise.evaluators.providers.vllm.VllmModel.__aenter__", _ready)
    monkeypatch.setattr("lengthwise.evaluators.providers.vllm.VllmModel.window", _window)
    monkeypatch.setattr("lengthwise.evaluators.providers.vllm.VllmModel.ask_for", _answers)
    monkeypatch.setattr("lengthwise.evaluators.providers.vllm.VllmModel.__aexit__", _ready)
    run_benchmark(settings, tmp_path / "out", FAST)
    monkeypatch.setattr("lengthwise.evaluators.providers.vllm.VllmModel.__aenter__", _fails)
    assert run_benchmark(settings, tmp_path / "out", FAST).path == tmp_path / "out"


async def _ready(self, *_):
    return self


async def _fails(self):
    pytest.fail("the engine was started")


async def _window(self):
    return Window(None, "a test")


def _answers(self, example, repeat):
    async def ask(request):
        return Reply("<answer>a b c</answer>")

    return ask


def test_a_run_with_an_error_asks_its_server(data, server, tmp_path):
    server.script["lex-locate-4k-s0-0002"] = [error(422, "once")]
    run_benchmark(RunSettings(str(data), server.spec), tmp_path / "out", FAST)
    assert left_of(RunFolder.open(tmp_path / "out")) == Left(0, 1)
    run_benchmark(RunSettings(str(data), server.spec), tmp_path / "out", FAST)
    assert len(server.seen) == 7
    assert has_ended(RunFolder.open(tmp_path / "out"))


def test_a_run_that_lacks_a_reply_asks_its_server(data, server, tmp_path):
    run_benchmark(RunSettings(str(data), server.spec), tmp_path / "out", FAST)
    log = tmp_path / "out" / "replies.jsonl"
    log.write_text("".join(log.read_text().splitlines(True)[:-1]))
    assert left_of(RunFolder.open(tmp_path / "out")) == Left(1, 0)
    run_benchmark(RunSettings(str(data), server.spec), tmp_path / "out", FAST)
    assert len(server.seen) == 7


@pytest.mark.parametrize("method", ["reask", "zero-shot"])
def test_rows_that_cannot_fit_have_ended(tmp_path, server, method):
    data = write_data(tmp_path / "data", {"lex-locate/4k": 2})
    server.default = lambda body: error(400, "This model's maximum context length is 10 tokens.")
    settings = RunSettings(str(data), server.spec, method=method)
    run_benchmark(settings, tmp_path / "out", FAST)
    asked = len(server.seen)
    run_benchmark(settings, tmp_path / "out", FAST)
    assert has_ended(RunFolder.open(tmp_path / "out")) and len(server.seen) == asked


def test_requests_that_are_others_now_are_asked_all_the_same(data, server, tmp_path):
    settings = RunSettings(str(data), server.spec)
    run_benchmark(settings, tmp_path / "out", FAST)
    log = tmp_path / "out" / "replies.jsonl"
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    log.write_text("".join(json.dumps({**line, "request": "of another version"}) + "\n" for line in lines))
    run_benchmark(settings, tmp_path / "out", FAST)
    assert len(server.seen) == 12


def test_another_rope_factor_is_not_overlooked(gone, tmp_path):
    with pytest.raises(InputError, match="Cannot connect"):
        run_benchmark(replace(gone, rope_factor=4.0), tmp_path / "out", FAST)


class Counting(Model):
    """Counts how often it is made ready and left."""

    kind = "test"
    readied = left = 0

    async def window(self):
        return Window(7, "a test")

    def ask_for(self, example, repeat):
        async def ask(request):
            await asyncio.sleep(0)
            return Reply(request.messages[0].content)

        return ask

    async def __aenter__(self):
        self.readied += 1
        return self

    async def __aexit__(self, *_):
        self.left += 1


def test_a_dormant_model_is_made_ready_once_by_the_first_that_asks():
    async def go():
        model = Counting("test:a", "a")
        async with Dormant(model) as dormant:
            asks = [dormant.ask_for(Example("row", "", {}), 0)(Request((Message("user", word),))) for word in "xyz"]
            assert [reply.text for reply in await asyncio.gather(*asks)] == ["x", "y", "z"]
            assert (await dormant.window()).tokens == 7
        return model.readied, model.left

    assert asyncio.run(go()) == (1, 1)


def test_a_dormant_model_that_nobody_asks_is_neither_made_ready_nor_left():
    async def go():
        model = Counting("test:a", "a")
        async with Dormant(model) as dormant:
            assert dormant.describe() == model.describe()
        return model.readied, model.left

    assert asyncio.run(go()) == (0, 0)
