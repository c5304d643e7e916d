import json
import os
import signal
import subprocess
from collections import Counter
from dataclasses import replace

import pytest
from faulty_server import Step, completion, error
from run_helpers import command_line, write_data

from lengthwise.contracts import Sampling
from lengthwise.errors import InputError
from lengthwise.evaluators.contracts import Prediction
from lengthwise.evaluators.methods import MethodKind, plain_request
from lengthwise.evaluators.retry import RetryPolicy
from lengthwise.evaluators.row_reader import RowReader
from lengthwise.evaluators.runner import RunOptions, run_benchmark
from lengthwise.evaluators.scoring import score_outcomes
from lengthwise.evaluators.settings import RunSettings, settings_from

FAST = RunOptions(retries=RetryPolicy(attempts=4, base=0.001))
FIRST = "lex-locate-4k-s0-0000"
ALL = [f"lex-locate-4k-s0-{index:04d}" for index in range(6)]


def settings(data, server, **changes):
    return RunSettings(data=str(data), model=server.spec, **changes)


def outcomes(out):
    return score_outcomes(out).outcomes


def run_one(data, server, tmp_path, *steps, options=FAST):
    """Run with a script for the first row; return its outcome, after checking that no other row was harmed."""
    server.script[FIRST] = list(steps)
    run_benchmark(settings(data, server), tmp_path / "out", options)
    found = outcomes(tmp_path / "out")
    assert set(found) == {(row, 0) for row in ALL}
    assert all(found[row, 0].kind == "correct" for row in ALL[1:])
    assert all(server.asked()[row] == 1 for row in ALL[1:])
    return found[FIRST, 0]


def test_a_good_run_asks_each_row_once(data, server, tmp_path):
    assert run_one(data, server, tmp_path).kind == "correct"
    assert server.asked() == Counter(ALL)


def test_429_is_asked_again_after_what_the_server_says(data, server, tmp_path):
    outcome = run_one(data, server, tmp_path, error(429, "slow down", Retry_After="1"))
    first, second = (seen.at for seen in server.seen if seen.id == FIRST)
    assert outcome.kind == "correct"
    assert second - first >= 1


@pytest.mark.parametrize(
    "step",
    [
        error(500, "boom"),
        error(503, "busy", Retry_After="0"),
        error(408, "slow"),
        Step(reset=True),
        Step(body=b'{"choices": [{"mess'),
        Step(body=b""),
        Step(body={"choices": []}),
        Step(body=b"[" * 200_000),
        Step(body={"error": {"message": "provider is down", "code": 502}}),
        Step(502, b"<html>bad gateway</html>"),
    ],
)
def test_a_passing_fault_is_asked_again(data, server, tmp_path, step):
    assert run_one(data, server, tmp_path, step, step).kind == "correct"
    assert server.asked()[FIRST] == 3


def test_a_fault_that_stays_ends_in_error_with_the_message(data, server, tmp_path):
    outcome = run_one(data, server, tmp_path, *[error(500, "boom")] * 9)
    assert outcome.kind == "error"
    assert "HTTP 500: boom (after 4 tries)" in outcome.message
    assert server.asked()[FIRST] == 4


def test_a_slow_first_byte_is_a_time_out_and_not_paid_for_many_times(data, server, tmp_path):
    options = replace(FAST, timeout=0.3)
    outcome = run_one(data, server, tmp_path, *[Step(delay=0.8)] * 4, options=options)
    assert outcome.kind == "error"
    assert "no whole reply within 0.3 s" in outcome.message
    assert server.asked()[FIRST] == 2


