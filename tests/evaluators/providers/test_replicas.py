import asyncio
import json
from contextlib import ExitStack
from dataclasses import replace

import pytest
from faulty_server import FaultyServer, Step, error
from run_helpers import write_data

from lengthwise.contracts import Message, ReplyError, Request
from lengthwise.errors import InputError
from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.providers import ModelOptions, make_model
from lengthwise.evaluators.providers.replicas import FIRST_REST, LONGEST_REST, Replicas
from lengthwise.evaluators.retry import RetryPolicy
from lengthwise.evaluators.runner import RunOptions, run_benchmark
from lengthwise.evaluators.settings import RunSettings
from lengthwise.recording import read_log

DEAD = "http://127.0.0.1:9/v1"


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def replicas(clock):
    return Replicas(["http://a/v1", "http://b/v1", "http://c/v1"], clock)


@pytest.fixture
def two():
    with FaultyServer() as one, FaultyServer() as other:
        yield one, other


def spec_of(*urls):
    return ",".join(urls) + "#fake"


def ask(spec, *texts, notes=None, between=lambda: None):
    """Ask for each text in turn, behind the check of the window; `between` is called behind that."""
    notify = (notes if notes is not None else []).append

    async def go():
        async with make_model(spec, ModelOptions(notify=notify)) as model:
            window = await model.window()
            between()
            asked = model.ask_for(Example("row", "", {}), 0)
            return window, [await asked(Request((Message("user", text),))) for text in texts]

    return asyncio.run(go())


class TestChoosing:
    def test_the_least_loaded_is_next(self, replicas):
        with ExitStack() as stack:
            for prefix, expected in enumerate("abcab"):
                replica = replicas.choose(prefix)
                assert replica.base_url == f"http://{expected}/v1"
                stack.enter_context(replicas.asking(replica, prefix))
        assert [one.load for one in replicas.all] == [0, 0, 0]

    def test_a_known_beginning_goes_where_it_is_cached_unless_that_one_is_much_busier(self, replicas):
        a, b, c = replicas.all
        with replicas.asking(c, 7):
            pass
        assert replicas.choose(7) is c
        c.load = 2
        assert replicas.choose(7) is c
        c.load = 3
        assert replicas.choose(7) is a
        b.load = a.load = 1
        assert replicas.choose(7) is c

    def test_who_failed_rests_longer_each_time_and_is_tried_again(self, replicas, clock):
        a, b, _ = replicas.all
        replicas.failed(a)
        assert replicas.choose(1) is b
        clock.now += FIRST_REST
        assert replicas.choose(1) is a
        replicas.failed(a)
        assert a.resting_until == clock.now + 2 * FIRST_REST
        for _ in range(20):
            replicas.failed(a)
        assert a.resting_until == clock.now + LONGEST_REST
        replicas.succeeded(a)
        assert replicas.choose(1) is a and a.failures == 0

    def test_a_rest_is_as_long_as_the_server_asks(self, replicas, clock):
        replicas.failed(replicas.all[0], 30.0)
        assert replicas.all[0].resting_until == clock.now + 30.0

    def test_where_all_rest_the_first_to_wake_is_asked_and_nobody_twice(self, replicas):
        for one, seconds in zip(replicas.all, (30.0, 10.0, 20.0), strict=True):
            replicas.failed(one, seconds)
        b = replicas.choose(1)
        assert b.base_url == "http://b/v1"
        assert replicas.choose(1, [b]) is None


def test_both_are_asked_and_the_record_does_not_tell_by_whom(two, tmp_path):
    one, other = two
    data = write_data(tmp_path / "data", {"lex-locate/4k": 6})
    for server in two:
        server.default = lambda body: Step(delay=0.05)
    spec = spec_of(one.url, other.url)
    run_benchmark(RunSettings(str(data), spec), tmp_path / "out", RunOptions(concurrency=4))
    assert one.most_at_once == other.most_at_once == 2
    assert len(one.seen) + len(other.seen) == 6
    run = json.loads((tmp_path / "out" / "run.json").read_text())
    assert run["model"]["base_urls"] == [one.url, other.url] and run["model"]["name"] == "fake"
    assert one.url not in (tmp_path / "out" / "replies.jsonl").read_text()
    # What one of them said is not asked of the other.
    run_benchmark(RunSettings(str(data), spec), tmp_path / "out", RunOptions(concurrency=1))
    assert len(one.seen) + len(other.seen) == 6


def test_servers_may_come_and_go_between_two_passes_but_not_all_of_them(two, tmp_path):
    one, other = two
    data = write_data(tmp_path / "data", {"lex-locate/4k": 6})
    run_benchmark(RunSettings(str(data), spec_of(one.url)), tmp_path / "out")
    log = tmp_path / "out" / "replies.jsonl"
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:3]))
    run_benchmark(RunSettings(str(data), spec_of(one.url, other.url)), tmp_path / "out")
    assert (len(one.seen) + len(other.seen), len(list(read_log(log)))) == (6 + 3, 6)
    with pytest.raises(InputError, match=r"holds another run \(model\.spec"):
        run_benchmark(RunSettings(str(data), spec_of(other.url)), tmp_path / "out")
    with pytest.raises(InputError, match="holds another run"):
        run_benchmark(RunSettings(str(data), spec_of(one.url, other.url) + "-2"), tmp_path / "out")


