"""`vllm:FOLDER`: an engine that comes and goes with its run."""

import asyncio
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from engine_cases import ask
from plumbing import build
from run_helpers import command_line, write_data
from tiny_model import REPLY, REPLY_TOKENS, TEMPLATE_TOKENS, make_model
from vllm_server import ENVIRONMENT

from lengthwise.contracts import Message, OverlengthError, ReplyError, Request, Sampling
from lengthwise.errors import InputError
from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.providers import make_model as make_any
from lengthwise.evaluators.runner import RunOptions, run_benchmark
from lengthwise.evaluators.scoring import score_outcomes
from lengthwise.evaluators.settings import RunSettings
from lengthwise.recording import read_log

# torch warns of its own functions when it is imported.
pytestmark = [pytest.mark.vllm, pytest.mark.filterwarnings("ignore")]
WINDOW = 8_192
QUICK = "enforce_eager=true&max_num_seqs=8"


@pytest.fixture(scope="session")
def small(needs_vllm, tmp_path_factory):
    return make_model(tmp_path_factory.mktemp("models") / "small", WINDOW)


@pytest.fixture(autouse=True)
def offline(monkeypatch):
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def spec(small):
    return f"vllm:{small}?{QUICK}"


def test_window_usage_cached_tokens_log_probabilities_and_what_is_refused(small):
    text = "Say hello. " * 100

    async def go():
        async with make_any(f"vllm:{small}?{QUICK}&max_model_len=2048") as model:
            window = await model.window()
            asked = model.ask_for(Example("row", "", {}), 0)

            def of(text, **settings):
                return Request((Message("user", text),), Sampling(**{"max_tokens": 60, **settings}), alternatives=3)

            replies = [await asked(of(text, temperature=1.0)) for _ in range(2)]
            replies.append(await asked(of(text, max_tokens=2, temperature=0.0)))
            # More than there is room for: lowered, as vLLM's server does.
            replies.append(await asked(of(text, max_tokens=5000)))
            refused = await asyncio.gather(
                asked(of(text, thinking_tokens=5)), asked(of("word " * 3000)), return_exceptions=True
            )
            return window, window.count(text), replies, refused

    window, counted, (first, second, cut, lowered), (thinking, long) = asyncio.run(go())
    assert window.tokens == 2048
    assert (first.text, first.finish_reason, first.usage.output) == (REPLY, "stop", REPLY_TOKENS)
    assert first.usage.input == counted > TEMPLATE_TOKENS
    assert not first.usage.cached and second.usage.cached > counted - 150
    assert first.alternatives[0][0] == "<answer>" and len(first.alternatives) >= 3
    assert (cut.finish_reason, cut.usage.output) == ("length", 2)
    assert lowered.text == REPLY
    assert type(thinking) is ReplyError and "thinking_token_budget" in str(thinking)
    assert type(long) is OverlengthError and "max_model_len is 2,048" in str(long)


def test_two_questions_on_one_list_share_its_prefill(spec, small, tmp_path):
    data = build(tmp_path / "plb", small, ["lex-locate", "lex-longest"], 3_000, examples=2, seed=5)
    settings = RunSettings(str(data), spec, sampling=Sampling(max_tokens=8))
    run_benchmark(settings, tmp_path / "out", RunOptions(concurrency=1))
    found = score_outcomes(tmp_path / "out").outcomes.values()
    assert sum(outcome.usage.cached or 0 for outcome in found) > 0.85 * 2 * 3_000


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("max_model_length=5", "unknown argument of vLLM's engine 'max_model_length': did you mean 'max_model_len'"),
        ("max_model_len=9000", "does not start: .*9000"),
    ],
)
def test_options_that_cannot_be_meant(small, options, message):
    with pytest.raises(InputError, match=message):
        ask(f"vllm:{small}?{QUICK}&{options}", "x")


def children(pid):
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    found = [int(child) for task in tasks for child in task.read_text().split()]
    return found + [one for child in found for one in children(child)]


def alive(pid):
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False


def test_the_engine_is_gone_when_the_run_is_killed(spec, tmp_path):
    data = write_data(tmp_path / "data", {"lex-locate/4k": 400})
    command = command_line("run", data, "--model", spec, "--out", tmp_path / "out", "--max-tokens", 8, "--quiet")
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    log = tmp_path / "out" / "replies.jsonl"
    deadline = time.monotonic() + 120
    while not log.exists() or log.read_bytes().count(b"\n") < 2:
        assert time.monotonic() < deadline and process.poll() is None
        time.sleep(0.02)
    engines = children(process.pid)
    assert engines
    # Ctrl-C at a terminal reaches all processes: the engine must leave it to the run.
    for engine in engines:
        os.kill(engine, signal.SIGINT)
    before = log.read_bytes().count(b"\n")
    while log.read_bytes().count(b"\n") < before + 20:
        assert time.monotonic() < deadline and process.poll() is None
        time.sleep(0.02)
    process.kill()
    process.wait(60)
    deadline = time.monotonic() + 60
    while any(map(alive, engines)):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert len(list(read_log(log))) >= 2
