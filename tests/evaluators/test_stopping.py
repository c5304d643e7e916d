"""Runs that end before their end: by Ctrl-C, SIGTERM, a limit on the cost, a server that is away."""

import itertools
import json
import signal
import subprocess
import threading
import time
from collections import Counter
from dataclasses import replace

import pytest
from faulty_server import FaultyServer, Step, completion, error
from run_helpers import command_line, write_data

from lengthwise.contracts import Sampling
from lengthwise.errors import InputError
from lengthwise.evaluators.gate import Rates
from lengthwise.evaluators.retry import RetryPolicy
from lengthwise.evaluators.runner import RunOptions, run_benchmark
from lengthwise.evaluators.scoring import score_outcomes, score_run
from lengthwise.evaluators.settings import RunSettings
from lengthwise.evaluators.spending import Limits
from lengthwise.evaluators.stopping import RunStopped

FAST = RunOptions(retries=RetryPolicy(attempts=3, base=0.001))
ALL = [f"lex-locate-4k-s0-{index:04d}" for index in range(6)]


def settings(data, server, **changes):
    return RunSettings(data=str(data), model=server.spec, **changes)


def start(tmp_path, data, server, *more):
    command = command_line("run", data, "--model", server.spec, "--out", "out", *more)
    return subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_waits_for_what_is_under_way_and_says_how_to_go_on(data, server, tmp_path, lengthwise, number, code):
    process = []
    server.script[ALL[3]] = [Step(before=lambda: process[0].send_signal(number), delay=1)]
    process.append(start(tmp_path, data, server, "--concurrency", 2))
    _, said = process[0].communicate(timeout=30)
    assert process[0].returncode == code
    assert "under way; once more stops at once" in said
    assert "replies are left; to go on: lengthwise run --from out/run.json --out out" in said
    assert "Traceback" not in said
    assert server.answered[ALL[3]] == 1
    assert lengthwise("run", "--from", "out/run.json", "--out", "out").returncode == 0
    assert server.asked() == Counter(ALL)


def test_a_signal_while_the_last_call_is_under_way_ends_with_the_scores(data, server, tmp_path):
    process = []
    server.script[ALL[5]] = [Step(before=lambda: process[0].send_signal(signal.SIGTERM), delay=1)]
    process.append(start(tmp_path, data, server, "--concurrency", 1))
    printed, said = process[0].communicate(timeout=30)
    assert process[0].returncode == 0
    assert "100.0" in printed and "stopped" not in said


def test_a_second_ctrl_c_stops_at_once(data, server, tmp_path, lengthwise):
    process = []

    def twice():
        for _ in range(2):
            process[0].send_signal(signal.SIGINT)
            time.sleep(0.5)

    server.script[ALL[3]] = [Step(before=lambda: threading.Thread(target=twice).start(), delay=20)]
    process.append(start(tmp_path, data, server, "--concurrency", 1))
    began = time.monotonic()
    _, said = process[0].communicate(timeout=15)
    assert process[0].returncode == 130
    assert "to go on: lengthwise run --from out/run.json --out out" in said
    assert "Traceback" not in said
    assert time.monotonic() - began < 15
    assert lengthwise("run", "--from", "out/run.json", "--out", "out").returncode == 0
    assert server.asked() == Counter({**dict.fromkeys(ALL, 1), ALL[3]: 2})


def test_a_signal_does_not_wait_for_a_call_that_was_told_to_come_back_later(data, server, tmp_path):
    process = []
    server.script[ALL[3]] = [
        Step(429, {"error": "later"}, {"Retry-After": "60"}, before=lambda: process[0].send_signal(signal.SIGINT))
    ]
    process.append(start(tmp_path, data, server, "--concurrency", 1))
    _, said = process[0].communicate(timeout=15)
    assert process[0].returncode == 130
    assert "3 of 6 replies are left" in said


def test_a_limit_of_tokens_is_never_passed_and_earlier_passes_count(data, server, tmp_path):
    # Each reply takes 110 tokens, and can take 100 + 64 for the template + 50 of output.
    run = settings(data, server, sampling=Sampling(50))
    for limit, answered in ((400, 2), (400, 2), (500, 3)):
        with pytest.raises(RunStopped, match=f"--max-tokens-total {limit}: .*; {6 - answered} of 6 replies are left"):
            run_benchmark(run, tmp_path / "out", replace(FAST, limits=Limits(tokens=limit)))
        assert sum(server.answered.values()) == answered
    run_benchmark(run, tmp_path / "out", FAST)
    assert server.asked() == Counter(ALL)


def test_a_limit_of_cost_is_never_passed(data, server, tmp_path, lengthwise):
    prices = tmp_path / "prices.json"
    prices.write_text(json.dumps({"as_of": "2026-11-01", "models": {"fake": {"input": 1e4, "output": 1e4}}}))
    # A reply costs $1.10, and can cost $2.14.
    arguments = ["run", data, "--model", server.spec, "--out", "out", "--max-tokens", 50, "--prices", prices]
    stopped = lengthwise(*arguments, "--max-cost", 4.5)
    assert stopped.returncode == 1, stopped.stderr
    assert "stopped: --max-cost 4.5: $3.3 are spent" in stopped.stderr
    assert (
        "3 of 6 replies are left; to go on: lengthwise run --from out/run.json --out out --prices " in stopped.stderr
    )
    assert score_run(tmp_path / "out").cost == pytest.approx(3.3)
    assert lengthwise(*arguments).returncode == 0
    assert server.asked() == Counter(ALL)