@pytest.mark.parametrize(
    ("step", "kind"),
    [
        (Step(body=completion(None, "length", reasoning_content="hmm " * 9)), "truncated_output"),
        (Step(body=completion("I was about to", "length")), "truncated_output"),
        (Step(body=completion("<answer>a b c</answer> and", "length")), "correct"),
        (Step(body=completion(None, "content_filter")), "refused"),
        (error(400, "filtered", "content_filter"), "refused"),
        (Step(body=completion(None, "stop")), "empty"),
        (Step(body=completion("", "stop")), "empty"),
        (Step(body=completion("no idea")), "unparsed"),
        (Step(body=completion("<answer>b c y</answer>")), "wrong"),
        (Step(body=completion([{"type": "text", "text": "<answer>a b c</answer>"}])), "correct"),
        (error(400, "This model's maximum context length is 10 tokens. However, your prompt has 11"), "overlength"),
        (error(400, "request (9 tokens) exceeds the available context size (8 tokens)"), "overlength"),
        (error(400, "too long", "context_length_exceeded"), "overlength"),
        (error(422, "unknown field"), "error"),
        (error(404, "no such model"), "error"),
        (error(429, "no money left", "insufficient_quota"), "error"),
        (Step(307, b"", {"Location": "http://127.0.0.1:9/v1"}), "error"),
    ],
)
def test_what_is_final_is_asked_once_and_ends_in_its_outcome(data, server, tmp_path, step, kind):
    outcome = run_one(data, server, tmp_path, step)
    assert outcome.kind == kind
    assert server.asked()[FIRST] == 1


def test_an_error_names_what_the_server_said(data, server, tmp_path):
    assert "HTTP 422: unknown field" in run_one(data, server, tmp_path, error(422, "unknown field")).message


def test_a_redirect_is_not_followed(data, server, tmp_path):
    step = Step(307, b"", {"Location": server.url + "/elsewhere"})
    assert "not followed" in run_one(data, server, tmp_path, step).message


def test_errors_are_asked_again_on_resume_and_nothing_else(data, server, tmp_path):
    run_one(data, server, tmp_path, error(422, "unknown field"))
    run_benchmark(settings(data, server), tmp_path / "out", FAST)
    assert server.asked() == Counter({**dict.fromkeys(ALL, 1), FIRST: 2})
    assert outcomes(tmp_path / "out")[FIRST, 0].kind == "correct"


def test_a_finished_run_asks_nothing(data, server, tmp_path):
    for _ in range(2):
        run_benchmark(settings(data, server), tmp_path / "out", FAST)
    assert len(server.seen) == 6


def test_three_repeats_make_three_calls(data, server, tmp_path):
    run_benchmark(settings(data, server, repeats=3), tmp_path / "out", FAST)
    assert server.asked() == Counter(dict.fromkeys(ALL, 3))
    assert set(outcomes(tmp_path / "out")) == {(row, repeat) for row in ALL for repeat in range(3)}


def test_reask_asks_until_an_answer_parses(data, server, tmp_path):
    server.script[FIRST] = [Step(body=completion("no idea"))]
    server.script[ALL[1]] = [Step(body=completion("no idea"))] * 5
    run_benchmark(settings(data, server, method="reask"), tmp_path / "out", FAST)
    found = outcomes(tmp_path / "out")
    assert (server.asked()[FIRST], found[FIRST, 0].kind, found[FIRST, 0].calls) == (2, "correct", 2)
    assert (server.asked()[ALL[1]], found[ALL[1], 0].kind) == (3, "unparsed")
    assert server.asked()[ALL[2]] == 1


async def first_of_two(example, ask):
    request = plain_request(example, Sampling())
    first = await ask(request)
    await ask(request)
    return Prediction(first)


def test_what_a_method_settles_on_is_scored_not_its_last_call(data, server, tmp_path, monkeypatch):
    two = MethodKind("for a test", lambda resources: first_of_two, 2)
    monkeypatch.setattr("lengthwise.evaluators.methods.METHODS", {"first-of-two": two, "zero-shot": two})
    server.script[FIRST] = [Step(body=completion("no idea")), Step()]
    server.script[ALL[1]] = [Step(), Step(body=completion("no idea"))]
    run_benchmark(settings(data, server, method="first-of-two"), tmp_path / "out", FAST)
    found = outcomes(tmp_path / "out")
    assert (found[FIRST, 0].kind, found[ALL[1], 0].kind) == ("unparsed", "correct")
    assert {outcome.calls for outcome in found.values()} == {2}


