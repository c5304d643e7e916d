"""What must hold with any real engine behind the address: the same tests for llama.cpp and for vLLM.

A test module inherits the cases and gives them the fixture `engine`. What the model says is not looked at, only how
its replies come.
"""

import asyncio
from dataclasses import dataclass, replace

import pytest
from run_helpers import write_data

from lengthwise.contracts import Message, OverlengthError, Request, Sampling
from lengthwise.errors import InputError
from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.providers import make_model
from lengthwise.evaluators.runner import RunOptions, run_benchmark
from lengthwise.evaluators.scoring import score_outcomes
from lengthwise.evaluators.settings import RunSettings
from lengthwise.recording import read_log


@dataclass(frozen=True)
class Engine:
    """A real engine.

    Attributes:
        spec: of its model, for `--model`.
        window: tokens that it holds.
        refusal: what it says of a prompt that is too long.
    """

    spec: str
    window: int
    refusal: str


def ask(spec, *texts, max_tokens=8, **sampling):
    """Return the window, and what the model replies to each text, or the error."""

    async def go():
        async with make_model(spec) as model:
            wanted = Sampling(max_tokens, **{"temperature": 0.0, **sampling})
            window = await model.window()
            asks = [
                model.ask_for(Example("row", text, {}), 0)(Request((Message("user", text),), wanted)) for text in texts
            ]
            return window, await asyncio.gather(*asks, return_exceptions=True)

    return asyncio.run(go())


class EngineCases:
    def test_usage_finish_reason_window_and_overlength(self, engine):
        window, (short, cut, long) = ask(
            engine.spec, "Say hello.", "Count from 1 to 500.", "word " * (engine.window + 500), max_tokens=2
        )
        assert window.tokens == engine.window
        assert not isinstance(short, Exception), short
        assert short.usage.input > 5
        assert cut.finish_reason == "length"
        assert cut.usage.output == 2
        assert cut.text
        assert isinstance(long, OverlengthError)
        assert engine.refusal in str(long)

    def test_a_reply_that_ends_by_itself(self, engine):
        _, (reply,) = ask(engine.spec, "Say hello.", max_tokens=60)
        assert reply.finish_reason == "stop"
        assert 0 < reply.usage.output < 60

    def test_a_run_is_refused_by_the_preflight_at_the_papers_budget(self, engine, tmp_path):
        tokens = {"lex-locate/4k": max(100, engine.window - 15_000)}
        data = write_data(tmp_path / "data", {"lex-locate/4k": 3}, tokens)
        with pytest.raises(InputError, match=f"(server|engine|configuration) allows {engine.window:,}"):
            run_benchmark(RunSettings(str(data), engine.spec), tmp_path / "out")
        assert not (tmp_path / "out").exists()

    def test_a_prompt_longer_than_its_row_says_ends_as_overlength(self, engine, tmp_path):
        words = " ".join(["word"] * (engine.window + 500))
        data = write_data(tmp_path / "data", {"lex-locate/4k": 2}, words=words)
        sampling = Sampling(max_tokens=8)
        run_benchmark(RunSettings(str(data), engine.spec, sampling=sampling), tmp_path / "out")
        found = score_outcomes(tmp_path / "out").outcomes.values()
        assert [outcome.kind for outcome in found] == ["overlength"] * 2
        assert all(engine.refusal in outcome.message for outcome in found)

    def test_a_run_goes_on_where_it_was(self, engine, tmp_path):
        data = write_data(tmp_path / "data", {"lex-locate/4k": 3})
        settings = RunSettings(str(data), engine.spec, sampling=Sampling(max_tokens=8))
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

    def test_every_call_of_a_method_is_counted(self, engine, tmp_path):
        data = write_data(tmp_path / "data", {"lex-locate/4k": 1})
        # Too short for any answer: it is asked for again as often as the method allows.
        settings = RunSettings(str(data), engine.spec, method="reask", sampling=Sampling(max_tokens=2))
        run_benchmark(settings, tmp_path / "out")
        (outcome,) = score_outcomes(tmp_path / "out").outcomes.values()
        assert (outcome.kind, outcome.calls, outcome.usage.output) == ("truncated_output", 3, 6)