def test_a_limit_of_cost_needs_a_price(data, server, tmp_path):
    with pytest.raises(InputError, match="--max-cost 1: no price is known for fake"):
        run_benchmark(settings(data, server), tmp_path / "out", replace(FAST, limits=Limits(cost=1)))
    assert not (tmp_path / "out").exists()


def test_a_run_in_parts_adds_up_to_one_that_was_never_stopped(data, server, tmp_path):
    run = settings(data, server, sampling=Sampling(50))
    server.script[ALL[1]] = [error(422, "once")]
    for limit in (250, 400, 600, 9_000):
        try:
            run_benchmark(run, tmp_path / "parts", replace(FAST, limits=Limits(tokens=limit)))
        except RunStopped:
            continue
    run_benchmark(run, tmp_path / "parts", FAST)
    run_benchmark(run, tmp_path / "whole", FAST)
    parts, whole = (score_outcomes(tmp_path / name) for name in ("parts", "whole"))
    assert {key: (one.kind, one.calls, one.usage) for key, one in parts.outcomes.items()} == {
        key: (one.kind, one.calls, one.usage) for key, one in whole.outcomes.items()
    }


def test_a_dead_server_ends_the_run_without_using_up_the_rows(data, tmp_path):
    with FaultyServer() as server:
        run = settings(data, server)
        # It goes away with the second row.
        steps = iter([Step()])
        server.default = lambda body: next(steps, Step(reset=True))
        said = []
        options = replace(FAST, concurrency=4, notify=said.append, rates=Rates(patience=1.5), retries=RetryPolicy())
        with pytest.raises(RunStopped, match=r"has not answered for \d+ s: .*; 5 of 6 replies are left"):
            run_benchmark(run, tmp_path / "out", options)
        assert any("is away" in line for line in said)
        assert not [one for one in score_outcomes(tmp_path / "out").outcomes.values() if one.kind == "wrong"]
        lines = (tmp_path / "out" / "replies.jsonl").read_text().splitlines()
        assert len(lines) == 1 and '"error"' not in lines[0]
        server.default = lambda body: Step()
        run_benchmark(run, tmp_path / "out", FAST)
        assert Counter(one.kind for one in score_outcomes(tmp_path / "out").outcomes.values()) == {"correct": 6}


@pytest.mark.parametrize(
    "step",
    [
        error(401, "the key was revoked"),
        error(402, "no credits are left"),
        error(404, "no such model"),
        error(429, "the quota is used up", "insufficient_quota"),
    ],
)
def test_a_server_that_refuses_every_call_ends_the_run_before_all_rows_are_errors(server, tmp_path, step):
    data = write_data(tmp_path / "data", {"lex-locate/4k": 60})
    answers = iter([Step()] * 5)
    server.default = lambda body: next(answers, step)
    run = settings(data, server)
    with pytest.raises(RunStopped, match=r"refuses every call: HTTP 4.*replies are left"):
        run_benchmark(run, tmp_path / "out", replace(FAST, concurrency=4))
    # Of those under way together, the last good answer may come after some refusals.
    assert 25 <= len(server.seen) <= 35
    server.default = lambda body: Step()
    run_benchmark(run, tmp_path / "out", FAST)
    assert Counter(one.kind for one in score_outcomes(tmp_path / "out").outcomes.values()) == {"correct": 60}
    assert sum(server.asked().values()) <= 60 + 30


def test_rows_that_are_refused_between_others_do_not_end_the_run(server, tmp_path):
    data = write_data(tmp_path / "data", {"lex-locate/4k": 60})
    count = itertools.count()
    server.default = lambda body: Step() if next(count) % 10 == 0 else error(404, "not this one")
    run_benchmark(settings(data, server), tmp_path / "out", replace(FAST, concurrency=1))
    assert Counter(one.kind for one in score_outcomes(tmp_path / "out").outcomes.values()) == {
        "correct": 6,
        "error": 54,
    }


def test_a_server_that_asks_to_wait_for_a_day_ends_the_run_and_says_so(data, server, tmp_path):
    server.script[ALL[2]] = [error(429, "daily quota", Retry_After="86400")]
    began = time.monotonic()
    with pytest.raises(RunStopped, match=r"asks to wait 24 h: HTTP 429: daily quota; \d of 6 replies are left"):
        run_benchmark(settings(data, server), tmp_path / "out", replace(FAST, concurrency=1))
    assert time.monotonic() - began < 20
    run_benchmark(settings(data, server), tmp_path / "out", FAST)
    assert server.asked() == Counter({**dict.fromkeys(ALL, 1), ALL[2]: 2})