def test_an_example_whose_method_was_not_done_is_not_scored(data, server, tmp_path):
    server.script[FIRST] = [Step(body=completion("no idea"))]
    run_benchmark(settings(data, server, method="reask"), tmp_path / "out", FAST)
    log, settled = tmp_path / "out" / "replies.jsonl", tmp_path / "out" / "predictions.jsonl"
    kept = [line for line in log.read_text().splitlines(True) if FIRST not in line or '"call":0' in line]
    log.write_text("".join(kept))
    settled.write_text("".join(line for line in settled.read_text().splitlines(True) if FIRST not in line))
    outcome = outcomes(tmp_path / "out")[FIRST, 0]
    assert outcome.kind == "error" and "before the method was done" in outcome.message
    run_benchmark(settings(data, server, method="reask"), tmp_path / "out", FAST)
    assert outcomes(tmp_path / "out")[FIRST, 0].kind == "correct"


@pytest.mark.parametrize("concurrency", [1, 3])
def test_as_many_calls_are_under_way_as_wanted(data, server, tmp_path, concurrency):
    # Long enough for the others to arrive, on a machine with much else to do.
    server.default = lambda body: Step(delay=0.4)
    run_benchmark(settings(data, server), tmp_path / "out", replace(FAST, concurrency=concurrency))
    assert server.most_at_once == concurrency


def test_the_body_is_the_papers_sampling(data, server, tmp_path):
    run_benchmark(settings(data, server, limit=1), tmp_path / "out", FAST)
    body = server.seen[0].body
    assert {name: body[name] for name in ("model", "max_tokens", "temperature", "top_p")} == {
        "model": "fake",
        "max_tokens": 16_000,
        "temperature": 1.0,
        "top_p": 1.0,
    }
    assert [message["role"] for message in body["messages"]] == ["user"]
    assert body["messages"][0]["content"].startswith("Words: x a b c y z\n\n[")


def test_run_json_says_what_the_run_was(data, server, tmp_path):
    sampling = Sampling(max_tokens=500)
    options = replace(FAST, labels={"label": "mine", "group": None, "size": "8B"})
    run_benchmark(settings(data, server, sampling=sampling, limit=4, seed=3), tmp_path / "out", options)
    content = json.loads((tmp_path / "out" / "run.json").read_text())
    assert content["sampling_origin"] == "changed"
    assert content["sampling"]["max_tokens"] == 500
    assert content["data"]["cells"] == {"lex-locate/4k": "digest of lex-locate/4k 6"}
    assert content["model"]["base_url"] == server.url
    assert content["labels"] == {"label": "mine", "group": None, "size": "8B"}
    assert (content["n_examples"], content["limit"], content["seed"]) == (4, 4, 3)


def test_a_run_is_repeated_from_its_run_json(data, server, tmp_path):
    first = settings(data, server, sampling=Sampling(max_tokens=500), limit=4, seed=3, repeats=2)
    run_benchmark(first, tmp_path / "one", FAST)
    run_benchmark(settings_from(tmp_path / "one" / "run.json"), tmp_path / "two", FAST)
    one, two = (json.loads((tmp_path / name / "run.json").read_text()) for name in ("one", "two"))
    assert {name: value for name, value in one.items() if name != "created"} == {
        name: value for name, value in two.items() if name != "created"
    }
    assert server.asked() == Counter({row: 4 for row in server.asked()})


def test_from_refuses_data_that_changed(data, server, tmp_path):
    run_benchmark(settings(data, server), tmp_path / "one", FAST)
    write_data(data, {"lex-locate/4k": 5})
    with pytest.raises(InputError, match="not the data of that run any more"):
        run_benchmark(settings_from(tmp_path / "one"), tmp_path / "two", FAST)


