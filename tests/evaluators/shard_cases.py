"""A model whose replies hang on the row alone, and what two runs that should be alike are compared by."""

import hashlib
import json
import re
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from faulty_server import Step, completion, error

from lengthwise.evaluators.retry import RetryPolicy
from lengthwise.evaluators.run_folder import RunFolder
from lengthwise.evaluators.runner import RunOptions, run_benchmark
from lengthwise.evaluators.scoring import score_outcomes
from lengthwise.evaluators.settings import RunSettings
from lengthwise.evaluators.sharding import Shard

FAST = RunOptions(concurrency=4, retries=RetryPolicy(attempts=2, base=0.001))
# What tells when, where and by which command a run was made; all else of two run.json has to be equal.
CREATION = ("created", "command", "merged")

ENDS = (
    lambda: Step(),
    lambda: Step(body=completion("<answer>b c y</answer>")),
    lambda: Step(body=completion("no idea")),
    lambda: Step(body=completion(None, "length", reasoning_content="hmm " * 9)),
    lambda: Step(body=completion(None, "stop")),
    lambda: error(422, "unknown field"),
    lambda: error(400, "This model's maximum context length is 10 tokens. However, your prompt has 11"),
)


def varied(body: dict[str, Any]) -> Step:
    """Answer in one of many ways, by the row's id; half of them are right."""
    found = re.search(r"\[(\S+?)\]", body["messages"][0]["content"])
    digest = hashlib.sha256(found[1].encode()).digest()
    step = ENDS[0]() if digest[0] % 2 else ENDS[digest[1] % len(ENDS)]()
    if isinstance(step.body, dict) and "usage" in step.body:
        step.body["usage"] |= {"prompt_tokens": 90 + digest[2], "completion_tokens": digest[3]}
    return step


def run_shards(settings: RunSettings, folder: Path, count: int, options: RunOptions = FAST) -> list[Path]:
    """Run every shard of a run; return their folders."""
    for number in range(1, count + 1):
        run_benchmark(replace(settings, shard=Shard(number, count)), folder / f"s{number}", options)
    return [folder / f"s{number}" for number in range(1, count + 1)]


def same_runs(one: Path, other: Path) -> None:
    """Check that two runs differ in nothing but when and how they were made; seconds are not compared."""
    scored = score_outcomes(one), score_outcomes(other)
    ends = [[_timeless(asdict(outcome)) for outcome in run.outcomes.values()] for run in scored]
    assert ends[0] == ends[1]
    assert list(scored[0].outcomes) == list(scored[1].outcomes)
    runs = [RunFolder.open(folder) for folder in (one, other)]
    assert runs[0].examples().equals(runs[1].examples())
    told = [{name: value for name, value in run.settings.items() if name not in CREATION} for run in runs]
    assert told[0] == told[1]
    figures = [json.loads((folder / "results.json").read_text()) for folder in (one, other)]
    for figure in figures:
        del figure["run"]["created"]
    assert _timeless(figures[0]) == _timeless(figures[1])


def _timeless(value: Any) -> Any:
    """Return a value without the seconds in it, at any depth."""
    if isinstance(value, dict):
        return {name: _timeless(one) for name, one in value.items() if name != "latency"}
    return [_timeless(one) for one in value] if isinstance(value, list | tuple) else value
