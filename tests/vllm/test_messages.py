"""vLLM's server asked in Anthropic's terms, and under several addresses."""

import asyncio
import json

import pytest
from engine_cases import ask
from plumbing import build
from tiny_model import REPLY, REPLY_TOKENS, TEMPLATE_TOKENS

from lengthwise.contracts import Message, OverlengthError, Request, Sampling
from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.providers import make_model
from lengthwise.evaluators.runner import RunOptions, run_benchmark
from lengthwise.evaluators.scoring import score_outcomes
from lengthwise.evaluators.settings import RunSettings

pytestmark = pytest.mark.vllm
WINDOW = 131_072


@pytest.fixture
def spec(server):
    return f"anthropic:{server.address}#tiny"


def test_replies_counts_and_what_does_not_fit(spec):
    window, (whole, long) = ask(spec, "Say hello.", "word " * (WINDOW + 500), max_tokens=60, temperature=1.0)
    assert window.tokens == WINDOW
    assert (whole.text, whole.finish_reason, whole.usage.output) == (REPLY, "stop", REPLY_TOKENS)
    assert whole.usage.input > TEMPLATE_TOKENS
    assert isinstance(long, OverlengthError) and f"maximum context length is {WINDOW}" in str(long)
    _, (cut,) = ask(spec, "Say hello.", max_tokens=2)
    assert (cut.finish_reason, cut.usage.output) == ("length", 2)
    # Above 20,000 tokens it comes in pieces.
    _, (pieces,) = ask(spec, "Say hello.", max_tokens=30_000, temperature=1.0)
    assert (pieces.text, pieces.finish_reason, pieces.usage) == (whole.text, "stop", pieces.usage)
    assert pieces.usage.output == REPLY_TOKENS


def test_a_marked_prefix_is_taken_and_cached_tokens_are_part_of_the_input(spec):
    article = "Once upon a time there was a fox. " * 300

    async def go():
        async with make_model(spec) as model:
            asked = model.ask_for(Example("row", "", {}, texts={"article": article}), 0)
            system = Message("system", "Be brief.")
            return [await asked(Request((system, Message("user", article + end)), Sampling(4))) for end in ("a", "b")]

    first, second = asyncio.run(go())
    assert first.usage.input == second.usage.input > 2_000
    assert second.usage.cached > 0.9 * second.usage.input


def test_two_addresses_and_a_dead_one_carry_a_run(server, model, tmp_path):
    data = build(tmp_path / "plb", model, ["lex-locate"], 1_000, examples=6)
    urls = [server.address + "/v1", server.address.replace("127.0.0.1", "localhost") + "/v1", "http://127.0.0.1:9/v1"]
    notes = []
    settings = RunSettings(str(data), ",".join(urls) + "#tiny", sampling=Sampling(max_tokens=8))
    run_benchmark(settings, tmp_path / "out", RunOptions(concurrency=4, notify=notes.append))
    found = score_outcomes(tmp_path / "out").outcomes.values()
    assert [one.kind for one in found] == ["wrong"] * 6
    assert "127.0.0.1:9" in notes[0]
    about = json.loads((tmp_path / "out" / "run.json").read_text())["model"]
    assert about["base_urls"] == urls
