"""Whole runs on real builds against vLLM: counted, killed and gone on with, and at the window's full length."""

import json
import subprocess
import time
from collections import Counter

import pyarrow.parquet as pq
import pytest
from plumbing import build, lengthwise
from run_helpers import command_line
from tiny_model import REPLY_TOKENS, TEMPLATE_TOKENS

from lengthwise.builders.predicate.variants import VARIANTS
from lengthwise.contracts import Sampling
from lengthwise.errors import InputError
from lengthwise.evaluators.runner import RunOptions, run_benchmark
from lengthwise.evaluators.scoring import score_outcomes
from lengthwise.evaluators.settings import RunSettings
from lengthwise.recording import read_log

pytestmark = pytest.mark.vllm
WINDOW = 131_072
SYNTHETIC = [variant.name for variant in VARIANTS.values() if variant.source == "synthetic"]


def test_a_whole_run_is_complete_and_counted(server, model, tmp_path):
    data = build(tmp_path / "plb", model, SYNTHETIC, 4_000, examples=2)
    before = server.finished()
    done = lengthwise(tmp_path, "run", data, "--model", server.spec, "--out", "out", "--max-tokens", 50)
    assert done.returncode == 0, done.stderr
    assert "careful" not in done.stderr
    total = 2 * len(SYNTHETIC)
    assert server.finished() - before == total
    found = score_outcomes(tmp_path / "out").outcomes.values()
    assert Counter(outcome.kind for outcome in found) == {"wrong": total}
    rows = {row["id"]: row for row in pq.read_table(tmp_path / "out" / "examples.parquet").to_pylist()}
    for outcome in found:
        assert outcome.usage.output == REPLY_TOKENS
        # What the chat template adds, to the token.
        assert outcome.usage.input - rows[outcome.example_id]["n_tokens"] == TEMPLATE_TOKENS
        assert outcome.latency > 0
    results = json.loads((tmp_path / "out" / "results.json").read_text())
    assert results["complete"] is True


def test_a_budget_of_two_tokens_cuts_every_reply(server, model, tmp_path):
    data = build(tmp_path / "plb", model, ["lex-locate"], 1_000, examples=2)
    run_benchmark(RunSettings(str(data), server.spec, sampling=Sampling(max_tokens=2)), tmp_path / "out")
    found = list(score_outcomes(tmp_path / "out").outcomes.values())
    assert [outcome.kind for outcome in found] == ["truncated_output"] * 2
    assert [outcome.details["finish_reason"] for outcome in found] == ["length"] * 2


def test_two_questions_on_one_list_share_its_prefill(server, model, tmp_path):
    data = build(tmp_path / "plb", model, ["lex-locate", "lex-longest"], 6_000, examples=2, seed=5)
    one_by_one = RunOptions(concurrency=1)
    sampling = Sampling(max_tokens=8)
    locate = RunSettings(str(data), server.spec, configs=("lex-locate",), sampling=sampling)
    longest = RunSettings(str(data), server.spec, configs=("lex-longest",), sampling=sampling)
    run_benchmark(locate, tmp_path / "locate", one_by_one)
    before = server.count("vllm:prefix_cache_hits_total")
    run_benchmark(longest, tmp_path / "longest", one_by_one)
    hits = server.count("vllm:prefix_cache_hits_total") - before
    assert hits > 0.9 * 2 * 6_000
    # And it can be seen in the run itself.
    found = score_outcomes(tmp_path / "longest").outcomes.values()
    assert sum(outcome.usage.cached for outcome in found) == hits


def test_a_run_killed_in_the_middle_goes_on_without_asking_twice(server, model, tmp_path):
    data = build(tmp_path / "plb", model, ["lex-locate"], 8_000, examples=6)
    arguments = ["run", data, "--model", server.spec, "--out", "out", "--concurrency", 1, "--max-tokens", 8]
    log = tmp_path / "out" / "replies.jsonl"
    process = subprocess.Popen(
        command_line(*arguments), cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    deadline = time.monotonic() + 120
    while not log.exists() or log.read_bytes().count(b"\n") < 2:
        assert time.monotonic() < deadline and process.poll() is None
        time.sleep(0.01)
    process.kill()
    process.wait()
    while server.count("vllm:num_requests_running"):
        time.sleep(0.05)
    kept = log.read_bytes()
    recorded = kept.count(b"\n")
    assert 2 <= recorded < 6
    before = server.finished()
    done = lengthwise(tmp_path, *arguments)
    assert done.returncode == 0, done.stderr
    assert server.finished() - before == 6 - recorded
    assert log.read_bytes().startswith(kept)
    assert len({record.key for record in read_log(log)}) == 6
    found = score_outcomes(tmp_path / "out").outcomes.values()
    assert Counter(outcome.kind for outcome in found) == {"wrong": 6}


def test_120_thousand_of_the_models_own_tokens_go_through(server, model, tmp_path):
    data = build(tmp_path / "plb", model, ["lex-locate"], 120_000, examples=1)
    # Under this name the preflight finds the chat template, and counts exactly what the server will.
    spec = f"{server.address}/v1#{model}"
    (file,) = (data / "lex-locate").glob("*.parquet")
    (n_tokens,) = pq.read_table(file, columns=["n_tokens"])["n_tokens"].to_pylist()
    assert n_tokens > 119_900
    room = WINDOW - n_tokens - TEMPLATE_TOKENS
    before = server.count("vllm:prompt_tokens_total")
    with pytest.raises(InputError, match=rf"needs {WINDOW + 1:,} tokens.*the server allows {WINDOW:,}"):
        run_benchmark(RunSettings(str(data), spec, sampling=Sampling(max_tokens=room + 1)), tmp_path / "out")
    assert server.count("vllm:prompt_tokens_total") == before
    run_benchmark(RunSettings(str(data), spec, sampling=Sampling(max_tokens=room)), tmp_path / "out")
    (outcome,) = score_outcomes(tmp_path / "out").outcomes.values()
    assert outcome.usage.input == n_tokens + TEMPLATE_TOKENS > 119_000
    assert server.count("vllm:prompt_tokens_total") - before == outcome.usage.input
    # It came to its end: nothing was cut off at either side.
    assert (outcome.kind, outcome.details["finish_reason"]) == ("wrong", "stop")
