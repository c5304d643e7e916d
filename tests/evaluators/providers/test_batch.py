"""Batches of both providers, against a server that speaks their endpoints and can be told to fail."""

import json
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from run_helpers import command_line, write_data

from lengthwise.errors import InputError
from lengthwise.evaluators.merging import merge_runs
from lengthwise.evaluators.plan import plan_run
from lengthwise.evaluators.providers import make_model
from lengthwise.evaluators.providers.batch_journal import BATCHES_FILE
from lengthwise.evaluators.runner import RunOptions, run_benchmark
from lengthwise.evaluators.scoring import score_outcomes
from lengthwise.evaluators.settings import RunSettings, settings_from
from lengthwise.evaluators.sharding import Shard
from lengthwise.evaluators.spending import Limits
from lengthwise.recording import read_log

sys.path.insert(0, str(Path(__file__).parent))
from batch_server import BatchServer

QUICK = "import lengthwise.evaluators.providers.batch as batch; batch.FIRST_WAIT = batch.LONGEST_WAIT = 0.05"


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr("lengthwise.evaluators.providers.batch.FIRST_WAIT", 0.02)
    monkeypatch.setattr("lengthwise.evaluators.providers.batch.LONGEST_WAIT", 0.05)


@pytest.fixture
def server():
    with BatchServer() as running:
        yield running


@pytest.fixture
def data(tmp_path):
    return write_data(tmp_path / "data", {"lex-locate/4k": 6})


@pytest.fixture(params=["openai", "anthropic"])
def provider(request):
    return request.param


@pytest.fixture
def run(server, provider, data, tmp_path):
    """Run (again) into one folder; return how the rows ended."""

    def run(notes=None, **settings):
        chosen = RunSettings(str(data), server.spec(provider), **settings)
        options = RunOptions(prices=tmp_path / "prices.json", notify=(notes if notes is not None else []).append)
        run_benchmark(chosen, tmp_path / "out", options)
        return sorted(outcome.kind for outcome in score_outcomes(tmp_path / "out").outcomes.values())

    prices = {"as_of": "2026-11-30", "models": {"fake": {"input": 2.0, "output": 8.0}}}
    (tmp_path / "prices.json").write_text(json.dumps(prices))
    return run


def row(number):
    return f"lex-locate-4k-s0-{number:04d}"


def test_all_rows_go_in_one_batch_at_half_the_price_and_once(run, server, tmp_path):
    assert run(repeats=2) == ["correct"] * 12
    assert len(server.batches) == 1 and set(server.asked.values()) == {2}
    found = score_outcomes(tmp_path / "out").outcomes.values()
    assert {(one.usage.input, one.usage.output) for one in found} == {(100, 10)}
    assert all(one.cost == pytest.approx((100 * 2 + 10 * 8) / 1e6 / 2) for one in found)
    about = json.loads((tmp_path / "out" / "run.json").read_text())["model"]
    assert (about["kind"], about["name"]) == ("batch", "fake")
    assert run(repeats=2) == ["correct"] * 12
    assert len(server.batches) == 1
    # What was sent is not kept a second time.
    assert not list((tmp_path / "out" / "batches").glob("*.requests"))


def test_what_the_data_shows_of_a_row_is_matched_by_name_and_not_by_place(run, server, tmp_path):
    server.ends = {row(2): ["error"]}
    run()
    (failed,) = [one for one in score_outcomes(tmp_path / "out").outcomes.values() if one.kind == "error"]
    assert failed.example_id == row(2)


@pytest.mark.parametrize("end", ["error", "expired", "missing"])
def test_what_failed_is_an_error_and_is_asked_again_alone(run, server, end):
    server.ends = {row(1): [end], row(4): [end]}
    notes = []
    assert run(notes) == ["correct"] * 4 + ["error"] * 2
    assert any("incomplete: 2 of 6" in note for note in notes)
    assert run() == ["correct"] * 6
    assert len(server.batches) == 2
    assert {name for name, count in server.asked.items() if count == 2} == {row(1), row(4)}


