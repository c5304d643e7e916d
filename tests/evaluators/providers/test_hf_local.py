"""A pipeline with a tiny random model made here, whose one reply is known; needs torch (.ci/run installs it)."""

import asyncio
import importlib.util
import os
import sys
import time
from pathlib import Path

import pytest
from engine_cases import Engine, EngineCases, ask
from run_helpers import write_data

from lengthwise.contracts import Message, Request, Sampling
from lengthwise.errors import InputError
from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.providers import ModelOptions, make_model
from lengthwise.evaluators.retry import PassingError
from lengthwise.evaluators.runner import run_benchmark
from lengthwise.evaluators.settings import RunSettings

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "vllm"))

WINDOW = 2_048
# torch and transformers warn of their own functions.
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    missing = [name for name in ("torch", "transformers", "safetensors") if importlib.util.find_spec(name) is None]
    if missing:
        assert os.environ.get("LENGTHWISE_REQUIRE_TORCH") != "1", f"{missing} must be here"
        pytest.skip(f"not installed: {', '.join(missing)}")
    from tiny_model import make_model as make_tiny

    return make_tiny(tmp_path_factory.mktemp("models") / "tiny", WINDOW)


@pytest.fixture
def spec(folder):
    return f"hf-local:{folder}?device=cpu&dtype=float32"


class TestPipeline(EngineCases):
    @pytest.fixture
    def engine(self, spec):
        return Engine(spec, WINDOW, f"configuration allows {WINDOW:,}")

    def test_a_prompt_longer_than_its_row_says_ends_as_overlength(self, engine, tmp_path):
        """It never gets so far: the preflight counts by the model's own tokenizer."""
        data = write_data(tmp_path / "data", {"lex-locate/4k": 2}, words=" ".join(["word"] * (WINDOW + 500)))
        with pytest.raises(InputError, match="in the model's chat template"):
            run_benchmark(RunSettings(str(data), engine.spec, sampling=Sampling(max_tokens=8)), tmp_path / "out")


def test_the_reply_is_the_models_own_and_counted_by_its_template(spec):
    from tiny_model import REPLY, REPLY_TOKENS, TEMPLATE_TOKENS

    window, replies = ask(spec, *["Say hello."] * 2, max_tokens=60)
    assert [(one.text, one.finish_reason, one.usage.output) for one in replies] == [(REPLY, "stop", REPLY_TOKENS)] * 2
    assert TEMPLATE_TOKENS < replies[0].usage.input < TEMPLATE_TOKENS + 8
    assert window.tokens == WINDOW
    _, (drawn,) = ask(spec, "Say hello.", max_tokens=60, temperature=1.0, top_p=1.0)
    assert drawn.text == REPLY


def test_the_windows_count_is_what_a_reply_says(spec):
    async def go():
        async with make_model(spec) as model:
            window = await model.window()
            request = Request((Message("user", "one two three"),), Sampling(4, temperature=0.0))
            reply = await model.ask_for(Example("row", "", {}), 0)(request)
            return window.count("one two three"), reply.usage.input

    counted, used = asyncio.run(go())
    assert counted == used


def test_a_time_out_ends_the_generation(folder):
    async def go():
        async with make_model(f"hf-local:{folder}", ModelOptions(timeout=0.5)) as model:
            # Without its end token the model goes on and on.
            own = model._pipeline.model.generation_config
            # Until transformers 5.24 a pipeline had a copy.
            for config in (own, getattr(model._pipeline, "generation_config", own)):
                config.eos_token_id = None
            asked = model.ask_for(Example("row", "", {}), 0)
            started = time.monotonic()
            with pytest.raises(PassingError, match=r"within 0\.5 s"):
                await asked(Request((Message("user", "hi"),), Sampling(2_000, temperature=0.0)))
            return time.monotonic() - started

    assert asyncio.run(go()) < 10


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("?dtyp=auto", "unknown argument of transformers.pipeline 'dtyp': did you mean 'dtype'"),
        ("?dtype=float3", "cannot be loaded|float3"),
        ("/nothing", "cannot be loaded"),
    ],
)
def test_what_cannot_be_loaded(folder, options, message):
    with pytest.raises(InputError, match=message):
        ask(f"hf-local:{folder}{options}", "x")


def test_a_budget_of_reasoning_has_no_place():
    with pytest.raises(InputError, match="--thinking-tokens: hf-local: takes no such setting"):
        make_model("hf-local:m").check(Sampling(thinking_tokens=5))


def test_without_torch_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)

    async def go():
        async with make_model("hf-local:m"):
            pass

    # Of the two, transformers may be missing as well.
    with pytest.raises(InputError, match=r"needs (torch|transformers); pip install 'lengthwise\[hf\]' torch"):
        asyncio.run(go())