def test_a_server_that_comes_back_is_asked_on(data, server, tmp_path):
    steps = [Step(reset=True)] * 11
    server.default = lambda body: steps.pop() if steps else Step()
    said = []
    run_benchmark(settings(data, server), tmp_path / "out", replace(FAST, notify=said.append, retries=RetryPolicy(4)))
    assert Counter(one.kind for one in score_outcomes(tmp_path / "out").outcomes.values()) == {"correct": 6}
    assert any("is away" in line for line in said) and any("answers again" in line for line in said)


def test_refusals_slow_the_run_down_and_cost_no_row_its_tries(server, tmp_path):
    data = write_data(tmp_path / "data", {"lex-locate/4k": 30})
    under_way, refused, lock, most = 0, 0, threading.Lock(), 3
    all_came = threading.Event()

    def end():
        nonlocal under_way
        # The first ones hold their places until the rest of the 16 has come, on however slow a machine.
        all_came.wait(30)
        time.sleep(0.05)
        with lock:
            under_way -= 1

    def step(body):
        nonlocal under_way, refused
        with lock:
            if under_way >= most:
                refused += 1
                if refused == 16 - most:
                    all_came.set()
                return error(429, "slow down", Retry_After="0.1")
            under_way += 1
        return Step(before=end)

    server.default = step
    run_benchmark(settings(data, server), tmp_path / "out", replace(FAST, concurrency=16))
    assert Counter(one.kind for one in score_outcomes(tmp_path / "out").outcomes.values()) == {"correct": 30}
    # Of the first 16, 13 are refused; without slowing down it would be several times the rows.
    assert refused == len(server.seen) - 30 and 13 <= refused <= 45


def test_no_more_requests_a_minute_than_allowed(server, tmp_path, monkeypatch):
    monkeypatch.setattr("lengthwise.evaluators.pace.MINUTE", 1.0)
    data = write_data(tmp_path / "data", {"lex-locate/4k": 12})
    run_benchmark(settings(data, server), tmp_path / "out", replace(FAST, rates=Rates(requests=5)))
    times = [one.at for one in server.seen]
    assert len(times) == 12
    # A hair for the way between the client's clock and the server's.
    assert all(later - earlier > 0.95 for earlier, later in zip(times, times[5:], strict=False))


@pytest.mark.parametrize(
    ("option", "value"),
    [("--rpm", 0), ("--tpm", -1), ("--patience", -1), ("--max-cost", 0), ("--max-tokens-total", -5)],
)
def test_limits_out_of_range_are_one_clear_line(data, tmp_path, lengthwise, option, value):
    done = lengthwise("run", data, "--model", "reference:gold", "--out", "out", option, value)
    assert done.returncode == 2
    assert done.stderr.startswith(f"error: {option} {value}")
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_second_process_is_refused_and_the_first_goes_on(data, server, tmp_path, lengthwise):
    waiting = threading.Event()
    server.script[ALL[3]] = [Step(before=lambda: waiting.wait(30))]
    first = start(tmp_path, data, server, "--concurrency", 1)
    while not server.asked()[ALL[3]]:
        time.sleep(0.02)
    second = lengthwise("run", data, "--model", server.spec, "--out", "out")
    waiting.set()
    first.communicate(timeout=30)
    assert second.returncode == 2
    assert second.stderr == "error: out: another process is running into this folder; let it end\n"
    assert first.returncode == 0
    assert server.asked() == Counter(ALL)


def test_a_full_disk_stops_the_run_with_the_log_whole(data, server, tmp_path, lengthwise):
    server.default = lambda body: Step(body=completion("<answer>a b c</answer>" + " " * 8000))
    # A limit on the size of files is what a process can be given; a full disk fails alike.
    full = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))"
    arguments = ["run", data, "--model", server.spec, "--out", "out", "--concurrency", 1]
    stopped = lengthwise(*arguments, prelude=full)
    assert stopped.returncode == 1
    assert "Traceback" not in stopped.stderr
    assert stopped.stderr.splitlines()[-1].startswith("error: out/replies.jsonl: ")
    lines = (tmp_path / "out" / "replies.jsonl").read_bytes().splitlines(True)
    assert len(lines) == 2 and all(json.loads(line) for line in lines)
    assert lengthwise(*arguments).returncode == 0
    # The reply that found no room was paid for, and could not be kept.
    assert server.asked() == Counter({**dict.fromkeys(ALL, 1), ALL[2]: 2})


def test_the_scores_say_what_a_run_took_and_what_a_cache_served(data, server, tmp_path, lengthwise):
    usage = {"prompt_tokens": 1000, "completion_tokens": 10, "prompt_tokens_details": {"cached_tokens": 450}}
    server.default = lambda body: Step(body=completion() | {"usage": usage})
    done = lengthwise("run", data, "--model", server.spec, "--out", "out")
    table = done.stdout[done.stdout.index("what it took") :].splitlines()
    assert table[-1].split() == ["fake", "6", "6,000", "45.0", "%", "60", "–"]
    results = json.loads((tmp_path / "out" / "results.json").read_text())
    assert results["spent"]["calls"] == 6 and results["spent"]["usage"]["cached"] == 2700