def test_what_is_too_long_is_not_asked_again(run, server):
    server.ends = {row(1): ["overlength"]}
    assert run() == ["correct"] * 5 + ["overlength"]
    assert run() == ["correct"] * 5 + ["overlength"]
    assert len(server.batches) == 1


def test_many_calls_make_several_batches(run, server, monkeypatch):
    for name in ("OpenAIBatches", "AnthropicBatches"):
        monkeypatch.setattr(f"lengthwise.evaluators.providers.batch_services.{name}.most_calls", 4)
    assert run() == ["correct"] * 6
    assert [len(batch["requests"]) for batch in server.batches.values()] == [4, 2]


def test_large_calls_make_several_batches(run, server, monkeypatch):
    for name in ("OpenAIBatches", "AnthropicBatches"):
        monkeypatch.setattr(f"lengthwise.evaluators.providers.batch_services.{name}.most_bytes", 1_000)
    assert run() == ["correct"] * 6
    assert len(server.batches) > 1 and set(server.asked.values()) == {1}


def test_a_batch_whose_sender_heard_nothing_is_not_sent_twice(run, server):
    server.losing = True
    notes = []
    assert run(notes) == ["correct"] * 6
    assert len(server.batches) == 1
    assert "could not be sent yet" in notes[0]


def test_a_provider_that_is_busy_is_asked_again(run, server):
    server.failing = [429, 503]
    assert run() == ["correct"] * 6
    assert len(server.batches) == 1


def test_a_batch_that_is_refused_ends_the_run_with_the_reason(run, server):
    server.failing = [400]
    with pytest.raises(InputError, match="the batch is refused: HTTP 400: not now"):
        run()
    assert run() == ["correct"] * 6


def cut_journal(folder, lines):
    """Leave the first lines of the journal, as if the process had been killed behind them."""
    path = folder / BATCHES_FILE
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:lines]))
    (folder / "replies.jsonl").unlink()


def test_killed_before_the_id_was_known_the_batch_is_found(run, server, tmp_path):
    run()
    cut_journal(tmp_path / "out", 1)
    notes = []
    assert run(notes) == ["correct"] * 6
    assert len(server.batches) == 1 and "had arrived" in notes[0]


def test_killed_before_it_was_sent_the_batch_is_sent(run, server, tmp_path):
    run()
    cut_journal(tmp_path / "out", 1)
    server.batches.clear()
    assert run() == ["correct"] * 6
    assert len(server.batches) == 1 and set(server.asked.values()) == {2}


def test_killed_behind_the_results_nothing_is_asked_for_again(run, server, tmp_path):
    run()
    cut_journal(tmp_path / "out", 3)
    before = len(server.seen)
    assert run() == ["correct"] * 6
    assert all("batches" not in path for _, path, _ in server.seen[before:])