@pytest.mark.parametrize("change", [{"repeats": 2}, {"limit": 3}, {"method": "reask"}, {"sampling": Sampling(500)}])
def test_the_folder_of_another_run_is_refused(data, server, tmp_path, change):
    run_benchmark(settings(data, server), tmp_path / "out", FAST)
    asked = len(server.seen)
    with pytest.raises(InputError, match=f"holds another run.*{next(iter(change))}"):
        run_benchmark(settings(data, server, **change), tmp_path / "out", FAST)
    assert len(server.seen) == asked


def test_a_folder_of_other_files_is_refused_before_anything_is_asked(data, server, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.tex").touch()
    with pytest.raises(InputError, match=r"thesis\.tex"):
        run_benchmark(settings(data, server), tmp_path / "out", FAST)
    assert not server.seen


def test_prices_of_a_file_put_costs_on_replies(data, server, tmp_path):
    prices = tmp_path / "prices.json"
    prices.write_text(json.dumps({"as_of": "2026-11-01", "models": {"fake": {"input": 1e6, "output": 2e6}}}))
    run_benchmark(settings(data, server, limit=1), tmp_path / "out", replace(FAST, prices=prices))
    assert [outcome.cost for outcome in outcomes(tmp_path / "out").values()] == [100 + 2 * 10]


@pytest.mark.parametrize(("counted", "warned"), [(600, False), (400, True)])
def test_a_server_that_cuts_prompts_off_in_silence_is_told_of(server, tmp_path, counted, warned):
    data = write_data(tmp_path / "data", {"lex-locate/4k": 3}, {"lex-locate/4k": 1_000})
    server.default = lambda body: Step(body=completion() | {"usage": {"prompt_tokens": counted}})
    said = []
    run_benchmark(settings(data, server), tmp_path / "out", replace(FAST, notify=said.append))
    assert [line.startswith("careful: for 3 of 3") for line in said] == [True] * warned


@pytest.mark.parametrize(("spent", "warned"), [(500, False), (499, True)])
def test_replies_that_end_before_their_budget_is_spent_are_told_of(data, server, tmp_path, spent, warned):
    usage = {"prompt_tokens": 100, "completion_tokens": spent}
    server.default = lambda body: Step(body=completion("I was about to", "length") | {"usage": usage})
    said = []
    run_benchmark(settings(data, server, sampling=Sampling(500)), tmp_path / "out", replace(FAST, notify=said.append))
    assert [line.startswith("careful: 6 of 6 replies were cut by length before") for line in said] == [True] * warned


KILLED = 4


def kill_client_at(server, number, process):
    """Let the server kill the client, kill -9, when request `number` comes in, and leave that one unanswered."""
    count = 0

    def step(body):
        nonlocal count
        count += 1
        if count != number:
            return Step()
        return Step(before=lambda: os.kill(process[0].pid, signal.SIGKILL), reset=True)

    server.default = step


def start(process, cwd, *arguments, prelude=""):
    command = command_line(*arguments, prelude=prelude)
    process.append(subprocess.Popen(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE))
    process[0].communicate(timeout=60)
    assert process[0].returncode == -signal.SIGKILL


def test_a_run_killed_in_the_middle_goes_on_without_asking_twice(data, server, tmp_path, lengthwise):
    process = []
    kill_client_at(server, KILLED, process)
    arguments = ["run", data, "--model", server.spec, "--out", "out", "--concurrency", 1]
    start(process, tmp_path, *arguments)
    assert sum(server.answered.values()) == KILLED - 1
    with (tmp_path / "out" / "replies.jsonl").open("ab") as log:
        log.write(b'{"example": "lex-loc\xff')
    done = lengthwise(*arguments)
    assert done.returncode == 0, done.stderr
    assert server.answered == Counter(ALL)
    assert len(server.seen) == len(ALL) + 1
    assert {kind.kind for kind in outcomes(tmp_path / "out").values()} == {"correct"}


TWO_STEPS = """
import lengthwise.evaluators.methods as methods
from lengthwise.contracts import Message, Request
from lengthwise.evaluators.contracts import Prediction
def make(resources):
    async def method(example, ask):
        first = await ask(Request((Message("user", "step one " + example.prompt),), resources.sampling))
        second = Message("user", "step two " + example.prompt + first.text)
        return Prediction(await ask(Request((second,), resources.sampling)))
    return method
methods.METHODS = {**methods.METHODS, "two-step": methods.MethodKind("for a test", make, 2)}
"""


def test_a_method_killed_between_its_steps_goes_on_without_asking_again(data, server, tmp_path, lengthwise):
    process = []
    kill_client_at(server, KILLED, process)
    arguments = ["run", data, "--model", server.spec, "--out", "out", "--concurrency", 1, "--method", "two-step"]
    start(process, tmp_path, *arguments, prelude=TWO_STEPS)
    # The fourth request was the second step of the second row.
    assert server.seen[-1].body["messages"][0]["content"].startswith("step two")
    done = lengthwise(*arguments, prelude=TWO_STEPS)
    assert done.returncode == 0, done.stderr
    steps = Counter((seen.id, seen.body["messages"][0]["content"][:8]) for seen in server.seen)
    killed = (server.seen[KILLED - 1].id, "step two")
    assert steps == Counter({**{(row, step): 1 for row in ALL for step in ("step one", "step two")}, killed: 2})
    assert server.answered == Counter(dict.fromkeys(ALL, 2))


def test_no_key_is_in_anything_that_a_run_wrote_or_printed(data, server, tmp_path, lengthwise):
    key = "sk-planted-0123456789"
    server.script[FIRST] = [error(401, f"bad key {key}")]
    server.script[ALL[1]] = [Step(302, b"", {"Location": f"http://127.0.0.1:9/?key={key}"})]
    server.script[ALL[2]] = [Step(body=f"not json {key}".encode())] * 9
    server.script[ALL[3]] = [Step(body={"error": {"message": f"key {key}", "code": 400}})]
    done = lengthwise(
        *("run", data, "--model", server.spec, "--out", "out", "--api-key-env", "MY_KEY", "--timeout", "20"),
        MY_KEY=key,
        prelude="import lengthwise.evaluators.retry as r; r.RetryPolicy.__init__.__defaults__ = (2, 2, 2, 0.01, 1, 9)",
    )
    assert done.returncode == 1, done.stderr  # rows are left without a reply
    assert {seen.authorization for seen in server.seen} == {f"Bearer {key}"}
    written = b"".join(path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file())
    assert b"[key]" in written
    assert key.encode() not in written
    assert key not in done.stdout + done.stderr
    assert json.loads((tmp_path / "out" / "run.json").read_text())["model"]["api_key_env"] == "MY_KEY"


def test_no_key_goes_to_a_host_that_none_was_named_for(data, server, tmp_path, lengthwise):
    keys = dict.fromkeys(("OPENAI_API_KEY", "OPENROUTER_API_KEY", "HF_TOKEN"), "sk-planted-0123456789")
    assert lengthwise("run", data, "--model", server.spec, "--out", "out", **keys).returncode == 0
    assert {seen.authorization for seen in server.seen} == {None}


def test_only_the_prompts_under_way_are_in_memory(server, tmp_path, monkeypatch):
    data = write_data(tmp_path / "many", {"lex-locate/4k": 60})
    pulled, read = 0, RowReader.read

    def counting(self, number):
        nonlocal pulled
        pulled += 1
        assert pulled - sum(server.answered.values()) <= 3
        return read(self, number)

    monkeypatch.setattr(RowReader, "read", counting)
    run_benchmark(settings(data, server), tmp_path / "out", replace(FAST, concurrency=2))
    assert pulled == 60


def test_a_reply_is_judged_in_the_run_only_for_who_watches(data, server, tmp_path, monkeypatch):
    watched = []
    run_benchmark(settings(data, server), tmp_path / "watched", replace(FAST, watch=watched.append))
    assert [one.kind for one in watched] == ["correct"] * 6
    monkeypatch.delattr("lengthwise.evaluators.asking.decide")
    run_benchmark(settings(data, server), tmp_path / "quiet", FAST)
    assert {one.kind for one in outcomes(tmp_path / "quiet").values()} == {"correct"}