@pytest.mark.parametrize("step", [Step(reset=True), error(503, "restarting"), error(404, "no such model")])
def test_who_fails_or_refuses_rests_and_the_other_answers_at_once(two, step):
    one, other = two
    one.default = lambda body: replace(step)
    _, replies = ask(spec_of(one.url, other.url), "[x] hi", "[y] ho", "[z] ha")
    assert [reply.model for reply in replies] == ["fake-1"] * 3
    assert (len(one.seen), len(other.seen)) == (1, 3)


def test_who_failed_is_asked_again_when_it_is_rested(two, monkeypatch):
    monkeypatch.setattr("lengthwise.evaluators.providers.replicas.FIRST_REST", 0.0)
    one, other = two
    one.script["x"] = [error(503, "restarting")]
    ask(spec_of(one.url, other.url), "[x] hi", "[y] ho")
    assert (len(one.seen), len(other.seen)) == (2, 1)


def test_who_fails_time_and_again_is_told_of_once_and_when_it_is_back(two, monkeypatch):
    monkeypatch.setattr("lengthwise.evaluators.providers.replicas.FIRST_REST", 0.0)
    one, other = two
    # Each text begins in its own way: none has a home yet.
    texts = [f"[x] {number}" for number in range(6)]
    notes = []
    one.script["x"] = [error(503, "restarting")] * 2
    ask(spec_of(one.url, other.url), *texts, notes=notes)
    assert not notes
    one.script["x"] = [error(503, "restarting")] * 4
    ask(spec_of(one.url, other.url), *texts, notes=notes)
    assert notes == [
        f"careful: {one.url} fails (HTTP 503); the others are asked, and it now and then",
        f"{one.url} answers again",
    ]


def test_what_all_refuse_is_the_last_ones_error(two):
    for server in two:
        server.default = lambda body: error(429, "slow down", Retry_After="0")
    with pytest.raises(ReplyError, match="429: slow down"):
        ask(spec_of(*(server.url for server in two)), "[x] hi")
    assert [len(server.seen) for server in two] == [1, 1]


def test_a_request_that_is_wrong_goes_to_one_alone(two):
    for server in two:
        server.default = lambda body: error(400, "maximum context length is 10 tokens")
    with pytest.raises(ReplyError, match="maximum context length"):
        ask(spec_of(*(server.url for server in two)), "[x] hi")
    assert sum(len(server.seen) for server in two) == 1


def test_a_run_outlives_the_death_of_one(two, tmp_path):
    one, other = two
    data = write_data(tmp_path / "data", {"lex-locate/4k": 6})
    one.default = lambda body: Step(reset=True)
    options = RunOptions(concurrency=2, retries=RetryPolicy(attempts=1))
    run_benchmark(RunSettings(str(data), spec_of(one.url, other.url)), tmp_path / "out", options)
    assert len(list(read_log(tmp_path / "out" / "replies.jsonl"))) == 6
    assert len(other.seen) == 6


def test_the_smallest_window_counts_and_a_note_says_that_they_differ(two):
    one, other = two
    other.models = [{"id": "fake", "owned_by": "vllm", "max_model_len": 8_192}]
    notes = []
    window, _ = ask(spec_of(one.url, other.url), notes=notes)
    assert window.tokens == 8_192
    assert "differ" in notes[0] and f"{one.url} 40,960" in notes[0]


def test_each_must_serve_the_model(two):
    one, other = two
    other.models = [{"id": "another", "owned_by": "vllm", "max_model_len": 8_192}]
    with pytest.raises(InputError, match="unknown model 'fake'"):
        ask(spec_of(one.url, other.url))


def test_who_is_not_there_at_the_start_is_told_of_and_the_others_are_asked(two):
    notes = []
    window, replies = ask(spec_of(DEAD, two[0].url), "[x] hi", notes=notes)
    assert window.tokens == 40_960 and replies[0].model == "fake-1"
    assert "127.0.0.1:9" in notes[0] and "when it answers" in notes[0]


def test_nobody_is_there():
    with pytest.raises(InputError, match="Cannot connect"):
        ask(spec_of(DEAD, DEAD.replace("9/", "10/")))


def test_who_comes_late_is_checked_before_it_is_asked(two, monkeypatch):
    monkeypatch.setattr("lengthwise.evaluators.providers.replicas.FIRST_REST", 0.0)
    one, other = two
    limits, one.unready = one.models, True

    def comes_back():
        one.unready = False
        one.models = [{"id": "fake", "owned_by": "vllm", "max_model_len": 2_048}]

    ask(spec_of(one.url, other.url), "[x] hi", "[y] ho", between=comes_back)
    # Its window is smaller than what the run was checked for.
    assert one.seen == [] and len(other.seen) == 2

    def comes_back_whole():
        one.unready = False
        one.models = limits

    one.unready = True
    ask(spec_of(one.url, other.url), "[x] hi", "[y] ho", between=comes_back_whole)
    assert len(one.seen) == 2


def test_an_address_that_comes_twice_is_a_mistake():
    with pytest.raises(InputError, match="names an address twice"):
        make_model("http://h/v1,http://h/v1/#m")