def end_while_it_waits(command, out, sent=signal.SIGKILL):
    """Start a run whose server holds batches back, and end it once its first batch has an id."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=out.parent)
    journal = out / BATCHES_FILE
    deadline = time.monotonic() + 60
    while not journal.exists() or b'"id"' not in journal.read_bytes():
        assert time.monotonic() < deadline and process.poll() is None
        time.sleep(0.01)
    process.send_signal(sent)
    assert process.wait(60) == (-9 if sent is signal.SIGKILL else 130)
    assert not list(read_log(out / "replies.jsonl"))


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGINT])
def test_a_run_that_ends_while_it_waits_goes_on_waiting_for_the_same_batch(server, provider, data, tmp_path, sent):
    server.held = True
    command = command_line("run", data, "--model", server.spec(provider), "--out", tmp_path / "out", prelude=QUICK)
    end_while_it_waits(command, tmp_path / "out", sent)
    server.held = False
    assert subprocess.run(command, capture_output=True, timeout=60, check=False).returncode == 0
    assert len(server.batches) == 1 and set(server.asked.values()) == {1}
    assert len(list(read_log(tmp_path / "out" / "replies.jsonl"))) == 6


def test_shards_that_are_joined_while_a_batch_is_under_way_wait_for_it_and_pay_for_none_twice(
    server, provider, data, tmp_path
):
    about = RunSettings(str(data), server.spec(provider))
    for number in (1, 2):
        run_benchmark(replace(about, shard=Shard(number, 3)), tmp_path / f"s{number}")
    server.held = True
    where = ("--shard", "3/3", "--out", tmp_path / "s3")
    end_while_it_waits(command_line("run", data, "--model", about.model, *where, prelude=QUICK), tmp_path / "s3")
    server.held = False
    shards = [tmp_path / f"s{number}" for number in (2, 3, 1)]
    for _ in range(2):
        merge_runs(shards, tmp_path / "all", partial=True)
    # The replies of what had come back are lost: its batches still have them.
    (tmp_path / "all/replies.jsonl").unlink()
    run_benchmark(settings_from(tmp_path / "all/run.json"), tmp_path / "all")
    assert [outcome.kind for outcome in score_outcomes(tmp_path / "all").outcomes.values()] == ["correct"] * 6
    assert len(server.batches) == 3 and set(server.asked.values()) == {1}
    with pytest.raises(InputError, match="has gone on since"):
        merge_runs(shards, tmp_path / "all", partial=True)


def test_a_batch_that_fails_as_a_whole_says_why(server, data, tmp_path):
    server.failed = "Enqueued token limit reached"
    settings = RunSettings(str(data), server.spec("openai"))
    run_benchmark(settings, tmp_path / "out")
    found = score_outcomes(tmp_path / "out").outcomes.values()
    assert all(re.search("batch_0: Enqueued token limit reached", one.message) for one in found)
    run_benchmark(settings, tmp_path / "out")
    assert {one.kind for one in score_outcomes(tmp_path / "out").outcomes.values()} == {"correct"}


def test_the_key_goes_along_and_is_kept_nowhere(server, provider, data, tmp_path, monkeypatch):
    monkeypatch.setenv("MY_KEY", "sk-planted-0123456789")
    settings = RunSettings(str(data), server.spec(provider), api_key_env="MY_KEY")
    run_benchmark(settings, tmp_path / "out")
    assert all("sk-planted-0123456789" in str(headers) for _, _, headers in server.seen)
    files = [path for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert len(files) > 5 and not any(b"planted" in path.read_bytes() for path in files)


def test_a_method_of_several_calls_is_refused_before_anything_is_sent(server, provider, data, tmp_path):
    settings = RunSettings(str(data), server.spec(provider), method="reask")
    with pytest.raises(InputError, match="--method reask: may ask more than once"):
        run_benchmark(settings, tmp_path / "out")
    with pytest.raises(InputError, match="--method reask"):
        plan_run(settings)
    assert server.seen == [] and not (tmp_path / "out").exists()


def test_a_limit_that_could_not_hold_is_refused(server, provider, data, tmp_path):
    with pytest.raises(InputError, match="paid for as a whole"):
        options = RunOptions(limits=Limits(tokens=1_000))
        run_benchmark(RunSettings(str(data), server.spec(provider)), tmp_path / "out", options)


def test_the_plan_knows_the_price(server, data, tmp_path):
    (tmp_path / "prices.json").write_text('{"as_of": "2026-11-30", "models": {"fake": {"input": 2, "output": 8}}}')
    whole = plan_run(RunSettings(str(data), f"{server.url}/v1#fake"), tmp_path / "prices.json")
    half = plan_run(RunSettings(str(data), server.spec("openai")), tmp_path / "prices.json")
    assert half.most_cost == pytest.approx(whole.most_cost / 2)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("batch:openrouter:m", "has no batches"),
        ("batch:local:smollm2-135m", "has no batches"),
        ("batch:http://a/v1,http://b/v1#m", "at one address"),
        ("batch:batch:openai:m", "names batch twice"),
        ("batch:gpt", "unknown model kind 'gpt'"),
        ("batch:", "the name is missing"),
    ],
)
def test_a_spec_that_cannot_be_meant(spec, message):
    with pytest.raises(InputError, match=message):
        make_model(spec)
